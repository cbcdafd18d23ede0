"""The norms of a rulebook of 25 lines that holds every class of error once seen in rulebooks, and of each class by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from coditect.documents.readers import read_source
from coditect.documents.source import SourceText
from coditect.sample import sample_files
from coditect.schemas import NormData
from coditect.tiers.extractions.document import extraction_records, read_document
from tests.unit.tiers.corpora import version_of

RULEBOOK = """# Harbour Pilotage Rulebook

## 4 Conduct

### 4.1 Pilots

4.1.1 Every officer, employee or trainee must keep a log of each passage.

4.1.2 A pilotage officer shall:

(a) not make improper use of charts in order to:

(i) gain an advantage; or

(ii) cause detriment to a shipowner; and

(b) report each grounding to the Harbour Office within 24 hours after the grounding.

4.1.3 The Harbour Office may withdraw a licence:

(a) at the request of the officer; or

(b) on its own initiative.

4.1.4 A pilotage officer must keep:

(a) the log; and

(b) the charts,

for at least six years.

### 4.2 Freedom

4.2.1 Nothing in this chapter requires an officer to board a vessel in a storm.

4.2.2 A shipowner shall be free to choose another officer.

4.2.3 The Harbour Office has no responsibility for the condition of a vessel.

4.2.4 A trainee may not have disclosed a chart to a competitor.

4.2.5 The following rules apply to trainees:

(a) A trainee must wear a badge.

(b) If a trainee loses the badge, the trainee must tell the Harbour Office within two days, unless the badge is found.

4.2.6 The Harbour Office must review the charts at least annually.
"""


@dataclass(frozen=True)
class Norm:
    """A norm as this file tells it: verbatim words, "" where there are none."""

    locator: str
    kind: str
    holder: str
    action: str
    spans: tuple[str, ...]
    condition: str = ""
    exception: str = ""
    deadline: str = ""
    trigger: str = ""
    frequency: str = ""
    duration: str = ""


_OFFICER, _OFFICE = "A pilotage officer", "The Harbour Office"
_SHALL, _USE, _KEEP = (
    "A pilotage officer shall",
    "not make improper use of charts in order to",
    "A pilotage officer must keep",
)
_YEARS = "for at least six years"
EXPECTED = [
    Norm(
        "4.1.1",
        "obligation",
        "Every officer, employee or trainee",
        "keep a log of each passage",
        ("Every officer, employee or trainee must keep a log of each passage",),
    ),
    Norm(
        "4.1.2(a)(i)",
        "prohibition",
        _OFFICER,
        "make improper use of charts in order to gain an advantage",
        (_SHALL, _USE, "gain an advantage"),
    ),
    Norm(
        "4.1.2(a)(ii)",
        "prohibition",
        _OFFICER,
        "make improper use of charts in order to cause detriment to a shipowner",
        (_SHALL, _USE, "cause detriment to a shipowner"),
    ),
    Norm(
        "4.1.2(b)",
        "obligation",
        _OFFICER,
        "report each grounding to the Harbour Office",
        (_SHALL, "report each grounding to the Harbour Office within 24 hours after the grounding"),
        deadline="within 24 hours after the grounding",
        trigger="the grounding",
    ),
    Norm(
        "4.1.3(a)",
        "power",
        _OFFICE,
        "withdraw a licence",
        ("The Harbour Office may withdraw a licence", "at the request of the officer"),
        condition="at the request of the officer",
    ),
    Norm(
        "4.1.3(b)",
        "power",
        _OFFICE,
        "withdraw a licence on its own initiative",
        ("The Harbour Office may withdraw a licence", "on its own initiative"),
    ),
    Norm("4.1.4(a)", "obligation", _OFFICER, "keep the log", (_KEEP, "the log", _YEARS), duration=_YEARS),
    Norm("4.1.4(b)", "obligation", _OFFICER, "keep the charts", (_KEEP, "the charts", _YEARS), duration=_YEARS),
    Norm(
        "4.2.1",
        "exemption",
        "an officer",
        "board a vessel in a storm",
        ("Nothing in this chapter requires an officer to board a vessel in a storm",),
    ),
    Norm(
        "4.2.2",
        "permission",
        "A shipowner",
        "choose another officer",
        ("A shipowner shall be free to choose another officer",),
    ),
    Norm(
        "4.2.3",
        "exemption",
        _OFFICE,
        "for the condition of a vessel",
        ("The Harbour Office has no responsibility for the condition of a vessel",),
    ),
    Norm("4.2.5(a)", "obligation", "A trainee", "wear a badge", ("A trainee must wear a badge",)),
    Norm(
        "4.2.5(b)",
        "obligation",
        "the trainee",
        "tell the Harbour Office",
        (
            "If a trainee loses the badge, the trainee must tell the Harbour Office within two days, "
            "unless the badge is found",
        ),
        condition="If a trainee loses the badge",
        exception="unless the badge is found",
        deadline="within two days",
        trigger="a trainee loses the badge",
    ),
    Norm(
        "4.2.6",
        "obligation",
        _OFFICE,
        "review the charts",
        ("The Harbour Office must review the charts at least annually",),
        frequency="at least annually",
    ),
]


@cache
def read_norms_of(text: str) -> tuple[Norm, ...]:
    """The norms of a document in Markdown, each with the words of its spans."""
    return tuple(_norms(read_source(text.encode(), "rules.md")))


def _norms(source: SourceText) -> Iterator[Norm]:
    version = version_of("rules.md", RULEBOOK)
    for each in extraction_records(version, read_document(source), "derivation"):
        if isinstance(each.tier1_data, NormData):
            yield _told(source.text, each.tier1_data.fields(), each.extraction_kind, each.locator)


def _told(text: str, data: dict[str, Any], kind: str, locator: str) -> Norm:
    spans = data.get("spans") or [data["clause"]]
    deadline, frequency = data.get("deadline") or {}, data.get("frequency") or {}
    return Norm(
        locator,
        data.get("position") or kind,
        data.get("actor") or "",
        data["action"],
        tuple(text[span["start"] : span["end"]] for span in spans),
        data.get("condition") or "",
        data.get("exception") or "",
        deadline.get("text") or "",
        deadline.get("trigger") or "",
        frequency.get("text") or "",
        data.get("duration") or "",
    )


def told(text: str) -> list[tuple[str, str, str]]:
    """Kind, holder and action of each norm of a rulebook of one section."""
    return [(norm.kind, norm.holder, norm.action) for norm in read_norms_of(f"# Rules\n\n{text}\n")]


def test_rulebook_holds_every_class_in_25_lines() -> None:
    """The rulebook is what its name says."""
    assert sum(1 for line in RULEBOOK.splitlines() if line.strip()) == 25


@pytest.mark.parametrize("number", range(len(EXPECTED)), ids=[norm.locator for norm in EXPECTED])
def test_rulebook_norm_is_read_whole(number: int) -> None:
    """Kind, holder, action, limits, locator and verbatim spans of each norm are as a reader tells them."""
    assert read_norms_of(RULEBOOK)[number] == EXPECTED[number]


def test_rulebook_has_no_other_norms() -> None:
    """Bare lead-ins and what tells of the past are no norms."""
    assert [norm.locator for norm in read_norms_of(RULEBOOK)] == [norm.locator for norm in EXPECTED]


def test_negation_is_kept_in_nested_lists() -> None:
    """A "not" in the item above governs the items inside it, and ends with it."""
    text = """3.1 A member must:

(a) not use client money in order to:

(i) pay a debt; or

(ii) make a loan; and

(b) keep a register."""
    assert told(text) == [
        ("prohibition", "A member", "use client money in order to pay a debt"),
        ("prohibition", "A member", "use client money in order to make a loan"),
        ("obligation", "A member", "keep a register"),
    ]


def test_lead_in_is_that_of_the_own_list() -> None:
    """The items of a second list take over nothing of the first one."""
    text = """3.1 The bank must:

(a) file the accounts; and

(b) pay the levy.

3.2 The Regulator may suspend a bank:

(a) at the request of a creditor; or

(b) on its own motion."""
    assert [(kind, holder) for kind, holder, _ in told(text)] == [
        ("obligation", "The bank"),
        ("obligation", "The bank"),
        ("power", "The Regulator"),
        ("power", "The Regulator"),
    ]


def test_tail_behind_a_list_belongs_to_all_items() -> None:
    """What follows a list on a line of its own limits each of its items."""
    text = """3.1 The auditor must retain:

(a) the letters; and

(b) the minutes,

for at least seven years."""
    assert [norm.duration for norm in read_norms_of(f"# Rules\n\n{text}\n")] == ["for at least seven years"] * 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "3.1 Nothing in this chapter requires the member to disclose a trade secret.",
            ("exemption", "the member", "disclose a trade secret"),
        ),
        (
            "3.1 The seller shall be free to sell the goods to others.",
            ("permission", "The seller", "sell the goods to others"),
        ),
        (
            "3.1 The bank has no responsibility for the advice of a broker.",
            ("exemption", "The bank", "for the advice of a broker"),
        ),
    ],
    ids=["nothing requires", "free to", "no responsibility for"],
)
def test_freedom_is_no_duty(text: str, expected: tuple[str, str, str]) -> None:
    """Words of duty that a negation or an adjective turns around free their holder."""
    assert told(text) == [expected]


def test_perfect_behind_a_modal_verb_is_no_prohibition() -> None:
    """ "May not have disclosed" tells what perhaps did not happen."""
    assert told("3.1 The recipient may not have Disclosed the report to a third party.") == []


@pytest.mark.parametrize(
    "lead",
    [
        "The following rules apply to brokers:",
        "A broker must do this:",
    ],
)
def test_lead_in_alone_is_no_norm(lead: str) -> None:
    """A sentence that only leads into a list of whole rules adds no norm to theirs."""
    text = f"3.1 {lead}\n\n(a) A broker must hold a licence.\n\n(b) A broker must pay a fee."
    assert told(text) == [("obligation", "A broker", "hold a licence"), ("obligation", "A broker", "pay a fee")]


def test_locators_are_whole_paths() -> None:
    """An item is cited with all that stands above it, not by its own letter."""
    text = "# Rules\n\n## 7 Custody\n\n7.2 The custodian must:\n\n(a) lock the vault; and\n\n(b) count the bars.\n"
    assert [norm.locator for norm in read_norms_of(text)] == ["7.2(a)", "7.2(b)"]


def test_actors_are_whole_and_hold_no_number() -> None:
    """A coordination is one actor, and the number of the rule is none of its words."""
    (norm,) = told("3.1.4 Every officer, employee or agent must report a loss.")
    assert norm == ("obligation", "Every officer, employee or agent", "report a loss")


@pytest.mark.parametrize("file", sample_files(), ids=lambda file: file.name)
def test_parts_of_norms_stand_verbatim_in_their_spans(file: Path) -> None:
    """What a norm of the sample corpus says is put together of the words of its spans, in their order, and nothing else."""
    for norm in _norms(read_source(file.read_bytes(), file.name)):
        limits = (norm.deadline, norm.frequency, norm.duration)
        for part in (norm.action, *(limit for limit in limits if limit)):
            rest = iter(" ".join(norm.spans).split())
            missing = [word for word in part.split() if not any(word in other for other in rest)]
            assert not missing, (norm.locator, part, norm.spans)


def test_lead_in_with_words_of_its_own_is_told_beside_the_norms_of_its_items() -> None:
    """Items with their own force do not hang on the lead-in, which says something as well."""
    text = "3.1 The review must be made case by case:\n\n(a) A broker may count the keys.\n\n(b) A broker may count the bars."
    assert [(norm.kind, norm.action) for norm in read_norms_of(f"# Rules\n\n{text}\n")] == [
        ("obligation", "be made case by case"),
        ("permission", "count the keys"),
        ("permission", "count the bars"),
    ]
