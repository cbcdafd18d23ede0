"""What a claim says of two statements that a model finds at odds: what their words establish, and no more."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from coditect.tiers.claims import phrases, read_gaps, wordings
from coditect.tiers.claims.closing.printed import as_bounded, bounded
from coditect.tiers.claims.closing.relations import Closing, closing_of
from coditect.tiers.claims.grounds import CitedStatement
from coditect.tiers.claims.versions import BY_RELATION, TODAY
from coditect.tiers.findings.conflicts.opposed.told import Side, StatementConflict
from coditect.tiers.findings.said.statements import statements_of
from tests.unit.tiers.corpora import chunks_of, version_of

NOBODY, NOTHING = "nobody can keep both", "is both"
"""What is said where one cannot keep both statements."""


def _closing(first: str, second: str, kind: str = "value", **told: Any) -> Closing:  # noqa: ANN401 - of a recipe
    cited = []
    for name, text in (("a.md", first), ("b.md", second)):
        own = (each for each in statements_of(chunks_of({name: f"# Rules\n\n{text}\n"})) if each.sentence.text == text)
        cited.append(CitedStatement(version_of(name, text), next(own), ()))
    return closing_of({"kind": kind, **told}, cited)


@pytest.mark.parametrize(
    ("text", "says", "told"),
    [
        ("No cabin may carry more than 15 persons.", "15 persons", "15 persons"),
        ("A cabin shall not hold less than 3 persons.", "3 persons", "3 persons"),
        ("A cabin may carry up to 15 persons.", "15 persons", "up to 15 persons"),
        ("A cabin must hold more than 3 persons.", "3 persons", "more than 3 persons"),
        ("Not every cabin carries at most 15 persons.", "15 persons", "at most 15 persons"),
    ],
)
def test_a_figure_beyond_which_nothing_may_go_is_told_without_more_than(text: str, says: str, told: str) -> None:
    """Alone it would say the reverse; earlier wordings printed it so, and are told as they were."""
    (statement,) = (
        each for each in statements_of(chunks_of({"a.md": f"# Rules\n\n{text}\n"})) if each.sentence.text == text
    )
    side = Side(statement, says, float(says.split()[0]))
    assert bounded(side) == told
    assert as_bounded(side) == (told if told != says else f"{text.split()[-4]} than {says}")


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        ("Records shall be kept for 90 days.", "Records shall be kept for 30 days.",
         "They give different periods for one thing: “90 days” and “30 days”."),
        ("Invoices shall be paid within 30 days.", "Clerks pay invoices no earlier than 45 days after their receipt.",
         "They give different times for one thing: “within 30 days” and “45 days”."),
        ("The fee shall be EUR 500.", "The fee shall be EUR 700.",
         "They give different amounts for one thing: “EUR 500” and “EUR 700”."),
        ("Access shall be reviewed quarterly.", "Access shall be reviewed annually.",
         "They give different intervals for one thing: “quarterly” and “annually”."),
        ("The share shall be 5 %.", "The share shall be 8 %.",
         "They give different percentages for one thing: “5 %” and “8 %”."),
        ("A reply shall be sent within 5 working days.", "A reply shall be sent within 6 days.",
         "They give different deadlines for one thing: “within 5 working days” and “within 6 days”."),
        ("Badges shall be reported within four hours of their loss.", "Badges shall be reported within two days of the count.",
         "They give different deadlines for one thing: “within four hours” and “within two days”."),
        ("Clerks may carry over at most five days.", "Clerks may carry over at most ten days.",
         "They give different periods for one thing: “at most five days” and “at most ten days”."),
        ("The fee shall be at most EUR 500.", "The fee shall not be more than EUR 700.",
         "They give different amounts for one thing: “at most EUR 500” and “EUR 700”."),
        ("Replies shall be sent within 5 days.", "Replies shall be sent to the porter within 2 days.",
         "They give different deadlines for one thing: “within 5 days” and “within 2 days”."),
        ("The Payroll Manager shall sign it within 5 days.", "The Finance Director shall sign it within 2 days.",
         "They give different deadlines for one thing: “within 5 days” and “within 2 days”."),
        ("Replies shall be sent within 5 days.", "If it is urgent, replies shall be sent within 2 days.",
         "They give different deadlines for one thing: “within 5 days” and “within 2 days”."),
    ],
)  # fmt: skip
def test_two_figures_of_one_kind_are_both_told(first: str, second: str, sentence: str) -> None:
    """That they are two follows from them; that one of them is the stricter does not, from another event or of a permission."""
    assert _closing(first, second) == Closing(sentence)


@pytest.mark.parametrize(
    ("first", "second", "stricter"),
    [
        ("A badge shall be reported within four hours.", "A badge shall be reported within two days.", "within four hours"),
        ("Passwords must have at least 12 characters.", "Passwords must have at least 14 characters.", "at least 14 characters"),
        ("Files shall be kept for at most 5 years.", "Files must be kept for no more than 3 years.", "no more than 3 years"),
        ("The report must be sent by 31 March 2026.", "The report must be sent by 30 April 2026.", "31 March 2026"),
        ("Access shall be reviewed at least quarterly.", "Access shall be reviewed at least annually.", "at least quarterly"),
    ],
)  # fmt: skip
def test_stricter_of_two_bounds_is_named_where_their_order_is_known(first: str, second: str, stricter: str) -> None:
    """In either order; and the claim says that they differ, not that they are at odds."""
    expected = Closing(f"Whoever keeps the stricter, “{stricter}”, keeps both.", both=True)
    assert _closing(first, second) == _closing(second, first) == expected
    told = phrases.at_odds([("a.md", first), ("b.md", second)], expected)
    assert told.startswith("a.md and b.md differ: ")
    assert told.endswith("”. " + expected.sentence)


def test_figure_that_a_bound_allows_can_be_kept_with_it() -> None:
    """Whoever keeps files for seven years has kept them for at least five; who keeps them for three has not."""
    bound = "Files must be kept for at least five years."
    for years, both in (("seven", True), ("three", False)):
        sentence = f"They give different periods for one thing: “at least five years” and “{years} years”."
        assert _closing(bound, f"Files are kept for {years} years.") == Closing(sentence, both=both)


def test_least_above_the_most_is_kept_by_nothing_and_below_it_says_nothing() -> None:
    """Seven years are not five; whatever lies between three and five is both."""
    seven, most = "Files must be kept for at least seven years.", "Files shall be kept for at most five years."
    sentence = "They give different periods for one thing: “at least seven years” and “at most five years”, and no period is both."
    assert _closing(seven, most) == Closing(sentence)
    assert _closing("Files must be kept for at least three years.", most) == Closing(both=True)


@pytest.mark.parametrize(
    ("first", "second", "closing"),
    [
        ("Visitors shall enter the archive.", "Visitors must not enter the archive.",
         Closing("One requires what the other forbids: nobody can keep both.")),
        ("Visitors shall enter the archive when the guide calls.", "Visitors must not enter the archive.",
         Closing("One requires what the other forbids.")),
        ("Visitors may enter the archive.", "Visitors must not enter the archive.",
         Closing("One allows what the other forbids.", both=True)),
        ("A report must be signed by the manager.", "The report is not signed by the manager.",
         Closing("One requires what the other says is not done.")),
        ("Contractors must complete the course.", "Contractors do not complete the course.",
         Closing("One requires what the other says is not done.")),
        ("A reference check is required for drivers.", "A reference check is not required for drivers.",
         Closing("One requires what the other leaves open.", both=True)),
    ],
)  # fmt: skip
def test_stances_on_one_act_are_told_by_what_they_are(first: str, second: str, closing: Closing) -> None:
    """In either order."""
    assert _closing(first, second, "modality") == _closing(second, first, "modality") == closing


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("Data must be stored on the server.", "Data must not be stored on the server unencrypted.", "modality"),
        ("Visitors may enter the archive.", "Visitors must not enter the archive without a guide.", "modality"),
        ("The Finance Director must sign the report.", "The Payroll Manager must not sign the report.", "modality"),
        ("Files must be kept for five years.", "Files must not be kept for more than three years.", "modality"),
        ("Documents must be stored in Berlin.", "Documents must be stored in Paris.", "scope"),
        ("A badge shall be reported within four hours.", "Badges shall be reported by the following Friday.", "value"),
        ("Records shall be kept for 30 days.", "Records shall be kept for one month.", "value"),
        ("Passwords must have 14 characters.", "Passwords must have 2 owners.", "value"),
        ("Records shall be kept for 30 days.", "Records shall be kept for 90 days.", "definition"),
    ],
)  # fmt: skip
def test_nothing_is_said_where_the_words_establish_nothing(first: str, second: str, kind: str) -> None:
    """Another act, a condition, one figure alone, the same figure, figures of two things, another kind of difference."""
    closing = _closing(first, second, kind)
    assert closing == Closing()
    told = phrases.at_odds([("a.md", first), ("a.md", second)], closing)
    assert told == f"Statements of a.md are at odds: a.md says “{first}”; a.md says “{second}”."


def test_figures_are_those_of_the_words_that_the_model_names() -> None:
    """Of statements with several figures; where it names none, nobody knows which are meant."""
    first = "Badges shall be replaced within 5 days for a fee of EUR 10."
    second = "Badges shall be replaced within 5 days for a fee of EUR 20."
    assert _closing(first, second) == Closing()
    told = _closing(first, second, words=["EUR 10", "a fee of EUR 20"])
    assert told == Closing("They give different amounts for one thing: “EUR 10” and “EUR 20”.")


BOUNDS = {
    "within {} days": lambda n: range(n + 1),
    "for at most {} days": lambda n: range(n + 1),
    "for at least {} days": lambda n: range(n, 100),
    "for {} days": lambda n: range(n, n + 1),
    "for no more than {} days": lambda n: range(n + 1),
    "for no less than {} days": lambda n: range(n, 100),
}
"""What keeps a duty to store something so long."""


@pytest.mark.parametrize(("first", "second"), list(product(BOUNDS, BOUNDS)))
def test_no_closing_excludes_what_can_be_done(first: str, second: str) -> None:
    """Whatever bounds two duties set: that nothing is both only where no time is, and a stricter one only where it keeps both."""
    for one, other in ((10, 40), (40, 10)):
        closing = _closing(
            f"Tapes shall be stored {first.format(one)}.", f"Tapes shall be stored {second.format(other)}."
        )
        ours, theirs = set(BOUNDS[first](one)), set(BOUNDS[second](other))
        assert NOBODY not in closing.sentence
        if NOTHING in closing.sentence:
            assert ours.isdisjoint(theirs)
        if closing.both:
            assert not ours.isdisjoint(theirs)
        if "stricter" in closing.sentence:
            named = ours if f" {one} days" in closing.sentence else theirs
            assert named == ours & theirs


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        (("Traders must sign the log.", "must"), ("The log is not signed.", "does not"), False),
        (("Traders must sign the log.", "must"), ("Traders need not sign the log.", "need not"), True),
    ],
)
def test_stricter_keeps_all_but_that_something_is_not_done(
    first: tuple[str, str], second: tuple[str, str], kept: bool
) -> None:
    """Who does what is said not to be done keeps what requires it alone; up to wording 16 he was said to keep all."""
    sides = []
    for name, (text, stance) in zip(("a.md", "b.md"), (first, second), strict=True):
        statements = statements_of(chunks_of({name: f"# Rules\n\n{text}\n"}))
        sides.append(Side(next(each for each in statements if each.sentence.text == text), text, stance))
    found = StatementConflict("modality", "sign", "", "log", tuple(sides), 1.0, "stricter")
    tail = "; no conflict, for whoever keeps the stricter keeps all."
    names = ["a.md", "b.md"]
    assert wordings.conflict(found, names, TODAY).endswith(tail) is kept
    assert wordings.conflict(found, names, 16) == phrases.difference(found, names).removesuffix(".") + tail


@pytest.mark.parametrize(
    ("kind", "text", "now", "before"),
    [
        ("nobody", "The pump must be run every month.", "who does it at “pump”", "who does it, or by when, at “pump”"),
        ("nobody", "The pump must be run.", "who does it, or by when, at “pump”", "who does it, or by when, at “pump”"),
        (
            "term",
            "Any pump must be run.",
            "uses “pump”, which no document explains",
            "uses “pump” in a sense of its own, which",
        ),
        ("dated", "The pump runs until 1 May 2020.", "what came of it: ", "that it was done: "),
        ("open", "The pump is to be named.", "leaves open “pump”", "leaves open “pump”"),
    ],
)
def test_a_gap_says_no_more_than_its_statement_shows(kind: str, text: str, now: str, before: str) -> None:
    """What was told in earlier wordings is told so again."""
    own = next(
        each for each in statements_of(chunks_of({"a.md": f"# Rules\n\n{text}\n"})) if each.sentence.text == text
    )
    cited = CitedStatement(version_of("a.md", text), own, ())
    assert now in read_gaps.told_gap(kind, "pump", cited, TODAY)
    assert before in read_gaps.told_gap(kind, "pump", cited, BY_RELATION - 1)
