"""What is missing, undecided, overdue or nowhere provided for."""

from __future__ import annotations

import random

import pytest

from coditect.schemas import Profile, ProfileFact, ProfileParty
from coditect.tiers.findings.gaps import Gap, find_gaps
from coditect.tiers.findings.standing import Standings
from tests.unit.tiers.corpora import EXCEPTIONS, INCIDENTS, REGISTER, chunks_of, versions_of


def _found(files: dict[str, str]) -> dict[str, list[Gap]]:
    return find_gaps(chunks_of(files), versions_of(files))


def test_documents_that_are_referred_to_and_absent_are_gaps() -> None:
    """A named company document that no name of the corpus holds is missing; one that it holds is not."""
    assert [gap.words["name"] for gap in _found(INCIDENTS)["document"]] == ["Key Handling Standard"]


def test_documents_of_the_house_are_there_without_its_name() -> None:
    """The folder of the citing document, or its party, is the house; a folder that is a common word is not."""
    cites = "# Roles\n\nStaff must follow the {0} Access Policy and the {0} Travel Policy. We grant access to nobody.\n"
    policy = "# Access Policy\n\nManagers must review all rights.\n"
    own = {"quarvel/roles.md": cites.format("Quarvel"), "quarvel/access-policy.md": policy}
    assert [gap.words["name"] for gap in _found(own)["document"]] == ["Quarvel Travel Policy"]
    common = {"access/roles.md": cites.format("Access"), "access/access-policy.md": policy}
    names = [gap.words["name"] for gap in _found(common)["document"]]
    assert names == ["Access Travel Policy"]
    strange = {"roles.md": cites.format("Quarvel"), "access-policy.md": policy}
    assert len(_found(strange)["document"]) == 2
    roles = next(key for key, version in versions_of(strange).items() if version.name == "roles.md")
    party = ProfileParty(value="Quarvel Health, Inc.", basis="manifest")
    role = ProfileFact(value="policy", basis="manifest")
    profile = Profile.create(
        corpus_id="c",
        document_id=roles,
        version_id="version_0",
        derivation_id="derivation_0",
        role=role,
        parties=(party,),
    )
    found = find_gaps(chunks_of(strange), versions_of(strange), Standings(versions_of(strange), {roles: profile}))
    assert [gap.words["name"] for gap in found["document"]] == ["Quarvel Travel Policy"]


def test_a_section_of_the_same_name_in_the_plural_is_what_is_meant() -> None:
    """The Risk Management Procedure may well be headed Risk Management Procedures; the Risk Register Procedure is nowhere."""
    text = "# {0}\n\n## 1 Duties\n\nStaff must follow the {1}.\n\n## 2 {2}\n\nManagers must review all rights.\n"
    files = {"risk.md": text.format("Risk Policy", "Risk Management Procedure", "Risk Management Procedures"),
             "access.md": text.format("Access Policy", "Risk Register Procedure", "Reviews")}  # fmt: skip
    assert [gap.words["name"] for gap in _found(files)["document"]] == ["Risk Register Procedure"]


def test_papers_are_there_without_whose_they_are_and_where_two_hold_what_one_name_joins() -> None:
    """A name with a capital inside is nobody's word for a subject; what is nowhere is missed all the same."""
    text = (
        "# Roles\n\nWe follow the NovaBank Backup Policy, Nova's Backup Policy, the Data Classification and Handling Policy "
        "and the NovaBank Travel Policy.\n\nWe follow the Security Policies and Standards.\n"
    )
    files = {"roles.md": text, "08-backup_policy.md": "# Backup Policy\n\nManagers must copy data.\n",
             "data-classification.md": "# Data Classification Policy\n\nStaff must label data.\n",
             "data-handling.md": "# Data Handling Policy\n\nStaff must lock data.\n"}  # fmt: skip
    assert [gap.words["name"] for gap in _found(files)["document"]] == ["NovaBank Travel Policy"]


BLANKS = "# {0}\n\nName of the child: ____________ (please print)\n\nThe policy is approved by: ____________ (name)\n"


@pytest.mark.parametrize(("title", "told"), [("Consent Form", 0), ("Records Policy", 1)])
def test_blanks_of_a_form_are_for_whoever_fills_it_in(title: str, told: int) -> None:
    """Those of a policy are open points."""
    files = {"a.md": BLANKS.format(title)}
    versions = versions_of(files)
    found = find_gaps(chunks_of(files), versions, Standings(versions))["open"]
    assert sum(len(gap.places) for gap in found) == told


def test_an_agreement_is_not_missed_where_it_calls_itself_by_its_parties() -> None:
    """Nor is what an agreement has a document: its effective date."""
    text = (
        "# Outsourcing Agreement\n\nStaff follow the IBX/MSQ Outsourcing Base Agreement, the Effective Date of Agreement "
        "and the IBX Escrow Agreement.\n"
    )
    files = {"outsourcing.md": text}
    versions = versions_of(files)
    (document_id,) = versions
    parties = tuple(ProfileParty(value=name, basis="text", called=called) for name, called in
                    (("International Boxes", "IBX"), ("Makers of Squares", "MSQ")))  # fmt: skip
    profile = Profile.create(corpus_id="c", document_id=document_id, version_id="version_0", derivation_id="derivation_0",
                             role=ProfileFact(value="contract", basis="text"), parties=parties,
                             title=ProfileFact(value="Outsourcing Agreement", basis="title"))  # fmt: skip
    found = find_gaps(chunks_of(files), versions, Standings(versions, {document_id: profile}))
    assert [gap.words["name"] for gap in found["document"]] == ["IBX Escrow Agreement"]


def test_clauses_of_standard_terms_are_not_the_documents_own() -> None:
    """Who incorporates the Standard Contractual Clauses fills in "Clause 9" of theirs."""
    rules = "".join(f"## {n} Terms\n\n{n}.1 The supplier shall follow term {n}.\n\n" for n in range(1, 7))
    cites = "6.2 In Clause 9 the option applies, and the supplier shall answer within 30 days.\n"
    theirs = "5.2 The Standard Contractual Clauses are incorporated.\n"
    assert [gap.words["label"] for gap in _found({"terms.md": f"# Terms\n\n{rules}{cites}"})["place"]] == ["9"]
    assert _found({"terms.md": f"# Terms\n\n{rules}{theirs}{cites}"})["place"] == []


def test_sections_of_an_act_in_italics_are_not_the_documents_own() -> None:
    """ "Section 9 (disallowance) of the _Water Act 2003_" is there, with the marks of a note on print or without."""
    rules = "".join(f"{n} Terms\n\n{n}.1 The supplier shall follow term {n}.\n\n" for n in range(1, 7))
    for act in ("Water Act 2003", "_Water Act 2003_"):
        cites = f"6.2 Section 9 (disallowance) of the {act} does not apply to the supplier.\n"
        assert _found({"terms.txt": f"Terms\n\n{rules}{cites}"})["place"] == []


def test_what_a_document_holds_itself_is_not_absent() -> None:
    """A heading of the corpus, and the name by which a document speaks of itself, are no documents that are missing."""
    text = "# Rules\n\n{0}\n\n## 4. Hazard Treatment Plan\n\nThe Hazard Treatment Plan is kept. See our Yard Access Policy.\n"
    named = "The Site Hazard Policy (SHP) outlined herein is designed to protect staff."
    own = {"rules.md": text.format(named), "others.md": "# Others\n\nStaff must follow the Site Hazard Policy.\n"}
    assert [gap.words["name"] for gap in _found(own)["document"]] == ["Yard Access Policy"]
    others = {
        **own,
        "rules.md": text.format("Staff are protected.").replace("## 4. Hazard Treatment Plan", "## 4. Plans"),
    }
    names = {gap.words["name"] for gap in _found(others)["document"]}
    assert names == {"Yard Access Policy", "Hazard Treatment Plan", "Site Hazard Policy"}


def test_places_behind_the_last_section_are_gaps() -> None:
    """A section number behind the last one of the document that is named is missing, and the last one is told."""
    files = dict(INCIDENTS)
    rules = "".join(f"## {n} Rules\n\n{n}.1 Staff shall follow rule {n}.\n\n" for n in range(1, 7))
    files["incident-policy.md"] = f"# Incident Policy\n\n{rules}"
    files["backup-standard.md"] += "\n1.4 Exceptions follow section 8.1 of the Incident Policy.\n"
    (gap,) = _found(files)["place"]
    assert dict(gap.words) == {"label": "8.1", "last": "6", "document": "incident-policy.md"}


def test_open_points_name_the_cell_or_quote_the_words() -> None:
    """In a row the cell is told; a short sentence comes with the one before it, and two in a row are one gap."""
    files = {
        "register.csv": REGISTER,
        "report.md": "# Report\n\nAlerts of the plant are sent to a mailbox that nobody reads.\n\n"
        "Management action: to be agreed. Owner to be confirmed.\n",
    }
    found = {gap.words["says"]: gap for gap in _found(files)["open"]}
    assert found["Owner: TBD"].words["row"] == "Control: C-4 | Title: Malware"
    assert found["to be agreed"].words["also"] == "to be confirmed"


@pytest.mark.parametrize(
    ("sentence", "open_"),
    [
        ("The officer shall call an election in every month during which the office is vacant.", False),
        ("If the chair is vacant the deputy presides over the meeting.", False),
        ("When the chair is vacant the deputy presides over the meeting.", False),
        ("The place that samples are kept at is still to be decided.", True),
        ("If needed, the deputy presides; the office of the chair is vacant.", True),
    ],
)
def test_a_case_in_which_something_is_open_leaves_nothing_open(sentence: str, open_: bool) -> None:
    """ "While the office is vacant" says when a rule holds; that the office is vacant says that somebody is missing."""
    assert bool(_found({"a.md": f"# Election Policy\n\n## 1 Rules\n\n1.1 {sentence}\n"})["open"]) is open_


def test_what_does_not_apply_is_no_open_point() -> None:
    """A status of "n/a" is decided; an owner of "n/a" is none."""
    files = {"soa.csv": "Control,Title,Owner,Status\nC-1,Alarms,Plant,n/a\nC-2,Locks,n/a,done\n"}
    assert [gap.words["says"] for gap in _found(files)["open"]] == ["Owner: n/a"]


def test_open_points_are_no_terms_of_an_agreement() -> None:
    """What is to be agreed later under a contract's own rule is not left open."""
    text = "# Supply Agreement\n\n1.1 The price of each later order shall be that of the yearly list or one to be agreed.\n"
    assert not _found({"contract.md": text})["open"]


def test_empty_cells_are_gaps_where_most_rows_fill_the_column() -> None:
    """The row without evidence is found with its status; the row without an owner has said so itself."""
    (gap,) = _found({"register.csv": REGISTER})["empty"]
    assert (gap.words["label"], gap.words["row"], gap.words["status"]) == (
        "Evidence",
        "Control: C-3 | Title: Logs",
        "Status: Effective",
    )


def test_overdue_is_what_the_corpus_itself_has_passed() -> None:
    """A date is overdue against the newest thing that the corpus reports done, unless its row is closed."""
    (gap,) = _found({"exceptions.csv": EXCEPTIONS})["overdue"]
    assert (gap.words["row"], gap.words["due"], gap.words["as_of"]) == (
        "Exception: E-1 | Reason: Display",
        "2026-05-31",
        "2026-09-16",
    )


def test_stale_is_a_test_older_than_its_own_interval() -> None:
    """An annual test of three years ago is out of date; an annual test of some months ago is not."""
    found = _found({"register.csv": REGISTER, "exceptions.csv": EXCEPTIONS})["stale"]
    assert [(gap.words["row"], gap.words["often"]) for gap in found] == [("Control: C-2 | Title: Media", "annually")]


def test_nothing_is_overdue_where_nothing_is_reported_done() -> None:
    """Without a date of something done there is no today to be late against."""
    assert not _found({"plan.csv": "Task,Owner,Due on\nT-1,Ada,2026-05-31\nT-2,Ben,2026-06-30\n"})["overdue"]


def test_uncovered_deadlines_are_those_that_no_policy_takes_up() -> None:
    """A contract's deadline without a counterpart is told; one for the same act about the same is not."""
    found = _found(INCIDENTS)["uncovered"]
    assert [gap.words["head"] for gap in found] == ["forward"]


def test_uncovered_needs_policies_to_compare_with() -> None:
    """A corpus of contracts has no policies that could cover anything."""
    assert not _found({"contract.md": INCIDENTS["contract.md"]})["uncovered"]


def test_gaps_are_a_function_of_the_set_of_chunks() -> None:
    """The order in which chunks come changes nothing."""
    files = {**INCIDENTS, "register.csv": REGISTER, "exceptions.csv": EXCEPTIONS}
    chunks, versions = chunks_of(files), versions_of(files)
    shuffled = chunks[:]
    random.Random(3).shuffle(shuffled)  # noqa: S311 - no secret
    assert find_gaps(chunks, versions) == find_gaps(shuffled, versions)


@pytest.mark.parametrize(
    ("whose", "places"), [("those Mandatory Clauses", ()), ("the Mandatory Clauses", ()), ("these Rules", ("18",))]
)
def test_a_section_of_those_others_is_none_of_its_own(whose: str, places: tuple[str, ...]) -> None:
    """What "those" names was named before, and is another text."""
    text = f"# Addendum\n\n1. Scope\n\nThe template is as it is revised under Section 18 of {whose}.\n\n2. End\n\nIt ends.\n"
    (chunk,) = chunks_of({"a.md": text})
    assert [each for sentence in chunk.selected_sentences for each in sentence.places] == list(places)
