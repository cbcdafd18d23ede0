"""Decisions on rows of crosswalks that two persons sign, and that move to another store with their corpus."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coditect import BuildSettings, Decision, Knowledge, Review, Settings, UsageError, open_knowledge
from coditect.cli.exit_codes import ExitCode
from coditect.integrity.signing.policies import set_policy
from coditect.knowledge.report.crosswalk.assembly import compare_with_framework, make_crosswalk
from coditect.schemas.crosswalk import CrosswalkLabel, CrosswalkRow
from coditect.transparency.notes import SigningKey
from tests.integration.crosswalk.house import POLICY, run

ANNA, BEN = SigningKey("signer/anna", bytes(range(32))), SigningKey("signer/ben", bytes(range(1, 33)))
PART = "ac-1_smt.a"


@pytest.fixture
def knowledge(corpora: Path) -> Iterator[Knowledge]:
    """The store, with two persons of whom the policy's corpus asks for both."""
    with open_knowledge(Settings()) as opened:
        opened.register_key(ANNA, person="Anna Auditor", role="head of compliance")
        opened.register_key(BEN, person="Ben Boss", role="owner")
        set_policy(opened.store, "policies", 2, (), opened.clock())
        yield opened


def row_in(knowledge: Knowledge, documents: tuple[str, ...] = ()) -> CrosswalkRow:
    """The row, as the crosswalk has it now."""
    framework, view = knowledge.view("house"), knowledge.view("policies")
    compared = compare_with_framework(framework, view, knowledge.models.ranking(), documents=documents)
    return next(each for each in make_crosswalk(compared).rows if each.part_id == PART)


def signed(knowledge: Knowledge, decision: Decision, label: CrosswalkLabel | None = None) -> Review:
    """A decision on the row that Anna signs."""
    row = row_in(knowledge)
    return knowledge.review_row(
        "policies",
        "house",
        row,
        decision=decision,
        by="Anna Auditor",
        meaning="read both sides",
        label=label,
        signer=ANNA,
    )


def standing(knowledge: Knowledge) -> list[tuple[str, str]]:
    """(decision, state) of each decision, by time and id of neither."""
    return sorted((each.review.decision, each.state) for each in knowledge.decisions("policies"))


def test_a_decision_on_a_row_counts_once_two_persons_have_signed(knowledge: Knowledge) -> None:
    """Until then the row is what the rules make of it; so it is with taking it back."""
    review = signed(knowledge, "correct", "partly")
    assert (row_in(knowledge).label, row_in(knowledge).decided) == ("meets", None)
    assert standing(knowledge) == [("correct", "waiting")]
    assert knowledge.waits_for(review) == "waiting for a second person"
    assert [each.waiting for each in knowledge.pending_reviews("policies") if each.waiting] == [review]
    knowledge.approve("policies", review.review_id, ANNA, meaning="once more")
    assert row_in(knowledge).decided is None
    knowledge.approve("policies", review.review_id, BEN, meaning="read it, too")
    row = row_in(knowledge)
    assert row.decided is not None
    assert (row.label, row.read_as, row.decided.review_id) == ("partly", "meets", review.review_id)
    assert (standing(knowledge), knowledge.waits_for(review)) == ([("correct", "in force")], "")
    withdrawal = signed(knowledge, "withdraw")
    assert row_in(knowledge).label == "partly"
    knowledge.approve("policies", withdrawal.review_id, BEN, meaning="agreed")
    assert (row_in(knowledge).label, row_in(knowledge).decided) == ("meets", None)
    assert knowledge.validate("policies").clean


def test_signatures_under_a_row_are_of_its_words(knowledge: Knowledge) -> None:
    """What is signed is shown: both sides; who was shown something else does not sign it."""
    review = signed(knowledge, "accept")
    shown = knowledge.shown_review("policies", review.review_id)
    assert "Reviews user access rights" in shown
    assert "User access rights must be reviewed quarterly." in shown
    with pytest.raises(UsageError):
        knowledge.approve("policies", review.review_id, BEN, meaning="agreed", shown_sha256="0" * 64)
    assert standing(knowledge) == [("accept", "waiting")]


def moved(knowledge: Knowledge, folder: Path) -> Settings:
    """Both corpora in another store."""
    settings = Settings(store=f"lmdb://{folder / 'other'}", cache=folder / "other-cache", jobs=1)
    with open_knowledge(settings) as other:
        for corpus in ("house", "policies"):
            archive = io.BytesIO()
            exported = knowledge.export(corpus, archive)
            archive.seek(0)
            assert other.import_archive(archive).corpus_digest == exported.corpus_digest
    return settings


def test_decisions_on_rows_move_with_their_corpus(knowledge: Knowledge, tmp_path: Path) -> None:
    """In the other store the row has the label that was given, by the same signatures, and a second export is the same."""
    review = signed(knowledge, "correct", "partly")
    knowledge.approve("policies", review.review_id, BEN, meaning="read it, too")
    with open_knowledge(moved(knowledge, tmp_path)) as other:
        assert row_in(other) == row_in(knowledge)
        assert row_in(other).label == "partly"
        assert other.decisions("policies") == knowledge.decisions("policies")
        assert all(not wrong for _, wrong in other.signatures("policies"))
        assert other.validate("policies").clean
        first, second = io.BytesIO(), io.BytesIO()
        knowledge.export("policies", first)
        other.export("policies", second)
    assert first.getvalue() == second.getvalue()


def test_a_decision_that_waits_is_signed_in_the_store_that_it_moved_to(knowledge: Knowledge, tmp_path: Path) -> None:
    """Whoever is registered there may be the second person."""
    review = signed(knowledge, "dismiss")
    with open_knowledge(moved(knowledge, tmp_path)) as other:
        assert standing(other) == [("dismiss", "waiting")]
        assert row_in(other).label == "meets"
        other.register_key(BEN, person="Ben Boss", role="owner")
        other.approve("policies", review.review_id, BEN, meaning="read it, too")
        assert (row_in(other).label, standing(other)) == ("no evidence", [("dismiss", "in force")])


def test_a_crosswalk_of_some_documents_names_what_may_take_a_decision_from_its_row(corpora: Path) -> None:
    """A sentence that came in a document that is not compared; a document that said nothing new since is not named."""
    hats = corpora / "policies" / "hats.md"
    hats.write_text("# Hats\n\nVisitors must wear hats in the garden on each Tuesday.\n")
    assert run("ingest", "--corpus-id", "policies", str(corpora / "policies")) == ExitCode.OK
    assert run("build", "--corpus-id", "policies") == ExitCode.OK
    with open_knowledge(Settings()) as knowledge:
        knowledge.clock = lambda: "2099-01-01T00:00:00Z"
        given: dict[str, Any] = {"by": "B. Reviewer", "meaning": "read both sides"}
        knowledge.review_row("policies", "house", row_in(knowledge), decision="accept", **given)
        row = row_in(knowledge, ("access.md",))
        assert (row.decided is not None, row.not_compared, row.look_again) == (True, (), "")
        assert [each.detail for each in knowledge.decisions("policies")] == [""]
        knowledge.clock = lambda: "2099-01-02T00:00:00Z"
        (corpora / "policies" / "new.md").write_text("# New\n\nUser access rights must be reviewed every month.\n")
        knowledge.ingest("policies", [corpora / "policies"])
        knowledge.build("policies", BuildSettings())
        row = row_in(knowledge, ("access.md",))
        assert (row.decided is not None, row.not_compared) == (True, ("new.md",))
        assert row.look_again == "counts unless a sentence came in what was not compared here and is newer: new.md"
        with pytest.raises(UsageError, match="with some documents only"):
            knowledge.review_row("policies", "house", row, decision="dismiss", **given)
        whole = row_in(knowledge)
        assert (whole.decided, whole.not_compared) == (None, ())
        (status,) = knowledge.decisions("policies")
        assert (status.state, "new.md came or changed in policies" in status.detail) == ("in force", True)


def test_a_build_that_changes_no_document_says_nothing_of_decisions(corpora: Path) -> None:
    """Another day or another topic is another generation, in which the same sentences stand."""
    with open_knowledge(Settings()) as knowledge:
        knowledge.clock = lambda: "2099-01-01T00:00:00Z"
        knowledge.review_row(
            "policies", "house", row_in(knowledge), decision="accept", by="B. Reviewer", meaning="read both sides"
        )
        knowledge.clock = lambda: "2099-01-02T00:00:00Z"
        before = knowledge.view("policies").generation
        knowledge.build("policies", BuildSettings(topics=("access", "clerks")))
        assert knowledge.view("policies").generation == before + 1
        (status,) = knowledge.decisions("policies")
        assert (status.state, status.detail) == ("in force", "")
        (corpora / "house" / "more.md").write_text(POLICY)
        knowledge.ingest("house", [corpora / "house"])
        knowledge.build("house", BuildSettings())
        (status,) = knowledge.decisions("policies")
        assert "more.md came or changed in house" in status.detail
