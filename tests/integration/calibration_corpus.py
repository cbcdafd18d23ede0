"""A corpus with 120 claims in other words than their evidence, each left to a reviewer, and reviewers of a kind."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

import pytest

from coditect.integrity.evidence import evidence_of
from coditect.knowledge.building import summary as upper
from coditect.knowledge.building.pipeline import BuildReport, build
from coditect.retrieve.port import Answer, Found, Request
from coditect.schemas import BuildSettings, Claim, ClaimSource, Opinion, Review, Section, Verdict
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.tiers.claims.composition import compose_claims
from coditect.verify.checker import Evidence, check, quotes_of
from coditect.verify.judges import combine, fingerprint
from tests.corpora import CORPUS, clock

__all__ = ["DOCUMENTS", "REVIEWS", "SETTINGS", "NoHits", "build_claimed", "questions", "review_claims"]

REVIEWS = 120
SETTINGS = BuildSettings(topics=("records", "access", "incident", "supplier"), max_topics=4)

_ROLES = ("data owner", "security officer", "records clerk", "site manager", "internal auditor", "service provider")
_TOPICS = ("records", "access", "incident", "supplier")
_DEEDS = (
    "approve every {0} request in writing",
    "archive the {0} register after each audit",
    "compare the {0} list with the payroll file",
    "report each {0} exception to the board",
    "keep the {0} evidence in a locked cabinet",
    "destroy expired {0} copies under supervision",
    "translate the {0} procedure for foreign branches",
    "train new colleagues on the {0} rules",
)
_ENDS = (
    "before the end of the quarter",
    "within ten working days",
    "at the start of each fiscal year",
    "together with an independent witness",
    "unless the regulator grants an extension",
    "by means of the central ticket system",
)
_ADDED = (
    "and publish the outcome on the intranet",
    "and bill the costs to headquarters",
    "using encrypted portable media",
    "after consulting outside counsel",
)


class NoHits:
    """A searcher that finds nothing: for corpora in which nobody marked anything."""

    def search(self, view: View, request: Request) -> Answer:
        """No hits."""
        return Answer()

    def rerank(self, query: str, found: Sequence[Found], texts: Sequence[str]) -> tuple[Found, ...]:
        """The same order."""
        return tuple(found)

    def forget(self, corpus_id: str) -> tuple[str, ...]:
        """Nothing is kept."""
        return ()

    def preparing(self, corpus_id: str) -> AbstractContextManager[None]:
        """Nothing is made of documents where they are derived."""
        return nullcontext()

    def refresh(
        self, view: View, progress: Callable[[str, int, int], None] | None = None, prepared: object = None
    ) -> None:
        """Nothing to catch up with."""

    def is_ready(self, view: View) -> bool:
        """There is nothing to make."""
        return True


def _documents(count: int) -> dict[str, str]:
    """Policies of eight rules each, no two with the same rules."""
    generator = random.Random(1)  # noqa: S311 - a seeded choice
    found = {}
    for number in range(count):
        rules = []
        for deed in generator.sample(_DEEDS, 6):
            role, topic, end = (generator.choice(each) for each in (_ROLES, _TOPICS, _ENDS))
            rules.append(f"The {role} of branch {number} shall {deed.format(topic)} {end}.")
        found[f"branch-{number:02}.md"] = f"# Policy of branch {number}\n\n" + "\n\n".join(rules) + "\n"
    return found


DOCUMENTS = _documents(24)


def _told(quote: str, generator: random.Random) -> str:
    """A rule in other words: shortened, turned round, with something added, or several of that."""
    subject, _, deed = quote.rstrip(".").partition(" shall ")
    words = deed.split()
    if generator.random() < 0.5:
        words = words[: max(4, len(words) - generator.randint(1, 5))]
    if generator.random() < 0.5:
        cut = generator.randint(2, len(words) - 2)
        words = [*words[cut:], "is", "to", *words[:cut]]
    said = f"{subject} must " + " ".join(words)
    if generator.random() < 0.5:
        said += " " + generator.choice(_ADDED)
    return said + "."


def _claims(corpus_id: str, derivation_id: str, sections: Sequence[Section]) -> list[Claim]:
    """Five claims for each document, each of one quote."""
    generator = random.Random(2)  # noqa: S311 - a seeded choice
    places = [
        (ClaimSource(section_id=section.section_id, part=at), part.content)
        for section in sections
        for at, part in enumerate(section.content)
        if part.citation is not None and " shall " in part.content
    ]
    found: dict[str, Claim] = {}
    while len(found) < REVIEWS:
        source, quote = places[generator.randrange(len(places))]
        text = _told(quote, generator)
        found.setdefault(
            text,
            Claim.create(
                corpus_id=corpus_id,
                derivation_id=derivation_id,
                claim_kind="synthesis",
                text=text,
                citations=(source,),
            ),
        )
    return list(found.values())


@contextmanager
def _claimed() -> Iterator[None]:
    """Builds compose these claims beside their own, and ask a judge who leaves each of them to a person."""

    def more(corpus_id: str, derivation_id: str, pairs: Sequence[tuple[object, Section]], *rest: object) -> list[Claim]:
        own = compose_claims(corpus_id, derivation_id, pairs, *rest)  # type: ignore[arg-type]
        return [*own, *_claims(corpus_id, derivation_id, [section for _, section in pairs])]

    def judged(claim: Claim, evidence: Evidence, minimum: float) -> Verdict:
        verdict = check(claim, evidence, minimum)
        if claim.claim_kind != "synthesis":
            return verdict
        return combine(
            verdict, Opinion(judge="model", who="validator/1", label="needs_review", reason="a person decides")
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(upper, "compose_claims", more)
        patch.setattr(upper, "check", judged)
        yield


def build_claimed(store: Store) -> BuildReport:
    """One more generation of the corpus with its claims."""
    with _claimed():
        return build(store, CORPUS, SETTINGS, clock=clock, jobs=1)


def questions() -> Iterator[tuple[str, tuple[str, str]]]:
    """Questions about a rule at a branch, and the words that an answer must have; the branch counts for nothing."""
    generator = random.Random(5)  # noqa: S311 - a seeded choice
    for number in range(len(DOCUMENTS)):
        words = generator.choice(_DEEDS).format(generator.choice(_TOPICS)).split()
        yield f"{' '.join(words[:5])} branch {number}", (words[0], words[-1])


def review_claims(store: Store, decide: Callable[[str, str], bool]) -> list[Review]:
    """A review of every claim, as :func:`coditect.knowledge.review.sign_off.sign` stores it, the evidence being read once.

    Args:
        store: with the corpus built.
        decide: of a claim and its quote, whether the reviewer finds it supported.
    """
    view = open_view(store, CORPUS)
    evidence = evidence_of(view)
    reviews = []
    for claim in view.claims.values():
        if claim.claim_kind != "synthesis":
            continue
        quotes = tuple(quote.text for quote in quotes_of(claim, evidence))
        reviews.append(
            Review.create(
                corpus_id=CORPUS,
                fingerprint=fingerprint(claim, evidence),
                claim_text=claim.text,
                evidence=quotes,
                decision="supported" if decide(claim.text, quotes[0]) else "unsupported",
                by="R. Viewer",
                at=clock(),
                meaning="compared with the policy",
            )
        )
    store.put_items(reviews)
    return reviews
