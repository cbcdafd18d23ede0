"""The queue of what waits for a person: which line is chosen, what can be decided, and what is shown around it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.errors import NotFound
from coditect.schemas import Claim, DocumentVersion, Extraction, PendingReview, Review, Section, Verdict
from coditect.schemas.verdict import Opinion
from coditect.server.explorer.shown import review as module
from coditect.server.explorer.shown.review import Desk, Queue, desk, fields_of, queue
from coditect.server.explorer.visit import Visit
from tests.unit.server.explorer.visits import partly, view_of, visit_of


def pending(name: str, **fields: Any) -> PendingReview:  # noqa: ANN401 - of a record
    """A line of the queue."""
    given = {
        "item_id": name,
        "text": f"{name}.",
        "label": "needs_review",
        "reason": "so",
        "hint": "all of it",
        "support_score": 0.5,
        "reviews": (),
        "reopened": None,
        "waiting": None,
    }
    return partly(PendingReview, **{**given, **fields})


def review(decision: str = "accept") -> Review:
    """A decision."""
    return partly(Review, decision=decision, claim_text="as it was")


def extraction(text: str = "word", start: int = 0, **fields: Any) -> Extraction:  # noqa: ANN401 - of a record
    """A statement."""
    given = {"extraction_id": "extraction_1", "document_id": "d", "char_offset_start": start, "char_offset_end": start + len(text),
             "extraction_kind": "obligation", "decided": None, "tier1_data": SimpleNamespace(fields=dict)}  # fmt: skip
    return partly(Extraction, **{**given, **fields})


def visiting(monkeypatch: pytest.MonkeyPatch, *lines: PendingReview, text: str = "word", **items: Any) -> Visit:  # noqa: ANN401 - items
    """A visit whose queue has these lines; what they are about are findings."""
    found = {each.item_id: partly(Claim, claim_id=each.item_id, citations=()) for each in lines} | items
    version = partly(DocumentVersion, version_id="v", document_id="d")

    def find(item_id: str) -> Any:  # noqa: ANN401 - a double
        if item_id not in found:
            raise NotFound("unknown item")
        return found[item_id]

    verdicts = {name: partly(Verdict, opinions=(), label="supported") for name in found}
    monkeypatch.setattr(module, "pending_of", lambda _: lines)
    monkeypatch.setattr(module, "item_page", lambda _visit, item: item.item_id)
    monkeypatch.setattr(Visit, "opened", SimpleNamespace(sources=SimpleNamespace(text=lambda _: text)))
    return visit_of(view_of(find=find, verdicts=verdicts, document=lambda _: version))


def chosen(found: Queue) -> tuple[list[str], list[str], Any, str]:
    """(lines of the page, those that are chosen, what is decided on, what comes next)."""
    rows = found.page.rows
    item = None if found.desk is None else found.desk.item
    return [each.item_id for each in rows], [each.item_id for each in rows if each.is_chosen], item, found.next


def test_the_first_line_is_chosen_unless_an_item_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve lines to a page: the one that has the item, or another one that is asked for."""
    names = [f"claim_{n}" for n in range(26)]
    visit = visiting(monkeypatch, *map(pending, names), claim_x=partly(Claim, claim_id="claim_x", citations=()))
    assert chosen(queue(visit, "", 0)) == (names[:12], ["claim_0"], "claim_0", "claim_1")
    assert chosen(queue(visit, "claim_11", 0)) == (names[:12], ["claim_11"], "claim_11", "claim_12")
    assert chosen(queue(visit, "claim_12", 0)) == (names[12:24], ["claim_12"], "claim_12", "claim_13")
    assert chosen(queue(visit, "claim_25", 0)) == (names[24:], ["claim_25"], "claim_25", "")
    assert chosen(queue(visit, "claim_1", 3)) == (names[24:], [], "claim_1", "claim_2")
    assert chosen(queue(visit, "", 2)) == (names[12:24], [], "claim_0", "claim_1")
    assert chosen(queue(visit, "claim_x", 0)) == (names[:12], [], "claim_x", "claim_0")
    assert queue(visit, "", 1).page.next == "/e/c/c/review?page=2"
    with pytest.raises(NotFound):
        queue(visit, "claim_y", 0)


def test_an_empty_queue_has_nothing_to_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a line about something that is gone says what it was."""
    empty = queue(visiting(monkeypatch), "", 0)
    assert (chosen(empty), empty.gone) == (([], [], None, ""), None)
    gone = queue(visiting(monkeypatch, pending("", text="", reopened=review()), pending("claim_1")), "", 0)
    assert gone.desk is None
    assert gone.gone is not None
    assert (gone.gone.text, gone.gone.href, gone.gone.is_chosen, gone.next) == ("as it was", "", True, "claim_1")
    assert queue(visiting(monkeypatch, pending("claim_1")), "", 0).gone is None


def test_the_next_line_is_one_that_nobody_has_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """And that is about something."""
    lines = [
        pending("claim_0"),
        pending("claim_1", reviews=(review(),)),
        pending("", waiting=review()),
        pending("claim_2"),
    ]
    assert queue(visiting(monkeypatch, *lines), "", 0).next == "claim_2"
    assert queue(visiting(monkeypatch, *lines[:3]), "", 0).next == ""


@pytest.mark.parametrize(
    ("fields", "text", "what"),
    [
        ({}, "claim_1.", "checkers disagree"),
        ({"text": ""}, "", "checkers disagree"),
        ({"text": "", "waiting": review(), "reviews": (review(),)}, "as it was", "waits for a signature"),
        ({"reopened": review()}, "claim_1.", "decided before, opened again"),
        ({"reviews": (review(), review("accept_risk")), "reopened": review()}, "claim_1.",
         "decided: accept the risk, from the next build on"),
        ({"reviews": (review("accept_risk"),), "label": "supported"}, "claim_1.", "decided: accept the risk"),
    ],
)  # fmt: skip
def test_a_line_says_why_it_waits(
    monkeypatch: pytest.MonkeyPatch, fields: dict[str, Any], text: str, what: str
) -> None:
    """And what it is about."""
    (found,) = queue(visiting(monkeypatch, pending("claim_1", **fields)), "", 0).page.rows
    assert (found.text, found.what, found.reason, found.support) == (text, what, "so", 0.5)
    assert found.href == "/e/c/c/review?item=claim_1"


def choices(found: Desk) -> list[str]:
    """What can be decided."""
    return [each.decision for each in found.choices]


KEEP, SETTLE = ["accept", "dismiss"], ["supported", "unsupported"]


@pytest.mark.parametrize(
    ("verdict", "waits", "wanted"),
    [
        (None, False, []),
        (None, True, ["withdraw"]),
        ({}, False, [*KEEP, "accept_risk"]),
        ({}, True, [*KEEP, "accept_risk", "withdraw"]),
        ({"judge": "review"}, False, [*KEEP, "accept_risk", "withdraw"]),
        ({"judge": "model"}, False, [*KEEP, "accept_risk"]),
        ({"label": "needs_review"}, False, [*SETTLE, "accept_risk"]),
        ({"label": "needs_review", "judge": "review"}, False, [*SETTLE, "accept_risk", "withdraw"]),
        ({"label": "needs_review"}, True, [*SETTLE, "accept_risk", "withdraw"]),
    ],
)
def test_what_can_be_decided_of_a_finding(
    monkeypatch: pytest.MonkeyPatch, verdict: dict[str, str] | None, waits: bool, wanted: list[str]
) -> None:
    """To settle it where checkers disagree; to take back what was decided."""
    visit = visiting(monkeypatch, claim_1=partly(Claim, claim_id="claim_1", citations=()))
    opinions = [partly(Opinion, judge=verdict["judge"])] if verdict and "judge" in verdict else []
    made = partly(Verdict, opinions=tuple(opinions), label=(verdict or {}).get("label", "supported"))
    visit.view.verdicts = {} if verdict is None else {"claim_1": made}
    found = desk(visit, "claim_1", pending("claim_1", waiting=review()) if waits else None)
    assert choices(found) == wanted
    assert (found.reason, len(found.reviews), found.fields, found.around) == ("so" if waits else "", int(waits), (), ())
    assert found.hint == ("all of it" if waits else "")
    assert "--claim claim_1 " in found.command


@pytest.mark.parametrize(
    ("decided", "reviews", "undo"), [(None, 0, False), ("x", 0, True), (None, 2, True), ("x", 1, True)]
)
def test_what_can_be_decided_of_a_statement(
    monkeypatch: pytest.MonkeyPatch, decided: str | None, reviews: int, undo: bool
) -> None:
    """It can be corrected, too; what was read of it can be told as lines."""
    data = SimpleNamespace(fields=lambda: {"actor": "clerk", "days": 3, "more": ("a", "b"), "sure": 0.5, "none": None})
    visit = visiting(monkeypatch, extraction_1=extraction(decided=decided, tier1_data=data))
    line = pending("extraction_1", reviews=(review(),) * reviews, reopened=review() if reviews else None)
    found = desk(visit, "extraction_1", line if reviews else None)
    assert choices(found) == [*KEEP, "correct", "accept_risk", *(["withdraw"] if undo else [])]
    assert len(found.reviews) == (reviews + 1 if reviews else 0)
    assert found.fields == (("kind", "obligation"), ("actor", "clerk"), ("days", "3"), ("sure", "0.5"))
    assert found.fields == fields_of(visit.find("extraction_1"))  # type: ignore[arg-type]
    assert (found.quotes, "--item extraction_1 " in found.command) == ((), True)


def test_nobody_decides_of_a_section(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what is decided on."""
    with pytest.raises(NotFound, match="nobody decides"):
        desk(visiting(monkeypatch, section_1=partly(Section, section_id="section_1")), "section_1", None)


@pytest.mark.parametrize(
    ("before", "after", "left", "right"),
    [
        ("a" * 9 + " ", " " + "b" * 9, "a" * 9 + " ", " " + "b" * 9),  # all of a short text
        ("a" * 400 + " ", " " + "b" * 400, "", ""),  # no word is cut: it is left out, or the words themselves would be
        ("x" * 99 + " " + "a" * 239 + " ", " " + "b" * 239 + " " + "y" * 99, "a" * 239 + " ", " " + "b" * 239),
        ("x" * 99 + " " + "a" * 240 + " ", " " + "b" * 240 + " " + "y" * 99, "", ""),
        ("xx aa " + "a" * 235, "b" * 235 + " bb yy", "aa " + "a" * 235, "b" * 235 + " bb"),
    ],
)  # fmt: skip
def test_the_words_around_a_statement_are_whole(
    monkeypatch: pytest.MonkeyPatch, before: str, after: str, left: str, right: str
) -> None:
    """Two hundred and forty characters on each side, at most."""
    text = f"{before}word{after}"
    visit = visiting(monkeypatch, text=text, extraction_1=extraction("word", len(before)))
    found = desk(visit, "extraction_1", None)
    assert (
        "".join(f"[{each.text}]" if each.hit else each.text for each in found.around).strip()
        == f"{left}[word]{right}".strip()
    )
    start = len(before)
    assert found.place == f"/e/c/c/documents/v?span={start}-{start + 4}&item=extraction_1#here"
