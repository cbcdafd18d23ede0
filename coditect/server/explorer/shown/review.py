"""The review queue: what waits for a person, its evidence on one screen, and what can be decided."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coditect.errors import NotFound
from coditect.knowledge.review.doubts import is_possible
from coditect.schemas import Claim, Decision, Extraction, PendingReview, Review
from coditect.server.explorer.paging import ListPage, page_of
from coditect.server.explorer.shown.claims import ShownQuote, quotes_of_claim
from coditect.server.explorer.shown.items import ItemPage, item_page
from coditect.server.explorer.shown.reading.pieces import MarkedPiece, Overlay
from coditect.server.explorer.shown.wording import DECISION_NAMES
from coditect.server.explorer.visit import Visit

__all__ = [
    "KEEP",
    "RISK",
    "WITHDRAW",
    "DecisionChoice",
    "Desk",
    "PendingRow",
    "Queue",
    "changes_from",
    "desk",
    "fields_of",
    "pending_of",
    "queue",
]

AROUND = 240
"""Code points shown on each side of an extraction that is decided on."""


@dataclass(frozen=True, slots=True)
class PendingRow:
    """A line of the queue.

    Attributes:
        item_id: what is to be decided; "" where it is gone.
        text: what it says, or what had been decided on.
        what: why it waits, in a word or two.
        reason: why it waits, in words.
        support: probability that its evidence supports it, 0..1.
        href: this line's page of the queue.
        is_chosen: whether it is the one that is shown.
    """

    item_id: str
    text: str
    what: str
    reason: str
    support: float
    href: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class DecisionChoice:
    """A decision that can be made.

    Attributes:
        decision: its keyword.
        name: in words.
        key: of the keyboard.
        meaning: what it does.
    """

    decision: Decision
    name: str
    key: str
    meaning: str


_SETTLE = (
    DecisionChoice("supported", "Supported", "a", "The evidence says it: it is published in the next build."),
    DecisionChoice("unsupported", "Not supported", "d", "The evidence does not say it: it stays out."),
)
KEEP = (
    DecisionChoice("accept", "Accept", "a", "It is right, and stays as it is."),
    DecisionChoice("dismiss", "Dismiss", "d", "It is wrong or of no use: the next build leaves it out."),
)
RISK = DecisionChoice("accept_risk", "Accept the risk", "r", "It is right, and is lived with until a day or for good.")
_CORRECT = DecisionChoice("correct", "Correct", "c", "The words are right and were read wrongly: say what they mean.")
WITHDRAW = DecisionChoice("withdraw", "Withdraw", "w", "Takes back what was decided before.")


@dataclass(frozen=True, slots=True)
class Desk:
    """What is decided on, with its evidence.

    Attributes:
        item: its page.
        quotes: of a claim: every quote that it cites.
        around: of an extraction: its surroundings, the words themselves highlighted.
        place: of an extraction: the address of the words.
        choices: what can be decided.
        reviews: decisions that are in force or wait.
        reason: why it is in the queue; "" where it is not.
        hint: what helps to decide; "" where nothing does, or it is not in the queue.
        fields: of an extraction: what was read, as lines "field = value" for a correction.
        command: the command that decides with a key of one's own.
    """

    item: ItemPage
    quotes: tuple[ShownQuote, ...]
    around: tuple[MarkedPiece, ...]
    place: str
    choices: tuple[DecisionChoice, ...]
    reviews: tuple[Review, ...]
    reason: str
    hint: str
    fields: tuple[tuple[str, str], ...]
    command: str


@dataclass(frozen=True, slots=True)
class Queue:
    """The page.

    Attributes:
        page: of the queue.
        desk: what is decided on; None where the queue is empty, or its first line is about something that is gone.
        gone: the line that is chosen, where what it was about is gone.
    """

    page: ListPage[PendingRow]
    desk: Desk | None
    gone: PendingRow | None
    next: str = ""


def pending_of(visit: Visit) -> Sequence[PendingReview]:
    """What waits for a person; kept until somebody decides, or another build is published."""
    return visit.remember(
        ("pending", visit.today, _decided(visit)),
        lambda: tuple(visit.knowledge.pending_reviews(visit.corpus_id, as_of=visit.view.generation)),
    )


def _decided(visit: Visit) -> str:
    """Stands for all reviews and signatures of the corpus: a hash of their keys, which are hashes of what they say."""
    store, digest = visit.knowledge.store, hashlib.sha256()
    for table in ("reviews", "signatures", "policies"):
        for page in store.pages(*store.keys.bounds(table, visit.corpus_id)):
            for key, _ in page:
                digest.update(key)
    return digest.hexdigest()


def queue(visit: Visit, item_id: str, number: int) -> Queue:
    """Make the page.

    Args:
        visit: who asks, and of what.
        item_id: what is decided on; "": the first of the queue.
        number: page of the queue, from 1; 0: the one that has the item.
    Raises:
        NotFound: no such item in this generation.
    """
    pending = pending_of(visit)
    at = next((n for n, each in enumerate(pending) if item_id and each.item_id == item_id), 0 if not item_id else -1)
    size = 12
    page = number or max(at, 0) // size + 1
    shown = page_of(range(len(pending)), page, lambda other: visit.links.to("review", page=other), size)
    rows = tuple(_row(visit, pending[n], n == at) for n in shown.rows)
    chosen = pending[at] if 0 <= at < len(pending) else None
    wanted = item_id or (chosen.item_id if chosen is not None else "")
    visit.note("review", *filter(None, (wanted,)))
    is_gone = chosen is not None and not chosen.item_id and not _href(visit, chosen)
    return Queue(
        page=ListPage(rows, shown.number, shown.first, shown.total, shown.previous, shown.next),
        desk=desk(visit, wanted, chosen) if wanted else None,
        gone=_row(visit, chosen, chosen=True) if chosen is not None and is_gone else None,
        next=_next(visit, pending, at),
    )


def _next(visit: Visit, pending: Sequence[PendingReview], at: int) -> str:
    """Id of what comes behind a line of the queue; "" where nothing does."""
    return next((each.item_id for each in pending[at + 1 :] if each.item_id and not each.reviews), "")


def _row(visit: Visit, pending: PendingReview, chosen: bool) -> PendingRow:
    before = pending.reopened or pending.waiting
    return PendingRow(
        item_id=pending.item_id,
        text=pending.text or (before.claim_text if before is not None else ""),
        what=_what(visit, pending),
        reason=pending.reason,
        support=pending.support_score,
        href=_href(visit, pending),
        is_chosen=chosen,
    )


def _href(visit: Visit, pending: PendingReview) -> str:
    """Where a line is decided on: a row of a crosswalk in that one's queue; "" where it is gone."""
    before = pending.reopened or pending.waiting
    row = None if before is None else before.row
    if row is not None:
        key = f"{row.document} {row.named_part}" if row.named_part else ""
        return visit.links.to("crosswalk", "review", corpus=row.framework, framework=row.document, row=key)
    return visit.links.to("review", item=pending.item_id) if pending.item_id else ""


def _what(visit: Visit, pending: PendingReview) -> str:
    if pending.waiting is not None:
        return "waits for a signature"
    if pending.reviews:
        told = f"decided: {DECISION_NAMES[pending.reviews[-1].decision].lower()}"
        return f"{told}, from the next build on" if pending.label == "needs_review" else told
    if pending.reopened is not None:
        return "decided before, opened again"
    return "possible" if is_possible(visit.view.verdicts.get(pending.item_id)) else "checkers disagree"


def desk(visit: Visit, item_id: str, pending: PendingReview | None) -> Desk:
    """What is decided on, with its evidence.

    Raises:
        NotFound: no such claim or extraction in this generation.
    """
    item = visit.find(item_id)
    if not isinstance(item, Claim | Extraction):
        raise NotFound("nobody decides of this", item_id=item_id, hint="Claims and extractions are decided on.")
    reviews = () if pending is None else (*pending.reviews, *filter(None, (pending.reopened, pending.waiting)))
    around, place = _around(visit, item) if isinstance(item, Extraction) else ((), "")
    return Desk(
        item=item_page(visit, item),
        quotes=tuple(quotes_of_claim(visit, item)) if isinstance(item, Claim) else (),
        around=around,
        place=place,
        choices=_choices(visit, item, bool(reviews)),
        reviews=reviews,
        reason="" if pending is None else pending.reason,
        hint="" if pending is None else pending.hint,
        fields=fields_of(item) if isinstance(item, Extraction) else (),
        command=_command(visit, item_id),
    )


def _choices(visit: Visit, item: Claim | Extraction, is_decided: bool) -> tuple[DecisionChoice, ...]:
    last = (WITHDRAW,) if is_decided else ()
    if isinstance(item, Extraction):
        undo = (WITHDRAW,) if item.decided is not None else last
        return (*KEEP, _CORRECT, RISK, *undo)
    verdict = visit.view.verdicts.get(item.claim_id)
    if verdict is None:
        return last
    said = any(opinion.judge == "review" for opinion in verdict.opinions)
    undo = (WITHDRAW,) if said else last
    if verdict.label == "needs_review":
        return (*_SETTLE, RISK, *undo)
    return (*KEEP, RISK, *undo)


def _around(visit: Visit, item: Extraction) -> tuple[tuple[MarkedPiece, ...], str]:
    version = visit.view.document(item.document_id)
    text = visit.opened.sources.text(version)
    start, end = item.char_offset_start, item.char_offset_end
    begin, stop = max(0, start - AROUND), min(len(text), end + AROUND)
    while 0 < begin < start and not text[begin - 1].isspace():
        begin += 1
    while end < stop < len(text) and not text[stop].isspace():
        stop -= 1
    return Overlay([(start, end)]).pieces(text, begin, stop), visit.links.place(
        version.version_id, start, end, item=item.extraction_id
    )


def fields_of(item: Extraction) -> tuple[tuple[str, str], ...]:
    """(field, value) of the data that a line of text can tell, the kind first."""
    data = item.tier1_data.fields()
    plain = ((name, value) for name, value in data.items() if isinstance(value, str | int | float))
    return (("kind", item.extraction_kind), *((name, str(value)) for name, value in plain))


def changes_from(lines: str, before: Mapping[str, str]) -> dict[str, str | None]:
    """What a correction changes: lines "field = value" that differ from what was read; an empty value empties the field.

    Args:
        lines: as typed.
        before: value by field, as it was read.
    """
    found: dict[str, str | None] = {}
    for line in lines.splitlines():
        name, equals, value = (part.strip() for part in line.partition("="))
        if name and equals and before.get(name, "") != value:
            found[name] = value or None
    return found


def _command(visit: Visit, item_id: str) -> str:
    corpus = shlex.quote(visit.corpus_id)
    kind = "--item" if item_id.startswith("extraction_") else "--claim"
    return (
        f"coditect knowledge review --corpus-id {corpus} {kind} {item_id} --decision … --meaning … --sign-key your.key"
    )
