"""Bundles that somebody tampered with: each is refused, and what is wrong is said of the hop where it is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from coditect_verify import Trust, verify_bundle
from coditect_verify.log import Key

from coditect.knowledge.review.sign_off import sign
from coditect.schemas import canonical_json
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.transparency.checkpoints import Checkpoint, sign_checkpoint
from coditect.transparency.events import append_event, event_of
from coditect.transparency.notes import Note, SigningKey
from coditect.transparency.proofs import LogProof
from tests.corpora import CORPUS, build_all, clock
from verifier_tests.bundles import KEY, Members, bundle_of, changed_item, log_of, members_of, only, write_members

TRUST = Trust(log_keys=[Key.parse(str(KEY.key))])


def _first_quote(body: dict[str, Any]) -> dict[str, Any]:
    return next(dict(part) for part in body["content"] if part["type"] == "extractive")


def _reworded(body: dict[str, Any]) -> None:
    part = next(part for part in body["content"] if part["type"] == "extractive" and "24" in part["content"])
    part["content"] = part["content"].replace("24", "96")


def _quote(members: Members) -> Members:
    """A quote says 96 hours where the document says 24."""
    return changed_item(members, only(members, "items/section_"), _reworded, forge=False)


def _quote_forged(members: Members) -> Members:
    """The same, with every id that follows from it made new."""
    return changed_item(members, only(members, "items/section_"), _reworded, forge=True)


def _claim_forged(members: Members) -> Members:
    """A claim says something else, with its new id everywhere."""

    def change(body: dict[str, Any]) -> None:
        body["text"] = "Everything is in order."

    return changed_item(members, only(members, "items/claim_"), change, forge=True)


def _text(members: Members) -> Members:
    """The canonical text, under the SHA-256 of the genuine one."""
    name = only(members, "texts/")
    return {**members, name: members[name].replace(b"hours", b"weeks")}


def _file(members: Members) -> Members:
    """The file's bytes."""
    name = only(members, "files/")
    return {**members, name: members[name] + b" "}


def _offsets(members: Members) -> Members:
    """An extraction that stands elsewhere, with its new id everywhere."""

    def change(body: dict[str, Any]) -> None:
        body["char_offset_start"] += 1

    return changed_item(members, only(members, "items/extraction_"), change, forge=True)


def _step(members: Members) -> Members:
    """The step that selected the quote says that another method was used."""
    chosen = next(each for each in sorted(members) if each.startswith("outputs/") and b'"chunk_' in members[each])
    name = chosen.replace("outputs/", "steps/")
    return {**members, name: members[name].replace(b'"method":"', b'"method":"by hand, ')}


def _outputs(members: Members) -> Members:
    """An output is left out of what a step commits to."""
    name = max((each for each in members if each.startswith("outputs/")), key=lambda each: len(members[each]))
    hashed = json.loads(members[name])
    del hashed[sorted(hashed)[-1]]
    return {**members, name: canonical_json(hashed)}


def _commitments(members: Members) -> Members:
    """Another commitment of a document to one of its steps."""
    name = only(members, "commitments/document_")
    first, *rest = members[name].decode().split("\n")
    return {**members, name: "\n".join([first[::-1], *rest]).encode()}


def _backdated(members: Members) -> Members:
    """The generation's record says an earlier time."""
    name = "records/generation"
    return {**members, name: members[name].replace(b"2026-01-01", b"2020-01-01")}


def _entry(members: Members) -> Members:
    """The log's entry of the generation, changed with the record that it commits to."""
    index = json.loads(members["bundle.json"])["entries"]["generation"]
    name = f"log/{index}.entry"
    return {**members, name: members[name].replace(b"2026-01-01", b"2020-01-01")}


def _other_proof(members: Members) -> Members:
    """The proof of another entry in the place of the generation's."""
    entries = json.loads(members["bundle.json"])["entries"]
    other = next(iter(entries["documents"].values()))
    return {**members, f"log/{entries['generation']}.tlog-proof": members[f"log/{other}.tlog-proof"]}


def _other_log(members: Members) -> Members:
    """Every proof by a checkpoint that somebody else's key signed under the log's name."""
    other = SigningKey(KEY.name, bytes(32))
    out = dict(members)
    for name in [each for each in members if each.endswith(".tlog-proof")]:
        proof = LogProof.parse(members[name].decode())
        checkpoint = Checkpoint.parse(Note.parse(proof.checkpoint.encode()).text)
        fresh = LogProof(proof.index, proof.hashes, sign_checkpoint(checkpoint, [other]))
        out[name] = str(fresh).encode()
    return out


def _longer_log(members: Members) -> Members:
    """A checkpoint that claims one entry more, under the signature of the genuine one."""
    proof = LogProof.parse(
        members[only({name: b"" for name in members if name.endswith(".tlog-proof")}, "log/")].decode()
    )
    size = Checkpoint.parse(Note.parse(proof.checkpoint.encode()).text).size
    return {
        name: data.replace(b"\n%d\n" % size, b"\n%d\n" % (size + 1)) if name.endswith(".tlog-proof") else data
        for name, data in members.items()
    }


def _removed(members: Members) -> Members:
    """The verdict is taken out."""
    return {name: data for name, data in members.items() if not name.startswith("items/verdict_")}


def _moved(members: Members) -> Members:
    """The bundle says that it is of another corpus."""
    return {**members, "bundle.json": members["bundle.json"].replace(b'"policies"', b'"other"')}


TAMPERED: list[tuple[Callable[[Members], Members], str, str]] = [
    (_quote, "section", "is not the hash of its content: the record was changed"),
    (_quote_forged, "manifest", "is not the hash of its content: the record was changed"),
    (_claim_forged, "summary", "is not the hash of its content: the record was changed"),
    (_text, "text", "the canonical text in texts/"),
    (_file, "file", "its SHA-256 is not the one that it is named by"),
    (_offsets, "claim", "is not the hash of its content: the record was changed"),
    (_step, "quote", "is not the hash of its inputs and method: the step was changed"),
    (_outputs, "quote", "was changed: it is not what that step commits to"),
    (_commitments, "quote", "is not what the generation commits to: it was changed"),
    (_backdated, "generation", "is not the one that the log tells of"),
    (_entry, "generation", "does not lead to the root of the checkpoint"),
    (_other_proof, "generation", ".tlog-proof is the proof of entry"),
    (_other_log, "checkpoint", "no key that you gave (log.example.com/tests 063aff04) signed the checkpoint"),
    (_longer_log, "checkpoint", "the signature of log.example.com/tests on the checkpoint does not verify"),
    (_removed, "claim", "is not in the bundle"),
    (_moved, "generation", "bundle.json says that this is of the corpus other; entry"),
]


@pytest.mark.parametrize(("tamper", "kind", "said"), TAMPERED, ids=[each[0].__name__[1:] for each in TAMPERED])
def test_tampered_bundle_is_refused_where_it_is_wrong(
    built: Store, tmp_path: Path, tamper: Callable[[Members], Members], kind: str, said: str
) -> None:
    """The hop that is named is wrong, and its message says how."""
    members = tamper(members_of(bundle_of(built, "claim")))
    found = verify_bundle(write_members(tmp_path / "tampered", members), TRUST)
    assert not found.holds
    wrong = {(each.kind, each.detail) for each in found.hops if not each.holds}
    assert any(hop == kind and said in detail for hop, detail in wrong), wrong
    assert found.causes
    subject = [each for each in found.hops if each.kind in ("claim", "subject")]
    assert not any(each.holds for each in subject), "what rests on something wrong does not hold"
    assert not any("KeyError" in detail or "items/ " in detail for _, detail in wrong), wrong


def test_document_logged_after_the_generation_is_refused(built: Store, tmp_path: Path) -> None:
    """Evidence that is younger than what cites it, whatever the bundle points to."""
    members = members_of(bundle_of(built, "claim"))
    index = json.loads(members["bundle.json"])
    version = next(iter(index["entries"]["documents"]))
    genuine = json.loads(members[f"log/{index['entries']['documents'][version]}.entry"])
    late = event_of("document", CORPUS, subject=version).model_copy(update={"sha256": genuine["sha256"]})
    built.update(lambda transaction: append_event(transaction, built.keys, late))
    members = members_of(bundle_of(built, "claim"))
    log = log_of(built)
    number = log.head().size - 1
    members[f"log/{number}.entry"] = dict(log.entries(number))[number]
    members[f"log/{number}.tlog-proof"] = log.prove(number).encode()
    index["entries"]["documents"][version] = number
    found = verify_bundle(write_members(tmp_path / "late", {**members, "bundle.json": canonical_json(index)}), TRUST)
    assert [each.detail for each in found.hops if each.kind == "intake" and not each.holds] == [
        f"its entry {number}, which bundle.json names, is not before the generation that cites it "
        f"({index['entries']['generation']})"
    ]


def test_what_a_changed_section_says_is_held_against_the_document(built: Store, tmp_path: Path) -> None:
    """Beside the record that was changed stands what the document says there, and every other quote is looked at."""
    found = verify_bundle(write_members(tmp_path / "changed", _quote(members_of(bundle_of(built, "claim")))), TRUST)
    assert [each.kind for each in found.causes] == ["section", "quote"]
    said = found.causes[1].detail
    assert "within 96 hours" in said.partition(" is not what ")[0]
    assert "within 24 hours" in said.partition(" is not what ")[2]
    assert [each.holds for each in found.hops if each.kind == "quote"] == [False, True]
    assert {each.partition("/")[0] for each in found.unread} == {"outputs", "steps"}, "of the section's own step"


def test_behind_a_missing_verdict_everything_is_looked_at(built: Store, tmp_path: Path) -> None:
    """One record that is gone is the one cause; its claim's words are told, and nothing is called unknown that is known."""
    members = _removed(members_of(bundle_of(built, "claim")))
    found = verify_bundle(write_members(tmp_path / "less", members), TRUST)
    assert [each.kind for each in found.causes] == ["claim"]
    assert "within 24 hours" in found.says
    assert {each.kind for each in found.hops if each.holds} >= {"summary", "section", "quote", "text", "file", "intake"}
    assert found.unread == []
    assert not any(each.startswith("Members that nothing leads to") for each in found.unchecked)


def test_a_changed_text_does_not_accuse_its_file(built: Store, tmp_path: Path) -> None:
    """The file's bytes are those that were logged, and that is said."""
    found = verify_bundle(write_members(tmp_path / "text", _text(members_of(bundle_of(built, "claim")))), TRUST)
    (cause,) = found.causes
    assert cause.kind == "text"
    assert all(each.holds for each in found.hops if each.kind == "file")
    assert any(each.startswith("What stands behind something wrong") for each in found.unchecked)


def test_container_with_a_name_twice_is_refused(built: Store, tmp_path: Path) -> None:
    """Two members of one name would be two bundles, by who reads them."""
    from zipfile import ZIP_DEFLATED, ZipFile

    path = tmp_path / "twice"
    path.write_bytes(bundle_of(built, "claim"))
    with ZipFile(path, "a") as container, pytest.warns(UserWarning, match="Duplicate"):
        container.writestr("bundle.json", "{}")
    found = verify_bundle(path, TRUST)
    assert [each.detail for each in found.hops] == ["the container holds two members of one name: bundle.json"]
    with ZipFile(path, "w", ZIP_DEFLATED) as container:
        container.writestr("bundle.json", "{}")
    (cause,) = verify_bundle(path, TRUST).causes
    assert cause.detail == "the container holds a member that is compressed, encrypted or too long: bundle.json"
    path.write_bytes(b"PK nothing")
    assert not verify_bundle(path, TRUST).holds


def test_claim_that_rests_on_a_changed_decision_is_not_called_right(built: Store, tmp_path: Path) -> None:
    """Whoever decided said otherwise: that is the cause, its claim rests on it, and all other claims are looked at."""
    view = open_view(built, CORPUS)
    for claim in view.summary.claims[:2]:
        sign(built, view, claim, decision="accept", by="Ada Palmer", meaning="read", at=clock())
    build_all(built)
    members = members_of(bundle_of(built, "report"))
    whole = verify_bundle(write_members(tmp_path / "whole", members), TRUST)
    assert whole.holds
    decisions = [each.subject for each in whole.hops if each.kind == "decision"]
    assert len(decisions) == 2
    name = f"items/{decisions[0]}"
    changed = {**members, name: members[name].replace(b"Ada Palmer", b"Eve Palmer")}
    found = verify_bundle(write_members(tmp_path / "changed", changed), TRUST)
    assert [(each.kind, each.subject) for each in found.causes] == [("decision", decisions[0])]
    claims = {each.subject: each for each in found.hops if each.kind == "claim"}
    assert set(claims) == {each.subject for each in whole.hops if each.kind == "claim"}
    assert [each.detail for each in claims.values() if not each.holds] == [
        f"it rests on decision {decisions[0]}, which is wrong"
    ]


def _fallen(
    built: Store, tmp_path: Path, members: Members
) -> tuple[dict[str, set[str]], dict[str, set[str]], list[str]]:
    """(hops that hold, hops that do not, by kind; what was not checked) of a changed bundle."""
    found = verify_bundle(write_members(tmp_path / "changed", members), TRUST)
    told: tuple[dict[str, set[str]], dict[str, set[str]]] = ({}, {})
    for each in found.hops:
        told[not each.holds].setdefault(each.kind, set()).add(each.subject)
    return *told, found.unchecked


def test_a_missing_section_keeps_nothing_else_from_being_looked_at(built: Store, tmp_path: Path) -> None:
    """Decisions, other sections and other quotes of the claims that cite it are looked at all the same."""
    view = open_view(built, CORPUS)
    for claim in view.summary.claims:
        sign(built, view, claim, decision="accept", by="Ada Palmer", meaning="read", at=clock())
    build_all(built)
    members = members_of(bundle_of(built, "report"))
    whole, _, _ = _fallen(built, tmp_path, members)
    lost = only(members, "items/section_")
    held, fallen, _ = _fallen(built, tmp_path, {name: data for name, data in members.items() if name != lost})
    assert held["decision"] == whole["decision"]
    assert {kind: held.get(kind, set()) | fallen.get(kind, set()) for kind in ("claim", "section", "decision")} == {
        kind: whole[kind] for kind in ("claim", "section", "decision")
    }
    assert fallen["section"] == {lost.removeprefix("items/")}


def test_a_wrong_summary_takes_the_claims_with_it_and_nothing_else(built: Store, tmp_path: Path) -> None:
    """Sections and quotes are looked at; each claim rests on the summary."""
    members = members_of(bundle_of(built, "report"))
    whole, _, _ = _fallen(built, tmp_path, members)
    manifest = json.loads(members[only(members, "items/build_")])
    name = f"outputs/{manifest['summary_derivation']}"
    outputs = json.loads(members[name])
    changed = {**members, name: canonical_json({**outputs, next(iter(outputs)): "0" * 64})}
    held, fallen, _ = _fallen(built, tmp_path, changed)
    assert set(fallen) == {"summary", "claim", "subject"}
    assert fallen["claim"] == whole["claim"]
    assert held["section"] == whole["section"]
    assert held["quote"] == whole["quote"]
