"""The hops of a bundle: from quotes over ids, steps, trees and the manifest to entries of the log, its checkpoint and who vouches.

What the bundle says of itself is only where to look. What is believed are the keys and the checkpoint that the caller gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from coditect_verify.bundle import Bundle, canonical, commitment, document_id_of, read_json, tag_of
from coditect_verify.log import (
    Checkpoint,
    Key,
    LogProof,
    Wrong,
    base64_bytes,
    ed25519_signs,
    must,
    require_consistency,
    require_inclusion,
)
from coditect_verify.timestamps import can_verify, verified_time

__all__ = ["Hop", "Trust", "Verification", "verify_bundle"]

PLAIN = frozenset({"text/plain", "text/markdown"})
"""Formats whose bytes are words: a quote can be looked for in them. Others are read by programs that this one has not."""


@dataclass(frozen=True)
class Trust:
    """What the caller believes, from elsewhere than the bundle.

    Attributes:
        log_keys: of the log.
        kept: a checkpoint that the caller keeps.
        witnesses: keys of witnesses.
        quorum: how many of them must have cosigned.
        people: keys of persons who sign.
        authority: certificates of the time stamp authority, PEM.
    """

    log_keys: Sequence[Key] = ()
    kept: Checkpoint | None = None
    witnesses: Sequence[Key] = ()
    quorum: int = 0
    people: Sequence[Key] = ()
    authority: bytes = b""


@dataclass(frozen=True)
class Hop:
    """One thing that was checked: ``kind`` of hop, what it is of, whether it holds, and what was found."""

    kind: str
    subject: str
    holds: bool
    detail: str


@dataclass
class Verification:
    """What came out.

    Attributes:
        subject: of what the bundle is evidence, as it says.
        hops: everything that was checked.
        order: what was logged before what, as sentences.
        unchecked: everything that could not be checked, as sentences.
    """

    subject: str = ""
    hops: list[Hop] = field(default_factory=list)
    order: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether everything that was checked holds."""
        return bool(self.hops) and all(each.holds for each in self.hops)

    @contextmanager
    def hop(self, kind: str, subject: str) -> Iterator[list[str]]:
        """A hop: what is raised in it is what is wrong, what is added to the list is what was found; hops inside are rested on."""
        found: list[str] = []
        first = len(self.hops)
        try:
            yield found
            inside = [each for each in self.hops[first:] if not each.holds]
            must(not inside, f"it rests on {inside[0].kind} {inside[0].subject}, which is wrong" if inside else "")
        except Wrong as wrong:
            self.hops.append(Hop(kind, subject, False, str(wrong)))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            self.hops.append(Hop(kind, subject, False, f"a record does not have its shape: {error!r}"))
        else:
            self.hops.append(Hop(kind, subject, True, "; ".join(found)))

    @property
    def causes(self) -> list[Hop]:
        """The hops that are wrong by themselves, and not because of others on which they rest."""
        return [each for each in self.hops if not each.holds and not each.detail.startswith("it rests on ")]

    def require(self, kind: str, subject: str) -> None:
        """Wrong where a hop that was looked at before is wrong."""
        known = [each for each in self.hops if (each.kind, each.subject) == (kind, subject)]
        must(all(each.holds for each in known), f"it rests on {kind} {subject}, which is wrong")

    def leave(self, sentence: str) -> None:
        """Name something that could not be checked, once."""
        if sentence not in self.unchecked:
            self.unchecked.append(sentence)


def verify_bundle(path: Path, trust: Trust) -> Verification:
    """Check everything in a bundle that can be checked.

    Args:
        path: the bundle.
        trust: at least a key of the log; without one nothing is proven, whatever checkpoint was kept.
    """
    out = Verification()
    with out.hop("container", path.name) as found:
        bundle = Bundle(path)
        found.append(f"{len(bundle.names)} members")
    if out.holds:
        subject = bundle.index.get("subject") or {}
        out.subject = f"{subject.get('kind')} {subject.get('id')}"
        _Run(bundle, trust, out).all()
    return out


class _Run:
    """One verification: what was reached is remembered, so that nothing is checked twice."""

    def __init__(self, bundle: Bundle, trust: Trust, out: Verification) -> None:
        self.bundle, self.trust, self.out = bundle, trust, out
        self.checkpoint: Checkpoint | None = None
        self.manifest: dict[str, Any] = {}
        self.build_id = ""
        self.generation_index: int | None = None
        self.entries: dict[str, dict[str, Any]] = {}
        self.versions: dict[str, dict[str, Any]] = {}
        self.steps: dict[str, dict[str, str]] = {}
        self.texts: dict[str, str] = {}
        self.done: set[tuple[str, object]] = set()

    def once(self, *what: object) -> bool:
        """Whether this is looked at for the first time."""
        known = (str(what[0]), what[1:])
        self.done.add(known) if (fresh := known not in self.done) else None
        return fresh

    def all(self) -> None:
        """From the checkpoint down to the words, then what stands around them; what rests on a wrong beginning is not looked at."""
        for begin in (self._checkpoint, self._generation):
            begin()
            if not self.out.holds:
                wrong = self.out.causes[0].kind
                return self.out.leave(f"Everything else in the bundle: it rests on the {wrong}, which is wrong.")
        subject = self.bundle.index.get("subject") or {}
        kind, item_id = str(subject.get("kind")), str(subject.get("id"))
        with self.out.hop("subject", f"{kind} {item_id}") as found:
            if kind == "claim":
                self._claim(item_id)
            elif kind == "section":
                self._section(item_id)
            elif kind == "document":
                self._document_whole(item_id)
            else:
                report = kind == "report" and item_id == self.build_id
                must(report, "the bundle is not of its generation's report, nor of a claim, a section or a document")
                summary = self._summary()
                for _, section in self.manifest["sections"]:
                    self._section(section)
                for claim in (*summary["claims"], *summary["filtered"]):
                    self._claim(claim)
            found.append("all of it was looked at")
        self._signatures()
        self._limits()
        return None

    # the log

    def _checkpoint(self) -> None:
        with self.out.hop("checkpoint", "log") as found:
            proofs = [each for each in self.bundle.under("log") if each.endswith(".tlog-proof")]
            notes = {LogProof.parse(self.bundle.text(each)).note for each in proofs}
            must(len(notes) == 1, "the proofs of the bundle are not of one checkpoint")
            checkpoint = Checkpoint.parse(notes.pop())
            own = [key for key in checkpoint.signed_by(self.trust.log_keys) if key.name == checkpoint.origin]
            ids = ", ".join(f"{name} {data[:4].hex()}" for name, data in checkpoint.signatures)
            must(
                own, f"no key that you gave signed the checkpoint of {checkpoint.origin}, but {ids}: it proves nothing"
            )
            self.checkpoint = checkpoint
            found.append(f"{checkpoint.origin}, {checkpoint.size} entries, root {checkpoint.root.hex()[:16]}…")
            found.append("signed by the log's key")
        for check in (self._kept, self._witnesses, self._timestamps) if self.checkpoint is not None else ():
            check(self.checkpoint)

    def _kept(self, checkpoint: Checkpoint) -> None:
        kept = self.trust.kept
        if kept is None:
            self.out.leave("Whether the log continues what was signed before: no checkpoint was given (--checkpoint).")
            return
        name = f"log/consistency-{kept.size}"
        if kept.size != checkpoint.size and name not in self.bundle.names:
            self.out.leave(
                f"Whether the log continues yours: ask for a bundle with its proof from {kept.size} entries."
            )
            return
        with self.out.hop("kept checkpoint", str(kept.size)) as found:
            must(kept.origin == checkpoint.origin, f"it is of another log: {kept.origin}, not {checkpoint.origin}")
            must(kept.signed_by(self.trust.log_keys), "no key that you gave signed the checkpoint that you keep")
            lines = self.bundle.text(name).split() if kept.size != checkpoint.size else []
            proof = [base64_bytes(line, "a hash of the consistency proof") for line in lines]
            require_consistency(kept.size, checkpoint.size, proof, kept.root, checkpoint.root)
            found.append(f"the log of {checkpoint.size} entries begins with those {kept.size}")

    def _witnesses(self, checkpoint: Checkpoint) -> None:
        if not self.trust.witnesses:
            self.out.leave("Whether others are shown the same log: no witness' key was given (--witness).")
            return
        with self.out.hop("witnesses", checkpoint.origin) as found:
            times = {
                key.name: datetime.fromtimestamp(int.from_bytes(data[:8], "big"), UTC).isoformat()
                for key, data in checkpoint.signed_by(self.trust.witnesses).items()
            }
            enough = len(times) >= self.trust.quorum
            must(enough, f"{len(times)} of the witnesses that you named cosigned; {self.trust.quorum} are asked for")
            found += [f"{name} at {time}" for name, time in times.items()]

    def _timestamps(self, checkpoint: Checkpoint) -> None:
        tokens = self.bundle.under("timestamps")
        if not tokens:
            self.out.leave("When this was logged: the log proves order, and the bundle holds no time stamp.")
        for name in tokens:
            if not self.trust.authority or not can_verify():
                self.bundle.read.add(name)
                why = "needs 'coditect-verify[timestamp]'" if self.trust.authority else "no authority was given (--tsa)"
                self.out.leave(f"When this was logged: the time stamp was not checked: {why}.")
                continue
            with self.out.hop("time stamp", name) as found:
                time = verified_time(self.bundle.member(name), checkpoint.text.encode(), self.trust.authority)
                found.append(f"the checkpoint was there at {time.isoformat()}, judged at that time")

    def _entry(self, index: object, kind: str, subject: str) -> dict[str, Any]:
        """The log's entry at an index, proven; Wrong unless it tells of this."""
        checkpoint = self.checkpoint
        must(checkpoint, "there is no checkpoint that it could be proven by")
        data = self.bundle.member(f"log/{index}.entry")
        proof = LogProof.parse(self.bundle.text(f"log/{index}.tlog-proof"))
        must(proof.index == index, f"the proof is of entry {proof.index}, not of {index}")
        require_inclusion(data, proof.index, checkpoint.size, proof.hashes, checkpoint.root)  # type: ignore[union-attr]
        entry = read_json(data, f"log/{index}.entry")
        told = f"{entry.get('kind')} {entry.get('subject')}"
        must(told == f"{kind} {subject}", f"entry {index} of the log tells of {told}, not of {kind} {subject}")
        must(entry.get("corpus") == tag_of(self.bundle.corpus_id), f"entry {index} of the log is of another corpus")
        return entry

    def _generation(self) -> None:
        with self.out.hop("generation", str(self.bundle.index.get("generation"))) as found:
            data = self.bundle.member("records/generation")
            record = read_json(data, "records/generation")
            index = int(self.bundle.index["entries"]["generation"])
            entry = self._entry(index, "generation", record["build_id"])
            own = entry.get("sha256") == sha256(data).hexdigest()
            must(own, "the record of the generation is not the one that the log tells of")
            self.generation_index = index
            self.build_id = record["build_id"]
            found.append(f"entry {index} of the log; made {record['created_at']} as it says")
        if not self.build_id:
            return
        with self.out.hop("manifest", self.build_id):
            self.manifest = self.bundle.item(self.build_id)
        left_out = self.manifest.get("left_out") or {}
        self.out.leave(
            "Whether the files given were all files there are: the manifest says that "
            f"{left_out.get('failed', 'an unknown number')} failed and {left_out.get('repeated', 0)} repeat others."
        )

    # the generation

    def _made_by(self, item_id: str, step_id: str, steps: Sequence[str], committed: str, owner: str) -> None:
        """Wrong unless an item came out of a step to which a document's entry, or the manifest, commits."""
        must(step_id in steps, f"{item_id} was made by a step that is not of this generation")
        if step_id not in self.steps:
            step, parts = self.bundle.step(step_id), self.bundle.commitments(owner)
            whole = sha256(b"".join(parts)).hexdigest() == committed and len(parts) == len(steps)
            must(whole, f"the steps of {owner} are not those that the generation commits to (commitments/{owner})")
            own = parts[steps.index(step_id)] == commitment(step)
            must(own, f"the outputs of {step_id} are not those that the generation commits to")
            self.steps[step_id] = self.bundle.outputs(step)
        given = self.steps[step_id].get(item_id)
        must(given == self.bundle.sha256(item_id), f"{item_id} did not come out of the step that it names")

    def _of_manifest(self, item_id: str, step_id: str) -> None:
        steps = [*(step for step, _ in self.manifest["sections"]), self.manifest["summary_derivation"]]
        self._made_by(item_id, step_id, steps, self.manifest["derivations_sha256"], "manifest")

    def _summary(self) -> dict[str, Any]:
        summary = self.bundle.item(self.manifest["summary_id"])
        self._of_manifest(self.manifest["summary_id"], self.manifest["summary_derivation"])
        return summary

    def _claim(self, claim_id: str) -> None:
        with self.out.hop("claim", claim_id) as found:
            claim, summary = self.bundle.item(claim_id), self._summary()
            must(claim_id in (*summary["claims"], *summary["filtered"]), "it is not a claim of this generation")
            verdict = self.bundle.item(summary["verdicts"][claim_id])
            own = verdict["claim_id"] == claim_id and verdict["published"] == (claim_id in summary["claims"])
            must(own, "its verdict is of another claim, or says otherwise")
            found.append(f"{'published' if verdict['published'] else 'withheld'}: {claim['text']}")
            self.out.leave(
                "Whether each claim follows from its quotes: that is the checker's judgement "
                f"({verdict['checker']}); read claim and quotes, or run its rules ('coditect knowledge verify --replay')."
            )
            for each in claim["citations"]:
                self._section(each["section_id"], each["part"])
            for each in claim.get("extraction_ids", []):
                self._extraction(each)
        for opinion in verdict.get("opinions", []) if self.out.hops[-1].holds else []:
            if opinion.get("review_id"):
                self._review(opinion["review_id"])

    def _review(self, review_id: str) -> None:
        with self.out.hop("decision", review_id) as found:
            review = self.bundle.item(review_id)
            index = int(self.bundle.index["entries"]["reviews"][review_id])
            own = self._entry(index, "review", review_id).get("sha256") == self.bundle.sha256(review_id)
            must(own, "the decision is not the one that the log tells of")
            before = self.generation_index is None or index < self.generation_index
            must(before, f"it was logged as {index}, not before the generation that applies it")
            found.append(f"{review['decision']} by {review['by']} at {review['at']}, as it says; entry {index}")
        self.out.leave("Whether decisions were made by those whom they name: a name is not a signature.")

    def _section(self, section_id: str, part: int | None = None) -> None:
        if not self.once("section", section_id, part):
            self.out.require("section", section_id)
            return
        with self.out.hop("section", section_id) as found:
            section = self.bundle.item(section_id)
            own = section_id in [each for _, each in self.manifest["sections"]]
            must(own, "it is not a section of this generation")
            self._of_manifest(section_id, section["derivation_id"])
            found.append(str(section["topic"]))
            for number, each in enumerate(section["content"]):
                wanted = each.get("citation") is not None and part in (None, number)
                if wanted and self.once("quote", section_id, number):
                    self._quote(f"{section_id} part {number}", each["content"], each["citation"])

    def _quote(self, name: str, quote: str, cited: dict[str, Any]) -> None:
        with self.out.hop("quote", name) as found:
            version = self._document(cited["document_id"], cited["version_id"])
            self._verbatim(version, quote, cited["char_start"], cited["char_end"])
            chunk = self.bundle.item(cited["chunk_id"])
            self._of_document(cited["chunk_id"], chunk, version, "chunks")
            places = {(each["char_start"], each["char_end"], each["text"]) for each in chunk["selected_sentences"]}
            chosen = (cited["char_start"], cited["char_end"], quote) in places
            must(chosen, "it is not among the sentences that its chunk selected")
            for each in cited["extraction_ids"]:
                self._extraction(each, version)
            found.append(f"{version['name']}, characters {cited['char_start']} to {cited['char_end']}")
            found.append(self._in_bytes(version, quote))

    def _extraction(self, item_id: str, version: dict[str, Any] | None = None) -> None:
        item = self.bundle.item(item_id)
        if version is None:
            version = self._document(item["document_id"], item["version_id"])
        self._of_document(item_id, item, version, "extractions")
        self._verbatim(version, item["source_text"], item["char_offset_start"], item["char_offset_end"])
        self.out.leave(
            "Whether what was read from each quote, which sentences were selected and how sections were put together is what the "
            "rules give: 'coditect knowledge validate --deep' computes it again."
        )

    def _of_document(self, item_id: str, item: dict[str, Any], version: dict[str, Any], field_name: str) -> None:
        entry = self._tree_entry(version["document_id"])
        own = (item["document_id"], item["version_id"]) == (version["document_id"], entry["version_id"])
        must(own, f"{item_id} is of another document or version")
        made = item["derivation_id"] in entry[field_name]
        must(made, f"{item_id} was made by a step that is not of this generation")
        steps = [each for name in ("extractions", "chunks", "passages", "profile") for each in entry.get(name, [])]
        self._made_by(item_id, item["derivation_id"], steps, entry["derivations_sha256"], version["document_id"])

    def _verbatim(self, version: dict[str, Any], quote: str, start: int, end: int) -> None:
        text = self._words("texts", version["text_sha256"])
        own = 0 <= start < end <= len(text) and text[start:end] == quote
        must(own, f"it is not the text of {version['name']} at characters {start} to {end}")

    def _in_bytes(self, version: dict[str, Any], quote: str) -> str:
        """Whether a quote stands in the file itself, as far as that can be told without the reader of its format."""
        if f"files/{version['raw_sha256']}" not in self.bundle.names:
            return "file not in the bundle"
        if version["media_type"] in PLAIN and " ".join(quote.split()) in self._words("files", version["raw_sha256"]):
            return "stands in the file's bytes"
        self.out.leave(
            f"Whether quotes stand in {version['name']} as in its canonical text: that was read by {version['reader']} "
            f"({version['media_type']}), which this program cannot do; open the file."
        )
        return "file has its SHA-256"

    def _words(self, folder: str, digest: str) -> str:
        """A text, or a file of words with its white space made even; its SHA-256 is checked once, and the last ones are kept."""
        name = f"{folder}/{digest}"
        if name not in self.texts:
            if len(self.texts) > 8:
                self.texts.clear()
            text = self.bundle.blob(folder, digest).decode("utf-8", "strict" if folder == "texts" else "replace")
            self.texts[name] = text if folder == "texts" else " ".join(text.split())
        return self.texts[name]

    def _tree_entry(self, document_id: str) -> dict[str, Any]:
        shard = document_id.partition("_")[2][:2]
        tree = self.bundle.item(self.manifest["trees"].get(shard, ""))
        own = [entry for entry in tree["entries"] if entry["document_id"] == document_id]
        must(own, f"{document_id} is not a document of this generation")
        return dict(own[0])

    def _document(self, document_id: str, version_id: str) -> dict[str, Any]:
        """A document's version, bound to the generation, to its file and to the log; checked once."""
        if version_id in self.versions:
            for kind in ("file", "intake"):
                self.out.require(kind, self.versions[version_id]["name"])
            return self.versions[version_id]
        version = self.bundle.item(version_id)
        own = self._tree_entry(document_id)["version_id"] == version_id and version["document_id"] == document_id
        must(own, f"{version_id} is not the version of this generation")
        named = document_id_of(self.bundle.corpus_id, version["name"]) == document_id
        must(named, f"{document_id} is not the id of {version['name']}")
        self.versions[version_id] = version
        self._file(version)
        self._intake(version_id, version)
        return version

    def _file(self, version: dict[str, Any]) -> None:
        with self.out.hop("file", version["name"]) as found:
            self.bundle.blob("texts", version["text_sha256"])
            if f"files/{version['raw_sha256']}" in self.bundle.names:
                self.bundle.blob("files", version["raw_sha256"])
                found.append(f"the bytes have SHA-256 {version['raw_sha256']}")
            else:
                found.append(f"SHA-256 {version['raw_sha256']}, as the version's id commits to")
                self.out.leave(
                    f"The file {version['name']}: its bytes are not in the bundle; hash your own copy of it."
                )

    def _intake(self, version_id: str, version: dict[str, Any]) -> None:
        index = self.bundle.index["entries"]["documents"].get(version_id)
        if index is None:
            name = version["name"]
            self.out.leave(f"When {name} was taken in: the log has no entry of it (imported, or before it began).")
            return
        with self.out.hop("intake", version["name"]) as found:
            entry = self._entry(index, "document", version_id)
            name = f"records/{version_id}"
            known = name not in self.bundle.names or self.bundle.hashed(name) == entry.get("sha256")
            must(known, "the record of the intake is not the one that the log tells of")
            cited = f"the generation that cites it ({self.generation_index})"
            before = self.generation_index is not None and index < self.generation_index
            must(before, f"it was logged as {index}, not before {cited}")
            found.append(f"entry {index} of the log")
            self.out.order.append(f"{version['name']} was logged (entry {index}) before {cited}.")

    def _document_whole(self, version_id: str) -> None:
        version = self._document(self.bundle.item(version_id)["document_id"], version_id)
        entry = self._tree_entry(version["document_id"])
        for field_name in ("extractions", "chunks"):
            for step_id in entry[field_name]:
                for item_id in self.bundle.step(step_id)["outputs"]:
                    with self.out.hop(field_name[:-1], item_id) as found:
                        if field_name == "extractions":
                            self._extraction(item_id, version)
                            continue
                        chunk = self.bundle.item(item_id)
                        self._of_document(item_id, chunk, version, field_name)
                        for each in chunk["selected_sentences"]:
                            self._verbatim(version, each["text"], each["char_start"], each["char_end"])
                        found.append(f"{len(chunk['selected_sentences'])} sentences")

    # people

    def _signatures(self) -> None:
        """Signatures of people: Ed25519 over everything in their record, which names the SHA-256 of the record that was signed."""
        signatures = self.bundle.index["entries"].get("signatures") or {}
        if not signatures:
            self.out.leave("Who stands for this: the bundle holds no signature of a person.")
        known = {key.name: key for key in self.trust.people}
        for item_id, index in sorted(signatures.items()):
            with self.out.hop("signature", item_id) as found:
                record = dict(self.bundle.item(item_id))
                key, signed = Key.parse(record["key"]), record.pop("signature")
                statement = b"coditect-signature/1\n" + canonical(record)
                holds = ed25519_signs(key.public, statement, base64_bytes(signed, "the signature"))
                must(holds, "it does not verify: what was signed, or who signed, was changed")
                subject, generation = record["subject"], self.generation_index
                self.bundle.item(subject)
                own = record["subject_sha256"] == self.bundle.sha256(subject)
                must(own, f"it is over another record than {subject}: it was moved here from elsewhere")
                if known.get(key.name) != key:
                    self.out.leave(f"Whether the key {key.name} is {record['by']}'s: it was not given (--signer).")
                told = self._entry(int(index), "signature", item_id).get("sha256")
                must(told == self.bundle.sha256(item_id), "the signature is not the one that the log tells of")
                found.append(f"{record['by']}, {record['role']}, at {record['at']}: {record['meaning']}")
                if not subject.startswith("review_"):  # these are heeded by generations that come behind them
                    after = generation is not None and index > generation
                    must(after, f"it was logged as {index}, not after the generation that it signs ({generation})")
                    self.out.order.append(
                        f"The generation ({generation}) was logged before {record['by']} signed ({index})."
                    )

    def _limits(self) -> None:
        self.out.leave(
            "What happened after this checkpoint: a document may have been withdrawn, a generation replaced."
        )
        if unread := list(self.bundle.unread()):
            self.out.leave(
                f"{len(unread)} members that nothing leads to, the first {unread[0]}: nothing is known of them."
            )
