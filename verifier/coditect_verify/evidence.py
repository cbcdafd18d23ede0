"""The evidence itself: from claims over sections and quotes to documents and their files, each bound to the generation."""

from functools import partial
from hashlib import sha256
from typing import Any

from coditect_verify.anchors import Anchors
from coditect_verify.bundle import commitment, document_id_of, read_json
from coditect_verify.log import must

PLAIN = frozenset({"text/plain", "text/markdown"})
"""Formats whose bytes are words: a quote can be looked for in them. Others are read by programs that this one has not."""

TIERS = ("extractions", "chunks")
READ, SELECTED = ("char_offset_start", "char_offset_end", "source_text"), ("char_start", "char_end", "text")
MOST_TEXTS = 8
Record = dict[str, Any]
Place = tuple[Any, ...]
"""First code point, one past the last, and the words."""


class Evidence:
    """What a bundle is evidence of. Nothing is checked twice.

    Attributes:
        index: of the generation's entry in the log.
    """

    def __init__(self, log: Anchors) -> None:
        self.log, self.bundle, self.out = log, log.bundle, log.out
        self.index, self.build_id = 0, ""
        self.manifest: Record = {}
        self.steps: dict[str, dict[str, str]] = {}
        self.texts: dict[str, str] = {}

    def generation(self) -> None:
        """The generation's record, which the log tells of, and the manifest that it names."""
        with self.out.hop("generation", str(self.bundle.index.get("generation"))) as found:
            name, place = "records/generation", self.bundle.index["entries"]["generation"]
            record, number = read_json(self.bundle.member(name), name), self.bundle.index.get("generation")
            must(
                record["generation"] == number,
                f"bundle.json says generation {number}; {name} says {record['generation']}",
            )
            self.index = self.log.told(place, "generation", record["build_id"], name)
            self.build_id = record["build_id"]
            found.append(f"entry {self.index} of the log; made {record['created_at']} as it says")
        if self.build_id:
            with self.out.hop("manifest", self.build_id):
                self.manifest = self.bundle.item(self.build_id)
            left_out = self.manifest.get("left_out") or {}
            self.out.leave("files", left_out.get("failed", "an unknown number"), left_out.get("repeated", 0))

    def check(self, kind: str, item_id: str) -> None:
        """All of a claim, a section, a document or a report."""
        checks = {"claim": self._claim, "section": self._section, "document": self._whole, "report": self._report}
        must(kind in checks, f"the bundle is of a {kind}, which this program does not know")
        checks[kind](item_id)  # type: ignore[operator]

    def _report(self, build_id: str) -> None:
        must(build_id == self.build_id, f"the bundle is of the report of {build_id}, not of its own generation")
        summary = self.bundle.item(self.manifest["summary_id"])
        claims = (*summary["claims"], *summary["filtered"])
        sections = [partial(self._section, section) for _, section in self.manifest["sections"]]
        self.out.all_of([*sections, *(partial(self._claim, claim) for claim in claims)])

    # what came out of which step

    def _made(self, item_id: str, step_id: str, owner: str) -> None:
        """Wrong unless an item came out of a step to which the manifest, or a document's entry in the tree, commits."""
        if owner == "manifest":
            entry, steps = self.manifest, [step for step, _ in self.manifest["sections"]]
            steps.append(self.manifest["summary_derivation"])
        else:
            entry = self._entry(owner)
            steps = [each for name in (*TIERS, "passages", "profile") for each in entry.get(name, [])]
        must(step_id in steps, f"{item_id} was made by a step that is not of this generation")
        if step_id not in self.steps:
            step, parts = self.bundle.step(step_id), self.bundle.commitments(owner)
            whole = len(parts) == len(steps) and sha256(b"".join(parts)).hexdigest() == entry["derivations_sha256"]
            must(whole, f"commitments/{owner} is not what the generation commits to: it was changed")
            own = parts[steps.index(step_id)] == commitment(step)
            must(own, f"the outputs of {step_id} are not those that the generation commits to")
            self.steps[step_id] = self.bundle.outputs(step)
        own = self.steps[step_id].get(item_id) == self.bundle.hashed(f"items/{item_id}")
        must(own, f"{item_id} did not come out of the step that it names")

    def _item(self, item_id: str, version: Record, tier: str) -> set[Place]:
        """Where the words of an extraction or a chunk stand; Wrong unless they do, and it is of this version and generation."""
        item, entry = self.bundle.item(item_id), self._entry(version["document_id"])
        own = (item["document_id"], item["version_id"]) == (version["document_id"], entry["version_id"])
        must(own and item["derivation_id"] in entry[tier], f"{item_id} is not of the {tier} of {version['name']}")
        self._made(item_id, item["derivation_id"], version["document_id"])
        text = self._words("texts", version["text_sha256"])
        parts, names = ([item], READ) if tier == "extractions" else (item["selected_sentences"], SELECTED)
        places: set[Place] = {tuple(part[name] for name in names) for part in parts}
        for start, end, words in places:
            own = 0 <= start < end <= len(text) and text[start:end] == words
            must(own, f"{item_id} is not the text of {version['name']} at characters {start} to {end}")
        self.out.leave("readings")
        return places

    def _entry(self, document_id: str) -> Record:
        """What the generation's tree says of a document."""
        tree = self.bundle.item(self.manifest["trees"].get(document_id.partition("_")[2][:2], ""))
        own = [dict(entry) for entry in tree["entries"] if entry["document_id"] == document_id]
        must(len(own) == 1, f"{document_id} is not a document of this generation, or twice")
        return own[0]

    # claims, sections, quotes

    def _summary(self) -> Record:
        summary_id = self.manifest["summary_id"]
        if not self.out.looked_at("summary", summary_id):
            with self.out.hop("summary", summary_id):
                self.bundle.item(summary_id)
                self._made(summary_id, self.manifest["summary_derivation"], "manifest")
            self.out.looked_at("summary", summary_id)
        return self.bundle.item(summary_id)

    def _claim(self, claim_id: str) -> None:
        with self.out.hop("claim", claim_id) as found:
            claim = self.bundle.said(claim_id)
            if self.out.subject == f"claim {claim_id}":
                self.out.says = str(claim["text"])
            cited = [partial(self._section, each["section_id"], each["part"]) for each in claim["citations"]]
            read = [partial(self._extraction, each) for each in claim.get("extraction_ids", [])]
            self.out.all_of([partial(self._published, claim_id, found), *cited, *read])

    def _published(self, claim_id: str, found: list[str]) -> None:
        """That the summary lists a claim, with this verdict; and the decisions that it heeds."""
        claim, summary = self.bundle.item(claim_id), self._summary()
        must(claim_id in (*summary["claims"], *summary["filtered"]), "it is not a claim of this generation")
        verdict = self.bundle.item(summary["verdicts"][claim_id])
        own = verdict["claim_id"] == claim_id and verdict["published"] == (claim_id in summary["claims"])
        must(own, f"its verdict {summary['verdicts'][claim_id]} is of another claim, or says otherwise")
        must(claim["citations"] or not verdict["published"], "it is published, and cites nothing")
        found.append(f"{'published' if verdict['published'] else 'withheld'}: {claim['text']}")
        self.out.leave("judged", verdict["checker"])
        decisions = [each["review_id"] for each in verdict.get("opinions", []) if each.get("review_id")]
        self.out.all_of(partial(self._decision, each) for each in decisions)

    def _extraction(self, item_id: str) -> None:
        item = self.bundle.item(item_id)
        self._item(item_id, self._document(item["document_id"], item["version_id"]), "extractions")

    def _decision(self, review_id: str) -> None:
        if self.out.looked_at("decision", review_id):
            return
        with self.out.hop("decision", review_id) as found:
            review, place = self.bundle.item(review_id), self.bundle.index["entries"]["reviews"][review_id]
            index = self.log.told(place, "review", review_id, f"items/{review_id}")
            late = f"its entry {index} is not before the generation that applies it ({self.index})"
            must(index < self.index, late)
            found.append(f"{review['decision']} by {review['by']} at {review['at']}, as it says; entry {index}")
        self.out.leave("names")

    def _section(self, section_id: str, part: int | None = None) -> None:
        """A section, and one of its quotes, or all."""
        if ("section", section_id) not in self.out.known:
            with self.out.hop("section", section_id) as found:
                section = self.bundle.item(section_id)
                own = section_id in [each for _, each in self.manifest["sections"]]
                must(own, "it is not a section of this generation")
                self._made(section_id, section["derivation_id"], "manifest")
                found.append(str(section["topic"]))
        quotes = {
            number: partial(self._quote, f"{section_id} part {number}", each["content"], each["citation"])
            for number, each in enumerate(self.bundle.said(section_id)["content"])
            if each.get("citation") is not None and part in (None, number)
        }
        missed = part is None or part in quotes
        cites = partial(must, missed, f"{section_id} has no quote as part {part}, which is cited")
        self.out.all_of([partial(self.out.looked_at, "section", section_id), cites, *quotes.values()])

    def _quote(self, name: str, quote: str, cited: Record) -> None:
        if self.out.looked_at("quote", name):
            return
        with self.out.hop("quote", name) as found:
            version = self._document(cited["document_id"], cited["version_id"])
            place = (cited["char_start"], cited["char_end"], quote)
            there = self._words("texts", version["text_sha256"])[cited["char_start"] : cited["char_end"]]
            said = f"“{quote}” is not what {cited['chunk_id']} selected; {version['name']} says “{there}” there"
            read = [partial(self._item, each, version, "extractions") for each in cited["extraction_ids"]]
            self.out.all_of([lambda: must(place in self._item(cited["chunk_id"], version, "chunks"), said), *read])
            found.append(f"{version['name']}, characters {cited['char_start']} to {cited['char_end']}")
            found.append(self._in_bytes(version, quote))

    # documents

    def _whole(self, version_id: str) -> None:
        """A document with everything that was read from it and selected."""
        version = self._document(self.bundle.item(version_id)["document_id"], version_id)
        for tier in TIERS:
            for step in self._entry(version["document_id"])[tier]:
                for item_id in self.bundle.step(step)["outputs"]:
                    with self.out.hop(tier[:-1], item_id):
                        self._item(item_id, version, tier)

    def _document(self, document_id: str, version_id: str) -> Record:
        """A document's version, bound to the generation, to its file and to the log."""
        version = self.bundle.item(version_id)
        own = self._entry(document_id)["version_id"] == version_id and version["document_id"] == document_id
        must(own, f"{version_id} is not the version of {document_id} in this generation")
        named = document_id_of(self.bundle.corpus_id, version["name"]) == document_id
        must(named, f"{document_id} is not the id of {version['name']}")
        if ("text", version["name"]) not in self.out.known:
            self._file(version)
            self._intake(version_id, version["name"])
        for each in ("text", "file", "intake"):
            self.out.looked_at(each, version["name"])
        return version

    def _file(self, version: Record) -> None:
        with self.out.hop("text", version["name"]) as found:
            self.bundle.blob("texts", version["text_sha256"])
        with self.out.hop("file", version["name"]) as found:
            found.append(f"the version's id commits to SHA-256 {version['raw_sha256']}")
            if f"files/{version['raw_sha256']}" in self.bundle.names:
                self.bundle.blob("files", version["raw_sha256"])
                found.append("which its bytes have")
            else:
                self.out.leave("bytes", version["name"])

    def _intake(self, version_id: str, name: str) -> None:
        place = self.bundle.index["entries"]["documents"].get(version_id)
        if place is None:
            self.out.leave("intake", name)
            return
        with self.out.hop("intake", name) as found:
            index = self.log.told(place, "document", version_id, f"records/{version_id}")
            cited = f"the generation that cites it ({self.index})"
            must(index < self.index, f"its entry {index}, which bundle.json names, is not before {cited}")
            found.append(f"entry {index} of the log")
            if f"records/{version_id}" not in self.bundle.names:
                self.out.leave("record", name)
            self.out.order.append(f"{name} was logged (entry {index}) before {cited}.")

    # words

    def _in_bytes(self, version: Record, quote: str) -> str:
        """Whether a quote stands in the file itself, as far as that can be told without the reader of its format."""
        if f"files/{version['raw_sha256']}" not in self.bundle.names:
            return "file not in the bundle"
        if version["media_type"] in PLAIN and " ".join(quote.split()) in self._words("files", version["raw_sha256"]):
            return "stands in the file's bytes"
        self.out.leave("format", version["name"], version["reader"], version["media_type"])
        return "file has its SHA-256"

    def _words(self, folder: str, digest: str) -> str:
        """A text, or a file of words with its white space made even; its SHA-256 is checked, and the last ones are kept."""
        if (name := f"{folder}/{digest}") not in self.texts:
            if len(self.texts) >= MOST_TEXTS:
                self.texts.clear()
            text = self.bundle.blob(folder, digest).decode("utf-8", "strict" if folder == "texts" else "replace")
            self.texts[name] = text if folder == "texts" else " ".join(text.split())
        return self.texts[name]
