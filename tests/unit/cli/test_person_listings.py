"""What commands say of keys, signatures, tokens and marks: to the letter, as JSON, and by exit code."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

from coditect.cli import keys, mark, sign, tokens
from coditect.cli.exit_codes import ExitCode
from coditect.errors import NotFound, UsageError
from coditect.schemas import PersonSignature, RelevanceMark, SignerKey
from coditect.server.access import tokens as access
from coditect.transparency.persons import keys as persons
from coditect.transparency.persons.keys import KeyLife
from tests.unit.cli.commands import Desk, noting

AT = "2026-01-02T03:04:05Z"


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Commands on an object that knows nothing yet."""
    return Desk(monkeypatch, SimpleNamespace(clock=lambda: AT))


def signer(person: str, change: str, **more: object) -> SignerKey:
    """An entry of the register of keys."""
    fields: dict[str, Any] = {
        "signer_id": f"signer_{person}_{change}",
        "key": f"{person}+1+x",
        "role": "auditor",
        "at": AT,
        **more,
    }
    return SignerKey(corpus_id="c", change=change, person=person, **fields)


def test_keys_are_listed_with_how_long_they_hold(desk: Desk) -> None:
    """And why one does not any more."""
    lives = [KeyLife("A+1+x", "A", "auditor", AT), KeyLife("B+1+x", "B", "CISO", AT, "2026-03-01", "revoked: lost")]
    desk.monkeypatch.setattr(persons, "key_lives", lambda found: {each.key: each for each in lives})
    desk.knowledge.registered_keys = lambda: [signer("A", "made")]
    ran = desk.run(keys.list_)
    assert ran.lines == [
        "2 keys", "", f"  A, auditor  since {AT}  holds", "    A+1+x",
        "", f"  B, CISO  since {AT}  revoked: lost at 2026-03-01", "    B+1+x",
    ]  # fmt: skip
    found = json.loads(desk.run(keys.list_, "--format", "json").out)
    assert (len(found["keys"]), len(found["changes"])) == (2, 1)


@pytest.mark.parametrize(
    "words", [(), ("--name", "n", "--person", "p", "--role", "r"), ("--person", "p"), ("--name", "n", "--role", "r")]
)
def test_a_new_key_is_of_the_log_or_of_a_person(desk: Desk, tmp_path: Path, words: tuple[str, ...]) -> None:
    """One of both; a person has a role."""
    with pytest.raises(UsageError, match="of the log or of a person"):
        desk.run(keys.new, *words, "--output", str(tmp_path / "key"))


def test_a_new_key_is_told_by_its_public_part(desk: Desk, tmp_path: Path) -> None:
    """That of a person is registered; its file is there before."""
    made: list[tuple[str, str, bool]] = []

    def registered(key: Any, *, person: str, role: str, **more: Any) -> SignerKey:  # noqa: ANN401
        made.append((person, role, (tmp_path / "p.key").exists()))
        return signer(person, "made", key=str(key.key), **({"replaces": more["replaces"]} if more else {}))

    desk.knowledge.register_key = registered
    ran = desk.run(keys.new, "--name", "log.example.com/c", "--output", str(tmp_path / "l.key"))
    assert ran.out.startswith("log.example.com/c+")
    ran = desk.run(
        keys.new, "--person", "A", "--role", "auditor", "--output", str(tmp_path / "p.key"), "--format", "json"
    )
    told = json.loads(ran.out)
    assert (told["person"], told["role"], told["file"]) == ("A", "auditor", str(tmp_path / "p.key"))
    assert made == [("A", "auditor", True)]
    old = signer("A", "made", key=told["verifier_key"])
    desk.knowledge.registered_keys = lambda: [signer("Z", "made"), old]
    ways = (("--key", str(tmp_path / "p.key")), ("--lost", old.key), ("--lost", old.key.partition("+")[0]))
    for number, named in enumerate(ways):
        fresh = tmp_path / f"fresh-{number}.key"
        ran = desk.run(keys.rotate, *named, "--output", str(fresh), "--format", "json")
        assert json.loads(ran.out)["replaces"] == old.key
        assert fresh.exists()
    for words in ((), ("--key", str(tmp_path / "p.key"), "--lost", old.key)):
        with pytest.raises(UsageError, match="one key is replaced"):
            desk.run(keys.rotate, *words, "--output", str(tmp_path / "no.key"))
    with pytest.raises(NotFound, match="no such key"):
        desk.run(keys.rotate, "--lost", "nobody", "--output", str(tmp_path / "no.key"))
    assert not (tmp_path / "no.key").exists()


def test_a_key_is_revoked_from_a_time_on(desk: Desk) -> None:
    """Now, where no time is given; what is no time is refused before anything is stored."""
    given: list[str | None] = []
    desk.knowledge.revoke_key = lambda key, *, reason, at: noting(given, at, signer("A", "revoked"))
    ran = desk.run(keys.revoke, "--key", "A", "--reason", "lost")
    assert ran.out == f"revoked from {AT} on: A, auditor, A+1+x\n"
    assert (
        json.loads(desk.run(keys.revoke, "--key", "A", "--reason", "lost", "--at", AT, "--format", "json").out)[
            "person"
        ]
        == "A"
    )
    with pytest.raises(click.BadParameter, match="is no time"):
        desk.run(keys.revoke, "--key", "A", "--reason", "lost", "--at", "yesterday")
    assert given == [None, AT]


SIGNATURE = PersonSignature(
    corpus_id="c", signature_id="signature_1", subject="claim_1", subject_sha256="ab" * 32, shown="It is.\nSo.",
    shown_sha256="ab" * 32, by="A", role="auditor", at=AT, meaning="approved", key="A+1+x", signature="x",
)  # fmt: skip
SIGN = ("--corpus-id", "c")


@pytest.mark.parametrize(("problems", "code"), [((), ExitCode.OK), (("the key was revoked", "late"), ExitCode.FOUND)])
def test_signatures_are_listed_with_what_is_wrong_with_them(
    desk: Desk, problems: tuple[str, ...], code: ExitCode
) -> None:
    """One that is not valid is found."""
    desk.knowledge.signatures = lambda corpus_id: [(SIGNATURE, problems)]
    ran = desk.run(sign.sign, *SIGN, "--list")
    assert ran.lines == [
        "1 signature", "", f"  {'not valid' if problems else 'signed'}  A, auditor, {AT}: approved", "    claim_1  signature_1",
        *(f"    {each}" for each in problems), "      It is.", "      So.",
    ]  # fmt: skip
    assert ran.code == code
    ran = desk.run(sign.sign, *SIGN, "--list", "--format", "json")
    assert (json.loads(ran.out)[0]["problems"], ran.code) == (list(problems), code)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--list", "--item", "claim_1"), "--list signs nothing"),
        (("--list", "--meaning", "m"), "--list signs nothing"),
        (("--list", "--report", __file__), "--list signs nothing"),
        ((), "one thing is signed"),
        (("--item", "claim_1"), "one thing is signed"),
        (("--meaning", "m"), "one thing is signed"),
        (("--item", "claim_1", "--report", __file__, "--meaning", "m"), "one thing is signed"),
        (("--item", "claim_1", "--meaning", "m"), "no key to sign with"),
    ],
)
def test_what_is_signed_is_one_thing_with_a_meaning(desk: Desk, words: tuple[str, ...], told: str) -> None:
    """By somebody who has a key."""
    desk.monkeypatch.setattr(sign, "person_key", lambda ctx: None)
    with pytest.raises(UsageError, match=told):
        desk.run(sign.sign, *SIGN, *words)


def test_an_item_and_a_report_are_signed_alike(desk: Desk) -> None:
    """The one by its id, the other by its bytes."""
    calls: list[object] = []
    desk.monkeypatch.setattr(sign, "person_key", lambda ctx: "key")
    desk.knowledge.sign = lambda *given, **more: noting(calls, given, SIGNATURE)
    desk.knowledge.sign_report = lambda *given, **more: noting(calls, given, SIGNATURE)
    assert desk.run(sign.sign, *SIGN, "--item", "claim_1", "--meaning", "m").lines[0] == "1 signature"
    ran = desk.run(sign.sign, *SIGN, "--report", __file__, "--meaning", "m", "--format", "json")
    assert json.loads(ran.out)["signature_id"] == "signature_1"
    assert calls == [("c", "claim_1", "key"), ("c", Path(__file__).read_bytes(), "key")]


def token(public: str, change: str, **more: Any) -> Any:  # noqa: ANN401 - a record of the server's
    """An entry of the register of tokens."""
    fields = {
        "public_id": public,
        "change": change,
        "name": "n",
        "role": "reader",
        "corpora": (),
        "at": AT,
        "until": AT,
        "reason": "r",
    }
    told = {**fields, **more}
    return SimpleNamespace(**told, model_dump=lambda mode: {**told, "secret_sha256": "x"})


def test_tokens_are_listed_with_their_state(desk: Desk) -> None:
    """Until when, ended or revoked; one that ends now has ended; secrets are never told."""
    entries = [
        token("t1", "made", until="2026-01-02T03:04:06Z", corpora=("a", "b")),
        token("t2", "made"), token("t3", "made", until="2027"),
        token("t3", "revoked", at="2026-05-06T00:00:00Z", reason="left"), token("t4", "made", until="2025-01-01"),
    ]  # fmt: skip
    desk.monkeypatch.setattr(access, "made_tokens", lambda store: entries)
    desk.knowledge.store = None
    assert [line.split() for line in desk.run(tokens.list_).lines] == [
        ["token", "name", "role", "corpora", "state"],
        ["t1", "n", "reader", "a,", "b", "until", "2026-01-02"],
        ["t2", "n", "reader", "all", "ended"],
        ["t3", "n", "reader", "all", "revoked", "2026-05-06:", "left"],
        ["t4", "n", "reader", "all", "ended"],
    ]
    found = json.loads(desk.run(tokens.list_, "--format", "json").out)
    assert [each["public_id"] for each in found] == ["t1", "t2", "t3", "t3", "t4"]
    assert all("secret_sha256" not in each for each in found)


def test_a_token_is_printed_alone(desk: Desk) -> None:
    """What is said of it goes to the standard error; a store is made where there is none."""
    desk.monkeypatch.setattr(access, "new_token", lambda *given, **more: (token("t1", "made"), "coditect_x"))
    desk.monkeypatch.setattr(access, "revoke_token", lambda *given, **more: token("t1", "revoked"))
    for name in ("acting", "checkpoint"):
        setattr(desk.knowledge, name, lambda: None)
    desk.knowledge.store = None
    words = ("--name", "n", "--role", "reader")
    ran = desk.run(tokens.new, *words)
    assert (ran.out, ran.err) == ("coditect_x\n", f"For n, reader, until {AT}. It is not shown again.\n")
    assert desk.opened[-1]["must_exist"] is False
    told = json.loads(desk.run(tokens.new, *words, "--format", "json").out)
    assert (told["token"], told["public_id"]) == ("coditect_x", "t1")
    assert desk.run(tokens.revoke, "--token", "t1", "--reason", "r").out == f"t1 does not hold since {AT}.\n"
    assert (
        json.loads(desk.run(tokens.revoke, "--token", "t1", "--reason", "r", "--format", "json").out)["change"]
        == "revoked"
    )


MARK = RelevanceMark(
    corpus_id="c", mark_id="mark_1", query="who reviews?", tier="extraction", judged_id="extraction_1", documents=(),
    relevant=True, by="R. Eader", at=AT,
)  # fmt: skip
MARKED = ("--query", "q", "--item-id", "i", "--relevant", "--by", "n")


def test_marks_are_made_and_listed(desk: Desk) -> None:
    """Who says what of which item and question."""
    desk.knowledge.marks = lambda corpus_id: [MARK, MARK.model_copy(update={"relevant": False})]
    desk.knowledge.mark = lambda *given, **more: MARK
    said = [f"R. Eader, {AT}  extraction_1", "    who reviews?"]
    assert desk.run(mark.mark, *SIGN, "--list").lines == [
        "2 marks", f"  relevant  {said[0]}", said[1], f"  not relevant  {said[0]}", said[1],
    ]  # fmt: skip
    assert len(json.loads(desk.run(mark.mark, *SIGN, "--list", "--format", "json").out)) == 2
    assert desk.run(mark.mark, *SIGN, *MARKED).lines[0] == "1 mark"
    assert json.loads(desk.run(mark.mark, *SIGN, *MARKED, "--format", "json").out)["mark_id"] == "mark_1"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        *((MARKED[:at] + MARKED[at + size :], "a mark needs") for at, size in ((0, 2), (2, 2), (4, 1), (5, 2))),
        *((("--list", *MARKED[at : at + size]), "a list needs nothing else") for at, size in ((0, 2), (2, 2), (4, 1), (5, 2))),
        (("--list", "--not-relevant"), "a list needs nothing else"),
        ((), "a mark needs"),
    ],
)  # fmt: skip
def test_a_mark_is_whole_and_a_list_is_alone(desk: Desk, words: tuple[str, ...], told: str) -> None:
    """Each of the four is needed to mark, and none of them to list."""
    with pytest.raises(UsageError, match=told):
        desk.run(mark.mark, *SIGN, *words)
