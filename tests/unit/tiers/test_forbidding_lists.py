"""Lists below words that forbid: what their items ask, or name, is not to be done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from coditect.documents.readers import read_source
from coditect.language.provisions.forbidding import forbidden_acts, forbids
from coditect.schemas import DocumentVersion, NormData
from coditect.tiers.extractions.document import _forbidden, extraction_records, read_document
from tests.growth import require_linear

ITEMS = "- Leave a laptop in a car\n- Use public networks at work\n"
ACTS = "- Leaving a laptop in a car.\n- Sharing your password\n"


def _norms(body: str) -> list[tuple[str, NormData]]:
    source = read_source(f"# Travel Policy\n\n{body}\nText.\n".encode(), "travel.md")
    fields: dict[str, Any] = {
        "corpus_id": "corpus",
        "document_id": "document",
        "version_id": "version",
        "name": "travel.md",
    }
    found = extraction_records(DocumentVersion.model_construct(**fields), read_document(source), "derivation")
    return [(each.extraction_kind, each.read_as(NormData)) for each in found if isinstance(each.tier1_data, NormData)]


@pytest.mark.parametrize(
    "lead",
    [
        "What not to do:", "Avoid:", "Avoid the following:", "Do not:", "Don’t:", "Never:", "Don'ts:", "Prohibited actions:",
        "Strictly forbidden:", "Not allowed:", "The following is prohibited:", "## What not to do", "## 3. Don'ts",
    ],
)  # fmt: skip
def test_requests_below_words_that_forbid_are_prohibitions(lead: str) -> None:
    """Each with its own words as its action, and with the lead-in among its words."""
    (one, first), (other, second) = _norms(f"{lead}\n\n{ITEMS}")
    assert (one, other) == ("prohibition", "prohibition")
    assert (first.action, second.action) == ("Leave a laptop in a car", "Use public networks at work")
    assert len(first.spans or ()) == len(second.spans or ()) == 2


@pytest.mark.parametrize(
    "lead", ["What not to do:", "Don'ts:", "Prohibited actions:", "Unacceptable use:", "## Prohibited uses"]
)
def test_acts_below_words_that_forbid_are_prohibitions(lead: str) -> None:
    """An act that is named is what is forbidden, without the stop behind it."""
    found = _norms(f"{lead}\n\n{ACTS}")
    assert [(kind, data.action) for kind, data in found] == [
        ("prohibition", "Leaving a laptop in a car"),
        ("prohibition", "Sharing your password"),
    ]


def test_act_ends_with_a_whole_word() -> None:
    """What joins it with the next one is not of it; "contractor" ends with no such word."""
    found = _norms(
        "Prohibited actions:\n\n- Sharing a password with a contractor\n- Lending a badge; or\n- Wearing another brand\n"
    )
    actions = [data.action for _, data in found]
    assert actions == ["Sharing a password with a contractor", "Lending a badge", "Wearing another brand"]


def test_what_limits_a_lead_in_that_forbids_is_a_condition() -> None:
    """ "When travelling, do not:" forbids when travelling."""
    found = _norms(f"When travelling, do not:\n\n{ITEMS}")
    assert [(kind, data.conditions) for kind, data in found] == [("prohibition", ("When travelling",))] * 2


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ("What not to do:\n\n- Never share your password\n- Do not leave a laptop in a car\n", ["prohibition"] * 2),
        ("What to do:\n\n- Lock the screen\n- Report the loss\n", ["obligation"] * 2),
        ("What to do and what not to do:\n\n- Lock the screen\n- Report the loss\n", ["obligation"] * 2),
        ("## What not to do\n\nReport the loss at once.\n", ["obligation"]),
        ("## What not to do\n\n- Share your password\n\nAlways:\n\n- Lock the screen\n", ["prohibition", "obligation"]),
        ("Avoid:\n\n- Sharing your password\n- Leaving a laptop in a car\n", ["obligation"] * 2),
    ],
)
def test_words_that_forbid_turn_nothing_else_around(body: str, kinds: list[str]) -> None:
    """What forbids by itself stays one prohibition; other leads, prose and other lists below the heading are what they were."""
    assert [kind for kind, _ in _norms(body)] == kinds


def test_headings_that_forbid_cost_time_in_proportion() -> None:
    """No item is held against every heading."""

    def work(size: int) -> Callable[[], object]:
        lists = "".join(f"## Don'ts\n\n- Leave laptop {number} in a car\n\n" for number in range(size))
        source = read_source(lists.encode(), "travel.md")
        sections = read_document(source).sections
        return lambda: found.append(len(_forbidden(source, sections)))

    found: list[int] = []
    require_linear(work, 3_000)
    assert found[-1] == 3_000


def test_runs_of_blanks_and_dots_cost_time_in_proportion() -> None:
    """Behind words that forbid, and inside what they forbid."""

    def blanks(size: int) -> Callable[[], object]:
        lead = f"Avoid{' ' * size}x"
        return lambda: forbids(lead)

    def dots(size: int) -> Callable[[], object]:
        text = f"Prohibited:\nSharing it{'.' * size}x"
        return lambda: forbidden_acts(text, (0, 11), (12, len(text)), (12, len(text)), frozenset())

    require_linear(blanks, 20_000)
    require_linear(dots, 20_000)
    assert forbids("Avoid  :- ")
    assert not forbids("Avoid  : it")
