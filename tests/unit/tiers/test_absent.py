"""Documents that a corpus refers to and does not hold, by target and number."""

from __future__ import annotations

from pathlib import Path

import pytest

from coditect.knowledge.report.absent import absent_targets
from coditect.retrieve.lookup.live import LiveIndex
from coditect.retrieve.lookup.references import Resolver
from coditect.store.view import View
from coditect.tiers.findings.naming import speaks_of
from tests.unit.tiers.corpora import rules_tell, view_of

RULES = "".join(f"## {n} Part\n\n" for n in range(1, 25))
FILES = {
    "AML_VER01.md": f"# Anti-Money Laundering Rulebook\n\n{RULES}## 25 Reports\n\n"
    "A firm shall report under section 19 of FSMR.\n\nA firm shall answer under section 19(2) of the FSMR.\n\n"
    "A firm shall comply with Rule 25 of GEN.\n",
    "GEN_VER02.md": f"# General Rulebook\n\n{RULES}## 25 Fees\n\n"
    "A firm shall pay under section 4 of the Financial Services and Markets Regulations 2015.\n\n"
    "A firm shall follow the AML Rulebook, and Chapter 3 of PRU.\n",
}


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    """Two rulebooks that refer to a law and a third rulebook."""
    return view_of(tmp_path_factory.mktemp("absent"), FILES)


def test_absent_documents_are_listed_by_target_and_number(view: View) -> None:
    """A law under its code and its name is one row, with its places, the documents and examples; what is there is none."""
    found = {each.name: each for each in absent_targets(view)}
    assert set(found) == {"FSMR", "PRU"}
    law = found["FSMR"]
    assert (law.references, law.documents) == (3, ("AML_VER01.md", "GEN_VER02.md"))
    assert law.sections == (("4", 1), ("19", 1), ("19(2)", 1))
    assert [example.document for example in law.examples] == ["AML_VER01.md", "GEN_VER02.md"]
    assert law.examples[0].text == "section 19"
    assert "shall report under section 19 of FSMR." in law.examples[0].sentence


CITED_IN_PASSING = "documents outside the corpus that are referred to less than ten times"
OF_THE_HOUSE = "laws and standards that only the house's own documents refer to"


def test_absent_law_is_one_claim_that_can_be_counted_again(tmp_path: Path, view: View) -> None:
    """Ten references of rulebooks make a gap; fewer are trivial and counted."""
    more = "".join(f"A firm shall keep records under section {n} of FSMR.\n\n" for n in range(30, 37))
    files = {**FILES, "AML_VER01.md": FILES["AML_VER01.md"] + "\n" + more}
    told = [
        claim
        for claim in rules_tell(view_of(tmp_path / "documents", files), "gap")
        if claim.recipe.get("figure") == "absent_document"
    ]
    assert [claim.recipe["name"] for claim in told] == ["FSMR"]
    assert told[0].text.startswith(
        "“FSMR” is not in the corpus; AML_VER01.md and GEN_VER02.md refer to it at least 10 times; cited places: 4 (1)"
    )
    assert view.summary.trivial == {CITED_IN_PASSING: 1}


def test_absent_law_that_only_the_house_names_is_trivial(tmp_path: Path) -> None:
    """However often: a house has laws to keep, and need not have them among its documents."""
    duties = "".join(f"The bank shall report under section {n} of FSMR.\n\n" for n in range(1, 15))
    view = view_of(tmp_path / "documents", {"policy.md": f"# Incident Policy\n\n{duties}"})
    assert rules_tell(view, "gap") == []
    assert view.summary.trivial == {OF_THE_HOUSE: 1}


def test_absent_law_that_is_cited_in_passing_is_trivial(tmp_path: Path) -> None:
    """A single reference is counted, and stands in the list."""
    text = "# Payments Policy\n\n## 1 Fees\n\nStaff shall pay fees under Chapter 3 of PRU within 30 days.\n"
    view = view_of(tmp_path / "documents", {"policy.md": text})
    assert [each.name for each in absent_targets(view)] == ["PRU"]
    assert rules_tell(view, "gap") == []
    assert view.summary.trivial == {CITED_IN_PASSING: 1}


def test_what_a_document_says_that_it_is_known_as_is_there(tmp_path: Path) -> None:
    """A regulation goes by its letter in its own sentences and in those of others; another letter is another regulation."""
    own = "\n\n".join(f"{n} A bank shall report under Regulation E and under Regulation Z." for n in range(2, 14))
    law = f"# PART 1005 - ELECTRONIC FUND TRANSFERS\n\n1 The regulation in this part, known as Regulation E, is issued.\n\n{own}\n"
    view = view_of(tmp_path / "documents", {"law.md": law})
    assert [each.name for each in absent_targets(view)] == ["Regulation Z"]
    assert [claim.recipe["name"] for claim in rules_tell(view, "gap")] == ["Regulation Z"]


def test_foreign_reference_never_leads_into_its_own_document(view: View) -> None:
    """The rulebook has a section 19 of its own, which "section 19 of FSMR" does not mean; nor does it lack any."""
    resolver = Resolver(view, LiveIndex(view))
    found = [
        resolver.resolve(each)
        for document_id in view.entries
        for each in view.extractions(document_id)
        if each.extraction_kind == "cross_reference" and "section 19" in each.source_text
    ]
    assert [each.reason for each in found] == ["the corpus has no document of that name"] * 2
    assert not any("refers to its own section" in claim.text for claim in rules_tell(view, "gap"))


def test_rule_of_another_rulebook_leads_there(view: View) -> None:
    """ "Rule 25 of GEN" is a rule of the document whose name begins with the code."""
    resolver = Resolver(view, LiveIndex(view))
    (rule,) = (
        resolver.resolve(each)
        for document_id in view.entries
        for each in view.extractions(document_id)
        if each.extraction_kind == "cross_reference" and each.source_text == "Rule 25"
    )
    assert view.documents[rule.document_id].name == "GEN_VER02.md"
    assert rule.how == "named document"


@pytest.mark.parametrize(
    ("text", "name", "spoken"),
    [
        ("Exceptions follow the Access Control Policy, section 4.", "Access Control Policy", True),
        ("The Access Control Policy applies.", "Access Control Policy", True),
        ("For definitions see Access Control Policy.", "Access Control Policy", True),
        ("Access Control Policy applies to all staff.", "Access Control Policy", True),
        ("Staff comply with the Acceptable Use Policy and Access Standard.", "Access Standard", True),
        ("Software is reviewed as the Secure Development Standard prescribes.", "Secure Development Standard", True),
        ("Clients are required to enter into a Client Agreement.", "Client Agreement", False),
        ("APPENDIX D: Data Standards", "Data Standards", False),
        ("any marketing materials or Portfolio Management Agreement", "Portfolio Management Agreement", False),
        ("High Standards for Authorisation.", "High Standards", False),
        ("The bank shall establish the Contingency Plan.", "Contingency Plan", False),
        ("under the Agreement and Plan of Merger", "Agreement and Plan", False),
        ("in compliance with the Freight Policy set forth in Exhibit D", "Freight Policy", False),
        ('the "Phase I Development Plan" means', "Development Plan", False),
        (
            "The provisions of this Covenant Not to\nCompete and Noise Agreement are a condition.",
            "Compete and Noise Agreement",
            False,
        ),
    ],
)
def test_name_is_a_document_where_it_is_spoken_of_as_one(text: str, name: str, spoken: bool) -> None:
    """A certain document, not any of a kind, no heading, nothing that is to be made or attached, and no part of a longer name."""
    assert speaks_of(text, name) is spoken


def test_absent_targets_are_listed_for_a_corpus_without_any(tmp_path: Path) -> None:
    """A corpus that refers to nothing outside has no rows."""
    assert absent_targets(view_of(tmp_path / "documents", {"a.md": "# Rules\n\nStaff shall lock the door.\n"})) == ()
