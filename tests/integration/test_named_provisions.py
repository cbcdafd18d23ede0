"""What questions name outright at every tier: numbers with the code of their rulebook, definitions; and what is said of others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from coditect import BuildSettings, Settings, open_knowledge
from coditect.knowledge.service import Knowledge
from coditect.schemas import Fusion, Granularity, SearchMode, SearchOptions

COBS = """Conduct of Business Rulebook

1.1.1 In these Rules, "Key Information Document" means the short document that a firm gives to a client before a sale.

1.2.3 A firm must give a Key Information Document to each Retail Client before the sale.

1.2.4 A firm must keep a record of the remuneration of its sellers for six years.

A4.3.2 The calculation of the charge must include all costs that the client bears.
"""
GEN = """General Rulebook

1.2.3 A firm must tell the Regulator at once of a change of its name.

1.2.4 The board must set the remuneration of all sellers.

1.2.5 A firm must publish its remuneration in each year.

Part 6.Chapter 1.58.(1) A person shall not hold himself out as a firm.
"""
TIERS: tuple[Granularity, ...] = ("extraction", "chunk", "passage")


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Knowledge]:
    """Two rulebooks that have a rule of the same number."""
    folder: Path = tmp_path_factory.mktemp("rulebooks")
    (folder / "files").mkdir()
    (folder / "files" / "COBS_VER1.txt").write_text(COBS, encoding="utf-8")
    (folder / "files" / "GEN_VER1.txt").write_text(GEN, encoding="utf-8")
    with open_knowledge(Settings(store=f"lmdb://{folder / 'store'}", cache=folder / "cache", jobs=1)) as opened:
        opened.ingest("rules", [folder / "files"])
        opened.build("rules", BuildSettings())
        yield opened


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("query", "document", "words"),
    [
        ("COBS Rule 1.2.3", "COBS", "Key Information Document"),
        ("Rule 1.2.3 of GEN", "GEN", "change of its name"),
        ("section 58 of GEN", "GEN", "hold himself out"),
        ("A4.3.2", "COBS", "calculation of the charge"),
    ],
)
def test_number_is_found_in_the_rulebook_of_its_code(
    knowledge: Knowledge, tier: Granularity, query: str, document: str, words: str
) -> None:
    """First of all answers, and in no other document."""
    hits = knowledge.query("rules", query, tier=tier).hits
    assert hits[0].matched_by == "exact"
    assert tier == "chunk" or words in hits[0].item.text  # of a chunk its key sentences are shown
    assert all(hit.item.document_name.startswith(document) for hit in hits if hit.matched_by == "exact")


LAW = """# Part 11

## 11.1 Notices

(a) A bank must accept a notice of error by telephone.

(b) A bank must keep each notice of error for two years.

## 11.2 Time limits

(a) A bank must determine whether an error occurred within 10 business days.

(b) A bank must tell the consumer its findings within three business days.
"""


@pytest.mark.parametrize("tier", ["extraction", "proposition", "chunk", "passage", "section", "corpus"])
def test_number_of_an_outline_is_named_at_every_tier(tmp_path: Path, tier: Granularity) -> None:
    """Also where no line prints the whole number; a tier that has nothing under it says that, and not that nobody speaks of it."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.md").write_text(LAW, encoding="utf-8")
    with open_knowledge(Settings(store=f"lmdb://{tmp_path / 'store'}", cache=tmp_path / "cache", jobs=1)) as opened:
        opened.ingest("law", [tmp_path / "a.md", tmp_path / "b.md"])
        opened.build("law", BuildSettings())
        exact = SearchOptions(mode="exact")
        found = opened.query("law", "11.2(a)", tier=tier, options=exact)
        first = opened.query("law", "11.2(a)", tier=tier).hits
        none = opened.query("law", "99.9(a)", tier=tier, options=exact)
    if found.hits:
        assert all(hit.matched_by == "exact" for hit in found.hits)
        assert first[0].matched_by == "exact"
    else:
        assert tier in ("section", "corpus")
        assert found.note.startswith("nothing of this tier is named so")
    if tier in ("extraction", "proposition", "passage"):
        assert "whether an error occurred" in found.hits[0].item.text
        assert "whether an error occurred" in first[0].item.text
    assert (none.hits, none.note[:32]) == ((), "nothing of this tier is named so")


@pytest.mark.parametrize("tier", TIERS)
def test_number_with_the_code_of_an_unknown_rulebook_is_no_other_ones(knowledge: Knowledge, tier: Granularity) -> None:
    """Nothing is named outright."""
    hits = knowledge.query("rules", "PRU Rule 1.2.3", tier=tier, options=SearchOptions(gate=False)).hits
    assert not [hit for hit in hits if hit.matched_by == "exact"]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    "query",
    ["What is a Key Information Document?", "What is the definition of Key Information Document?", "Key Information Document"],
)  # fmt: skip
def test_definition_is_found_however_it_is_asked_for(knowledge: Knowledge, tier: Granularity, query: str) -> None:
    """At every tier that stands in a document."""
    first = knowledge.query("rules", query, tier=tier).hits[0]
    assert first.matched_by == "exact"
    assert tier == "chunk" or "means the short document" in first.item.text


@pytest.mark.parametrize("tier", TIERS)
def test_single_word_that_is_there_is_answered(knowledge: Knowledge, tier: Granularity) -> None:
    """The gate leaves out what is of another field; a word that statements hold is of this one."""
    assert knowledge.query("rules", "remuneration", tier=tier).hits


def test_slip_of_the_finger_is_read_as_the_word_and_said(knowledge: Knowledge) -> None:
    """Words, meaning and gate look for the word that is meant."""
    found = knowledge.query("rules", "remuneratoin of sellers", tier="passage")
    assert found.note == "read as: remuneration of sellers"
    assert found.query == "remuneratoin of sellers"
    assert "remuneration" in found.hits[0].item.text


def test_everyday_words_find_what_has_another_name_and_explain_says_so(knowledge: Knowledge) -> None:
    """The rulebooks say nothing of take-home pay; without explain the answer is not told how it was found."""
    asked = "take-home for sellers"
    explained = knowledge.query("rules", asked, tier="passage", options=SearchOptions(explain=True))
    assert explained.note == "looked for beside “take-home”: salary, wages, remuneration, compensation"
    assert "remuneration" in explained.hits[0].item.text
    plain = knowledge.query("rules", asked, tier="passage")
    assert (plain.note, plain.hits[0].item.text) == ("", explained.hits[0].item.text)
    quoted = knowledge.query("rules", '"take-home" for sellers', tier="passage", options=SearchOptions(explain=True))
    assert "looked for" not in quoted.note


@pytest.mark.parametrize(
    ("mode", "fusion"), [("lexical", "score"), ("dense", "score"), ("hybrid", "score"), ("hybrid", "rrf")]
)
def test_everyday_words_are_read_by_every_part_of_a_search(
    knowledge: Knowledge, mode: SearchMode, fusion: Fusion
) -> None:
    """By words and by meaning, and by both fused either way."""
    options = SearchOptions(mode=mode, fusion=fusion, gate=False)
    found = knowledge.query("rules", "their take-home", tier="extraction", options=options).hits
    assert "remuneration" in found[0].item.text


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("Wer muss Vorfälle melden?", "no answer in English; the question seems to be German"),
        ("Кто должен сообщать?", "no answer in English; the question seems in Cyrillic letters"),
    ],
)
def test_question_in_another_language_is_told_so(knowledge: Knowledge, query: str, note: str) -> None:
    """It is not that no passage uses the words."""
    found = knowledge.query("rules", query, tier="passage")
    assert (found.hits, found.note) == ((), note)


def test_nonsense_is_left_out_and_shown_without_the_gate(knowledge: Knowledge) -> None:
    """And the answer says that there was something nearest."""
    found = knowledge.query("rules", "xylophone lessons on the moon", tier="passage")
    assert not found.hits
    assert "not relevant" in found.note
    assert knowledge.query(
        "rules", "xylophone lessons on the moon", tier="passage", options=SearchOptions(gate=False)
    ).hits


def test_explanation_says_what_the_gate_made_of_a_hit(knowledge: Knowledge) -> None:
    """Its probability, which adds nothing to the score."""
    (first, *_) = knowledge.query(
        "rules", "record of sellers", tier="passage", options=SearchOptions(explain=True)
    ).hits
    gate = next(part for part in first.parts if part.part == "gate")
    assert gate.score == first.probability
    assert gate.contribution == 0.0
