"""Decisions that are made on pages: in whose name, what they lead to, and what they say where they cannot be made."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from coditect.errors import NotFound, UsageError
from coditect.schemas import Extraction, Review
from coditect.server.explorer.routes import review
from tests.unit.server.explorer.addresses import Site, holding
from tests.unit.server.explorer.visits import partly, view_of

FORM = {"Origin": "http://localhost"}


def _signing(monkeypatch: pytest.MonkeyPatch, role: str = "reviewer", **held: Any) -> tuple[Site, list[Any]]:  # noqa: ANN401 - doubles
    """A site whose reviews are noted."""
    made: list[Any] = []

    def decide(_corpus: str, item: str, **told: Any) -> Review:  # noqa: ANN401 - of a review
        made.append((item, told))
        if told["meaning"] == "wrong":
            raise UsageError("no such decision", hint="Another one.")
        if told["meaning"] == "bad":
            raise UsageError("no such decision")
        return partly(Review, review_id="review_1")

    site = Site(monkeypatch, view_of(1, find=holding(**held)), role=role, review=decide, waits_for=lambda _: "waits")
    site.replace(review, queue=lambda _visit, item, number: (item, number))
    return site, made


def _post(site: Site, **form: str) -> Any:  # noqa: ANN401 - of httpx
    return site.client.post("/explorer/c/c/review", data=form, headers=FORM)


def test_a_decision_is_made_in_the_visitors_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """And leads to what waits next; only a risk is accepted until a day."""
    site, made = _signing(monkeypatch)
    for decision, until in (("accept", "2030-01-01"), ("accept_risk", "2030-01-01"), ("accept_risk", "")):
        answer = _post(site, item="claim_1", decision=decision, meaning="read", until=until, next="claim_2")
        assert (answer.status_code, answer.headers["location"]) == (
            303,
            "/explorer/c/c/review?item=claim_2&signed=review_1",
        )
    assert [(told["by"], told["until"], told["changes"]) for _, told in made] == [
        ("Ada", None, None), ("Ada", "2030-01-01", None), ("Ada", None, None),
    ]  # fmt: skip
    for behind in ("", "document_1", "x"):
        assert _post(site, item="claim_1", decision="accept", next=behind).headers["location"] == (
            "/explorer/c/c/review?signed=review_1"
        )
    assert (
        _post(site, item="e", decision="accept", next="extraction_2")
        .headers["location"]
        .startswith("/explorer/c/c/review?item=extraction_2")
    )


def test_a_decision_that_cannot_be_made_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what was typed still there; who may not review is refused."""
    site, made = _signing(monkeypatch, claim_1="no statement")
    for form, error in (
        ({"decision": "maybe"}, "No decision was chosen. Choose one of those above the button."),
        ({"decision": "accept", "meaning": "wrong"}, "No such decision. Another one."),
        ({"decision": "accept", "meaning": "bad"}, "No such decision."),
        ({"decision": "correct"}, "Only statements are corrected."),
    ):
        assert _post(site, item="claim_1", **form).status_code == 400
        assert (site.shown[-1]["error"], site.shown[-1]["page"]) == (error, ("claim_1", 0))
        assert site.shown[-1]["given"]["decision"] == form["decision"]
    assert len(made) == 2
    assert _post(_signing(monkeypatch, "reader")[0], item="claim_1", decision="accept").status_code == 403


def test_a_statement_is_corrected_by_what_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    """From what was read of it."""
    data = SimpleNamespace(fields=lambda: {"actor": "clerk"})
    statement = partly(Extraction, extraction_id="extraction_1", extraction_kind="obligation", tier1_data=data)
    site, made = _signing(monkeypatch, extraction_1=statement)
    _post(site, item="extraction_1", decision="correct", changes="actor = auditor\nkind = obligation")
    assert made[0][1]["changes"] == {"actor": "auditor"}


def test_the_review_that_was_made_just_now_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where its item is gone; what is no review shows nothing."""
    site, _ = _signing(monkeypatch)
    read: Any = []
    site.knowledge.store.get = lambda *key: read.append(key) or "the review"
    assert site.get("/review?page=2").status_code == 200
    assert (site.shown[0]["page"], site.shown[0]["signed"], site.shown[0]["waits"]) == (("", 2), None, "")
    assert (site.shown[0]["past"], site.shown[0]["given"]["decision"]) == (False, "")
    assert site.get("/review?signed=claim_1&item=x").status_code == 200
    assert (site.shown[1]["page"], site.shown[1]["signed"], read) == (("x", 0), None, [])
    assert site.get("/review?signed=review_1").status_code == 200
    assert (site.shown[2]["signed"], site.shown[2]["waits"], read[0][-1]) == ("the review", "waits", "review_1")

    def gone(_visit: object, item: str, number: int) -> tuple[str, int]:
        if item:
            raise NotFound("unknown item")
        return item, number

    site.replace(review, queue=gone)
    assert site.get("/review?item=x&signed=review_1").status_code == 200
    assert site.shown[3]["page"] == ("", 0)
    assert site.get("/review?item=x").status_code == 404
    past = Site(monkeypatch, view_of(1), view_of(2))
    past.replace(review, queue=lambda *_: None)
    past.get("/review?as_of=1")
    assert past.shown[0]["past"] is True
