"""What people decide: reviews, approvals, marks of relevance, and calibrations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import JsonValue

from coditect.errors import NotFound, UsageError
from coditect.knowledge.cases.base import KnowledgeBase
from coditect.knowledge.progress import Progress, silent

if TYPE_CHECKING:
    from coditect.integrity.signing.registry import PersonSigner
    from coditect.schemas import (
        CalibrationReport,
        CalibrationState,
        CalibrationSwitch,
        CrosswalkLabel,
        CrosswalkRow,
        Decision,
        DecisionStatus,
        PendingReview,
        RelevanceMark,
        Review,
    )
    from coditect.transparency.notes import Signer

# What only some use cases need is imported where it is used: a question need not wait for what a build loads.

__all__ = ["DecidingCases"]


class DecidingCases(KnowledgeBase):
    """Decisions of persons, which the next build heeds."""

    def review(
        self,
        corpus_id: str,
        item_id: str,
        *,
        decision: Decision,
        by: str,
        meaning: str,
        changes: Mapping[str, JsonValue] | None = None,
        until: str | None = None,
        signer: Signer | None = None,
        shown_sha256: str | None = None,
    ) -> Review:
        """Decide of a claim or an extraction of the current generation; the next build heeds it.

        Where the corpus' manifest asks for signatures, it is in force only when as many persons have signed it.

        Args:
            corpus_id: the corpus.
            item_id: of a claim or extraction; to withdraw a decision, also that of its review.
            decision: "supported" or "unsupported" of a claim that needs review; "accept", "dismiss" or "accept_risk" of any claim
                that is not refused by all, and of any extraction; "correct" of an extraction; "withdraw" takes a decision back.
            by: the printed name of who signs.
            meaning: what the signature means, e.g. "reviewed against the policy": the reason.
            changes: of a correction: new values by field of the typed data, and ``kind``; None empties a field. Where a field holds
                the document's words, the value must be words of the document.
            until: of an accepted risk: the last day on which it is accepted, ``2026-12-31``; None: it has none.
            signer: the registered key of who decides; None: the decision is unsigned.
            shown_sha256: SHA-256 of the text that the person was shown (:meth:`shown`); None: not said.
        Returns:
            The review; the one in force where it says the same of the same by the same person.
        Raises:
            NotFound: no such item in this generation.
            UsageError: the decision cannot be made of this item, a correction does not hold, a field is empty, the key is not
                that of who decides, or what was shown is not what is signed.
        """
        from coditect.knowledge.review.sign_off import sign

        self._act()
        at = self.clock()
        person = None if signer is None else self._person(signer, by, at)
        review = sign(
            self.store,
            self.view(corpus_id),
            item_id,
            decision=decision,
            by=by or (person.life.person if person else ""),
            meaning=meaning,
            at=at,
            changes=changes,
            until=until,
            signer=person,
            shown_sha256=shown_sha256,
        )
        self.checkpoint()
        return review

    def review_row(
        self,
        corpus_id: str,
        framework_corpus: str,
        row: CrosswalkRow,
        *,
        decision: Decision,
        by: str,
        meaning: str,
        label: CrosswalkLabel | None = None,
        until: str | None = None,
        signer: Signer | None = None,
    ) -> Review:
        """Decide of a row of a crosswalk; it counts from now on, and as long as both sides say what they say.

        Args:
            corpus_id: the corpus of the documents.
            framework_corpus: the corpus that holds the framework.
            row: as the crosswalk has it: what the person looked at.
            decision: "accept", "dismiss", "correct", "accept_risk", or "withdraw".
            by: the printed name of who signs.
            meaning: what the signature means: the reason.
            label: of a correction: what the row is.
            until: of an accepted risk: the last day on which it is accepted; None: it has none.
            signer: the registered key of who decides; None: the decision is unsigned.
        Raises:
            NotFound: no such corpus.
            UsageError: the decision cannot be made of a row, the label is none, a field is empty, or the key is another person's.
        """
        from coditect.knowledge.review.rows import seen
        from coditect.knowledge.review.sign_off import sign_row

        if row.not_compared or (row.earlier is not None and row.earlier.not_compared):
            raise UsageError(
                "the row was compared with some documents only", hint="Decide of it in a crosswalk with all documents."
            )
        self._act()
        at = self.clock()
        person = None if signer is None else self._person(signer, by, at)
        review = sign_row(
            self.store,
            self.view(corpus_id),
            seen(framework_corpus, row),
            decision=decision,
            by=by or (person.life.person if person else ""),
            meaning=meaning,
            at=at,
            changes={"label": label} if label is not None else None,
            earlier="" if row.earlier is None else row.earlier.decided.review_id,
            until=until,
            signer=person,
        )
        self.checkpoint()
        return review

    def _person(self, signer: Signer, by: str, at: str) -> PersonSigner:
        from coditect.integrity.signing.registry import person_signer

        person = person_signer(self.store, signer, at)
        if by and " ".join(by.split()) != person.life.person:
            raise UsageError(
                "the key is another person's",
                by=by,
                person=person.life.person,
                hint="Leave the name out, or sign with that person's own key.",
            )
        return person

    def shown(
        self,
        corpus_id: str,
        item_id: str,
        *,
        decision: Decision,
        by: str,
        meaning: str,
        changes: Mapping[str, JsonValue] | None = None,
        until: str | None = None,
    ) -> str:
        """The text that a signature under such a decision would be bound to; nothing is stored. Arguments as :meth:`review`."""
        from coditect.knowledge.review.sign_off import drafted
        from coditect.transparency.persons.shown import shown_review

        said = {"decision": decision, "by": by, "meaning": meaning, "changes": changes, "until": until}
        review, _ = drafted(self.store, self.view(corpus_id), item_id, at=self.clock(), **said)  # type: ignore[arg-type]
        return shown_review(review)

    def shown_review(self, corpus_id: str, review_id: str) -> str:
        """The text that a signature under a stored decision is bound to.

        Raises:
            NotFound: no such decision.
        """
        from coditect.transparency.persons.shown import shown_review

        return shown_review(self._review(corpus_id, review_id))

    def waits_for(self, review: Review) -> str:
        """What a decision waits for before it can be in force, in words; empty where it waits for nobody."""
        from coditect.integrity.signing.approvals import Approvals

        approvals = Approvals(self.store, review.corpus_id)
        return approvals.said(review) if approvals.missing(review) else ""

    def _review(self, corpus_id: str, review_id: str) -> Review:
        from coditect.schemas import Review

        review = self.store.get("reviews", Review, corpus_id, review_id)
        if review is None:
            raise NotFound("unknown review", review_id=review_id, corpus_id=corpus_id)
        return review

    def approve(
        self, corpus_id: str, review_id: str, signer: Signer, *, meaning: str, shown_sha256: str | None = None
    ) -> Review:
        """Sign another person's decision. See :func:`coditect.knowledge.review.sign_off.approve`.

        Args:
            corpus_id: the corpus.
            review_id: of the decision.
            signer: the registered key of who signs.
            meaning: of the signature.
            shown_sha256: SHA-256 of the text that the person was shown; None: not said.
        Raises:
            NotFound: no such decision.
            UsageError: the key does not hold, or what was shown is not what is signed.
        """
        from coditect.knowledge.review.sign_off import approve

        self._act()
        at, review = self.clock(), self._review(corpus_id, review_id)
        person = self._person(signer, "", at)
        approve(self.store, review, person, meaning=meaning, at=at, shown_sha256=shown_sha256)
        self.checkpoint()
        return review

    def pending_reviews(self, corpus_id: str, *, as_of: int | None = None) -> list[PendingReview]:
        """What is left to a person in a generation; what is open comes first.

        That is: claims that need review, or had one; and decisions whose evidence is no longer what was decided on, or whose last
        day has passed.

        Args:
            corpus_id: the corpus.
            as_of: the generation; None is the current one.
        Raises:
            NotFound: no such corpus or generation.
        """
        from coditect.knowledge.review.decisions import pending

        return pending(self.store, self.view(corpus_id, as_of), self.clock()[:10])

    def decisions(self, corpus_id: str, *, as_of: int | None = None) -> list[DecisionStatus]:
        """Every decision that was ever signed, by time, and how it stands in a generation.

        Args:
            corpus_id: the corpus.
            as_of: the generation; None is the current one.
        Raises:
            NotFound: no such corpus or generation.
        """
        from coditect.knowledge.review.decisions import SignedDecisions

        return SignedDecisions(self.store, self.view(corpus_id, as_of), self.clock()[:10]).statuses()

    def mark(self, corpus_id: str, query: str, item_id: str, *, relevant: bool, by: str) -> RelevanceMark:
        """Say whether an item answers a question. See :func:`coditect.knowledge.calibration.marks.mark`."""
        from coditect.knowledge.calibration.marks import mark

        self._act()
        made = mark(self.store, self.view(corpus_id), query, item_id, relevant=relevant, by=by, at=self.clock())
        self.checkpoint()
        return made

    def marks(self, corpus_id: str) -> list[RelevanceMark]:
        """The relevance marks of a corpus that no other follows, by question and item."""
        from coditect.knowledge.calibration.marks import marks_in_force

        self.store.corpus(corpus_id)
        return [made for each in marks_in_force(self.store, corpus_id).values() for made in each]

    def calibrate(self, corpus_id: str, *, seed: int = 0, progress: Progress = silent) -> CalibrationReport:
        """Fit on reviews and marks, and propose. See :func:`coditect.knowledge.calibration.proposal.calibrate`."""
        from coditect.knowledge.calibration.proposal import calibrate
        from coditect.verify.support.meaning import meaning_from

        embedder = self.models.embedder() if self.models.embedder is not None else None
        card = None if embedder is None else embedder.card
        return calibrate(
            self._opened(corpus_id, None),
            self.searcher,
            card=card,
            seed=seed,
            meaning=meaning_from(self.models),
            progress=progress,
        )

    def switch_calibration(self, corpus_id: str, calibration_id: str, *, by: str, meaning: str) -> CalibrationSwitch:
        """Put a calibration, or the shipped figures, in force. See :func:`coditect.knowledge.calibration.switching.switch`."""
        from coditect.knowledge.calibration.switching import switch

        self._act()
        made = switch(self.store, corpus_id, calibration_id, by=by, meaning=meaning, at=self.clock())
        self.checkpoint()
        return made

    def calibrations(self, corpus_id: str) -> CalibrationState:
        """The proposals of a corpus, and who switched to which."""
        from coditect.knowledge.calibration.switching import calibration_state

        return calibration_state(self.store, corpus_id)
