"""Decisions on rows of crosswalks that count for none any more, told beside the row that they were made of.

A decision is of the words of both sides. Where another sentence came beside a requirement, or one went, the row is what the
rules make of it again; who decided what of the former words is told there, so that nobody takes the label of the rules for one
that a person saw. A row that a person called less than rules do, or whose risk somebody accepted, is no better than that until a
person decides anew: a worse sentence in the place of the one that was signed would else turn a shortfall into "meets".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from coditect.knowledge.review.rows import corrected_label, item_decision, seen
from coditect.schemas import Review, ReviewedRow
from coditect.schemas.crosswalk import CrosswalkRow, EarlierDecision, rank_of

__all__ = ["with_earlier"]

_Place: TypeAlias = tuple[str, str, str]


def with_earlier(
    framework_corpus: str,
    rows: Sequence[CrosswalkRow],
    reviews: Iterable[Review],
    compared: Collection[str] | None = None,
) -> tuple[CrosswalkRow, ...]:
    """Rows, each without a decision that counts told of the last one that was made of other words.

    Args:
        framework_corpus: the corpus that holds the framework.
        rows: with the decisions that count.
        reviews: those in force that are of rows.
        compared: names of the documents that were compared; None: all.
    """
    of_part: dict[tuple[_Place, str], Review] = {}
    counting = {each.decided.review_id for each in rows if each.decided is not None}
    for review in sorted(reviews, key=lambda each: (each.at, each.review_id)):
        if review.row is not None and review.row.framework == framework_corpus and review.review_id not in counting:
            of_part[_place(review.row), _named(review.row)] = review
    if not of_part:
        return tuple(rows)
    made = [seen(framework_corpus, each) for each in rows]
    changed = _of_changed_words(made, of_part)
    found = []
    for row, now in zip(rows, made, strict=True):
        former = of_part.get((_place(now), _named(now))) or changed.get(now.fingerprint) or _of_whole(now, of_part)
        earlier = None if former is None or row.decided is not None else _told(former, now, compared)
        found.append(row if former is None or earlier is None else _held(row, former, earlier))
    return tuple(found)


def _held(row: CrosswalkRow, former: Review, earlier: EarlierDecision) -> CrosswalkRow:
    """A row with the decision that was made of other words, and no better a label than was signed of a shortfall."""
    signed = corrected_label(former)
    if signed is None and former.decision == "accept_risk" and former.row is not None:
        signed = former.row.label
    held = signed if signed is not None and earlier.is_of_other_words else row.label
    if rank_of(held) <= rank_of(row.label):
        return row.model_copy(update={"earlier": earlier})
    return row.model_copy(update={"earlier": earlier, "label": held, "read_as": row.label})


def _place(row: ReviewedRow) -> _Place:
    return row.document, row.requirement_id, row.named_part


def _named(row: ReviewedRow) -> str:
    """The words, where the framework gives the part no id; "" where its id tells it, whatever it says."""
    return "" if row.named_part else row.text


def _of_changed_words(made: Sequence[ReviewedRow], of_part: Mapping[tuple[_Place, str], Review]) -> dict[str, Review]:
    """By fingerprint of the row a decision on other words of a provision that asks one thing, now and then."""
    now = Counter(map(_place, made))
    former: dict[_Place, list[Review]] = defaultdict(list)
    for (place, _), review in of_part.items():
        former[place].append(review)
    return {
        each.fingerprint: former[_place(each)][0]
        for each in made
        if each.requirement_id and now[_place(each)] == 1 == len(former.get(_place(each), ()))
    }


def _of_whole(now: ReviewedRow, of_part: Mapping[tuple[_Place, str], Review]) -> Review | None:
    """The last decision on the whole sentence of which a row is a clause: before ``requirements/14`` it was one row."""
    if not now.requirement_id or not now.text:
        return None
    whole = [
        review
        for (place, _), review in of_part.items()
        if place == _place(now) and review.row is not None and now.text in review.row.text
    ]
    return max(whole, key=lambda each: (each.at, each.review_id), default=None)


def _told(review: Review, now: ReviewedRow, compared: Collection[str] | None) -> EarlierDecision | None:
    then = review.row
    if then is None:
        return None
    gone = [each for each in then.sentences if each not in now.sentences]
    return EarlierDecision(
        decided=item_decision(review),
        label=corrected_label(review),
        text=then.text if then.text != now.text else None,
        came=tuple(each for each in now.sentences if each not in then.sentences),
        went=tuple(each for each in gone if compared is None or each.document in compared),
        not_compared=tuple(each for each in gone if compared is not None and each.document not in compared),
    )
