"""What the command prints of changes, line by line, and which states it asks for."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from coditect.cli import changes
from coditect.errors import UsageError
from coditect.schemas.change import (
    AffectedItem,
    CarriedProvision,
    ChangedSide,
    ChangedWords,
    CorpusChanges,
    DocumentChanges,
    DutyChange,
    ProvisionChange,
)
from tests.unit.cli.commands import Desk, noting

OLD = ChangedSide(version_id="v1", place="4.1", text="Within 30 days.", char_start=0, char_end=9)
NEW = ChangedSide(version_id="v2", place="4.2", text="Within 3 days.", char_start=0, char_end=9)
BARE = NEW.model_copy(update={"place": "", "heading": ""})
CARRIED = CarriedProvision(before="4.1(a)", after="4.2(a)")


def change(number: int, kind: str, **more: Any) -> ProvisionChange:  # noqa: ANN401 - fields of the record
    """A change of a provision."""
    return ProvisionChange.model_validate({"number": number, "kind": kind, **more})


CHANGES = CorpusChanges(
    corpus_id="c", before=1, after=2, unchanged_documents=1,
    documents=(
        DocumentChanges(document="a.md", former="b.md", status="changed", unchanged=7, changes=(
            change(
                1, "amended", duty="changed", before=OLD, after=NEW, weight=2.0, carried=(CARRIED, CARRIED),
                words=(ChangedWords(before="30", after="3"), ChangedWords(after="x " * 80 + "y"), ChangedWords(before="x " * 80)),
                fields=(DutyChange(field="deadline", before="30 days"), DutyChange(field="actor", after="CISO")),
            ),
            change(2, "added", duty="none", after=NEW.model_copy(update={"place": "", "heading": "Time"})),
            change(3, "removed", duty="same", before=BARE),
            change(4, "wording", duty="same", before=OLD, after=OLD),
            change(5, "moved", before=BARE, after=NEW),
            change(6, "moved", before=OLD, after=BARE),
        )),
        DocumentChanges(document="r.md", former="q.md", status="changed"),
        DocumentChanges(document="n.md", status="added"),
    ),
    affected=(
        AffectedItem(
            kind="claim", item_id="claim_1", document="a.md", place="4.1", text="y " * 240, owner="CISO", changed_document="a.md",
            changes=(1, 2, 3, 4, 5, 6, 7), reason="cites it", weight=2.0,
        ),
        AffectedItem(
            kind="decision", item_id="review_1", text="It is.", changed_document="a.md", changes=(1,), reason="rests", weight=0.0,
        ),
    ),
)  # fmt: skip
NOTED = [
    "2 items to look at again", "", "  claim  a.md 4.1  claim_1, owner CISO", "    " + "y " * 239 + "y",
    "    cites it (a.md, #1, #2, #3, #4, #5, #6)", "", "  decision  review_1", "    It is.", "    rests (a.md, #1)",
]  # fmt: skip
TOLD = [
    "3 documents of corpus c changed (generations 1 and 2); 1 document did not", "",
    "a.md (was b.md): 1 added, 1 amended, 2 moved, 1 removed, 1 wording; 7 unchanged",
    "     1  amended 4.1 -> 4.2; the duty changed; 2 below it went with it",
    "        - 30", "        + 3", "        + " + "x " * 79 + "x …", "        - " + "x " * 79 + "x",
    "        deadline: 30 days -> nothing", "        actor: nothing -> CISO",
    "     2  added Time", "        Within 3 days.",
    "     3  removed unnumbered; the duty is read the same", "        Within 3 days.",
    "     4  wording 4.1; the duty is read the same", "     5  moved unnumbered -> 4.2", "     6  moved 4.1 -> unnumbered",
    "", "r.md (was q.md): renamed; 0 unchanged", "", "n.md: the document was added", "",
]  # fmt: skip


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Commands on an object that answers with the records of this module."""
    known = SimpleNamespace(changes=lambda *given, **more: CHANGES, changes_between=lambda *given, **more: CHANGES)
    return Desk(monkeypatch, known)


def test_changes_are_told_provision_by_provision(desk: Desk) -> None:
    """Places of both sides where they differ, replaced words, fields, and what rests on it; long words are cut between words."""
    assert desk.run(changes.changes, "--corpus-id", "c").lines == [*TOLD, *NOTED]
    assert desk.run(changes.changes, "--corpus-id", "c", "--affected").lines == NOTED
    found = json.loads(desk.run(changes.changes, "--corpus-id", "c", "--format", "json").out)
    assert CorpusChanges.model_validate(found) == CHANGES
    assert desk.opened[0] == {"must_exist": True, "logs": False}


def test_changes_of_duties_leave_the_others_out(desk: Desk) -> None:
    """Also from the work list; documents that came or went stay; one whose changes are none of duties goes."""
    found = json.loads(desk.run(changes.changes, "--corpus-id", "c", "--duties", "--format", "json").out)
    assert [(each["document"], [c["number"] for c in each["changes"]]) for each in found["documents"]] == [
        ("a.md", [1]),
        ("n.md", []),
    ]
    assert [each["item_id"] for each in found["affected"]] == ["claim_1"]


def test_nothing_that_changed_is_told_as_that(desk: Desk) -> None:
    """Of two documents of one generation that is named once."""
    desk.knowledge.changes = lambda *given, **more: CorpusChanges(corpus_id="c", before=2, after=2)
    assert desk.run(changes.changes, "--corpus-id", "c").lines == [
        "0 documents of corpus c changed (generation 2); 0 documents did not",
        "",
        "0 items to look at again",
        "  Nothing that is known rests on what changed.",
    ]


@pytest.mark.parametrize(
    ("words", "called", "given"),
    [
        ((), "changes", (("c",), {"before": None, "after": None, "documents": (), "today": None})),
        (
            ("--from", "3", "--to", "2026-01-31", "--document", "a", "--today", "2026-02-01"), "changes",
            (("c",), {"before": 3, "after": "2026-01-31", "documents": ("a",), "today": "2026-02-01"}),
        ),
        (("--between", "a", "b"), "changes_between", (("c", "a", "b"), {"as_of": None, "today": None})),
        (("--between", "a", "b", "--to", "4"), "changes_between", (("c", "a", "b"), {"as_of": 4, "today": None})),
    ],
)  # fmt: skip
def test_states_are_generations_or_days(
    desk: Desk, words: tuple[str, ...], called: str, given: tuple[Any, ...]
) -> None:
    """Numbers are generations, everything else is handed on as it was typed."""
    calls: list[object] = []
    for name in ("changes", "changes_between"):
        setattr(desk.knowledge, name, lambda *a, _name=name, **k: noting(calls, (_name, (a, k)), CHANGES))
    desk.run(changes.changes, "--corpus-id", "c", *words)
    assert calls == [(called, given)]


@pytest.mark.parametrize("words", [("--document", "x"), ("--from", "1"), ("--to", "2026-01-31")])
def test_two_documents_are_of_one_generation(desk: Desk, words: tuple[str, ...]) -> None:
    """They are named by themselves, and the generation by its number."""
    with pytest.raises(UsageError, match="--between"):
        desk.run(changes.changes, "--corpus-id", "c", "--between", "a", "b", *words)


def test_long_fields_are_shown_from_where_they_differ(desk: Desk) -> None:
    """Two texts that begin alike would be cut to the same words; short ones are shown whole."""
    alike = "Identify the official " + "who is answerable for the rules and the records " * 4
    fields = (
        DutyChange(field="action", before=f"{alike}of the entity or its associate", after=f"{alike}of the entity"),
        DutyChange(field="actor", before="The entity or associate of the house", after="The entity of the house"),
    )
    one = change(1, "amended", duty="changed", before=OLD, after=NEW, fields=fields)
    document = DocumentChanges(document="a.md", status="changed", changes=(one,))
    desk.knowledge.changes = lambda *given, **more: CorpusChanges(
        corpus_id="c", before=1, after=2, documents=(document,)
    )
    lines = desk.run(changes.changes, "--corpus-id", "c").lines
    shown = [line.strip() for line in lines if line.strip().startswith(("action:", "actor:"))]
    assert shown == [
        "action: … and the records of the entity or its associate -> … and the records of the entity",
        "actor: The entity or associate of the house -> The entity of the house",
    ]
