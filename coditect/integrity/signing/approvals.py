"""Which decisions have the signatures that their corpus asks for. The others wait, and what they are to replace stays in force."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from coditect.integrity.signing.checking import subject_bytes
from coditect.integrity.signing.policies import asked_approvals, stored_policies
from coditect.integrity.signing.registry import known_keys
from coditect.schemas import PersonSignature, Review, SignatureStatus
from coditect.store.store import Store
from coditect.transparency.persons.keys import KeyLife
from coditect.transparency.persons.names import folded
from coditect.transparency.persons.signatures import signature_problems

__all__ = ["Approvals"]


class Approvals:
    """The signatures under the decisions of a corpus, each checked when it is asked for.

    Args:
        store: the store that they are in.
        corpus_id: the corpus.
    """

    def __init__(self, store: Store, corpus_id: str) -> None:
        self._store = store
        self._corpus_id = corpus_id
        self._policies = stored_policies(store, corpus_id)

    @cached_property
    def _signatures(self) -> dict[str, list[PersonSignature]]:
        found: dict[str, list[PersonSignature]] = defaultdict(list)
        for _, each in self._store.scan("signatures", PersonSignature, self._corpus_id):
            found[each.subject].append(each)
        return found

    @cached_property
    def _keys(self) -> Mapping[str, KeyLife]:
        return known_keys(self._store, self._corpus_id)

    def signatures(self, review: Review) -> tuple[SignatureStatus, ...]:
        """The signatures under a decision by time, each with what is wrong with it."""
        own = sorted(self._signatures.get(review.review_id, ()), key=lambda s: (s.at, s.signature_id))
        if not own:
            return ()
        stored = subject_bytes(self._store, self._corpus_id, review.review_id) or b""
        return tuple(self._status(each, hashlib.sha256(stored).hexdigest()) for each in own)

    def _status(self, record: PersonSignature, sha256: str) -> SignatureStatus:
        problems = signature_problems(record, self._keys)
        if record.subject_sha256 != sha256:
            problems.append("it is under another record")
        fields = {name: getattr(record, name) for name in ("signature_id", "by", "role", "at", "meaning", "key")}
        return SignatureStatus(**fields, problems=tuple(problems))

    def missing(self, review: Review) -> int:
        """How many more persons must sign a decision before it can be in force; a person counts once, whatever the keys."""
        asked = asked_approvals(self._policies, review.decision, review.at)
        if not asked:
            return 0
        signed = [each for each in self.signatures(review) if not each.problems]
        persons, keys = {folded(each.by) for each in signed}, {each.key for each in signed}
        return max(0, asked - min(len(persons), len(keys)))

    def sorted_out(self, reviews: Iterable[Review]) -> tuple[list[Review], list[Review]]:
        """(those that count, those that wait) of the decisions of a corpus, each by time.

        Whoever takes back or replaces what only waits changes nothing that is in force, so that needs no second person.
        """
        every = sorted(reviews, key=lambda r: (r.at, r.review_id))
        if not any(policy.approvals for policy in self._policies):
            return every, []
        counting: list[Review] = []
        waiting: list[Review] = []
        ids: set[str] = set()
        for review in _after_followed(every):
            withdraws_nothing = review.decision == "withdraw" and ids.isdisjoint(review.follows)
            if withdraws_nothing or not self.missing(review):
                counting.append(review)
                ids.add(review.review_id)
            else:
                waiting.append(review)
        gone = {each for review in counting for each in review.follows}
        return counting, [each for each in waiting if each.review_id not in gone]

    def said(self, review: Review) -> str:
        """Why a decision that waits does, in words."""
        asked = asked_approvals(self._policies, review.decision, review.at)
        if self.missing(review) < asked:
            return "waiting for a second person"
        return "waiting for two persons to sign" if asked > 1 else "waiting for a signature"


def _after_followed(reviews: Sequence[Review]) -> list[Review]:
    """In an order in which each comes after those that it follows, whatever their times say."""
    left = list(reviews)
    ordered: list[Review] = []
    while left:
        open_ids = {each.review_id for each in left}
        ready = [each for each in left if open_ids.isdisjoint(each.follows)] or left
        ordered += ready
        done = {each.review_id for each in ready}
        left = [each for each in left if each.review_id not in done]
    return ordered
