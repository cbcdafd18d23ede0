"""The norms of lists: a lead-in, its items and its tail read as the sentences that they are, each norm with all its pieces.

A lead-in alone is no norm. Items that complete its action are one norm each; joined by *or* under a duty they are one norm with all
of them (a choice). Items that are conditions, examples or parts of a description belong to the one norm of their lead-in. Polarity,
modality and holder are inherited because the whole is read, not the item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coditect.documents.structure.lists import NOWHERE, ItemList, Lists
from coditect.language.entities.names import capitalised_names
from coditect.language.finite_verbs import has_finite_verb
from coditect.language.marks import Mark, SpanLike, trim
from coditect.language.norms.before.pronouns import PRONOUN_FIRST
from coditect.language.norms.binding import NormReading, read_norms
from coditect.language.norms.imperatives import asks
from coditect.language.norms.practices import ANYWHERE, PRESENT, Practice
from coditect.language.provisions.composed import ComposedText, Place
from coditect.language.provisions.duty_rows import cells_read
from coditect.language.provisions.ends import ADJUNCT_FIRST, FOLLOWS, POINTS_ON, PROVISO_LAST
from coditect.language.provisions.forbidding import forbidden_acts
from coditect.language.provisions.inline import find_inline
from coditect.language.provisions.items import (
    OFFENCE,
    RECITALS,
    SUBORDINATE_ALONE,
    are_acts,
    are_cases,
    are_labelled,
    are_requests,
    are_sentences,
    are_titles,
    duty_holder,
    have_force,
    is_blank,
    is_heading,
    is_whole_act,
    names_holder,
    only_limits,
    stands_alone,
    tells_purposes,
    told_aim,
    told_below,
)
from coditect.language.provisions.leads import (
    ALL_AT_ONCE,
    LeadRole,
    aside_of,
    governing,
    holds_elements,
    lead_role,
    offers_choice,
)
from coditect.language.provisions.placed import (
    begins_itself,
    clause_of,
    held_by,
    is_told_only,
    mark_at,
    named,
    stands_behind,
)
from coditect.language.quantities.meaning import find_quantities

__all__ = ["ProvisionNorms"]

_MOST_TEXT = 6_000
"""Code points of a composed reading, at most; a longer list is read item by item."""

_IN_BRACKETS = re.compile(r"\([^()]*\)")
_RELATIVE_FIRST = re.compile(r"(?:who|which|whom|whose|that)\b")


@dataclass(slots=True)
class _List:
    """A list with what is known of it once somebody asks."""

    role: LeadRole
    together: bool
    leads: tuple[Place, ...]
    is_whole: bool  # the lead-in says something by itself, and its items do as well
    asks: bool  # most items ask for something by themselves


class ProvisionNorms:
    """The norms of the sentences that lead into lists, are items of lists, or end them."""

    def __init__(self, text: str, sentences: Sequence[SpanLike], lists: Lists, *, practice: Practice = "none") -> None:
        self._text = text
        self._sentences = sentences
        self._lists = lists
        self._names = capitalised_names(text)
        self._practice = practice
        self._known: dict[int, _List] = {}
        self._norms: dict[int, list[Mark]] = {}  # by sentence, of lists that are one norm
        self._read: set[int] = set()
        self._before: tuple[int, list[Mark]] = (NOWHERE, [])  # the norms of the sentence that was asked for last

    def is_item(self, index: int) -> bool:
        """Whether a sentence begins an item of a list."""
        return self._lists.places[index].item_of != NOWHERE

    def norms(self, index: int) -> list[Mark]:
        """The norms to be told at a sentence.

        Args:
            index: of the sentence.
        """
        (at, before), found = self._before, self._found(index)
        if at == index - 1 and len({str(mark.data.get("actor")) for mark in before}) == 1:
            start, end = self._own(index)
            first = PRONOUN_FIRST.match(self._text, start, end)
            found = [named(mark, before[0], first["pronoun"]) for mark in found] if first else found
        self._before = index, found
        return found

    def _found(self, index: int) -> list[Mark]:
        """The norms to be told at a sentence, with the words of their provision alone."""
        place = self._lists.places[index]
        if place.item_of == NOWHERE and place.leads == NOWHERE and place.tail_of == NOWHERE:
            return self._alone(index)
        whole = self._one_norm(index)
        if whole is not None:
            self._read_together(whole)
            told = self._norms.get(index, [])
            seen = self._see(whole)
            if told or self._is_told(whole) or seen.role == "description":
                return told
            cases = seen.role == "conditions" or (
                seen.role == "examples" and tells_purposes(ComposedText(self._text, seen.leads, ()).text)
            )
            cases = cases and not are_sentences(self._items(self._lists.lists[whole]))
            words = self._lead(seen)
            if cases and place.item_of != NOWHERE and has_finite_verb(words, 0, len(words)):
                return []  # "There are excluded arrangements where: (a) they are ...", a whole clause and its cases
            return self._alone(index)
        if place.leads != NOWHERE:
            return self._alone(index) if self._see(place.leads).is_whole else self._of_lead(index)
        if place.item_of != NOWHERE:
            return self._of_item(index, place.item_of)
        return self._alone(index)

    def _lead(self, seen: _List) -> str:
        return ComposedText(self._text, seen.leads, ()).text

    def _is_told(self, number: int) -> bool:
        """Whether a list that is one statement gave any norm."""
        each = self._lists.lists[number]
        return bool(self._norms.get(each.lead)) or (each.tail != NOWHERE and bool(self._norms.get(each.tail)))

    def _one_norm(self, index: int) -> int | None:
        """The outermost list around a sentence whose items are one statement."""
        place = self._lists.places[index]
        number = next((n for n in (place.leads, place.item_of, place.tail_of) if n != NOWHERE), NOWHERE)
        found = None
        while number != NOWHERE:
            if self._see(number).together:
                found = number
            number = self._lists.lists[number].parent
        return found

    def _see(self, number: int) -> _List:
        """A list's lead-in with all above it, and what its items are to it."""
        if number not in self._known:
            each = self._lists.lists[number]
            above = self._see(each.parent).leads if each.parent != NOWHERE else ()
            start, end = self._own(each.lead)
            leads = (*above, (start, start + aside_of(self._text[start:end])))
            composed = ComposedText(self._text, leads, ())
            role = lead_role(composed.text)
            words = composed.text if role in ("open", "acts", "conditions") else ""
            kind, force = governing(words, self._names, self._practice)
            if role == "open":
                role = "acts" if kind else "open"
            adjunct, items = ADJUNCT_FIRST.match(composed.text) is not None, self._items(each)
            choice = role == "acts" and kind == "obligation"
            is_choice = each.connective == "or" and not are_cases(items)
            choice = choice and (is_choice or offers_choice(composed.text))
            falls_to_tail = not kind and each.tail != NOWHERE
            titles = are_titles(items, [self._is_followed(item) for item in each.items])
            titles = titles and not (kind and are_acts(items))
            if role in ("open", "acts") and titles:
                role, choice = "open", False
            if role in ("open", "acts") and _RELATIVE_FIRST.match(self._text, *self._own(each.items[0])):
                role, choice = "description", False
            plain = _IN_BRACKETS.sub(" ", composed.text)
            nameable = not has_finite_verb(plain, 0, len(plain))
            # "commits an offence if: (a) the person drives; and (b) holds no licence": one prohibition of all elements together.
            is_offence = role == "conditions" and OFFENCE.search(composed.text) is not None
            elements = is_offence and each.connective == "and"
            role, choice = ("acts", False) if is_offence else (role, choice)
            if role in ("conditions", "examples") and are_sentences(items) and "following" in composed.text[-80:]:
                role, titles = "open", True
            if (
                role == "conditions"
                and SUBORDINATE_ALONE.fullmatch(composed.text)
                and (have_force(items, self._names) or have_force(items, self._names, named=True))
            ):
                role = "open"  # "If a key is lost: (a) The clerk must report it; and"
            below = told_below(composed.text, items)
            if role == "conditions" and below == "limited":
                role = "open"  # "When travelling: (a) Keep the key."
            # "may be held by telephone, provided that: 1. the company shall keep a record; ...": duties of their own
            proviso = role == "conditions" and PROVISO_LAST.search(composed.text) is not None
            clauses = proviso or role == "examples"
            apart = (clauses or role == "acts") and have_force(items, self._names, named=clauses)
            if apart:
                role, titles, choice = "open", True, False  # "A broker must do this: (a) A broker must hold a licence."
            follows = FOLLOWS.search(composed.text) or (force == PRESENT and "following" in composed.text)
            if role == "acts" and follows:
                role, titles = "open", True
            duties = role == "open" and below == "titled"
            told_apart = are_labelled(items) or (force == "imperative" and are_requests(items))
            if role == "acts" and told_apart and is_whole_act(composed.text, self._names):
                # "The team reviews each incident:" / "Timeline: ...": headings of what is told below, and no part of the act
                role, titles, choice, apart = "open", True, False, True
            if titles or duties or role == "definition" or (role == "open" and not (adjunct or nameable)):
                leads = ()  # "The following rules apply:" adds nothing to its items
            together = role in ALL_AT_ONCE or choice or falls_to_tail or elements
            whole = apart and POINTS_ON.search(composed.text) is None
            self._known[number] = _List(role, together, leads, whole, are_requests(items))
        return self._known[number]

    def _is_followed(self, index: int) -> bool:
        """Whether a sentence that begins no item stands behind an item's first one."""
        return index + 1 < len(self._lists.places) and self._lists.places[index + 1].item_of == NOWHERE

    def _items(self, each: ItemList) -> list[str]:
        """The own words of a list's items."""
        return [self._text[slice(*self._own(item))] for item in each.items]

    def _own(self, index: int) -> Place:
        return self._lists.places[index].own, self._sentences[index].end

    def _read_together(self, number: int) -> None:
        """Read a list that is one statement, and keep its norms at the sentence that holds the words of force."""
        if number in self._read:
            return
        self._read.add(number)
        each, seen = self._lists.lists[number], self._see(number)
        items = list(self._inside(each))
        tails = [self._own(each.tail)] if each.tail != NOWHERE else []
        leads = seen.leads or (self._own(each.lead),)
        composed = ComposedText(self._text, leads, items, tails)
        if len(composed.text) > _MOST_TEXT:
            composed = ComposedText(self._text, leads, items[:4], tails)
        first = {place[0] for place in items}
        # A modal expression inside a condition or an example binds nobody.
        within = composed.stretches(without=first)
        edges = composed.starts[len(leads) : len(leads) + 1] if seen.role == "acts" else ()
        for reading in self._readings(composed, within, edges=edges, items=composed.extent(first)):
            piece = composed.places[composed.piece(reading.cue.start)][0]
            at = each.tail if tails and piece == tails[0][0] else each.lead
            if (mark := self._mark(at, reading, composed)) is not None:
                self._norms.setdefault(at, []).append(mark)

    def _inside(self, each: ItemList) -> Iterator[Place]:
        """The own words of all items of a list and of the lists inside it, in order."""
        for item in each.items:
            yield self._own(item)
            inner = self._lists.places[item].leads
            if inner != NOWHERE:
                yield from self._inside(self._lists.lists[inner])
                if self._lists.lists[inner].tail != NOWHERE:
                    yield self._own(self._lists.lists[inner].tail)

    def _of_lead(self, index: int) -> list[Mark]:
        """Of a lead-in what it says without its items: the clauses before the one that they complete."""
        place = self._lists.places[index]
        above = self._see(place.item_of).leads if place.item_of != NOWHERE else ()
        composed = ComposedText(self._text, above, [self._own(index)])
        own = composed.starts[-1] if composed.starts else 0
        aside = aside_of(composed.text)
        # "(and shall not permit others to):" says nothing whole without the items
        behind = len(composed.text) if composed.text[aside:].lstrip().startswith("(") else aside
        found = [
            self._mark(index, reading, composed)
            for reading in self._readings(composed)
            if clause_of(reading)[1] < aside - 2 or reading.cue.start > behind
            if clause_of(reading)[1] > own
        ]
        return [mark for mark in found if mark is not None]

    def _of_item(self, index: int, number: int) -> list[Mark]:
        """Of an item its norms, read with the lead-ins above it and the tails behind."""
        seen = self._see(number)
        tails = []
        at = number
        while at != NOWHERE:
            each = self._lists.lists[at]
            if each.tail != NOWHERE:
                tails.append(self._own(each.tail))
            at = each.parent
        own, sentence = self._own(index), self._sentences[index]
        if is_blank(self._text[slice(*own)]):
            return []
        lead, place = self._own(self._lists.lists[number].lead), trim(self._text, sentence.start, sentence.end)
        if forbidden := forbidden_acts(self._text, lead, own, place, self._names):
            return forbidden
        leads = () if seen.leads and self._is_apart(seen, own) else seen.leads
        composed = ComposedText(self._text, leads, [own], tails, adjunct=bool(leads) and self._only_limits(seen, own))
        if len(composed.text) > _MOST_TEXT:
            return self._alone(index)
        if leads and RECITALS.fullmatch(composed.text[: composed.starts[1]] if len(composed.starts) > 1 else ""):
            return []
        if not seen.leads and self._is_purpose(number):
            return []  # "We use your data to:" / "Improve the site": what it is for, and asked of nobody
        own_start = next((s for s, p in zip(composed.starts, composed.places, strict=True) if p[0] == own[0]), 0)
        predicate = own_start if own_start and names_holder(composed.text[:own_start], self._names) else ANYWHERE
        edges = composed.starts[1:] if seen.role in ("acts", "open") else ()
        # "must include:" / "(c) any steps that people should take": what an element is, and no duty of theirs
        within = [(0, own_start)] if own_start and holds_elements(composed.text[:own_start]) else None
        found = self._readings(composed, within, predicate=predicate, edges=edges)
        readings = [reading for reading in found if clause_of(reading)[1] > own_start + 1]
        if tails and index != self._lists.lists[number].items[-1]:
            # A proviso behind the last item is told once: "(a) horses; (b) cattle, provided that the officer may"
            behind = min(
                (at for at, at_place in zip(composed.starts, composed.places, strict=True) if at_place in tails),
                default=0,
            )
            readings = [reading for reading in readings if not stands_behind(reading, behind)]
        if any(reading.cue.start >= own_start and begins_itself(reading, own_start) for reading in readings):
            readings = [reading for reading in readings if reading.cue.start >= own_start]
        marks = [mark for reading in readings if (mark := self._mark(index, reading, composed)) is not None]
        if not marks and leads and self._is_apart(seen, own, named=True):
            # "Root Cause Analysis:" / "Find the cause": a heading, whatever it seems to name
            marks = self._alone(index)
        holder = duty_holder(self._lead(seen) or self._text[slice(*lead)], self._names)
        asked = holder is not None and asks(self._text[slice(*own)])
        return marks if holder is None else [held_by(mark, holder, asked=asked) for mark in marks]

    def _is_apart(self, seen: _List, own: Place, *, named: bool = False) -> bool:
        """Whether an item is a norm by itself to which its lead-in adds nothing; that may be a heading that names who acts."""
        lead, item = ComposedText(self._text, seen.leads, ()).text, self._text[slice(*own)]
        if ADJUNCT_FIRST.match(lead) is not None or len(item) >= _MOST_TEXT or holds_elements(lead):
            return False
        below = seen.role == "open" and seen.asks and is_heading(lead, item, self._names, named=named)
        return (below and are_requests([item])) or stands_alone(item, lead, self._names)

    def _is_purpose(self, number: int) -> bool:
        """Whether a lead-in that has no force says what is aimed at, or ends with "to", so that its items say what it is for."""
        lead = ComposedText(self._text, [self._own(self._lists.lists[number].lead)], ()).text
        told = told_aim(lead)
        return told == "aim" or (told == "purpose" and not governing(lead, self._names, self._practice)[0])

    def _only_limits(self, seen: _List, own: Place) -> bool:
        """Whether a lead-in is an adjunct to its item, which is a clause or an imperative: "For records:"."""
        lead = ComposedText(self._text, seen.leads, ()).text
        return seen.role == "open" and only_limits(lead, self._text[slice(*own)])

    def _alone(self, index: int) -> list[Mark]:
        """The norms of a sentence by itself; an inline list of acts ("shall: (a) ...; and (b) ...") gives one for each."""
        start, end = self._own(index)
        cells = cells_read(self._text, start, end)
        parts: list[tuple[tuple[Place, ...], list[Place]]] = [((), [cell]) for cell in cells]
        inline = find_inline(self._text, start, end) if len(cells) == 1 else None
        if inline is not None:
            lead, items, connective = inline
            words = ComposedText(self._text, [lead], ()).text
            kind = governing(words, self._names, self._practice)[0] if lead_role(words) in ("open", "acts") else ""
            if kind and not (connective == "or" and kind == "obligation"):
                parts = [((lead,), [item]) for item in items]
        marks: list[Mark] = []
        for leads, items in parts:
            composed = ComposedText(self._text, leads, items)
            readings = self._readings(composed, edges=composed.starts[1:])
            found = (self._mark(index, reading, composed) for reading in readings)
            marks += [mark for mark in found if mark is not None and all(mark.data != other.data for other in marks)]
        return marks

    def _readings(
        self,
        composed: ComposedText,
        within: Sequence[Place] | None = None,
        *,
        predicate: int = ANYWHERE,
        edges: Sequence[int] = (),
        items: Place = (0, 0),
    ) -> list[NormReading]:
        text = composed.text
        if not text:
            return []
        quantities = find_quantities(text, 0, len(text))
        practice = self._practice == "all" or (self._practice == "listed" and predicate != ANYWHERE)
        # "ask yourself: 1. Who will see it?": a question only where it stands alone
        end = len(text.rstrip(" ?")) if len(composed.places) > 1 else len(text)
        found = read_norms(
            text,
            0,
            end,
            quantities,
            self._names,
            within,
            practice=practice,
            predicate=predicate,
            edges=edges,
            items=items,
        )
        if self._practice == "recorded":
            found = [each for each in found if not is_told_only(text, each)]
        return found

    def _mark(self, index: int, reading: NormReading, composed: ComposedText) -> Mark | None:
        """A finding of a composed reading with the offsets of the document, told at a sentence."""
        sentence = self._sentences[index]
        return mark_at(trim(self._text, sentence.start, sentence.end), reading, composed)
