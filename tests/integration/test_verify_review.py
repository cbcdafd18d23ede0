"""Sign-off: a person, and nobody else, settles what the checker and a judge do not agree on; it holds for words and evidence."""

from __future__ import annotations

from pathlib import Path

import pytest

from coditect.errors import NotFound, UsageError
from coditect.integrity.validate import validate
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.report.collection import collect_report
from coditect.knowledge.review.in_force import reviews_in_force
from coditect.knowledge.review.sign_off import sign
from coditect.reports.html import render_html
from coditect.schemas import BuildSettings, Claim, Review, Signal, Verdict
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from tests.corpora import CORPUS, DOCUMENTS, clock, folder_of, ingest_all
from tests.integration.archives import export_bytes, import_bytes
from tests.integration.decided_corpus import left_open
from tests.integration.verify_corpus import OPEN, doubted

SETTINGS = BuildSettings(topics=("incident", "access", "customer data"))


def rebuilt(store: Store) -> View:
    """The generation after one more build with the judge."""
    with doubted():
        build(store, CORPUS, SETTINGS, clock=clock, jobs=1)
    return open_view(store, CORPUS)


@pytest.fixture
def doubtful(memory: Store, documents: Path) -> Store:
    """A store with one claim that needs review."""
    ingest_all(memory, documents)
    rebuilt(memory)
    return memory


def open_claim(view: View) -> tuple[Claim, Verdict]:
    """The claim that the judge doubts, and its verdict."""
    claim = next(each for each in view.claims.values() if each.claim_kind == "requirement" and OPEN in each.text)
    return claim, view.verdicts[claim.claim_id]


def signed(
    store: Store, decision: str = "supported", by: str = "R. Viewer", at: str = "2026-02-01T00:00:00Z"
) -> Review:
    """A review of it."""
    view = open_view(store, CORPUS)
    claim_id = open_claim(view)[0].claim_id
    return sign(store, view, claim_id, decision=decision, by=by, meaning="read the agreement", at=at)  # type: ignore[arg-type]


def test_disagreement_needs_review_and_is_not_published(doubtful: Store) -> None:
    """The checker supports it, the judge does not: neither wins, and it is listed for a person."""
    view = open_view(doubtful, CORPUS)
    claim, verdict = open_claim(view)
    assert (verdict.label, verdict.published, verdict.checker_label) == ("needs_review", False, "supported")
    assert claim.claim_id in view.summary.filtered
    assert [each.claim_id for each in left_open(doubtful, view)] == [claim.claim_id]
    assert left_open(doubtful, view)[0].evidence
    assert validate(doubtful, CORPUS).findings == ()


def test_what_helps_to_decide_is_listed_and_settles_nothing(doubtful: Store) -> None:
    """A claim that is proven to be a rewrite waits as it did, with the words that were taken as equal."""
    view = open_view(doubtful, CORPUS)
    before = left_open(doubtful, view)
    told = Signal(name="rewrite", passed=True, detail="every word of it stands for one of the evidence")
    claim, verdict = open_claim(view)
    view.verdicts[claim.claim_id] = verdict.model_copy(update={"signals": (told, *verdict.signals)})
    assert before[0].hint == ""
    assert left_open(doubtful, view) == [before[0].model_copy(update={"hint": told.detail})]


@pytest.mark.parametrize("decision", ["supported", "unsupported"])
def test_review_takes_effect_in_the_next_build_and_not_before(doubtful: Store, decision: str) -> None:
    """What a person decided is published or refused from the next generation on; the old one stays as it was."""
    before = open_view(doubtful, CORPUS)
    review = signed(doubtful, decision)
    assert open_claim(open_view(doubtful, CORPUS))[1].label == "needs_review"
    assert left_open(doubtful, before)[0].reviews == (review,)
    view = rebuilt(doubtful)
    claim, verdict = open_claim(view)
    assert view.generation == before.generation + 1
    assert (verdict.label, verdict.published) == (decision, decision == "supported")
    assert (claim.claim_id in view.summary.claims) == (decision == "supported")
    assert verdict.opinions[-1].review_id == review.review_id
    assert open_claim(open_view(doubtful, CORPUS, before.generation))[1].label == "needs_review"
    assert validate(doubtful, CORPUS).findings == ()


def test_build_after_a_review_changes_no_other_verdict(doubtful: Store) -> None:
    """A review settles its claim and nothing else."""

    def others(view: View) -> dict[str, str]:
        return {
            c.text: view.verdicts[i].label
            for i, c in view.claims.items()
            if OPEN not in c.text or c.claim_kind != "requirement"
        }

    before = others(open_view(doubtful, CORPUS))
    signed(doubtful)
    assert others(rebuilt(doubtful)) == before


def test_review_outlives_rebuilds_and_ends_with_a_changed_word(doubtful: Store, tmp_path: Path) -> None:
    """Another document does not matter; another word in the quote needs another review."""
    signed(doubtful)
    rebuilt(doubtful)
    ingest_all(
        doubtful, folder_of(tmp_path / "more", {"more.md": "# More\n\nGuests must wear a badge at all times.\n"})
    )
    assert open_claim(rebuilt(doubtful))[1].label == "supported"
    changed = DOCUMENTS["suppliers/cloud.md"].replace("at rest and in transit", "at rest and on the wire")
    ingest_all(doubtful, folder_of(tmp_path / "changed", {**DOCUMENTS, "suppliers/cloud.md": changed}))
    assert open_claim(rebuilt(doubtful))[1].label == "needs_review"


def test_a_later_review_replaces_the_earlier_which_stays_readable(doubtful: Store) -> None:
    """Reviews are only added; the one that no other follows is in force."""
    first = signed(doubtful)
    rebuilt(doubtful)
    second = signed(doubtful, "unsupported", at="2026-03-01T00:00:00Z")
    assert second.follows == (first.review_id,)
    assert open_claim(rebuilt(doubtful))[1].label == "unsupported"
    stored = {review.review_id for _, review in doubtful.scan("reviews", Review, CORPUS)}
    assert stored == {first.review_id, second.review_id}
    assert list(reviews_in_force(doubtful, CORPUS).values()) == [(second,)]


def test_reviews_signed_at_the_same_moment_that_disagree_settle_nothing(doubtful: Store) -> None:
    """Two reviewers who did not see each other's review leave the claim open."""
    first = signed(doubtful)
    fields = {name: getattr(first, name) for name in Review.model_fields if name != "review_id"}
    doubtful.put_items([Review.create(**{**fields, "decision": "unsupported", "by": "An Other"})])
    assert open_claim(rebuilt(doubtful))[1].label == "needs_review"


def test_audit_report_shows_who_settled_a_claim(doubtful: Store) -> None:
    """The checker, the judge and the reviewer stand beside each other, with when and what the signature means."""
    review = signed(doubtful)
    view = rebuilt(doubtful)
    report = collect_report(doubtful, view, generated_at=clock())
    told = next(each for each in report.claims if each.kind == "requirement" and OPEN in each.text)
    assert [each.judge for each in told.opinions] == ["model", "review"]
    page = render_html(report)
    assert review.review_id in page
    assert "R. Viewer" in page
    assert "read the agreement" in page


def test_archive_carries_reviews_to_another_store(doubtful: Store) -> None:
    """A corpus that is read back has its reviews, and the next build heeds them."""
    review = signed(doubtful)
    other = Store(MemoryEngine(MemoryStore()))
    import_bytes(other, export_bytes(doubtful))
    assert [each for _, each in other.scan("reviews", Review, CORPUS)] == [review]
    assert open_claim(rebuilt(other))[1].label == "supported"


@pytest.mark.parametrize(
    ("decision", "label"), [("accept", "supported"), ("accept_risk", "supported"), ("dismiss", "unsupported")]
)
def test_decision_on_an_open_claim_settles_it(doubtful: Store, decision: str, label: str) -> None:
    """Who accepts it, or its risk, publishes it; who dismisses it refuses it, and the report gives their reason."""
    signed(doubtful, decision)
    view = rebuilt(doubtful)
    claim, verdict = open_claim(view)
    assert (verdict.label, verdict.published) == (label, label == "supported")
    assert verdict.opinions[-1].decision == decision
    assert (claim.claim_id in (view.summary.dismissed or ())) == (decision == "dismiss")
    if decision == "dismiss":
        page = render_html(collect_report(doubtful, view, generated_at=clock()))
        assert "dismissed by R. Viewer (read the agreement)" in page
    assert validate(doubtful, CORPUS).findings == ()


def test_sign_refuses_to_publish_what_everybody_refuses(doubtful: Store) -> None:
    """A claim that the checker and the judges refuse is published by no signature."""
    view = open_view(doubtful, CORPUS)
    claim, verdict = open_claim(view)
    view.verdicts[claim.claim_id] = verdict.model_copy(update={"label": "unsupported", "checker_label": "unsupported"})
    with pytest.raises(UsageError, match="no signature publishes it"):
        sign(doubtful, view, claim.claim_id, decision="accept", by="R. Viewer", meaning="no", at=clock())


def test_sign_twice_stores_one_review(doubtful: Store) -> None:
    """The same person saying the same again adds nothing."""
    assert signed(doubtful) == signed(doubtful, at="2026-09-09T09:09:09Z")


def test_sign_refuses_what_nobody_left_open(doubtful: Store) -> None:
    """A claim that is supported or refused by all, an unknown claim, and an unsigned signature."""
    view = open_view(doubtful, CORPUS)
    other = next(i for i, verdict in view.verdicts.items() if verdict.label == "supported")
    named = {"decision": "unsupported", "by": "R. Viewer", "meaning": "no", "at": clock()}
    with pytest.raises(UsageError, match="does not need review"):
        sign(doubtful, view, other, **named)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        sign(doubtful, view, "claim_unknown", **named)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="names who signs"):
        sign(doubtful, view, open_claim(view)[0].claim_id, **{**named, "by": "  "})  # type: ignore[arg-type]
