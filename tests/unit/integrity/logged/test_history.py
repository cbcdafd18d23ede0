"""The state of a corpus' rows as its log tells it: what the last event of each thing leaves, and what is told twice."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.integrity.logged.history import ACTS, ONCE, CorpusHistory, document_tag
from coditect.schemas import tag_of

CORPUS = "c"
OWN = tag_of(CORPUS)


def _followed(*events: dict[str, Any]) -> CorpusHistory:
    """What a log tells, all of it of one corpus unless it says otherwise; each event has the number of its place as its hash."""
    history = CorpusHistory(CORPUS)
    for number, event in enumerate(events):
        history.take({"corpus": OWN, "sha256": str(number), **event})
    return history


@pytest.mark.parametrize(
    ("event", "begun", "digest", "binds"),
    [
        ({"kind": "corpus", "$record": "log_event/1"}, "corpus", "", False),
        ({"kind": "corpus", "$record": "log_event/2"}, "corpus", "", True),
        ({"kind": "corpus", "$record": "log_event/3"}, "corpus", "", True),
        ({"kind": "corpus", "$record": "log_event/x"}, "corpus", "", False),
        ({"kind": "corpus"}, "corpus", "", False),
        ({"kind": "import", "digest": "ff", "$record": "log_event/2"}, "import", "ff", True),
        ({"kind": "import"}, "import", "", False),
        ({"kind": "corpus", "corpus": "another"}, "", "", False),
        ({"kind": "document"}, "", "", False),
    ],
)
def test_a_corpus_begins_as_its_first_event_says(event: dict[str, Any], begun: str, digest: str, binds: bool) -> None:
    """Under a release that logs vectors, too, or under one before."""
    history = _followed(event)
    assert (history.begun, history.digest, history.binds_all) == (begun, digest, binds)
    assert history.beginning == ("0" if begun else "")
    assert history.repeated == []


def test_a_second_beginning_is_told_and_changes_nothing() -> None:
    """Of whatever kind."""
    history = _followed({"kind": "corpus"}, {"kind": "import", "digest": "ff", "$record": "log_event/2"})
    assert (history.begun, history.beginning, history.digest, history.binds_all) == ("corpus", "0", "", False)
    assert history.repeated == [(f"corpus/{OWN}", "the log tells of its beginning twice")]


def test_a_document_is_what_was_told_last() -> None:
    """Under its tag, which its versions share; the same record and kind twice in a row is repeated."""
    first, other = f"version_{'a' * 12}rest", f"document_{'b' * 12}"
    assert document_tag(first) == "a" * 12
    history = _followed(
        {"kind": "document", "subject": first},
        {"kind": "withdrawal", "subject": f"version_{'a' * 12}more"},
        {"kind": "document", "subject": other, "sha256": "x"},
        {"kind": "withdrawal", "subject": other, "sha256": "x"},
        {"kind": "document", "subject": other, "sha256": "x"},
        {"kind": "document", "subject": other, "corpus": "another"},
    )
    assert history.documents == {"a" * 12: ("withdrawal", "1"), "b" * 12: ("document", "x")}
    assert history.repeated == []
    again = _followed(*[{"kind": "document", "subject": other, "sha256": "x"}] * 2)
    assert again.repeated == [(f"documents/{other}", "the log tells of the same intake twice in a row")]


def test_a_failure_stays_until_it_is_cleared() -> None:
    """Once: what was not told cannot be cleared."""
    failed, cleared = {"kind": "failure", "subject": "d"}, {"kind": "failure cleared", "subject": "d"}
    assert _followed(failed, failed).failures == {"d": "1"}
    assert _followed(failed, cleared).failures == {}
    assert _followed(failed, cleared, failed).failures == {"d": "2"}
    assert _followed(failed, cleared).repeated == []
    for wrong in (_followed(cleared), _followed(failed, cleared, cleared)):
        assert wrong.repeated == [("failures/d", "the log clears a failure that it does not tell of")]


@pytest.mark.parametrize(
    ("numbers", "wrong"),
    [
        ([1, 2, 3], []),
        ([1], []),
        ([4, 5], []),  # an archive may begin later
        ([0], [(0, 0)]),
        ([-1], [(-1, 0)]),
        ([1, 1], [(1, 1)]),
        ([1, 3], [(3, 1)]),
        ([2, 1, 3], [(1, 2)]),
        ([1, 2, 2, 3], [(2, 2)]),
    ],
)
def test_generations_follow_each_other(numbers: list[int], wrong: list[tuple[int, int]]) -> None:
    """One by one; whatever else is told."""
    history = _followed(*({"kind": "generation", "generation": each, "subject": f"build_{each}"} for each in numbers))
    assert history.repeated == [
        (f"generations/{number}", f"the log tells of it after generation {last}") for number, last in wrong
    ]
    assert {number: build for number, (build, _) in history.generations.items()} == {
        each: f"build_{each}" for each in numbers
    }
    assert history.generations[numbers[-1]][1] == str(len(numbers) - 1)


def test_a_generation_without_a_number_follows_nothing() -> None:
    """It is told of as the one before the first."""
    assert _followed({"kind": "generation"}).repeated == [("generations/0", "the log tells of it after generation 0")]


@pytest.mark.parametrize("kind", ["review", *ONCE])
def test_what_is_written_once_is_told_once(kind: str) -> None:
    """Twice is said; of two kinds one subject may be."""
    history = _followed({"kind": kind, "subject": "a"}, {"kind": kind, "subject": "b"})
    told = history.reviews if kind == "review" else {place[1]: each for place, each in history.once.items()}
    assert told == {"a": "0", "b": "1"}
    assert history.repeated == []
    again = _followed({"kind": kind, "subject": "a"}, {"kind": kind, "subject": "a"}).repeated
    assert [(name.rpartition("/")[2], "twice" in said) for name, said in again] == [("a", True)]
    assert _followed(*({"kind": each, "subject": "a"} for each in ("review", *ONCE))).repeated == []


def test_answers_vectors_and_ingests_are_kept_as_they_came() -> None:
    """An answer that was replaced is not there any more."""
    history = _followed(
        {"kind": "answer"}, {"kind": "answer"}, {"kind": "answer", "subject": "0"}, {"kind": "vectors"},
        {"kind": "ingested"}, {"kind": "vectors"}, {"kind": "ingested", "sha256": "4"}, {"kind": "poem", "subject": "a"},
    )  # fmt: skip
    assert history.answers == {"1", "2"}
    assert (history.vectors, history.ingested) == (["3", "5"], ["4", "4"])


def test_acts_are_those_of_all_corpora_and_keys_those_of_the_register_too() -> None:
    """Whoever holds the tenant's rows against the log asks for all of them."""
    history = _followed(
        *({"kind": each, "corpus": corpus} for each in sorted(ACTS) for corpus in ("another", "", OWN)),
        {"kind": "key", "subject": "own"},
        {"kind": "key", "subject": "register", "corpus": ""},
        {"kind": "key", "subject": "another's", "corpus": "another"},
        {"kind": "policy", "subject": "another's", "corpus": ""},
    )
    assert history.acts == {str(each) for each in range(3 * len(ACTS))}
    assert set(history.once) == {("key", "own"), ("key", "register")}
    assert len(history.vectors) == 1


@pytest.mark.parametrize(
    ("times", "backwards"),
    [
        (["2026-01-01T10:00:00Z", "2026-01-01T09:00:00Z"], (0, 0)),
        (["2026-01-01T10:00:00Z", "2026-01-01T08:59:59Z"], (1, 1)),
        (["2026-01-01T10:00:00Z", "2026-01-01T09:30:00", "2026-01-01T08:30:00"], (1, 2)),
        (["2026-01-01T10:00:00Z", "", "2026-01-01T08:00:00Z", "2026-01-01T11:00:00Z", "2026-01-01T09:59:00Z"], (2, 2)),
        (["2026-01-01T10:00:00+02:00", "2026-01-01T07:00:00Z"], (0, 0)),
        (["2026-01-01T10:00:00Z", "yesterday", "2026-01-01T10:00:00Z"], (0, 0)),
        (["2026-01-01T10:00:00Z", "2026-01-01T06:00:00Z", "2026-01-01T06:00:00Z"], (2, 1)),
    ],
)
def test_times_that_run_backwards_are_counted(times: list[str], backwards: tuple[int, int]) -> None:
    """By more than an hour, before the latest of all; of which the first stands where."""
    assert (
        _followed(*({"kind": "review", "subject": str(n), "at": at} for n, at in enumerate(times))).backwards
        == backwards
    )


def test_a_key_may_be_lost_earlier_than_it_is_told() -> None:
    """Nor does its time make others late."""
    told = [{"kind": "key", "at": "2030-01-01T00:00:00Z"}, {"kind": "review", "at": "2026-01-01T00:00:00Z"}]
    assert _followed(*told, {"kind": "key", "at": "2020-01-01T00:00:00Z", "subject": "a"}).backwards == (0, 0)
