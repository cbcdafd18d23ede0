"""What rests on what changed: signed decisions, claims, sentences that cite it, and sentences that say the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from coditect.knowledge.report.changes.bearing import Bearing, told_of_itself
from coditect.knowledge.report.changes.comparison import ReadVersion
from coditect.knowledge.report.changes.links import (
    LINKED,
    LinkedProvision,
    ProvisionLinks,
    StandingSentence,
    section_of,
)
from coditect.knowledge.report.rankings import Scores
from coditect.knowledge.review.in_force import reviews_in_force
from coditect.models.port import Embedder, TokenVectors
from coditect.retrieve.lookup.live import LiveIndex
from coditect.retrieve.lookup.references import Resolver
from coditect.schemas import AffectedItem, AffectedKind, ChangedSide, Claim, DocumentChanges, ProvisionChange
from coditect.store.view import View
from coditect.tiers.changes.provisions import NO_PARENT, Provision
from coditect.tiers.extractions.document import NORMATIVE

__all__ = [
    "ComparedDocument",
    "affected_items",
    "around",
    "by_weight",
    "led_items",
    "owner_of",
    "resting",
    "resting_provisions",
]

_RESTED = frozenset(("amended", "removed", "moved", "renumbered"))
_ORDER = {"decision": 0, "claim": 1, "reference": 2, "statement": 3}
_STATING = NORMATIVE | {"proposition", "definition"}

_AS_NEAR = 0.5
"""Share of the most probable change's probability from which a sentence is said to rest on another one, too."""

_MOST_CHANGES = 3

_LEADS = (":", "-", "\u2013", "\u2014")
"""What a sentence ends with that goes on in the items below it."""


@dataclass(frozen=True, slots=True)
class ComparedDocument:
    """A document of which two versions were compared.

    Attributes:
        old: its earlier version.
        new: its later version.
        changes: what happened to it.
    """

    old: ReadVersion
    new: ReadVersion
    changes: DocumentChanges


def affected_items(
    before: View,
    after: View,
    compared: Sequence[ComparedDocument],
    today: str,
    embedder: Embedder | None,
    words: TokenVectors | None = None,
) -> tuple[AffectedItem, ...]:
    """The work list: each item with the changes that it rests on, by how much a duty changed.

    Items of the later generation are listed where they are still there, since they are what somebody has to look at; decisions and
    claims that rested on the earlier words are those of the earlier one.

    Args:
        before: the earlier generation.
        after: the later one.
        compared: the documents that changed.
        today: the day on which decisions are in force, ISO 8601.
        embedder: links sentences to provisions by meaning; None: by words alone.
        words: links them word for word, too; None: it does not.
    """
    by_document = {each.old.version.document_id: each for each in compared}
    found = [
        *_decisions(before, by_document, today),
        *_claims(before, by_document),
        *_references(after, compared),
        *_statements(after, compared, embedder, words),
    ]
    return by_weight(found)


def by_weight(lines: Iterable[AffectedItem]) -> tuple[AffectedItem, ...]:
    """Lines of a work list in their order: those first on which most changed."""
    return tuple(
        sorted(lines, key=lambda each: (-each.weight, _ORDER[each.kind], each.document, each.place, each.item_id))
    )


def resting(changes: Iterable[ProvisionChange]) -> list[ProvisionChange]:
    """What something of the earlier version can rest on, the heaviest first: not what was added, nor mere wording."""
    rested = [each for each in changes if each.kind in _RESTED]
    return sorted(rested, key=lambda each: (-each.weight, each.number))


def _touching(changes: Iterable[ProvisionChange], start: int, end: int) -> list[ProvisionChange]:
    """The changes whose earlier words hold a stretch of the earlier version, or a part of it."""
    sides: list[tuple[ProvisionChange, ChangedSide]] = [
        (each, each.before) for each in changes if each.before is not None
    ]
    return resting(each for each, side in sides if side.char_start < end and start < side.char_end)


def _decisions(before: View, compared: Mapping[str, ComparedDocument], today: str) -> Iterator[AffectedItem]:
    """What a person signed of words that changed, in whichever generation that was."""
    by_name = {each.old.version.name: each for each in compared.values()}
    for reviews in reviews_in_force(before.store, before.corpus_id, today).values():
        for review in reviews:
            signed = review.extraction
            if signed is None or signed.document not in by_name:
                continue
            quote = _plain(signed.quote)
            document = by_name[signed.document]
            sides = ((each, each.before) for each in document.changes.changes)
            changes = resting(each for each, side in sides if side is not None and quote in _plain(side.text))
            if changes:
                yield _item(
                    "decision", review.review_id, signed.quote, document, changes,
                    f"{review.by} decided '{review.decision}' on words that were {changes[0].kind}",
                    owner=review.by, name=signed.document, place=changes[0].before.named if changes[0].before else "",
                )  # fmt: skip


def _plain(text: str) -> str:
    return " ".join(text.split())


def _claims(before: View, compared: Mapping[str, ComparedDocument]) -> Iterator[AffectedItem]:
    """Published claims that quote what changed."""
    for claim_id in before.summary.claims:
        claim = before.claims[claim_id]
        for document_id, changes in _quoted(before, claim, compared).items():
            names = sorted({before.documents[each].name for each in _documents(before, claim)})
            reason = f"it quotes words that were {changes[0].kind}"
            yield _item("claim", claim_id, claim.text, compared[document_id], changes, reason, name="; ".join(names))


def _quoted(before: View, claim: Claim, compared: Mapping[str, ComparedDocument]) -> dict[str, list[ProvisionChange]]:
    found: dict[str, dict[int, ProvisionChange]] = defaultdict(dict)
    for source in claim.citations:
        cited = before.section_by_id[source.section_id].content[source.part].citation
        if cited is not None and cited.document_id in compared:
            document = compared[cited.document_id]
            for each in _touching(document.changes.changes, cited.char_start, cited.char_end):
                found[cited.document_id][each.number] = each
    return {document_id: resting(changes.values()) for document_id, changes in found.items()}


def _documents(before: View, claim: Claim) -> set[str]:
    parts = (before.section_by_id[source.section_id].content[source.part] for source in claim.citations)
    return {part.citation.document_id for part in parts if part.citation is not None}


def _references(after: View, compared: Sequence[ComparedDocument]) -> Iterator[AffectedItem]:
    """Sentences of other documents that cite a place which changed; of the whole document only where nothing closer is known."""
    index = LiveIndex(after)
    resolver = Resolver(after, index)
    by_document = {each.new.version.document_id: each for each in compared}
    for document_id, version in after.documents.items():
        for extraction in after.each_extraction(document_id):
            if extraction.extraction_kind != "cross_reference":
                continue
            target = resolver.resolve(extraction)
            if target.document_id == document_id or target.document_id not in by_document or not target.extraction_ids:
                continue
            document = by_document[target.document_id]
            cited = frozenset(target.extraction_ids)
            changes = resting(
                each
                for each in document.changes.changes
                if each.after is not None and cited & set(each.after.extraction_ids)
            )
            if changes:
                yield _item(
                    "reference", extraction.extraction_id, extraction.source_text, document, changes,
                    f"it cites a place that was {changes[0].kind}", name=version.name, place=extraction.locator,
                    owner=owner_of(after, document_id),
                )  # fmt: skip


def _inside(change: ProvisionChange) -> set[str]:
    """Tier 1 of the later version in what changed and in what went along with it."""
    own = change.after.extraction_ids if change.after is not None else ()
    return {*own, *(extraction for each in change.carried for extraction in each.extraction_ids)}


def _statements(
    after: View, compared: Sequence[ComparedDocument], embedder: Embedder | None, words: TokenVectors | None
) -> Iterator[AffectedItem]:
    """Sentences of other documents that rest on what changed, in words of their own."""
    own = {side.version.document_id for each in compared for side in (each.old, each.new)}
    places = [(document, provision) for document in compared for provision in document.old.provisions]
    happened = {
        (id(document), provision.index): change
        for document in compared
        for provision, change in resting_provisions(document)
    }
    changed = {
        number: (document, happened[id(document), provision.index])
        for number, (document, provision) in enumerate(places)
        if (id(document), provision.index) in happened
    }
    if not changed:
        return
    links = ProvisionLinks([_linked(document, provision) for document, provision in places], embedder, words)
    bearing = Bearing(after)
    for document_id, version in after.documents.items():
        above = {id(each) for each in compared if bearing.may_rest_on(document_id, each.new.version.document_id)}
        under = {number: each for number, each in changed.items() if id(each[0]) in above}
        if document_id in own or not under:
            continue
        stating = [each for each in after.each_extraction(document_id) if each.extraction_kind in _STATING]
        title = version.title or version.name
        shares = links.shares([StandingSentence(each.source_text, f"{title} {each.heading}") for each in stating])
        for extraction, share in zip(stating, shares, strict=True):
            document, changes = _rested_on(share, under)
            if document is not None and bearing.says(extraction):
                yield _item(
                    "statement", extraction.extraction_id, extraction.source_text, document, changes,
                    f"its words come near a provision that was {changes[0].kind}; whether it rests on it, a person decides",
                    name=version.name, place=extraction.locator, owner=owner_of(after, document_id),
                )  # fmt: skip


def _rested_on(
    share: Scores, changed: Mapping[int, tuple[ComparedDocument, ProvisionChange]]
) -> tuple[ComparedDocument | None, list[ProvisionChange]]:
    """The changes that a sentence rests on, and their document; nothing where it rests on what stayed more probably."""
    numbers = sorted(changed, key=lambda each: (-share[each], each))
    if share[numbers].sum() < LINKED:
        return None, []
    document = changed[numbers[0]][0]
    near = [each for each in numbers if share[each] >= _AS_NEAR * share[numbers[0]] and changed[each][0] is document]
    return document, resting(changed[each][1] for each in near[:_MOST_CHANGES])


def _linked(document: ComparedDocument, provision: Provision) -> LinkedProvision:
    above = around(document.old.provisions, provision)
    section = f"{document.old.version.document_id} {section_of(provision.place)}"
    return LinkedProvision(provision.text, above, section, provision.kind == "heading")


def resting_provisions(document: ComparedDocument) -> Iterator[tuple[Provision, ProvisionChange]]:
    """The provisions of the earlier version that were amended or removed, or whose lead-in was, with what happened to them.

    A line in which the document tells of itself, its edition or the day on which it was approved, is none: nothing rests on it.
    """
    by_start = {document.old.side(each).char_start: each for each in document.old.provisions}
    control = told_of_itself(document.old.view, document.old.version.document_id)
    happened: dict[int, ProvisionChange] = {}
    for change in document.changes.changes:
        if change.before is not None and change.kind in ("amended", "removed"):
            span = change.before.char_start, change.before.char_end
            if any(span[0] < end and start < span[1] for start, end in control):
                continue
            happened[by_start[change.before.char_start].index] = change
    amended = {index for index, change in happened.items() if change.kind == "amended"}
    for item, lead in led_items(document.old.provisions, amended).items():
        happened.setdefault(item, happened[lead])
    for provision in document.old.provisions:
        if provision.index in happened:
            yield provision, happened[provision.index]


def led_items(provisions: Sequence[Provision], amended: Collection[int]) -> dict[int, int]:
    """The items of lists whose lead-in was amended: an item ends the sentence that its lead-in begins, and says what both say.

    Args:
        provisions: of a version, in order.
        amended: the indexes of those that were amended.

    Returns:
        the index of the lead-in by the index of each of its items.
    """
    return {
        each.index: each.parent
        for each in provisions
        if each.parent in amended
        and provisions[each.parent].kind == "text"
        and provisions[each.parent].text.rstrip().endswith(_LEADS)
    }


def around(provisions: Sequence[Provision], provision: Provision) -> str:
    """The words of the headings and lead-ins that a provision stands under."""
    found = [provision.heading]
    at = provision.parent
    while at != NO_PARENT:
        found.append(provisions[at].text)
        at = provisions[at].parent
    return " ".join(found)


def owner_of(view: View, document_id: str) -> str:
    """Who owns a document, as far as it says; "" otherwise."""
    profile = view.profiles.get(document_id)
    return profile.owner.value if profile is not None and profile.owner is not None else ""


def _item(
    kind: AffectedKind, item_id: str, text: str, document: ComparedDocument, changes: Sequence[ProvisionChange], reason: str,
    *, name: str, place: str = "", owner: str = "",
) -> AffectedItem:  # fmt: skip
    return AffectedItem(
        kind=kind,
        named_by=("words",) if kind == "statement" else ("rule",),
        item_id=item_id,
        document=name,
        place=place,
        text=text,
        owner=owner,
        changed_document=document.changes.document,
        changes=tuple(each.number for each in changes),
        reason=reason,
        weight=changes[0].weight,
    )
