"""The sentences of claims that are counted: singular and plural, lists that are cut, and how much each asks of somebody."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from coditect.tiers.claims import phrases, quoting
from coditect.tiers.claims.severity import severity_of
from coditect.tiers.findings.said.statements import clause_of
from coditect.tiers.findings.standing import Standings

SIX = ["a", "b", "c", "d", "e", "f", "g", "h"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (SIX[: phrases.SHORT_LIST], f"{', '.join(SIX[: phrases.SHORT_LIST - 1])} and {SIX[phrases.SHORT_LIST - 1]}"),
        (SIX[: phrases.SHORT_LIST + 1], f"{', '.join(SIX[: phrases.SHORT_LIST])} and 1 more"),
        (SIX[: phrases.SHORT_LIST + 2], f"{', '.join(SIX[: phrases.SHORT_LIST])} and 2 more"),
    ],
)
def test_names_are_listed_up_to_a_few(names: list[str], said: str) -> None:
    """The last is joined by "and"; of many only the first few are named, and the others counted."""
    assert phrases.listed(names) == said


@pytest.mark.parametrize(("number", "verb"), [(1, "speaks"), (0, "speak"), (2, "speak")])
def test_theme_agrees_in_number(number: int, verb: str) -> None:
    """One document speaks."""
    assert phrases.theme("logs", {"documents": number, "of": 5}) == f"{number} of 5 documents {verb} to “logs”."


def test_missing_document_is_named_by_those_that_refer_to_it() -> None:
    """One refers, several refer."""
    one, two = {"documents": 1, "names": ["a.md"]}, {"documents": 2, "names": ["a.md", "b.md"]}
    assert phrases.missing_document("Plan", one) == "a.md refers to “Plan”, which is not in the corpus."
    assert phrases.missing_document("Plan", two) == "a.md and b.md refer to “Plan”, which is not in the corpus."


def test_statistic_tells_values_and_counts_the_rest() -> None:
    """One value is the same for all; of many the first few are told, and how many documents have others."""
    same = phrases.statistic("deadline", "x", "kept", {"documents": 3, "of": 4, "values": [["30 days", 3]]})
    assert same == "3 documents fix the same deadline for being “kept”: 30 days."
    values = [[f"{n} days", n] for n in range(1, phrases.SHORT_LIST + 3)]
    rest = sum(range(phrases.SHORT_LIST + 1, phrases.SHORT_LIST + 3))
    many = phrases.statistic("deadline", "x", "pay", {"documents": 9, "of": 9, "values": values})
    shown = ", ".join(f"{label} ({n})" for label, n in values[: phrases.SHORT_LIST])
    assert many == f"Deadlines to “pay” differ in 9 documents: {shown}, others ({rest})."
    few = phrases.statistic("deadline", "x", "pay", {"documents": 2, "of": 9, "values": [["1 day", 1], ["2 days", 1]]})
    assert few == "Deadlines to “pay” differ in 2 documents: 1 day (1), 2 days (1)."


def test_standing_names_its_day_by_the_words_of_the_document() -> None:
    """Each way of not being in force has its sentence; the same words are quoted once."""
    words = {"document": "a.md", "by": "b.md"}
    assert phrases.standing("superseded", words, ("x", "x")) == "a.md is superseded by b.md: “x”."
    assert phrases.standing("not_yet", words, ("x", "y")) == "a.md is not yet in force: “x” and “y”."
    assert phrases.standing("expired", words, ("x",)) == "a.md is no longer in force: “x”."
    assert phrases.standing("overdue", words, ("x",)) == "a.md was to be reviewed by a day that has passed: “x”."


def test_grid_names_what_deviates_from_the_usual_value() -> None:
    """Nothing is said of others where there are none."""
    result: dict[str, Any] = {"contracts": 3, "of": 4, "rows": [["30 days", ["a", "b", "c"]]]}
    alone = phrases.grid("deadline", "x", "pay", result)
    assert alone == "3 of 4 contracts fix a deadline to “pay”, 3 of them 30 days."
    other = phrases.grid("deadline", "x", "pay", {**result, "rows": [["30 days", ["a", "b"]], ["60 days", ["c"]]]})
    assert other == "3 of 4 contracts fix a deadline to “pay”, 2 of them 30 days; otherwise 60 days in c."
    rows = [["30 days", ["a"]], *([f"{n} days", ["b"]] for n in range(phrases.SHORT_LIST + 1))]
    assert phrases.grid("deadline", "x", "pay", {**result, "rows": rows}).endswith(", and 1 others.")
    assert "others" not in phrases.grid("deadline", "x", "pay", {**result, "rows": rows[:-1]})


@pytest.mark.parametrize(
    ("quote", "said"),
    [
        ("Logs are\n kept.", "Logs are kept."),
        ("He said “yes” twice.", "He said 'yes' twice."),
    ],
)
def test_side_of_a_reported_difference_stands_between_quotation_marks(quote: str, said: str) -> None:
    """On one line, and without marks of its own."""
    assert phrases.reported("logs", {"a.md": quote}) == f"On “logs”, documents differ: a.md says “{said}”."


def test_long_side_is_cut_at_a_word_or_before_its_own_marks() -> None:
    """Where its own quotation marks come late enough, it ends before them."""
    long = "word " * (quoting.LONGEST_SIDE // 5) + "word"
    said = phrases.reported("x", {"a.md": long})
    assert said.endswith("word…”.")
    late = "w" * (quoting.LONGEST_SIDE // 4 + 1) + "“quoted”"
    assert phrases.reported("x", {"a": late}).endswith(f"“{'w' * (quoting.LONGEST_SIDE // 4 + 1)}”.")
    early = "w" * (quoting.LONGEST_SIDE // 4) + "“quoted”"
    assert phrases.reported("x", {"a": early}).endswith(f"“{'w' * (quoting.LONGEST_SIDE // 4)}'quoted”.")


def _cited(*documents: str) -> list[Any]:
    return [SimpleNamespace(document=SimpleNamespace(document_id=each)) for each in documents]


OUTSIDE = cast("Standings", SimpleNamespace(is_outside=lambda each: each == "law"))


@pytest.mark.parametrize(
    ("recipe", "cited", "severity"),
    [
        ({"rows": ()}, (), "information"),
        ({"rows": (["30 days", ["a"]],)}, (), "information"),
        ({"rows": (["30 days", ["a"]], ["60 days", ["b"]])}, (), "low"),
    ],
)
def test_grid_asks_something_only_where_contracts_deviate(
    recipe: dict[str, Any], cited: tuple[str, ...], severity: str
) -> None:
    """One value for all is information."""
    assert severity_of("grid", {"result": recipe}, _cited(*cited), OUTSIDE) == severity


def test_gap_of_somebody_else_is_nobodys_task_here() -> None:
    """What only a law leaves open asks little; with one document of the house among them, or none at all, it asks what it asks."""
    inside = severity_of("gap", {"gap": "open"}, _cited("policy"), OUTSIDE)
    assert inside != "low"
    assert severity_of("gap", {"gap": "open"}, _cited("law"), OUTSIDE) == "low"
    assert severity_of("gap", {"gap": "open"}, _cited("law", "policy"), OUTSIDE) == inside
    assert severity_of("gap", {"gap": "open"}, [], OUTSIDE) == inside
    assert severity_of("gap", {"gap": "unheard of"}, _cited("policy"), OUTSIDE) == "low"


@pytest.mark.parametrize(
    ("standing", "severity"),
    [("superseded", "medium"), ("expired", "medium"), ("overdue", "medium"), ("not_yet", "low"), ("", "low")],
)
def test_standing_asks_by_its_kind(standing: str, severity: str) -> None:
    """A document that is not in force any more asks more than one that will be."""
    assert severity_of("standing", {"standing": standing}, [], OUTSIDE) == severity
    assert severity_of("stricter", {}, [], OUTSIDE) == "low"
    assert severity_of("theme", {}, [], OUTSIDE) == "information"


@pytest.mark.parametrize(
    ("text", "says", "part"),
    [
        ("Record: Logs | Period: 90 days", "90 days", "90 days"),
        ("Record: Logs; Period: 90 days", "90 days", "Period: 90 days"),
        ("Logs are kept for 90 days; keys are kept for 10 days.", "10 days", "keys are kept for 10 days."),
        ("Logs are kept for 90 days.", "5 days", "Logs are kept for 90 days."),
    ],
)
def test_clause_of_a_sentence_is_what_holds_its_words(text: str, says: str, part: str) -> None:
    """Of a row of a table its cell, also where there are but two; of a sentence its clause; all of it where neither has them."""
    assert clause_of(text, says).strip() == part


def test_open_point_is_quoted_around_the_words_that_leave_it_open() -> None:
    """In a long sentence whoever reads the claim sees what is open."""
    long = "Arbitrators are appointed as the rules say. " * 12 + "There are [●] of them, who sit in the port."
    told = phrases.gap("open", {"says": "[●]"}, ["a.md"], [long])
    assert "There are [●] of them" in told
    assert len(told) < 400
