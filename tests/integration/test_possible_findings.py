"""Conflicts and gaps that rules alone find are published where their class is right often enough; all others are possible ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from coditect.integrity.validate import validate
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.ingest.intake import ingest
from coditect.knowledge.report.collection import collect_report
from coditect.knowledge.report.registers.rows import register_rows
from coditect.knowledge.report.registers.selection import RegisterFilters
from coditect.knowledge.report.shapes import build_shape
from coditect.knowledge.review.decisions import pending
from coditect.knowledge.review.doubts import POSSIBLE, doubted, possible_in
from coditect.knowledge.review.sign_off import sign
from coditect.reports.claims import HOW_TO_READ
from coditect.reports.html import render_html
from coditect.schemas import BuildSettings, Claim, Opinion
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.engine.memory import MemoryEngine
from coditect.tiers.claims import precision
from coditect.tiers.claims.precision import PLAIN, Counted, Precision
from coditect.verify.judges import combine
from tests.unit.tiers.corpora import CORPUS, INCIDENTS, TODAY

SETTINGS = BuildSettings(today=TODAY)
AT = "2026-02-01T00:00:00Z"


def _built(store: Store) -> BuildReport:
    return build(store, CORPUS, SETTINGS, jobs=1)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Two documents that disagree, ingested and not built."""
    for name, text in INCIDENTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    made = Store(MemoryEngine())
    ingest(made, CORPUS, [tmp_path])
    return made


def _conflicts(claims: Iterable[Claim]) -> list[Claim]:
    return [each for each in claims if each.claim_kind == "conflict"]


def _published(view: View) -> Sequence[Claim]:
    return [view.claims[each] for each in view.summary.claims]


def _trusted(monkeypatch: pytest.MonkeyPatch, read: int, right: int) -> None:
    """Every class of conflicts was read so often, and was so often right."""
    rules = ("deadline", "frequency", "duration", "modality", "approval", "version")
    counted = tuple(Counted(f"conflict/{each}", "houses", read, right, right) for each in rules)
    monkeypatch.setattr(precision, "shipped_precision", lambda: Precision("precision/test", counted))


def test_conflict_of_a_class_that_is_rarely_right_is_only_possible(store: Store) -> None:
    """It is kept, counted and told with its reason, and is no part of the summary's findings."""
    report = _built(store)
    view = open_view(store, CORPUS)
    possible = possible_in(view)
    assert _conflicts(possible)
    assert not _conflicts(_published(view))
    assert [each.claim_id for each in report.possible] == [each.claim_id for each in possible]
    assert report.counts[POSSIBLE] == len(possible)
    assert "ossible" not in view.summary.summary_text
    shape = build_shape(report)
    assert {each["claim_id"] for each in shape["possible"]}.isdisjoint(each["claim_id"] for each in shape["findings"])
    assert validate(store, CORPUS).clean


def test_possible_findings_are_listed_and_reported_apart(store: Store) -> None:
    """A register, the report and its page have them by themselves, each with why it is not published."""
    _built(store)
    view = open_view(store, CORPUS)
    ids = [each.claim_id for each in possible_in(view)]
    rows = list(register_rows(view, RegisterFilters(kinds=frozenset({"possible"})), TODAY))
    assert [each.item_id for each in rows] == ids
    assert all(each.standing.startswith("found by rules alone") for each in rows)
    assert {each.item_id for each in pending(store, view, TODAY)} >= set(ids)
    report = collect_report(store, view, generated_at=AT)
    assert [each.claim_id for each in report.possible] == ids
    assert report.counts.possible == len(ids)
    assert not {each.claim_id for each in report.refused} & set(ids)
    page = render_html(report)
    assert "Possible findings" in page
    assert HOW_TO_READ.partition(";")[0] in page
    assert "every proposed sentence was published" not in page


def test_person_publishes_a_possible_conflict(store: Store) -> None:
    """Who read it and says that it is so is heard: it is published from the next build on, and stays with its finding's id."""
    _built(store)
    view = open_view(store, CORPUS)
    claim = _conflicts(possible_in(view))[0]
    sign(store, view, claim.claim_id, decision="supported", by="R. Viewer", meaning="read both sides", at=AT)
    _built(store)
    after = open_view(store, CORPUS)
    assert claim.finding_id in {each.finding_id for each in _conflicts(_published(after))}
    assert claim.finding_id not in {each.finding_id for each in possible_in(after)}
    assert validate(store, CORPUS).clean


def test_class_at_its_bar_is_published_by_rules_alone(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three of three that were read are enough."""
    _trusted(monkeypatch, 3, 3)
    _built(store)
    assert _conflicts(_published(open_view(store, CORPUS)))


@pytest.mark.parametrize("counts", [(2, 2), (4, 3)])
def test_class_below_its_bar_is_not(store: Store, monkeypatch: pytest.MonkeyPatch, counts: tuple[int, int]) -> None:
    """Of two nothing is known, and three of four are not four of five."""
    _trusted(monkeypatch, *counts)
    _built(store)
    assert not _conflicts(_published(open_view(store, CORPUS)))


def test_model_that_read_it_is_heard_instead_of_the_counts(store: Store) -> None:
    """One that agrees publishes it, and one that denies it keeps its own reason."""
    _built(store)
    view = open_view(store, CORPUS)
    claim = _conflicts(possible_in(view))[0]
    verdict = view.verdicts[claim.claim_id]
    fields = {name: getattr(verdict, name) for name in type(verdict).model_fields if name != "verdict_id"}
    alone = type(verdict).create(
        **{**fields, "label": "supported", "published": True, "filter_reason": "", "opinions": ()}
    )
    agrees = combine(alone, Opinion(judge="model", who="reducer", label="supported", reason="at odds on: the time"))
    denies = combine(alone, Opinion(judge="model", who="reducer", label="needs_review", reason="not at odds"))
    assert doubted([claim], {claim.claim_id: agrees})[claim.claim_id].published
    assert doubted([claim], {claim.claim_id: denies})[claim.claim_id] == denies
    assert not doubted([claim], {claim.claim_id: alone})[claim.claim_id].published


def test_plain_contradiction_is_published_by_rules_alone(tmp_path: Path) -> None:
    """What excludes each other on the face of its words is a finding, with the other conflicts beside it only possible."""
    plain = {
        "access.md": "# Access Control Policy\n\n1.1 The security team must disable the account of a leaver within 24 hours.\n",
        "leaving.md": "# Leavers Policy\n\n1.1 The security team shall disable the account of a leaver within 48 hours.\n",
    }
    for name, text in {**INCIDENTS, **plain}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    store = Store(MemoryEngine())
    ingest(store, CORPUS, [tmp_path])
    _built(store)
    view = open_view(store, CORPUS)
    assert [each.rule for each in _conflicts(_published(view))] == [PLAIN]
    assert _conflicts(possible_in(view))
    assert validate(store, CORPUS).clean


def test_possible_findings_stand_by_likelihood(store: Store) -> None:
    """Those whose class was right most often where people read it come first, in the build's list and in the register's."""
    report = _built(store)
    shares = [each.confidence or 0.0 for each in report.possible]
    assert shares == sorted(shares, reverse=True)
    assert [each.claim_id for each in possible_in(open_view(store, CORPUS))] == [
        each.claim_id for each in report.possible
    ]
