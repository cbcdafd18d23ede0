"""One gate over a corpus: every tier answers, or none does; what is no answer of a tier's own says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from coditect import BuildSettings, Settings, open_knowledge
from coditect.knowledge.service import Knowledge
from coditect.schemas import GRANULARITIES, Granularity, SearchOptions
from coditect.schemas.query import QueryResult

CORPUS = "clubs"
DOCUMENTS = {
    "access.md": "# Access\n\nThe administrator must review access rights every quarter.\n\n"
    "Users must change their passwords within 90 days.\n\nThe administrator must record each review of access rights.\n",
    "records.md": "# Records\n\nThe secretary must keep records of meetings for six years.\n\n"
    "The secretary must destroy records of meetings after six years.\n",
    "boats.txt": "The boathouse has two rowing boats with wooden oars and a blue trailer.\n",
}


@pytest.fixture(scope="module")
def clubs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Knowledge]:
    """Two policies and a note that nothing is drawn from."""
    home = tmp_path_factory.mktemp("clubs")
    files = home / "files"
    files.mkdir()
    for name, text in DOCUMENTS.items():
        (files / name).write_text(text, encoding="utf-8")
    place = Settings(store=f"lmdb://{home / 'store'}", cache=home / "cache", embedder="wordllama", jobs=1)
    with open_knowledge(place) as knowledge:
        knowledge.ingest(CORPUS, [files])
        knowledge.build(CORPUS, BuildSettings())
        yield knowledge


def _asked(knowledge: Knowledge, query: str, tier: Granularity) -> QueryResult:
    return knowledge.query(CORPUS, query, tier=tier)


@pytest.mark.parametrize("tier", GRANULARITIES)
@pytest.mark.parametrize(
    "query", ["how often are access rights reviewed?", "wooden oars", "how long are records of meetings kept?"]
)
def test_what_passages_answer_is_answered_at_every_tier(clubs: Knowledge, query: str, tier: Granularity) -> None:
    """By the tier's own items, or by what is marked and leads to the passage that answers."""
    found = _asked(clubs, query, tier)
    assert found.hits
    best = _asked(clubs, query, "passage").hits
    for hit in found.hits:
        if hit.mark:
            assert hit.answered_by is not None
            assert hit.answered_by.item_id in {each.item.item_id for each in best}
            assert found.note.startswith(("no ", "read as"))
            focused = {each.item.item_id: each.focus for each in best}
            if (
                focused[hit.answered_by.item_id] is not None
            ):  # what speaks of little of the question has no such sentence
                assert hit.answered_focus is not None
                assert hit.answered_focus.text in hit.answered_by.text
        else:
            assert (hit.answered_by, hit.answered_focus) == (None, None)
            assert hit.relevance in ("correct", "ambiguous")


@pytest.mark.parametrize("tier", GRANULARITIES)
@pytest.mark.parametrize("query", ["who conducts the symphony orchestra?", "Wer muss Vorfälle melden?", "xylophone"])
def test_what_passages_do_not_answer_is_refused_at_every_tier(clubs: Knowledge, query: str, tier: Granularity) -> None:
    """And says that something was left out, or in which language it was asked."""
    found = _asked(clubs, query, tier)
    assert found.hits == ()
    assert found.relevance in ("incorrect", None)
    assert found.note


def test_tier_that_knows_nothing_of_a_document_shows_its_passages(clubs: Knowledge) -> None:
    """A note of boats is in no section: the passage stands in the section's place, and says so."""
    found = _asked(clubs, "wooden oars", "section")
    assert found.note == "no section is about it; shown are passages, a tier below"
    assert [hit.item.kind for hit in found.hits][:1] == ["passage"]
    assert "wooden oars" in found.hits[0].item.text
    assert found.hits[0].mark == "a passage that answers"


def test_limit_does_not_decide_whether_a_corpus_speaks(clubs: Knowledge) -> None:
    """Ten passages are looked at, however many are wanted."""
    for query in ("who conducts the symphony orchestra?", "how often are access rights reviewed?"):
        silent = {not clubs.query(CORPUS, query, tier="passage", limit=limit).hits for limit in (1, 3, 10, 200)}
        assert len(silent) == 1


def test_without_the_gate_a_tier_shows_its_own(clubs: Knowledge) -> None:
    """Nothing is marked, since nothing is judged."""
    found = clubs.query(CORPUS, "xylophone", tier="section", options=SearchOptions(gate=False))
    assert all(not hit.mark and hit.relevance is None for hit in found.hits)
