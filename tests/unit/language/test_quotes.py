"""Where quotes stand: to the letter or but for how they are set, with the offsets of the original, or nowhere."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.language.quotes.places import LONGEST_QUOTE, Location, Rejection, locate, normalised
from tests.effort import times

TRICKY = list("¨¸\u0308abfié.1 \n\t-'’“\"`´–—½²…ﬁ\u00ad\u200b\u00a0\u0301\u0327\u1100\u1161\u11a8ｶﾞ\u2028\r")
AMBIGUOUS = Rejection("ambiguous")
MARKS = set("\u0301\u0308\u0327\u1161\u11a8ﾞ")
# A mark that an invisible character parted from its letter joins it when that goes: retyping changes such a text.
WRITTEN = [*(each for each in TRICKY if each not in MARKS), "e\u0301", "\u1112\u1161\u11ab", "ｶﾞ"]
texts = st.lists(st.sampled_from(TRICKY), max_size=40).map("".join)
written = st.lists(st.sampled_from(WRITTEN), max_size=40).map("".join)
offsets = st.integers(-2, 45)


def found(quote: str, text: str, **around: str) -> str:
    """What the text has where the quote was located."""
    place = locate(quote, text, **around)  # type: ignore[arg-type]  # before and after
    assert isinstance(place, Location), place
    return text[place.start : place.end]


@settings(max_examples=times(400, least=10))
@given(texts, texts, texts, texts, st.none() | st.tuples(offsets, offsets))
def test_quotes_located_place_is_the_quote(
    text: str, quote: str, before: str, after: str, within: tuple[int, int] | None
) -> None:
    """Whatever is located reads as the quote, lies where it may, and is exact only if it is so to the letter."""
    place = locate(quote, text, within=within, before=before, after=after)
    if isinstance(place, Rejection):
        return
    there = text[place.start : place.end]
    assert there
    assert normalised(there) == normalised(quote)
    assert (there == quote.strip()) or place.method == "normalised"
    if within is not None:
        assert within[0] <= place.start < place.end <= within[1]


@settings(max_examples=times(400, least=10))
@given(texts, st.data())
def test_quotes_what_stands_in_the_text_is_never_missing(text: str, data: st.DataObject) -> None:
    """A stretch of the text is found, unless it stands there twice or says nothing."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    place = locate(text[start:end], text)
    assert place not in (Rejection("not found"), Rejection("too long"))
    if place == Rejection("empty"):
        assert not normalised(text[start:end])


@settings(max_examples=times(400, least=10))
@given(written)
def test_quotes_the_normal_form_of_a_whole_text_is_found(text: str) -> None:
    """A text that was retyped as a whole is found where it stands, once or more than once."""
    place = locate(normalised(text), text)
    assert place != Rejection("not found")


def test_quotes_exact_place_counts_before_a_normalised_one() -> None:
    """A quote that stands there to the letter is not ambiguous because of what only resembles it."""
    text = "the data\nsubject and the data subject"
    assert locate("the data subject", text) == Location(21, 37, "exact")


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        ("shall keep records", "It shall  keep\n\n\trecords.", "shall  keep\n\n\trecords"),
        ('the "controller"', "means the ‘controller’ here", "the ‘controller’"),
        ("the provider's duty", "the provider’s duty", "the provider’s duty"),
        ("processor - not", "a processor – not", "processor – not"),
        ("the regulation applies", "the regu-\nlation applies", "the regu-\nlation applies"),
        ("the regulation applies", "the regu\u00ad\nlation applies", "the regu\u00ad\nlation applies"),
        ("the regulation applies", "the regu\u00adlation applies", "the regu\u00adlation applies"),
        (
            "a risk-based regulation",
            "a risk-\n  based regu-\u200b\nlation",
            "a risk-\n  based regu-\u200b\nlation",
        ),
        ("sufficient files", "of suﬃcient ﬁles", "suﬃcient ﬁles"),
        ("within 72\u00a0hours", "within 72 hours", "within 72 hours"),
        ("résumé", "a re\u0301sume\u0301.", "re\u0301sume\u0301"),
        ("zero width", "ze\u200bro wi\u200bdth", "ze\u200bro wi\u200bdth"),
    ],
)
def test_quotes_setting_does_not_count(quote: str, text: str, expected: str) -> None:
    """White space, quotation marks, dashes, hyphenation, ligatures and invisible characters do not tell quotes apart."""
    assert found(quote, text) == expected


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("Shall notify", "shall notify"),
        ("shall not notify", "shall notify"),
        ("article 10-12", "article 1012"),
        ("the rapist", "therapist"),
        ("pre-and", "pre- and"),
        ("shall ... notify", "shall without delay notify"),
        ("5", "½"),
        ("ind", "ﬁnd"),
        ("e", "e\u0301"[1:]),
    ],
)
def test_quotes_wording_counts(quote: str, text: str) -> None:
    """Case, words, numbers and parts of a character do tell quotes apart."""
    assert locate(quote, text) == Rejection("not found")


@pytest.mark.parametrize("quote", ["", " \n", "\u00ad", "\u200b\u200b "])
def test_quotes_nothing_is_no_quote(quote: str) -> None:
    """A quote without a visible character stands nowhere."""
    assert locate(quote, "some text\u00ad\u200b") == Rejection("empty")


def test_quotes_of_excessive_length_are_refused() -> None:
    """A quote over the limit is refused for that, and one at the limit is not."""
    text = "".join(f"{number} " for number in range(8_000))
    assert locate(text[: LONGEST_QUOTE + 1].replace(" ", "_"), text) == Rejection("too long")
    assert isinstance(locate(text[:LONGEST_QUOTE].rstrip(), text), Location)


def test_quotes_several_places_are_ambiguous_without_context() -> None:
    """No place is made up for a quote that stands there twice, in either way."""
    assert locate("the log", "keep the log; delete the log") == Rejection("ambiguous")
    assert locate("the log", "keep the  log; delete the\nlog") == Rejection("ambiguous")
    assert locate("aa", "aaa") == Rejection("ambiguous")


@pytest.mark.parametrize("blank", [" ", "\n "])
def test_quotes_context_chooses_among_several_places(blank: str) -> None:
    """What stands before or after a quote tells which place is meant, however it is set."""
    text = f"Operators keep the{blank}log for “two” years.\nProviders delete the{blank}log for ever."
    second = text.index("the", text.index("delete"))
    for around in ({"before": "Providers delete"}, {"after": " for ever"}, {"before": "2. Providers  delete "}):
        place = locate("the log", text, **around)  # type: ignore[arg-type]
        assert isinstance(place, Location), around
        assert place.start == second
    place = locate("the log", text, after='for "two" years')
    assert isinstance(place, Location)
    assert place.start < second


def test_quotes_context_that_fits_nowhere_decides_nothing() -> None:
    """A chance agreement of a letter is not context, and equal agreement leaves the quote ambiguous."""
    text = "keep the log; delete the log"
    assert locate("the log", text, before="Nobody may discover") == Rejection("ambiguous")
    assert locate("the log", "do keep the log; do keep the log", before="do keep") == Rejection("ambiguous")


def test_quotes_within_leaves_out_other_places() -> None:
    """Only places inside the bounds count; bounds outside the text are moved to it."""
    text = "keep the log; delete the log"
    assert locate("the log", text, within=(0, 13)) == Location(5, 12, "exact")
    assert locate("the log", text, within=(6, 999)) == Location(21, 28, "exact")
    assert locate("the\nlog", text, within=(6, 999)) == Location(21, 28, "normalised")
    assert locate("the log", text, within=(6, 27)) == Rejection("not found")
    assert locate("the log", text, within=(9, 3)) == Rejection("not found")


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("a" * 2_000, "a" * 400_000),
        ("a" * 5_000 + "b" + "a" * 5_000, "a" * 400_000),
        ("i" + "fi" * 500, "ﬁ" * 200_000),
        ("x", "a" + "\u0301\u0327" * 200_000),
        ("x", "a" + " \u00ad" * 200_000 + "-"),
        ("x", "a-" + " " * 400_000),
        ("x", "a-\n" * 130_000),
    ],
    ids=["overlapping", "nearly", "inside characters", "marks", "invisible", "blanks", "hyphenation"],
)
def test_quotes_adversarial_input_takes_linear_time(quote: str, text: str) -> None:
    """Texts and quotes made to be slow are done in seconds; what takes the square of the length would take hours."""
    begun = time.process_time()
    place = locate(quote, text, before="b", after="c")
    assert isinstance(place, Rejection)
    assert time.process_time() - begun < 20


@pytest.mark.parametrize(("blanks", "chosen"), [(390, True), (410, False)])
@pytest.mark.parametrize("side", ["before", "after"])
def test_quotes_context_counts_as_far_as_four_hundred_characters(side: str, blanks: int, chosen: bool) -> None:
    """What is given of the context further away is not looked at, however little of it is left when white space is."""
    text = "Alpha keeps the log, as told to Bravo; Delta keeps the log, as told to Gamma."
    given = f"Delta{' ' * (blanks - 5)}keeps" if side == "before" else f", as told to{' ' * (blanks - 12)}Gamma"
    place = locate("the log", text, **{side: given})  # type: ignore[arg-type]  # before or after
    assert place == (Location(text.rindex("the log"), text.rindex("the log") + 7, "exact") if chosen else AMBIGUOUS)
