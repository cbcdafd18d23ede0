"""Genuine bundles: what holds, what is told of the order, and what is named as not checked."""

from __future__ import annotations

import ast
import json
import sys
from base64 import b64encode
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest
from coditect_verify import Trust, verify_bundle
from coditect_verify import log as verifier_log
from coditect_verify.command import MANY, main
from coditect_verify.log import Key

from coditect.knowledge.report.bundles.collection import BundleSubject
from coditect.schemas import canonical_json, sha256_hex, tag_of
from coditect.schemas.record import content_id
from coditect.store.store import Store
from coditect.transparency.checkpoints import Checkpoint
from coditect.transparency.cosignatures import message_at
from coditect.transparency.events import append_event, event_of
from coditect.transparency.notes import Note, Signature, SigningKey
from coditect.transparency.witness.judgement import witness_key
from tests.corpora import CORPUS
from tests.unit.transparency.time_authority import TimeAuthority
from verifier_tests.bundles import KEY, Members, bundle_of, log_of, members_of, only, write_members

TRUST = Trust(log_keys=[Key.parse(str(KEY.key))])


@pytest.mark.parametrize("subject", get_args(BundleSubject))
@pytest.mark.parametrize("sources", [True, False])
def test_genuine_bundle_holds_and_is_the_same_each_time(
    built: Store, tmp_path: Path, subject: BundleSubject, sources: bool
) -> None:
    """Every hop, for every subject; nothing in it that nobody looks at; and without the files, each is named."""
    bundle = bundle_of(built, subject, sources=sources)
    assert bundle == bundle_of(built, subject, sources=sources)
    path = tmp_path / "bundle"
    path.write_bytes(bundle)
    found = verify_bundle(path, TRUST)
    assert [each for each in found.hops if not each.holds] == []
    assert {"checkpoint", "generation", "manifest", "intake", "file", "subject"} <= {each.kind for each in found.hops}
    assert not any("members" in each for each in found.unchecked)
    assert any("bytes are not in the bundle" in each for each in found.unchecked) is not sources


def test_order_of_documents_and_generation_is_told(built: Store, tmp_path: Path) -> None:
    """Each cited document was logged before the generation that cites it, by the entries' indexes."""
    path = tmp_path / "bundle"
    path.write_bytes(bundle_of(built, "claim"))
    found = verify_bundle(path, TRUST)
    index = json.loads(members_of(path.read_bytes())["bundle.json"])["entries"]
    assert len(found.order) == len(index["documents"]) >= 2
    assert all("before the generation that cites it" in each for each in found.order)
    assert all(each < index["generation"] for each in index["documents"].values())


def test_kept_checkpoint_shows_that_the_log_only_grew(built: Store, tmp_path: Path) -> None:
    """By a proof that the bundle carries; a checkpoint of another history is refused, without the proof it is named."""
    note = log_of(built).checkpoint(KEY)
    kept = verifier_log.Checkpoint.parse(note)
    built.update(lambda transaction: append_event(transaction, built.keys, event_of("export", CORPUS)))
    with_proof, without = tmp_path / "with", tmp_path / "without"
    with_proof.write_bytes(bundle_of(built, "claim", kept=note))
    without.write_bytes(bundle_of(built, "claim"))
    found = verify_bundle(with_proof, Trust(TRUST.log_keys, kept))
    assert found.holds
    assert any("begins with those" in each.detail for each in found.hops)
    named = verify_bundle(without, Trust(TRUST.log_keys, kept))
    assert not named.holds, "what was asked for and cannot be checked is not passed over"
    assert [each.kind for each in named.causes] == ["kept checkpoint"]
    assert "ask for one with its proof from your" in named.causes[0].detail
    # Who checks no signature can be shown any continuation of what was kept: without a key nothing is proven.
    for path in (with_proof, without):
        refused = verify_bundle(path, Trust((), kept))
        assert [each.kind for each in refused.causes] == ["checkpoint"]
        assert any("comes first (checkpoint) is wrong" in each for each in refused.unchecked)
    other = Checkpoint(KEY.name, kept.size, bytes(32))
    forged = verifier_log.Checkpoint.parse(str(Note(other.text).signed_by([KEY])))
    wrong = [each.detail for each in verify_bundle(with_proof, Trust(TRUST.log_keys, forged)).hops if not each.holds]
    assert any("this proof was damaged, or the log was rewritten" in each for each in wrong)
    longer = Checkpoint(KEY.name, kept.size + 9, bytes(32))
    ahead = verifier_log.Checkpoint.parse(str(Note(longer.text).signed_by([KEY])))
    (cause,) = verify_bundle(with_proof, Trust(TRUST.log_keys, ahead)).causes
    assert "does not go on from one of" in cause.detail


def _signed(store: Store, by: SigningKey, *, digest: str | None = None, what: str = "") -> Members:
    """A bundle whose generation a person signed, or something in it: the record, its event in the log, and the proof of that."""
    before = members_of(bundle_of(store, "claim"))
    build_id = what or json.loads(before["records/generation"])["build_id"]
    body = {
        "$record": "signature/1",
        "corpus_id": CORPUS,
        "subject": build_id,
        "subject_sha256": digest or sha256_hex(before[f"items/{build_id}"]),
        "shown_sha256": "0" * 64,
        "by": "Ada Palmer",
        "role": "Head of Compliance",
        "at": "2026-02-03T10:00:00Z",
        "meaning": "approved",
        "key": str(by.key),
    }
    signed = b64encode(by.sign(b"coditect-signature/1\n" + canonical_json(body))).decode()
    data = canonical_json({**body, "signature": signed})
    item_id = content_id("signature", tag_of(CORPUS), data)
    event = event_of("export", CORPUS, subject=item_id).model_copy(
        update={"kind": "signature", "sha256": sha256_hex(data)}
    )
    store.update(lambda transaction: append_event(transaction, store.keys, event))
    log = log_of(store)
    index = log.head().size - 1
    members = members_of(bundle_of(store, "claim"))
    told = json.loads(members["bundle.json"])
    told["entries"]["signatures"] = {item_id: index}
    members["bundle.json"] = canonical_json(told)
    members[f"items/{item_id}"] = data
    members[f"log/{index}.entry"] = dict(log.entries(index))[index]
    members[f"log/{index}.tlog-proof"] = log.prove(index).encode()
    return members


def test_signature_over_something_wrong_does_not_hold(built: Store, tmp_path: Path) -> None:
    """A person approved a claim; the file that it quotes was changed since: the approval is of nothing that can be shown."""
    claim = str(json.loads(members_of(bundle_of(built, "claim"))["bundle.json"])["subject"]["id"])
    members = _signed(built, SigningKey("signer/ada", bytes(32)), what=claim)
    whole = verify_bundle(write_members(tmp_path / "whole", members), TRUST)
    assert [each.holds for each in whole.hops if each.kind == "signature"] == [True]
    name = only(members, "files/")
    found = verify_bundle(write_members(tmp_path / "changed", {**members, name: members[name] + b" "}), TRUST)
    assert [each.detail for each in found.hops if each.kind == "signature"] == [
        f"it rests on claim {claim}, which is wrong"
    ]
    assert [each.kind for each in found.causes] == ["file"]


def _forged(members: Members, old: bytes, new: bytes) -> Members:
    """The signature's record changed, under the id of its new bytes everywhere."""
    name = only(members, "items/signature_")
    data = members[name].replace(old, new)
    before, after = name.removeprefix("items/"), content_id("signature", tag_of(CORPUS), data)
    out = {key.replace(before, after): value for key, value in {**members, name: data}.items()}
    return {**out, "bundle.json": out["bundle.json"].replace(before.encode(), after.encode())}


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
def test_signature_of_a_person_comes_after_the_generation_that_it_signs(built: Store, tmp_path: Path) -> None:
    """Name, role, time and meaning over the record's digest; forged or moved ones are refused, an unknown key is named."""
    person = SigningKey("ada.palmer", bytes([7] * 32))
    members = _signed(built, person)
    path = write_members(tmp_path / "signed", members)
    known = Trust(TRUST.log_keys, people=[Key.parse(str(person.key))])
    found = verify_bundle(path, known)
    assert found.holds, [each for each in found.hops if not each.holds]
    assert any("was logged before Ada Palmer signed" in each for each in found.order)
    assert not any("(--signer)" in each for each in found.unchecked)
    assert any("(--signer)" in each for each in verify_bundle(path, TRUST).unchecked)
    for old, new in ((b"approved", b"rejected"), (b"Ada Palmer", b"Eve Palmer"), (b"2026-02-03", b"2025-02-03")):
        forged = write_members(tmp_path / "forged", _forged(members, old, new))
        wrong = [each for each in verify_bundle(forged, known).hops if not each.holds]
        assert [each.kind for each in wrong] == ["signature"]
        assert "does not verify" in wrong[0].detail
    changed = {**members, (name := only(members, "items/signature_")): members[name].replace(b"approved", b"rejected")}
    wrong = [each for each in verify_bundle(write_members(tmp_path / "changed", changed), known).hops if not each.holds]
    assert ["is not the hash of its content" in each.detail for each in wrong] == [True]
    moved = _signed(built, person, digest="0" * 64)
    wrong = [each for each in verify_bundle(write_members(tmp_path / "moved", moved), known).hops if not each.holds]
    assert ["it was signed for something else" in each.detail for each in wrong] == [True]


def test_witnesses_are_counted_against_the_quorum(built: Store, tmp_path: Path) -> None:
    """Two of three cosigned: two are enough if asked for two; a cosignature that does not verify refuses the checkpoint."""
    keys = [SigningKey(f"witness.example.com/w{each}", bytes([each] * 32)) for each in (1, 2, 3)]
    log = log_of(built)
    note = Note.parse((log.last_checkpoint() or "").encode())
    for key in keys[:2]:
        signed = key.sign(message_at(note.text.encode(), 1_800_000_000))
        line = Signature(key.name, witness_key(key).key_id, (1_800_000_000).to_bytes(8, "big") + signed)
        log.add_signatures(log.head().size, Note(note.text, (line,)))
    path = tmp_path / "cosigned"
    path.write_bytes(bundle_of(built, "claim"))
    public = [Key.parse(str(witness_key(each))) for each in keys]

    def told(quorum: int) -> list[str]:
        found = verify_bundle(path, Trust(TRUST.log_keys, witnesses=public, quorum=quorum))
        return [f"{each.holds} {each.detail}" for each in found.hops if each.kind == "witnesses"]

    assert told(2) == [
        "True witness.example.com/w1 at 2027-01-15T08:00:00+00:00; witness.example.com/w2 at 2027-01-15T08:00:00+00:00"
    ]
    (missing,) = told(3)
    assert missing.startswith("False the cosignature of witness.example.com/w3 is not there (2 of 3 that you ask for)")
    members = members_of(path.read_bytes())
    for name in [each for each in members if each.endswith(".tlog-proof")]:
        lines = members[name].decode().splitlines()
        lines[-1] = lines[-1][:-8] + "AAAAAAA="
        members[name] = ("\n".join(lines) + "\n").encode()
    write_members(path, members)
    assert told(2) == [
        "False the signature of witness.example.com/w2 on the checkpoint does not verify: it or the "
        f"{log.head().size} entries changed"
    ]


def test_time_stamp_is_checked_at_its_own_time(built: Store, tmp_path: Path) -> None:
    """By an authority whose certificates expired since; another authority's are refused; without any it is named."""
    authority, other = (
        TimeAuthority((datetime(2015, 1, 1, tzinfo=UTC), datetime(2017, 1, 1, tzinfo=UTC))) for _ in "12"
    )
    log = log_of(built)
    text = Note.parse((log.last_checkpoint() or "").encode()).text
    log.add_timestamp(log.head().size, authority.stamp(text.encode(), datetime(2016, 1, 1, tzinfo=UTC)))
    path = tmp_path / "stamped"
    path.write_bytes(bundle_of(built, "claim"))
    found = verify_bundle(path, Trust(TRUST.log_keys, authority=authority.certificates))
    assert found.holds
    assert any("2016-01-01T00:00:00+00:00" in each.detail for each in found.hops)
    assert not any(each.startswith("When this was logged") for each in found.unchecked)
    assert not verify_bundle(path, Trust(TRUST.log_keys, authority=other.certificates)).holds
    unchecked = verify_bundle(path, TRUST).unchecked
    assert any("no authority was given" in each for each in unchecked)
    assert not any("members" in each for each in unchecked)
    path.write_bytes(bundle_of(built, "claim").replace(b"timestamps/", b"timestampz/"))
    (cause,) = verify_bundle(path, Trust(TRUST.log_keys, authority=authority.certificates)).causes
    assert (cause.kind, cause.detail) == (
        "time stamp",
        "timestamps/0.tsr is not in the bundle: it was left out, or removed",
    )


def test_command_tells_by_its_exit_code(built: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0 holds, 1 wrong, 2 nothing that is trusted was given; text and JSON say the same."""
    path, key = tmp_path / "bundle", tmp_path / "key"
    path.write_bytes(bundle_of(built, "claim"))
    key.write_text(str(KEY.key) + "\n", "utf-8")
    assert main([str(path), "--key", str(key)]) == 0
    text = capsys.readouterr().out
    assert "Not checked:" in text
    assert main([str(path), "--key", str(KEY.key), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["holds"]
    assert all(each["kind"] in text for each in told["hops"])
    assert all(each["subject"] in text for each in told["hops"] if each["kind"] not in MANY)
    assert all(each in text for each in told["not_checked"])
    kept = tmp_path / "kept"
    kept.write_text(log_of(built).last_checkpoint() or "", "utf-8")
    assert main([str(path)]) == main([str(path), "--checkpoint", str(kept)]) == 2
    assert "proves nothing" in capsys.readouterr().err
    assert main([str(path), "--key", str(SigningKey(KEY.name, bytes(32)).key)]) == 1
    assert "WRONG" in capsys.readouterr().out
    assert main([str(tmp_path / "none"), "--key", str(key)]) == 2
    assert "there is no file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--key", "no-such-file"], "no-such-file"),
        (["--key", "name+id+key"], "not a verifier key: 'name+id+key'"),
        (["--key", "no-such-file"], "nor is it a key as text"),
        (["--key", "{witness}"], "--key: w is a key of another kind"),
        (["--witness", "{log}"], "--witness: log.example.com/tests is a key of another kind"),
        (["--signer", "{witness}"], "--signer: w is a key of another kind"),
        (["--witness", "{witness}", "--quorum", "0"], "of 1 witnesses from 1 to 1 can be asked for"),
        (["--tsa", "{note}"], "--tsa: not certificates in PEM"),
        (["--checkpoint", "{stranger}"], "--checkpoint: no key that you gave with --key signed it"),
        (["--checkpoint", "no-such-file"], "no-such-file"),
        (["--checkpoint", "{note}"], "the checkpoint in {note} is not a signed note"),
        (["--tsa", "no-such-file"], "no-such-file"),
        (["--witness", "{witness}", "--witness", "{witness}"], "--witness: a key is given twice"),
        (["--key", "{note}"], "not a verifier key: 'no checkpoint' is not base64, in {note}"),
        (["--save-checkpoint", "{note}"], "{note} is there, and not the --checkpoint: give another name"),
        (["--quorum", "1"], "--quorum 1: of 0 witnesses from 0 to 0 can be asked for"),
        (["--quorum", "-1"], "--quorum -1: of 0 witnesses from 0 to 0 can be asked for"),
    ],
)
def test_command_names_the_option_or_file_that_it_cannot_use(
    built: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    """In one line, with exit code 2: nothing was checked."""
    path, note = tmp_path / "bundle", tmp_path / "note"
    path.write_bytes(bundle_of(built, "claim"))
    note.write_text("no checkpoint\n", "utf-8")
    stranger = tmp_path / "stranger"
    stranger.write_text(str(Note(Checkpoint(KEY.name, 1, bytes(32)).text).signed_by([SigningKey(KEY.name, bytes(32))])))
    witness = SigningKey("w", bytes(32)).key
    cosigning = verifier_log.Key(witness.name, verifier_log.COSIGNATURE, witness.public)
    given = [
        each.format(
            note=note, stranger=stranger, log=KEY.key, witness=f"w+{cosigning.key_id.hex()}+{_base64(cosigning)}"
        )
        for each in options
    ]
    assert main([str(path), "--key", str(KEY.key), *given]) == 2
    said_there = capsys.readouterr()
    assert said.format(note=note) in said_there.err
    assert (said_there.err.count("\n"), said_there.out) == (1, "")


def _base64(key: verifier_log.Key) -> str:
    return b64encode(bytes([key.algorithm]) + key.public).decode()


def test_a_file_that_is_no_container_is_no_wrong_bundle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing was checked: that is exit code 2."""
    path = tmp_path / "bundle"
    path.write_bytes(b"PK nothing")
    assert main([str(path), "--key", str(KEY.key)]) == 2
    assert "is no bundle: nothing was checked" in capsys.readouterr().err


def test_the_checkpoint_is_kept_for_the_next_time(built: Store, tmp_path: Path) -> None:
    """As it can be given the next time, with the log grown meanwhile."""
    path, kept = tmp_path / "bundle", tmp_path / "kept"
    path.write_bytes(bundle_of(built, "claim"))
    assert main([str(path), "--key", str(KEY.key), "--save-checkpoint", str(kept)]) == 0
    built.update(lambda transaction: append_event(transaction, built.keys, event_of("export", CORPUS)))
    path.write_bytes(bundle_of(built, "claim", kept=kept.read_text("utf-8")))
    assert main([str(path), "--key", str(KEY.key), "--checkpoint", str(kept)]) == 0


def test_a_checkpoint_is_never_lost_for_one_that_was_not_compared_with_it(
    built: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file is written only by a bundle that goes on from it; where it cannot be written, that is said, and no traceback."""
    path, kept = tmp_path / "bundle", tmp_path / "kept"
    path.write_bytes(bundle_of(built, "claim"))
    note = log_of(built).checkpoint(KEY)
    kept.write_text(note, "utf-8")
    asked = [str(path), "--key", str(KEY.key), "--save-checkpoint"]
    built.update(lambda transaction: append_event(transaction, built.keys, event_of("export", CORPUS)))
    path.write_bytes(bundle_of(built, "claim", kept=note))
    assert main([*asked, str(kept)]) == 2
    assert kept.read_text("utf-8") == note
    other = tmp_path / "other"
    other.write_text("notes", "utf-8")
    assert main([*asked, str(other), "--checkpoint", str(kept)]) == 2
    assert other.read_text("utf-8") == "notes"
    assert main([*asked, str(kept), "--checkpoint", str(kept)]) == 0
    assert kept.read_text("utf-8") != note
    assert f"is kept in {kept}" in capsys.readouterr().err
    assert main([*asked, str(tmp_path / "no" / "folder")]) == 2
    assert "the checkpoint is not kept" in capsys.readouterr().err


def test_keys_that_signed_nothing_are_named(built: Store, tmp_path: Path) -> None:
    """Whoever gives a person's key learns that it was of no use."""
    path = tmp_path / "bundle"
    path.write_bytes(bundle_of(built, "claim"))
    key = verifier_log.Key.parse(str(SigningKey("signer/anna", bytes(32)).key))
    found = verify_bundle(path, Trust(TRUST.log_keys, people=[key]))
    assert found.holds
    assert any(
        "signer/anna" in each and "no signature in the bundle that holds is by it" in each for each in found.unchecked
    )


def test_wrong_bundle_says_each_cause_once_and_first(
    built: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file on which half of a report rests is one cause; what rests on it is counted, and what holds by kind."""
    members = members_of(bundle_of(built, "report"))
    name = next(each for each in members if each.startswith("files/") and b"Supplier Agreement" in members[each])
    path = write_members(tmp_path / "changed", {**members, name: members[name] + b" "})
    assert main([str(path), "--key", str(KEY.key)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("report build_")
    assert lines[1].startswith("WRONG   file suppliers/cloud.md: the file in files/")
    assert "more that rest on what is wrong: quote section_" in lines[2]
    assert [each for each in lines if each.startswith("WRONG")] == [lines[1]]
    found = verify_bundle(path, TRUST)
    names = [(each.kind, each.subject) for each in found.hops]
    assert len(names) == len(set(names)), "nothing is checked or told twice"
    assert len(lines) < len(found.hops) + len(found.order) + len(found.unchecked)


def test_verifier_imports_nothing_but_the_standard_library_and_cryptography() -> None:
    """And of its own modules; a time stamp library only where it is asked to check one. It is short enough to be read."""
    folder = Path(verifier_log.__file__).parent
    found: set[str] = set()
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {each.name.partition(".")[0] for each in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add((node.module or "").partition(".")[0])
    assert found - set(sys.stdlib_module_names) == {"cryptography", "coditect_verify", "rfc3161_client"}
