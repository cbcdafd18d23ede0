"""What of a passage answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.documents.sentences import sentences
from coditect.documents.source import SourceText
from coditect.errors import UsageError
from coditect.retrieve.focus import FocusableHit, _best_run, focuses
from coditect.retrieve.words import Words, read_words

FIRST = "The office is open on weekdays."
ANSWER = "A breach of personal data is reported to the regulator within 72 hours."
OTHER = "Visitors sign the register at the desk."
LAST = "Parking is free for staff."
WORDS = read_words("when is a breach of personal data reported")

TEXTS = st.lists(
    st.sampled_from([FIRST, ANSWER, OTHER, LAST, "A breach?", "Data.", "\n\n", "1.", "(a)", "Ärger 𝔸 ﬁ", " "]),
    min_size=1,
    max_size=12,
).map(" ".join)
HITS = st.lists(
    st.builds(FocusableHit, TEXTS, st.floats(-5, 50, allow_nan=False).map(lambda score: round(score, 3))), max_size=6
)


def focused(words: Words, *hits: FocusableHit) -> list[str | None]:
    """The texts of the foci."""
    found = focuses(words, hits)
    return [None if each is None else hit.text[slice(*each)] for hit, each in zip(hits, found, strict=True)]


def test_focus_is_the_sentence_that_says_what_is_asked() -> None:
    """What stands around the answer is left out."""
    text = f"{FIRST} {OTHER} {ANSWER} {LAST} {FIRST}"
    kept = focused(WORDS, FocusableHit(text, 1.0))[0]
    assert kept is not None
    assert ANSWER in kept
    assert FIRST not in kept


def test_focus_needs_no_model_and_is_none_without_a_word_in_common() -> None:
    """Nothing is made up where words do not tell; what was matched is said instead, where that is smaller."""
    text = f"{FIRST} {OTHER}"
    assert focuses(read_words("xylophone"), [FocusableHit(text, 1.0)]) == [None]
    assert focuses(read_words("xylophone"), [FocusableHit(text, 1.0, (0, len(FIRST)))]) == [(0, len(FIRST))]
    assert focuses(Words({}), [FocusableHit(text, 1.0)]) == [None]


def test_answer_that_goes_on_in_the_next_sentence_is_kept_together() -> None:
    """A sentence with some of the words beside the best one belongs to it, and of a good hit what stands right beside."""
    more = "The report names the personal data and the cause of the breach."
    text = " ".join([LAST, OTHER, FIRST, ANSWER, more, OTHER, FIRST, LAST])
    assert focused(WORDS, FocusableHit(text, 1.0)) == [" ".join([FIRST, ANSWER, more, OTHER])]


def test_poor_hit_is_focused_more_narrowly_than_a_good_one() -> None:
    """Of two hits with the same text, less is kept of the one with the lower score."""
    text = f"A breach is bad. {OTHER} {ANSWER} {LAST} {FIRST} Data is kept."
    good, poor = focuses(WORDS, [FocusableHit(text, 10.0), FocusableHit(text, 2.0)])
    assert good is not None
    assert poor is not None
    assert good[0] <= poor[0] < poor[1] <= good[1]
    assert poor[1] - poor[0] < good[1] - good[0]
    assert ANSWER in text[slice(*poor)]


def test_sentence_that_was_matched_is_preferred() -> None:
    """Of two sentences that say the same, the one inside the smaller passage that matched is kept."""
    text = f"{ANSWER} {OTHER} {OTHER} {OTHER} {ANSWER}"
    later = (text.rindex(ANSWER), len(text))
    assert focuses(WORDS, [FocusableHit(text, 10.0), FocusableHit(text, 1.0, later)])[1] == later


def test_matched_stretch_outside_its_passage_is_refused() -> None:
    """A caller's mistake is told with the offsets."""
    for matched in ((0, 99), (3, 3), (-1, 2)):
        with pytest.raises(UsageError, match="not inside its passage"):
            focuses(WORDS, [FocusableHit("A breach.", 1.0, matched)])


@given(HITS)
def test_focus_begins_and_ends_with_a_sentence(hits: list[FocusableHit]) -> None:
    """Never part of a sentence, never outside the passage; and there is one exactly where a word is shared."""
    for hit, found in zip(hits, focuses(WORDS, hits), strict=True):
        shares = any(word in hit.text for word in ("breach", "ata", "reported"))
        assert (found is not None) == shares
        if found is not None:
            whole = sentences(SourceText(text=hit.text, media_type="text/plain"), ())
            assert found[0] in {each.start for each in whole}
            assert found[1] in {each.end for each in whole}
            assert found[0] < found[1]


@given(HITS, HITS)
def test_focus_does_not_depend_on_the_hits_that_follow(hits: list[FocusableHit], more: list[FocusableHit]) -> None:
    """Asking for more hits changes nothing of those that come first."""
    assert focuses(WORDS, [*hits, *more])[: len(hits)] == focuses(WORDS, hits)


@given(HITS, st.sampled_from([0.001, 0.5, 3.0, 1000.0]))
def test_focus_does_not_depend_on_the_unit_of_scores(hits: list[FocusableHit], unit: float) -> None:
    """BM25, cosines and probabilities lead to the same focus where they stand in the same proportion."""
    scaled = [FocusableHit(hit.text, hit.score * unit) for hit in hits]
    assert [each is None for each in focuses(WORDS, scaled)] == [each is None for each in focuses(WORDS, hits)]
    doubled = [FocusableHit(hit.text, hit.score * 2) for hit in hits]  # exact in binary
    assert focuses(WORDS, doubled) == focuses(WORDS, hits)


@pytest.mark.parametrize(
    ("gains", "run"),
    [
        ([1.0], (0, 0)),
        ([-2.0, -1.0, -3.0], (1, 1)),
        ([-1.0, 2.0, -1.0, 3.0, -5.0], (1, 3)),
        ([2.0, -3.0, 2.0], (0, 0)),
        ([1.0, -1.0, 1.0], (0, 0)),
        ([0.5, -1.0, 2.0, 1.0], (2, 3)),
        ([0.0, 1.0], (1, 1)),
    ],
)
def test_best_run_is_the_earliest_of_the_highest_sum(gains: list[float], run: tuple[int, int]) -> None:
    """One long at least, and no longer than adds to it."""
    assert _best_run(gains) == run


@pytest.mark.parametrize("matched", [(-1, 5), (5, 5), (7, 3), (0, len(ANSWER) + 1)])
def test_matched_stretch_outside_its_text_is_refused(matched: tuple[int, int]) -> None:
    """Empty, turned round, or beyond either end."""
    with pytest.raises(UsageError):
        focuses(WORDS, [FocusableHit(ANSWER, 1.0, matched)])
    assert focuses(WORDS, [FocusableHit(ANSWER, 1.0, (0, len(ANSWER)))]) == [(0, len(ANSWER))]
