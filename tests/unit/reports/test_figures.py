"""The tables under the claims of the audit report, to the word: a reader recounts a figure from them."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.reports.claims import MOST_QUOTES, chains_of, groups_of, refusal_of
from coditect.reports.figures import Figure, figure_of
from coditect.reports.model import ReportCitation
from coditect.reports.wording import readable_value
from coditect.schemas import Opinion, Signal
from coditect.tiers.findings.measures import head_of
from tests.unit.reports.reports import claim, report

THIRTEEN = [f"{number:02}.md" for number in range(13)]
TWELVE_SHOWN = ", ".join(THIRTEEN[:12])


def told(recipe: dict[str, Any]) -> Figure:
    """The figure of a recipe that has one."""
    figure = figure_of(recipe)
    assert figure is not None
    return figure


def test_names_are_cut_behind_the_twelfth() -> None:
    """Twelve documents are spelled out; the thirteenth is counted."""
    for names, shown in (
        (THIRTEEN[:12], TWELVE_SHOWN),
        (THIRTEEN, f"{TWELVE_SHOWN} and 1 more (all in the JSON report)"),
    ):
        figure = told({"figure": "missing_document", "name": "Plan", "result": {"documents": 13, "names": names}})
        assert figure.rows == (
            ("Documents that refer to it", "13"),
            ("Which", shown),
            ("Is a document of the corpus", "No"),
        )


def test_grid_says_of_each_value_whether_it_is_the_usual_one() -> None:
    """What most contracts fix is usual, everything else deviates; where nothing is usual neither is said."""
    result = {"contracts": 3, "of": 4, "rows": [["30 days", ["a", "b"]], ["60 days", ["c"]]], "usual": "30 days"}
    figure = told({"figure": "grid", "kind": "deadline", "head": "pay", "result": result})
    assert figure.caption.startswith(
        "Counted from the term index: deadlines (within what time) of statements with verbs that mean “pay”"
    )
    assert figure.rows == (("30 days", "usual", "a, b"), ("60 days", "deviates", "c"))
    assert figure.notes[0].startswith("3 of 4 contracts fix it")
    open_ = told({"figure": "grid", "kind": "deadline", "head": "pay", "result": {**result, "usual": ""}})
    assert [row[1] for row in open_.rows] == ["–", "–"]
    least = told({"figure": "grid", "result": {"contracts": 3, "of": 4, "rows": [], "usual": ""}})
    assert least.caption.startswith("Counted")


@pytest.mark.parametrize("missing", ["contracts", "of", "rows", "usual"])
def test_grid_without_one_of_its_results_is_told_as_it_stands(missing: str) -> None:
    """A recipe of another release that lacks a result is listed field by field."""
    result = {"contracts": 3, "of": 4, "rows": [], "usual": ""}
    del result[missing]
    assert told({"figure": "grid", "result": result}).caption == "How it was made."


def test_measure_names_what_it_counts() -> None:
    """A phrase is what a document fixes for itself, a word the stem of a verb, or of all verbs of one act; values are counted."""
    result = {"documents": 2, "of": 2, "values": [["annually", 1200]]}
    verb = told({"figure": "measure", "kind": "frequency", "head": "review", "result": result})
    assert "frequencies (how often) of statements with verbs that mean “review or examine”" in verb.caption
    assert verb.rows == (("annually", "1,200"),)
    assert verb.notes == ("2 of 2 documents give a value.",)
    alone = told({"figure": "measure", "kind": "frequency", "head": "encrypt", "result": result})
    assert "of statements with words that begin with “encrypt”" in alone.caption
    phrase = told({"figure": "measure", "kind": "tempo", "head": "review cycle", "result": result})
    assert "tempo that a document fixes for itself" in phrase.caption


def test_figures_of_gaps_and_conflicts_list_their_steps() -> None:
    """Each has the caption of its kind, and every field of its recipe once."""
    gap = told({"gap": "open", "words": "to be determined"})
    assert gap.caption == "Words that leave a point open stand in the quote."
    assert gap.rows == (("words", "to be determined"),)
    asked = told({"conflict": "modality", "head": "encrypt", "same_actor": True, "result": {}})
    assert asked.rows == (
        ("Compared", "what is asked (must, may, must not)"),
        ("What they speak of", "words that begin with “encrypt”"),
        ("Same actor", "yes"),
    )
    told_of = told({"conflict": "deadline", "head": head_of("inform the regulator")[0]})
    assert told_of.rows[1] == ("What they speak of", "verbs that mean “notify, inform or report”")
    assert told({"conflict": "deadline", "head": "x"}).rows[0] == ("Compared", "deadlines (within what time)")
    whole = told({"conflict": "frequency", "head": "every document", "similarity": 0.5, "values": [1.0, 0.5]})
    assert whole.rows[1:] == (
        ("What they speak of", "every document of its kind"),
        ("How alike their words are, from 0 to 1", "0.5"),
        ("What they say", "once a year; once in 2 years"),
    )
    standing = told({"standing": "expired", "until": "2025-01-31"})
    assert standing.caption == "Read from the profile of the document."
    assert told({"other": 1}) == Figure("How it was made.", ("Field", "Value"), (("other", "1"),))


def test_uncovered_deadline_names_the_documents_that_answer_or_none() -> None:
    """Nobody answers: the table says none."""
    recipe = {"figure": "uncovered", "says": "30 days", "document": "law.md", "result": {"documents": 0, "of": 7}}
    assert told(recipe).rows == (
        ("The deadline", "“30 days” in law.md"),
        ("Documents that answer to it", "0 of 7"),
        ("Which", "none"),
    )
    answered = {**recipe, "result": {"documents": 2, "of": 7, "names": ["a.md", "b.md"]}}
    assert told(answered).rows[2] == ("Which", "a.md, b.md")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "yes"),
        (0.5, "0.5"),
        (3, "3"),
        (None, "none"),
        ([], "none"),
        (["a", "b"], "a; b"),
        ({}, "none"),
        ({"text": "30 days"}, "30 days"),
        ({"text": "30 days", "hours": 720.0}, "30 days (hours 720)"),
        ({"start": 4, "end": 9}, "characters 4–9"),
        ({"start": 4, "per_year": 2}, "start 4, per year 2"),
        ({"text": "x", "start": 4, "end": 9, "kind": "y"}, "x (kind y, characters 4–9)"),
    ],
    ids=str,
)
def test_json_values_are_told_in_plain_words(value: object, words: str) -> None:
    """Both ends of a span become one, half of one stays a field; nothing at all is "none"."""
    assert readable_value(value) == words


def test_chain_shows_six_quotes_and_each_passage_once() -> None:
    """What is cited more often than six times is counted; a passage stands under the first claim that rests on it."""
    made = report(tuple(f"Rule {n} shall hold." for n in range(1, 8)))
    chains = chains_of(made, [claim(1, "requirement", "a", tuple(range(1, 8))), claim(2, "requirement", "b", (7, 1))])
    assert MOST_QUOTES == 6
    assert [(len(chain.links), chain.more) for chain in chains] == [(6, 1), (2, 0)]
    assert [link.first for link in chains[0].links] == [True] * 6
    assert [(link.first, link.shown_under) for link in chains[1].links] == [(True, 2), (False, 1)]


def test_chain_leaves_out_citations_that_lead_nowhere() -> None:
    """A quote whose section or passage the report does not have has no place in the chain."""
    cited = claim(1, "requirement", "a", (1,)).citations[0]
    lost = [cited.model_copy(update={"section": None}), cited.model_copy(update={"passage": None})]
    assert all(isinstance(each, ReportCitation) for each in lost)
    (chain,) = chains_of(report(), [claim(1, "requirement", "a", (1,), citations=(*lost, cited))])
    assert [link.passage.number for link in chain.links] == [1]
    assert chain.more == 0


def test_claims_are_grouped_by_kind_without_empty_groups() -> None:
    """Conflicts stand first, requirements last; a kind without claims has no heading."""
    groups = groups_of(
        [claim(1, "requirement", "a", (1,)), claim(2, "conflict", "b", (1,)), claim(3, "gap", "c", (1,))]
    )
    assert [(kind, [each.number for each in claims]) for kind, _, _, claims in groups] == [
        ("conflict", [2]),
        ("gap", [3]),
        ("requirement", [1]),
    ]


def test_refusal_tells_what_failed_and_nothing_that_passed() -> None:
    """The details of failed checks, or their meaning; else the stored reason; a person's dismissal before all."""
    failed = (
        Signal(name="cited", passed=True, detail="all is well"),
        Signal(name="numbers", passed=False, detail="30 stands nowhere"),
        Signal(name="verbatim", passed=False),
    )
    refused = claim(1, "gap", "a", (1,), signals=failed, reason="stored reason")
    assert refusal_of(refused) == "30 stands nowhere; Words in quotation marks stand in a cited quote"
    assert refusal_of(claim(1, "gap", "a", (1,), reason="stored reason")) == "stored reason"
    assert refusal_of(claim(1, "gap", "a", (1,))) == "its support is below the minimum"
    opinion = Opinion(judge="review", who="a reviewer", label="unsupported", decision="dismiss")
    assert refusal_of(refused.model_copy(update={"opinions": (opinion,)})) == "stored reason"


@pytest.mark.parametrize(
    ("sections", "places"),
    [([], "none: the whole document is meant"), ([["4.2", 1_200], ["5", 1]], "4.2 (1,200), 5 (1)")],
)
def test_absent_document_is_told_with_the_places_that_are_cited(sections: list[Any], places: str) -> None:
    """A reference without a place means all of it; each place says how often it is cited."""
    result = {"references": 3, "documents": 1, "names": ["a.md"], "sections": sections}
    figure = told({"figure": "absent_document", "name": "Plan", "result": result})
    assert figure.caption.startswith("Counted from Tier 1: references that name “Plan”.")
    assert figure.rows == (
        ("References", "3"),
        ("Documents that refer to it", "1"),
        ("Which", "a.md"),
        ("Places in it, and how often each is cited", places),
    )
