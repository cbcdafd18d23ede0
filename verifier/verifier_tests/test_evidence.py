"""Every relation between the records of a bundle, broken by itself: the other checks of the same records still hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import pytest
from coditect_verify.bundle import commitment, document_id_of
from coditect_verify.evidence import Evidence
from coditect_verify.log import Wrong, must
from coditect_verify.result import Verification

CORPUS = "c"
NAME = "policy.txt"
DOCUMENT = document_id_of(CORPUS, NAME)
TEXT = "Policy\n\nStaff shall report losses within 24 hours. Keys are kept."
QUOTE = "Staff shall report losses within 24 hours."
START = TEXT.index(QUOTE)
END = START + len(QUOTE)
GENERATION, DECIDED = 7, 3

World = dict[str, Any]


def _digest(value: object) -> str:
    return sha256(repr(value).encode()).hexdigest()


def _world() -> World:
    """One document, a sentence of it in an extraction, a chunk, a section and a claim, and a decision on the claim."""
    text, raw = _digest("text"), _digest("raw")
    items: dict[str, Any] = {
        "version_1": {
            "document_id": DOCUMENT,
            "name": NAME,
            "text_sha256": text,
            "raw_sha256": raw,
            "media_type": "text/plain",
            "reader": "text/1",
        },
        "extraction_1": _of_document("read", char_offset_start=START, char_offset_end=END, source_text=QUOTE),
        "chunk_1": _of_document("selected", selected_sentences=[{"char_start": START, "char_end": END, "text": QUOTE}]),
        "section_1": {"derivation_id": "gathered", "topic": "losses", "content": [_part(QUOTE), {"citation": None}]},
        "claim_1": {
            "text": "Losses are reported.",
            "citations": [{"section_id": "section_1", "part": 0}],
            "extraction_ids": ["extraction_1"],
        },
        "verdict_1": {
            "claim_id": "claim_1",
            "published": True,
            "checker": "rules",
            "opinions": [{"review_id": "review_1"}, {}],
        },
        "summary_1": {"claims": ["claim_1"], "filtered": [], "verdicts": {"claim_1": "verdict_1"}},
        "review_1": {"decision": "accept", "by": "A. Officer", "at": "2026-01-01"},
        "tree_1": {
            "entries": [
                {
                    "document_id": DOCUMENT,
                    "version_id": "version_1",
                    "extractions": ["read"],
                    "chunks": ["selected"],
                    "profile": ["profiled"],
                }
            ]
        },
        "build_1": {
            "summary_id": "summary_1",
            "summary_derivation": "summed",
            "sections": [["gathered", "section_1"]],
            "trees": {DOCUMENT.partition("_")[2][:2]: "tree_1"},
        },
    }
    outputs = {
        "read": ["extraction_1"],
        "selected": ["chunk_1"],
        "profiled": [],
        "gathered": ["section_1"],
        "summed": ["summary_1"],
    }
    files = {f"texts/{text}": TEXT.encode(), f"files/{raw}": TEXT.replace(" ", "  ").encode(), "records/version_1": b""}
    entries = {"generation": GENERATION, "documents": {"version_1": 2}, "reviews": {"review_1": DECIDED}}
    world = {
        "items": items,
        "outputs": outputs,
        "files": files,
        "entries": entries,
        "hashes": {},
        "steps": {},
        "committed": {},
    }
    committed_to(world)
    return world


def _of_document(step: str, **more: object) -> dict[str, object]:
    return {"document_id": DOCUMENT, "version_id": "version_1", "derivation_id": step, **more}


def _part(quote: str) -> dict[str, Any]:
    place = {"char_start": START, "char_end": END, "chunk_id": "chunk_1", "extraction_ids": ["extraction_1"]}
    return {"content": quote, "citation": {"document_id": DOCUMENT, "version_id": "version_1", **place}}


def committed_to(world: World) -> None:
    """Have steps, the document's entry and the manifest commit to what the records are."""
    items = world["items"]
    world["hashes"] = {each: _digest(item) for each, item in items.items()}
    steps = {
        name: {"derivation_id": name, "outputs": out, "outputs_sha256": _digest([items.get(each) for each in out])}
        for name, out in world["outputs"].items()
    }
    world["steps"] = steps
    for owner, own, names in (
        (DOCUMENT, items["tree_1"]["entries"][0], ("read", "selected", "profiled")),
        ("manifest", items["build_1"], ("gathered", "summed")),
    ):
        parts = [commitment(steps[name]) for name in names]
        world["committed"][owner] = parts
        own["derivations_sha256"] = sha256(b"".join(parts)).hexdigest()


class Records:
    """A bundle in which every record is what its id says: what is left to check is how they fit together."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.corpus_id = CORPUS
        self.index = {"generation": 1, "entries": world["entries"]}
        self.names = set(world["files"])

    def item(self, item_id: str) -> dict[str, Any]:
        must(item_id in self.world["items"], f"items/{item_id} is not in the bundle")
        return dict(self.world["items"][item_id])

    said = item

    def step(self, step_id: str) -> dict[str, Any]:
        return dict(self.world["steps"][step_id])

    def outputs(self, step: dict[str, Any]) -> dict[str, str]:
        return {each: self.world["hashes"][each] for each in step["outputs"]}

    def commitments(self, owner: str) -> list[bytes]:
        return list(self.world["committed"][owner])

    def hashed(self, name: str) -> str:
        return _digest(self.world["items"][name.removeprefix("items/")])

    def blob(self, folder: str, digest: str) -> bytes:
        return bytes(self.world["files"][f"{folder}/{digest}"])

    def member(self, name: str) -> bytes:
        assert name == "records/generation"
        return b'{"build_id":"build_1","created_at":"2026-01-02","generation":1}'


def looked_at(world: World, kind: str = "claim", item_id: str = "claim_1") -> Verification:
    """What the evidence of a world comes to."""
    out = Verification()

    def told(place: object, kind: str, subject: str, member: str) -> int:
        assert (kind, member.rpartition("/")[2]) in (("generation", "generation"), (kind, subject))
        return int(str(place))

    log = SimpleNamespace(bundle=Records(world), out=out, told=told)
    evidence = Evidence(log)  # type: ignore[arg-type]
    evidence.generation()
    with out.hop("subject", f"{kind} {item_id}"):
        evidence.check(kind, item_id)
    return out


def test_everything_fits() -> None:
    """A claim with its section, quote, extraction and decision; the whole document; the report."""
    found = looked_at(_world())
    assert found.causes == []
    kinds = {each.kind for each in found.hops}
    assert kinds >= {"manifest", "claim", "section", "quote", "summary", "decision", "file", "intake"}
    assert any("stands in the file's bytes" in each.detail for each in found.hops)
    assert looked_at(_world(), "document", "version_1").causes == []
    report = looked_at(_world(), "report", "build_1")
    assert report.causes == []
    assert {"claim", "section"} <= {each.kind for each in report.hops}


def _set(*path: str | int, to: object) -> Callable[[World], None]:
    def change(world: World) -> None:
        place = world
        for each in path[:-1]:
            place = place[each]  # type: ignore[index]
        place[path[-1]] = to  # type: ignore[index]

    return change


ENTRY = ("items", "tree_1", "entries", 0)
SENTENCE = ("items", "chunk_1", "selected_sentences", 0)
CITED = ("items", "section_1", "content", 0, "citation")

# What is changed, before all commitments are made anew, and where it shows.
FITTING: list[tuple[Callable[[World], None], str, str]] = [
    (_set("items", "section_1", "derivation_id", to="selected"), "section", "not of this generation"),
    (_set("items", "extraction_1", "document_id", to="document_9"), "quote", "is not of the extractions"),
    (_set("items", "chunk_1", "version_id", to="version_0"), "quote", "is not of the chunks"),
    (_set("items", "chunk_1", "document_id", to="document_9"), "quote", "is not of the chunks"),
    (_set("items", "chunk_1", "derivation_id", to="read"), "quote", "is not of the chunks"),
    (_set(*SENTENCE, "char_start", to=START + 1), "quote", "is not the text"),
    (_set(*SENTENCE, "char_start", to=-len(TEXT) + START), "quote", "is not the text"),
    (_set(*SENTENCE, to={"char_start": 5, "char_end": 5, "text": ""}), "quote", "is not the text"),
    (_set(*SENTENCE, to={"char_start": START, "char_end": 999, "text": TEXT[START:]}), "quote", "is not the text"),
    (_set(*SENTENCE, "text", to=QUOTE.replace("24", "48")), "quote", "is not the text"),
    (_set("items", "summary_1", "claims", to=[]), "claim", "not a claim of this generation"),
    (_set("items", "verdict_1", "claim_id", to="claim_2"), "claim", "of another claim"),
    (_set("items", "verdict_1", "published", to=False), "claim", "says otherwise"),
    (_set("items", "build_1", "sections", to=[["gathered", "section_2"]]), "section", "not a section of this generation"),
    (_set(*CITED, "char_end", to=END - 1), "quote", "is not what chunk_1 selected"),
    (_set("items", "section_1", "content", 0, "content", to="Keys are kept."), "quote", "is not what chunk_1 selected"),
    (_set(*CITED, "version_id", to="version_0"), "quote", "not in the bundle"),
    (_set(*ENTRY, "version_id", to="version_0"), "quote", "is not the version"),
    (_set("items", "version_1", "document_id", to="document_9"), "quote", "is not the version"),
    (_set("items", "version_1", "name", to="other.txt"), "quote", "is not the id of other.txt"),
    (_set("entries", "documents", "version_1", to=GENERATION), "intake", "not before the generation"),
    (_set("entries", "documents", "version_1", to=GENERATION + 1), "intake", "not before the generation"),
    (_set("entries", "reviews", "review_1", to=GENERATION), "decision", "not before the generation"),
    (_set("items", "claim_1", "citations", 0, "part", to=1), "claim", "has no quote as part 1, which is cited"),
    (_set("items", "claim_1", "citations", 0, "part", to=9), "claim", "has no quote as part 9, which is cited"),
    (_set("items", "claim_1", "citations", to=[]), "claim", "it is published, and cites nothing"),
    (lambda world: world["items"]["tree_1"]["entries"].append(dict(world["items"]["tree_1"]["entries"][0])),
     "quote", "is not a document of this generation, or twice"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "kind", "says"), FITTING)
def test_records_that_do_not_fit_are_wrong(change: Callable[[World], None], kind: str, says: str) -> None:
    """Whoever forges a record and everything that commits to it is told by how it lies to the others."""
    world = _world()
    change(world)
    committed_to(world)
    cause, *_ = looked_at(world).causes
    assert (cause.kind, says in cause.detail) == (kind, True), cause


# What is changed behind the back of those who commit to it.
COMMITTED: list[tuple[Callable[[World], None], str]] = [
    (lambda world: world["committed"]["manifest"].append(b"\0" * 32), "commitments/manifest is not what"),
    (lambda world: world["committed"]["manifest"].reverse(), "commitments/manifest is not what"),
    (_set("items", "build_1", "derivations_sha256", to="0" * 64), "commitments/manifest is not what"),
    (_set("steps", "gathered", "outputs_sha256", to="0" * 64), "the outputs of gathered"),
    (_set("steps", "gathered", "outputs", to=["section_1", "section_2"]), "the outputs of gathered"),
    (_set("items", "section_1", "topic", to="thefts"), "did not come out of the step"),
    (lambda world: world["hashes"].update(section_1="0" * 64), "did not come out of the step"),
]


@pytest.mark.parametrize(("change", "says"), COMMITTED)
def test_what_nobody_committed_to_is_wrong(change: Callable[[World], None], says: str) -> None:
    """The steps of an owner are all there, in order; a step's outputs are those that it had; an item is one of them."""
    world = _world()
    change(world)
    cause, *_ = looked_at(world, "section", "section_1").causes
    assert (cause.kind, says in cause.detail) == ("section", True), cause


def test_withheld_claim_says_so() -> None:
    """A verdict that publishes nothing fits a claim that is filtered."""
    world = _world()
    world["items"]["summary_1"] |= {"claims": [], "filtered": ["claim_1"]}
    world["items"]["verdict_1"]["published"] = False
    committed_to(world)
    found = looked_at(world)
    assert found.causes == []
    assert any(each.kind == "claim" and each.detail.startswith("withheld: ") for each in found.hops)
    assert looked_at(world, "report", "build_1").causes == []


def test_report_of_another_build_is_wrong() -> None:
    """The subject of a report is its generation's own build."""
    (cause,) = looked_at(_world(), "report", "build_2").causes
    assert "not of its own generation" in cause.detail


def test_a_subject_of_an_unknown_kind_is_wrong() -> None:
    """A later release may write bundles of other things."""
    (cause,) = looked_at(_world(), "poem", "poem_1").causes
    assert "which this program does not know" in cause.detail


def test_only_the_part_that_a_claim_cites_is_looked_at() -> None:
    """A section's other quotes are of other claims; of a section by itself all are looked at."""
    world = _world()
    world["items"]["section_1"]["content"].append(_part(QUOTE.upper()))
    committed_to(world)
    assert looked_at(world).causes == []
    (cause,) = looked_at(world, "section", "section_1").causes
    assert cause.subject == "section_1 part 2"


@pytest.mark.parametrize(
    ("change", "says", "left"),
    [
        (lambda world: None, "stands in the file's bytes", ""),
        (_set("items", "version_1", "media_type", to="application/pdf"), "file has its SHA-256", "application/pdf"),
        (lambda world: world["files"].update({_raw(world): b"nothing of it"}), "file has its SHA-256", "text/plain"),
        (lambda world: world["files"].pop(_raw(world)), "file not in the bundle", "its bytes are not in the bundle"),
    ],
)
def test_where_a_quote_stands_is_told_as_far_as_it_can_be(
    change: Callable[[World], None], says: str, left: str
) -> None:
    """In the bytes of a plain file; of others what reads them is named as not checked."""
    world = _world()
    change(world)
    committed_to(world)
    found = looked_at(world)
    assert found.causes == []
    assert any(each.kind == "quote" and each.detail.endswith(says) for each in found.hops)
    assert any(left in each for each in found.unchecked)
    assert left or not any(NAME in each for each in found.unchecked)


def _raw(world: World) -> str:
    return f"files/{world['items']['version_1']['raw_sha256']}"


def test_version_that_the_log_has_no_entry_of_is_named() -> None:
    """Imported, or taken in before the log began: said, and not wrong."""
    world = _world()
    world["entries"]["documents"] = {}
    found = looked_at(world)
    assert found.causes == []
    assert any(each.startswith(f"When {NAME} was taken in") for each in found.unchecked)
    assert found.order == []


def test_intake_whose_record_is_not_there_is_named() -> None:
    """The entry alone is no proof of what it tells of: a later state took its place, or somebody left it out."""
    world = _world()
    assert not any("the intake of" in each for each in looked_at(world).unchecked)
    del world["files"]["records/version_1"]
    found = looked_at(world)
    assert found.causes == []
    assert any(each.startswith(f"Whether the intake of {NAME} was as its entry says") for each in found.unchecked)


def test_as_many_texts_are_kept_as_are_needed_at_once() -> None:
    """A bundle of many documents costs the memory of eight; a text that was given up is read again."""
    world, reads = _world(), []
    records = Records(world)
    words = {f"texts/{n}": f"text {n}".encode() for n in range(9)}
    world["files"] |= words

    def blob(folder: str, digest: str) -> bytes:
        reads.append(digest)
        return words[f"{folder}/{digest}"]

    records.blob = blob  # type: ignore[method-assign]
    evidence = Evidence(SimpleNamespace(bundle=records, out=Verification()))  # type: ignore[arg-type]
    for number in (*range(8), 0, 8, 0):
        assert evidence._words("texts", str(number)) == f"text {number}"
        assert len(evidence.texts) <= 8
    assert reads == [str(number) for number in (*range(9), 0)]


def test_what_the_manifest_left_out_is_told() -> None:
    """Files that could not be read, and an old manifest that does not say."""
    world = _world()
    assert any("that an unknown number failed and 0 repeat" in each for each in looked_at(world).unchecked)
    world["items"]["build_1"]["left_out"] = {"failed": 3, "repeated": 2}
    committed_to(world)
    assert any("that 3 failed and 2 repeat" in each for each in looked_at(world).unchecked)


@pytest.mark.parametrize("text", [f"{QUOTE} Keys are kept.", f"Keys are kept. {QUOTE}", QUOTE])
def test_a_quote_may_be_at_either_end_of_its_text(text: str) -> None:
    """Its first character, its last one, or all of it."""
    world, start = _world(), text.index(QUOTE)
    items = world["items"]
    items["extraction_1"] |= {"char_offset_start": start, "char_offset_end": start + len(QUOTE)}
    for each in (items["chunk_1"]["selected_sentences"][0], items["section_1"]["content"][0]["citation"]):
        each |= {"char_start": start, "char_end": start + len(QUOTE)}
    world["files"][f"texts/{items['version_1']['text_sha256']}"] = text.encode()
    committed_to(world)
    assert looked_at(world).causes == []


@pytest.fixture(autouse=True)
def _untouched() -> Iterator[None]:
    """No test changes what the others begin with."""
    before = deepcopy(_world())
    yield
    assert _world() == before


def test_records_of_the_world_are_missed() -> None:
    """The double says what a bundle says of a record that is not there."""
    with pytest.raises(Wrong):
        Records(_world()).item("chunk_9")
