"""Lists of controls: codes as labels, open items, items behind a bare name, and the duties that they tell."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coditect.documents.readers import read_source
from coditect.schemas import DocumentVersion, Extraction
from coditect.tiers.extractions.document import NORMATIVE, extraction_records, read_document


def _norms(text: str, name: str) -> list[Extraction]:
    source = read_source(text.encode(), name)
    fields: dict[str, Any] = {"corpus_id": "corpus", "document_id": "document", "version_id": "version", "name": name}
    version = DocumentVersion.model_construct(**fields)
    found = extraction_records(version, read_document(source), "derivation")
    return [each for each in found if each.extraction_kind in NORMATIVE]


def _catalogue(head: str, first: str, second: str, stop: str) -> str:
    def item(label: str, prose: str, *parts: dict[str, Any]) -> dict[str, Any]:
        return {
            "name": "item", "id": label, "props": [{"name": "label", "value": label}], "prose": prose, "parts": parts
        }  # fmt: skip

    items = [
        item(f"{first}a{stop}", "Define the kinds of accounts that are allowed."),
        item(
            f"{first}b{stop}",
            "Specify:",
            item(f"{second}1{stop}", "Users of the system,"),
            item(f"{second}2{stop}", "Group membership."),
        ),
        item(f"{first}c{stop}", "Tell the keeper within:", item(f"{second}1{stop}", "24 hours when a key is lost.")),
    ]
    control = {
        "id": "c",
        "title": "Accounts",
        "props": [{"name": "label", "value": head}],
        "parts": [{"name": "statement", "id": "s", "parts": items}],
    }
    groups = [{"id": "g", "title": "Access", "controls": [control]}]
    catalog = {"uuid": "1", "metadata": {"title": "Requirements"}, "groups": groups}
    return json.dumps({"catalog": catalog})


@pytest.mark.parametrize(
    ("head", "first", "second", "stop"),
    [
        ("07.01", "", "", "."),
        ("07.01.01", "07.01.01.", "07.01.01.x.", ""),
        ("SR-07.01", "SR-07.01.", "SR-07.01.x.", ""),
    ],
)
def test_items_are_norms_whatever_their_labels(head: str, first: str, second: str, stop: str) -> None:
    """An open item is no heading, and a label is none of the words."""
    found = _norms(_catalogue(head, first, second, stop), "catalogue.json")
    assert [each.tier1_data.fields()["action"] for each in found] == [
        "Define the kinds of accounts that are allowed",
        "Specify Users of the system",
        "Specify Group membership",
        "Tell the keeper",
    ]
    assert found[-1].tier1_data.fields()["deadline"]["text"] == "within 24 hours"  # type: ignore[index,call-overload]


def test_items_behind_a_bare_name_are_its_duties() -> None:
    """ "The organization:" says who, its items what; in a standard the present tense binds."""
    text = """Access standard

Control: The organization:

a. Identifies the kinds of accounts;

b. Assigns account managers; and

c. Reviews the accounts each year.
"""
    found = _norms(text, "access-standard.txt")
    assert [each.tier1_data.fields()["action"] for each in found] == [
        "Identifies the kinds of accounts", "Assigns account managers", "Reviews the accounts"
    ]  # fmt: skip
    assert {each.tier1_data.fields()["modality"] for each in found} == {"present"}


def test_page_number_does_not_part_a_list_from_its_lead() -> None:
    """The number of a page between them is no part of the text."""
    text = "4.2 Duties of the keeper. The keeper will:\n\n4\n\n(a)  give notice of a loss;\n\n(b)  keep the keys.\n"
    assert {each.tier1_data.fields().get("actor") for each in _norms(text, "a.txt")} == {"The keeper"}


def test_present_tense_counts_in_a_procedure_alone() -> None:
    """The document's own name makes it a procedure; a report tells facts."""
    sentence = "The key officer reviews the log each quarter.\n"
    assert [each.tier1_data.fields()["modality"] for each in _norms(sentence, "log-review-procedure.txt")] == [
        "present"
    ]
    assert _norms(sentence, "annual-report.txt") == []


def test_cases_of_a_statement_that_binds_nobody_are_no_norms() -> None:
    """What is true where something is so stays a case of it."""
    text = (
        "There are excluded from rule 6 arrangements where:\n(a) they are made under which clients will be introduced;\n"
        "(b) the person to whom they are to be made is a bank.\n"
    )
    assert _norms(text, "rules.txt") == []


@pytest.mark.parametrize("stop", [";", "."])
def test_items_with_force_below_a_condition_are_norms(stop: str) -> None:
    """Sentences below "If a request comes:" hold under it, with a full stop at their end or without."""
    text = (
        "If a request comes:\n\n"
        f"(a) The keeper shall tell the clerk before deletion{stop}\n(b) The keeper shall lock the file{stop}\n"
    )
    told = [each.tier1_data.fields() for each in _norms(text, "agreement.md")]
    assert [each["action"] for each in told] == ["tell the clerk", "lock the file"]
    assert {each["condition"] for each in told} == {"If a request comes"}


@pytest.mark.parametrize(
    ("lead", "actor"),
    [("Staff Responsibilities", "Staff"), ("Responsibilities", None), ("The staff's duties", "The staff")],
)
def test_titles_of_duties_name_who_has_them(lead: str, actor: str | None) -> None:
    """Requests below a title of duties are norms, of whom the title names."""
    text = f"{lead}:\n\n- Follow the safety policy.\n- Take all reasonable precautions.\n"
    told = [each.tier1_data.fields() for each in _norms(text, "policy.md")]
    assert [each["action"] for each in told] == ["Follow the safety policy", "Take all reasonable precautions"]
    assert [each.get("actor") for each in told] == [actor, actor]


def test_requests_below_a_time_are_limited_by_it() -> None:
    """ "When travelling:" limits each of what is asked below it."""
    text = "When travelling:\n\n- Keep the key with you.\n- Lock the bag at night.\n"
    told = [each.tier1_data.fields() for each in _norms(text, "policy.md")]
    assert [each["condition"] for each in told] == ["When travelling", "When travelling"]
