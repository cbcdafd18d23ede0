"""The parts of a norm or a definition, located: each as words of the lines that were shown, with their places in the document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from coditect.agents.roles.answers import ReaderDefinition, ReaderNorm
from coditect.agents.roles.reader.agreeing import disagrees, is_recommended, kind_of, leaves_out_between, position_of
from coditect.agents.roles.reader.passages import ReaderPassage, ShownLine
from coditect.agents.roles.reader.places import find_piece, nearest_before, occurrences
from coditect.tiers.readings.provisions import ReadProvision, own_words
from coditect.tiers.readings.told import Place, ToldDefinition, ToldNorm, ToldTime

__all__ = ["NotBorneOut", "located_definition", "located_norms"]

_PASSIVE = re.compile(r"\b(?:be|been|is|are|being)\s+(?:\w+ly\s+|also\s+|first\s+)?\Z", re.IGNORECASE)
_BE_FIRST = re.compile(r"(?:also\s+)?be(?:en)?\s", re.IGNORECASE)
_OPENS_LIST = re.compile(r"(?:[:—–-]|\b(?:means?|includes?))\W*\Z", re.IGNORECASE)
_CLOSES = re.compile(r"[\"”’')\]]{1,3}")
_OPENED = re.compile(r"[(\[\"“‘']{1,3}\Z")
_SAYS_ALL = re.compile(
    r"\b(?:permitted|allowed|prohibited|forbidden|banned|encouraged|discouraged|recommended|required|apply|applies)\W*\Z",
    re.IGNORECASE,
)
_NAMES = ("abbreviation", "name")
_ITEM = re.compile(r"(?<=[:;,—–])\s*(?:(?:and|or)\s+)?\((?:[a-z]{1,2}|[ivx]{1,5}|[A-Z]|\d{1,2})\)\s+")
_MOST_GAP = 400


class NotBorneOut(Exception):  # noqa: N818 - says what it is
    """Something that an answer tells which its lines do not bear out; the message is the same for the same cause."""


@dataclass(slots=True)
class _Parts:
    """The places of one norm's parts."""

    told: ReaderNorm
    action: list[Place] = field(default_factory=list)
    cue: list[Place] = field(default_factory=list)
    holder: Place | None = None
    holder_words: str = ""
    subject: Place | None = None
    subject_words: str = ""
    times: list[tuple[tuple[Place, ...], str]] = field(default_factory=list)
    triggers: list[Place] = field(default_factory=list)
    conditions: list[Place] = field(default_factory=list)
    exceptions: list[Place] = field(default_factory=list)

    @property
    def places(self) -> list[Place]:
        """All of them, in the order of the text."""
        named = [each for each in (self.holder, self.subject) if each is not None]
        times = [place for pieces, _ in self.times for place in pieces]
        return sorted([*self.action, *self.cue, *named, *times, *self.triggers, *self.conditions, *self.exceptions])

    def within(self, line: ShownLine) -> list[Place]:
        """Those that stand in a line."""
        return [place for place in self.places if line.start <= place[0] < line.end]

    def core(self, line: ShownLine) -> int:
        """Where in a line who acts, or what is acted upon, and the words of force begin; -1 where it has not both."""
        named = self.holder or self.subject
        starts = [named[0], self.cue[0][0]] if named is not None and self.cue else [-1]
        return min(starts) if all(line.start <= each < line.end for each in starts) else -1


def located_norms(
    norms: Sequence[ReaderNorm], number: int, provision: ReadProvision, passage: ReaderPassage, sha256: str
) -> list[ToldNorm]:
    """The norms that an answer tells of a line.

    Args:
        norms: in the order of the answer.
        number: of the line.
        provision: that it belongs to.
        passage: that was shown.
        sha256: of the request.

    Raises:
        NotBorneOut: a part stands nowhere, or contradicts the norm's kind.
    """
    own = next(line for line in passage.lines if line.label == str(number))
    every: list[_Parts] = []
    for told in norms:
        before = every[-1].action[0][0] + 1 if every else own.start
        every.append(_parts(told, _lines_for(told, own, provision, passage), passage, before))
    taken = [place for parts in every for place in parts.places]
    result: list[ToldNorm] = []
    for parts in every:
        if not parts.within(own):
            raise NotBorneOut("a norm without words of its line")
        # Words of force in the lead-in govern the item from its first word on: "shall:" / "(a) not copy the key".
        led = bool(parts.cue) and not any(own.start <= place[0] < own.end for place in parts.cue)
        places = [*parts.within(own), *([(own.own, own.own)] if led else [])]
        if leaves_out_between(passage.text, places, taken, parts.core(own)):
            raise NotBorneOut("parts that leave out words which limit them")
        spans = _spans(parts, [each for each in every if each is not parts], own, provision, passage)
        result.append(_norm(parts, spans, passage, sha256))
    return list(dict.fromkeys(result))


def located_definition(
    told: ReaderDefinition, number: int, provision: ReadProvision, passage: ReaderPassage, sha256: str, *, alone: bool
) -> ToldDefinition:
    """A definition that an answer tells of a line.

    Args:
        told: as it stands in the answer.
        number: of the line.
        provision: that it belongs to.
        passage: that was shown.
        sha256: of the request.
        alone: whether the line tells nothing else, so that the definition is all of it.

    Raises:
        NotBorneOut: term or meaning stand nowhere.
    """
    own = next(line for line in passage.lines if line.label == str(number))
    lines, text = _lines_for(told, own, provision, passage), passage.text
    term, words = _named(told.term, lines, passage, own.end)
    if not words:
        raise NotBorneOut("a term that the lines do not have")
    meaning = find_piece(told.meaning, text, lines, near=term[1] if term else -1) if told.meaning.strip() else None
    if meaning is None and (told.meaning.strip() or not _OPENS_LIST.search(text, own.start, own.end)):
        raise NotBorneOut("a meaning that the lines do not have")
    place = own.start, own.end
    inside = [each for each in (term, meaning) if each is not None and own.start <= each[0] < own.end]
    if inside and (not alone or told.form in _NAMES):
        place = _with_signs(text, min(lo for lo, _ in inside), max(hi for _, hi in inside), own)
    return ToldDefinition(words, "" if meaning is None else text[slice(*meaning)], told.form, place, sha256)


def _lines_for(
    told: ReaderNorm | ReaderDefinition, own: ShownLine, provision: ReadProvision, passage: ReaderPassage
) -> list[ShownLine]:
    """Where the words of a statement may stand: in its line, in those that it names, in its provision, in what is shown with it.

    Raises:
        NotBorneOut: it names a line that is not there, or one of another provision that stands behind its own.
    """
    labels = {line.label: line for line in passage.lines if line.label}
    asked = {*provision.sentences, *provision.above}
    named: list[ShownLine] = []
    for label in told.further:
        line = labels.get(label.strip(" |"))
        # What leads in may stand in front of a heading or a page number that divides the list.
        behind = line is not None and line.label.isdigit() and line.start > own.start
        if line is not None and behind and line.sentence not in asked and isinstance(told, ReaderDefinition):
            continue  # items of a meaning, in what the structure takes for other provisions: the term stands here all the same
        if line is None or (behind and line.sentence not in asked):
            raise NotBorneOut("a line that is not there, or of another provision")
        named.append(line)
    rest = [line for line in labels.values() if line.sentence in asked]
    context = [line for line in labels.values() if not line.label.isdigit()]
    return list(dict.fromkeys([own, *named, *rest, *context]))


def _parts(told: ReaderNorm, lines: Sequence[ShownLine], passage: ReaderPassage, before: int) -> _Parts:
    text, parts, cue = passage.text, _Parts(told), [each for each in told.cue if each.strip()]
    own = lines[0]
    first = next(iter(occurrences(cue[-1], text, own)), None) if cue else None
    behind = max(before, first[1]) if first else before
    for words in _given(told.action) or _said_of(told, cue):
        place = _found(find_piece(words, text, lines, behind=behind), "an action")
        parts.action.append(place)
        behind = place[1]
    if not parts.action:
        raise NotBorneOut("a norm without an action")
    at = parts.action[0][0]
    for words in reversed(cue):
        place = _found(nearest_before(words, text, lines, at), "words of force")
        parts.cue.insert(0, place)
        at = place[0]
    at = min(at, parts.action[0][0])
    parts.holder, parts.holder_words = _named(told.holder, lines, passage, at)
    parts.subject, parts.subject_words = _named(told.subject, lines, passage, at)
    if told.holder.strip() and not parts.holder_words:
        raise NotBorneOut("a holder that the lines do not have")
    if told.subject.strip() and not parts.subject_words:
        raise NotBorneOut("a subject that the lines do not have")
    at = parts.action[0][0]
    for time in told.times:
        pieces = tuple(_found(find_piece(each, text, lines, near=at), "a time") for each in _given(time.text))
        if not pieces:
            raise NotBorneOut("a time without words")
        event, trigger = _named(time.trigger, lines, passage, pieces[-1][1])
        if time.trigger.strip() and not trigger:
            raise NotBorneOut("an event that the lines do not have")
        parts.times.append((tuple(sorted(pieces)), trigger))
        parts.triggers += [] if event is None else [event]
    parts.conditions = [
        _found(find_piece(each, text, lines, near=at), "a condition") for each in _given(told.conditions)
    ]
    parts.exceptions = [
        _found(find_piece(each, text, lines, near=at), "an exception") for each in _given(told.exceptions)
    ]
    if problem := disagrees(
        told.kind, [text[slice(*each)] for each in parts.cue], [text[slice(*each)] for each in parts.action]
    ):
        raise NotBorneOut(problem)
    return parts


def _said_of(told: ReaderNorm, cue: Sequence[str]) -> list[str]:
    """What is done where only the words of force say it of something: "Fires" of "Fires are prohibited"."""
    return _given([told.subject]) if any(_SAYS_ALL.search(words) for words in cue) else []


def _given(words: Iterable[str]) -> list[str]:
    return [each for each in words if each.strip()]


def _found(place: Place | None, what: str) -> Place:
    if place is None:
        raise NotBorneOut(f"{what} that the lines do not have")
    return place


def _named(words: str, lines: Sequence[ShownLine], passage: ReaderPassage, at: int) -> tuple[Place | None, str]:
    """Where words stand, last in front of a place, and as they stand there; in a heading they have no place."""
    if not words.strip():
        return None, ""
    place = nearest_before(words, passage.text, lines, at)
    if place is not None:
        return place, passage.text[slice(*place)]
    for heading in passage.lines:
        if not heading.label:
            whole = ShownLine("", 0, len(heading.text), 0, heading.text)
            found = next(iter(occurrences(words, heading.text, whole)), None)
            if found is not None:
                return None, heading.text[slice(*found)]
    return None, ""


def _spans(
    parts: _Parts, others: Sequence[_Parts], own: ShownLine, provision: ReadProvision, passage: ReaderPassage
) -> tuple[Place, ...]:
    """What a norm is composed of: its line or its clause in it, and the lines that give it words."""
    text = passage.text
    # What several norms of a line share ("conform to: (i) the act; and (ii) the rules") is of each of them.
    beside = sorted(place[0] for each in others for place in each.action if place not in parts.action)
    beside = beside or sorted(each.action[0][0] for each in others)
    clauses = [own_words(text, own.own, own.end)] if not beside else _clauses(text, parts.within(own), beside)
    asked = {*provision.sentences, *provision.above}
    labels = {label.strip(" |") for label in parts.told.further}
    for line in passage.lines:
        if not line.label or line is own:
            continue
        gives = any(line.start <= place[0] < line.end for place in (*parts.action, *parts.cue))
        if gives or (line.label in labels and line.sentence in asked):
            clauses.append(own_words(text, line.own, line.end))
    return tuple(sorted({each for each in clauses if each[0] < each[1]}))


def _clauses(text: str, places: Sequence[Place], beside: Sequence[int]) -> list[Place]:
    """The stretches of a line that a norm's parts make, apart where another norm's action stands between them."""
    found: list[Place] = []
    for lo, hi in places:
        last = found[-1] if found else None
        apart = last is None or lo - last[1] > _MOST_GAP or any(last[1] <= at < lo for at in beside)
        item = None if last is None or apart else _last_item(text, last[1], lo)
        if last is None or apart:
            found.append((lo, hi))
        elif item is not None:
            found[-1] = own_words(text, last[0], item.start())
            found.append((item.end(), max(last[1], hi)))
        else:
            found[-1] = last[0], max(last[1], hi)
    return found


def _last_item(text: str, start: int, end: int) -> re.Match[str] | None:
    """The last marker of an item of the line's own list in a stretch of it: its words are those of its lead-in, and its own."""
    return next(reversed(list(_ITEM.finditer(text, start, end))), None)


def _norm(parts: _Parts, spans: tuple[Place, ...], passage: ReaderPassage, sha256: str) -> ToldNorm:
    told, text = parts.told, passage.text
    at = parts.action[0][0]
    words = " ".join(text[slice(*each)] for each in parts.cue)
    passive = _PASSIVE.search(text, max(0, at - 40), at) is not None or _BE_FIRST.match(text, at) is not None
    return ToldNorm(
        kind=kind_of(told.kind),
        position=position_of(told.kind),
        recommended=is_recommended(words),
        spans=spans,
        cue=tuple(parts.cue),
        holder=parts.holder_words,
        subject=""
        if parts.subject_words == parts.holder_words or parts.subject in parts.action
        else parts.subject_words,
        passive=passive,
        action=tuple(parts.action),
        times=tuple(
            ToldTime(each.kind, pieces, trigger)
            for each, (pieces, trigger) in zip(told.times, parts.times, strict=True)
        ),
        conditions=tuple(parts.conditions),
        exceptions=tuple(parts.exceptions),
        answer=sha256,
    )


def _with_signs(text: str, lo: int, hi: int, own: ShownLine) -> Place:
    """A span with the quotation marks and brackets right beside it."""
    behind = _CLOSES.match(text, hi, own.end)
    before = _OPENED.search(text, max(own.start, lo - 3), lo)
    return (before.start() if before else lo), (behind.end() if behind else hi)
