"""Which modal expressions of a sentence bind somebody, and the finding that each of them makes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from coditect.language.finite_verbs import FINITE, has_finite_verb
from coditect.language.marks import Mark, sort_data, trim
from coditect.language.norms.before.antecedents import nearest_agent
from coditect.language.norms.before.left_out import of_case
from coditect.language.norms.before.pronouns import told_by_pronoun
from coditect.language.norms.cues import Cue
from coditect.language.norms.force import revise
from coditect.language.norms.imperatives import (
    AND_DO_NOT,
    find_denied,
    find_imperative,
    is_plain_verb,
    split_coordinated,
    split_doing,
)
from coditect.language.norms.inversion import find_bound
from coditect.language.norms.limits.before_verb import act_behind, limits_before_verb
from coditect.language.norms.meanings.assigned import find_assigned
from coditect.language.norms.modality import find_cues
from coditect.language.norms.parts import read_norm
from coditect.language.norms.practices import ANYWHERE, find_practice, practised
from coditect.language.norms.subjects import Subject, find_subject
from coditect.language.patterns.beginnings import quick

__all__ = ["NormReading", "find_norms", "read_norms"]

_I = re.IGNORECASE
_MAX_NORMS = 12
_UNSPLIT = ("prohibited", "is required", "is responsible for")
_STOP = quick(
    r",\s+(?:each|all|any|some|both|none|either|most)\s+of\s+(?:which|whom)\b|;(?![^\[\]]*\])|(?<=[a-z\d)”\"])(?<!\bInc)(?<!\bCorp)(?<!\bLtd)(?<!\bNo)(?<!\bSec)(?<!\bCo)(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bcf)[.!?](?:\s+(?=[A-Z(])|$)|\n\s*\n"
)
_ITEM = re.compile(r"(?:(?<=[;,:\n])|(?<=\sand)|(?<=\sor))\s*(?:and\s+|or\s+)?\((?:[a-z]|[ivx]{1,4}|\d{1,2})\)\s+")
_COLON = re.compile(r"[^;.:]{0,50}:\s*(?=\(\w{1,4}\)\s)")
_FIRST_WORD = re.compile(r"[\s:]*([A-Za-z-]+)")
# "shall each use", "must also, on request, be sent": no part of what is done.
_FLOATING = re.compile(
    r"\s+(?:each|both|also|likewise|therefore|however|further|then|thereupon|nevertheless|nonetheless|accordingly|at\s+any\s+time(?:\s+and\s+from\s+time\s+to\s+time)?"
    r"|(?:in|at)\s+(?:its|their|his|her|our|your)\s+(?:own\s+|sole\s+|absolute\s+|reasonable\s+)*(?:discretion|option|expense|cost))"
    r"(?=\s+(?!of\b|and\b|or\b)[a-z]|,\s)",
    _I,
)
# "shall not (and shall not allow others to) copy the key": what is promised of others stands in brackets.
_OF_OTHERS = re.compile(
    r"\s*\((?:and|or|nor)\s+(?:(?:shall|will|must|may|agrees?|to|not)\s+)+[^()]{3,100}?\bto\)(?=,?\s+[a-z(:])"
)
_PROVISO = re.compile(r"[,;]?\s*\b(?:provided(?:,?\s*(?:however|further|always))*,?\s*that|except\s+that),?\s*\Z", _I)
_OTHER_CLAUSE = re.compile(
    r",\s+(?:and|or|but)\s+(?:the|any|such|this|that|no|each|all|it|they|[A-Z][\w&.’'-]*)(?:\s+(?!(?:who|which|that|if|when|where|as|to|it|they|be)\b)[\w’'()-]+){0,8}?"
    r"\s+(?:shall|will|must|may)\s+(?:not\s+)?(?:be\s+deemed|be\s+construed|constitute|terminate|survive|be\s+governed|have\s+no|remain|continue\s+in|prevail|control|apply\b(?!\s+for))\b"
    r"|,\s+(?:and|but|so)\s+(?:I|we|they|he|she)\s+(?!or\b|and\b)[a-z]+\b"
)
_RECITAL = re.compile(r"[\W\d]*(?:\(?[A-Z]\)?[.)]?\s+)?(?:WHEREAS|Whereas)\b")
_SENTENCE_SIGN = re.compile(r";|\n\s*\n|:(?=\s)")
_OWN_ADJUNCT = re.compile(r"[\s,]*(?:and|or|but)\s*,\s+[a-z]", _I)
_JOINED_CUE = re.compile(r",?\s+(?:and|or|but)\s+(?:also\s+)?\Z")
_NOR = re.compile(r",?\s+nor\s+(?:shall\s+|will\s+|may\s+|must\s+)?(?P<verb>[a-z]+)(?=\s)")
_AND_NOT = re.compile(r"(?P<joint>,?\s+(?:and|but)\s+)not\s+(?:to\s+)?(?!(?:be\s+)?limited\b)(?P<verb>[a-z]+)\s")
_CLAUSE_WITHIN = re.compile(r"\b(?:that|which|who|whether|how|what)\b")
_OBJECT_CLAUSE = re.compile(r"\bthat\s*$", _I)
_ENSURED = quick(
    r"\b(?:ensur(?:e|es|ing)|procure|see\s+to\s+it|make\s+sure|demonstrate|verify|confirm|satisfy\s+\w+|stat(?:e|es|ing)|show|certify)\b[^.;]*?\b(?:that|how|whether)\s",
    _I,
)
# A subject of its own stands before a verb in the plural: "the rules require".
_GOVERNED = re.compile(r"[A-Za-z]+s\s*\Z|\b(?:and|that|we|they|you|policies)\s*\Z")


@dataclass(frozen=True, slots=True)
class NormReading:
    """A norm as it was read: the finding, and the words that carry its force with their subject."""

    mark: Mark
    cue: Cue
    subject: Subject


def find_norms(text: str, start: int, end: int, quantities: Sequence[Mark]) -> list[Mark]:
    """The findings of :func:`read_norms`."""
    return [reading.mark for reading in read_norms(text, start, end, quantities)]


def read_norms(
    text: str,
    start: int,
    end: int,
    quantities: Sequence[Mark],
    names: frozenset[str] = frozenset(),
    within: Sequence[tuple[int, int]] | None = None,
    *,
    practice: bool = False,
    predicate: int = ANYWHERE,
    edges: Sequence[int] = (),
    items: tuple[int, int] = (0, 0),
) -> list[NormReading]:
    """The obligations, prohibitions and permissions of a sentence.

    Left out, because they bind nobody: questions, conditions ("if Supplier shall fail"), statements of effect ("shall
    be governed by", "shall mean", "shall survive"), possibilities ("may result in") and what things "will" do.

    Args:
        text: the canonical text.
        start: the sentence's first code point.
        end: one past its last; at most a few thousand beyond ``start``.
        quantities: the sentence's own quantities, in order.
        names: words that the document writes with a capital wherever they stand.
        within: where words of force count; unless given, everywhere.
        practice: whether the present tense tells duties, as it does in policies and procedures.
        predicate: where the verb of such a duty has to begin; unless given, wherever it stands.
        edges: where items begin that were put behind their lead-in, in order.
        items: where items stand that belong to their lead-in all together: a condition, a choice, examples.

    Returns:
        Marks over the whole sentence, at most 12; ``data["clause"]`` has the offsets of the clause. Confidence is the
        cue's, plus 0.04 with an actor, less 0.1 without subject, 0.15 in an item that inherits its modal, 0.2 in a
        relative clause, 0.05 in sentences over 800 characters.
    """
    if text[start:end].rstrip().endswith("?") or _RECITAL.match(text, start, end):
        return []
    cues = find_cues(text, start, end)
    if within is not None:
        cues = [cue for cue in cues if any(lo <= cue.start < hi for lo, hi in within)]
    beside = [each.span() for cue in cues if (each := _OF_OTHERS.match(text, cue.end, end))]
    cues = [cue for cue in cues if not any(lo <= cue.start < hi for lo, hi in beside)]
    accepted, ends = _accept(text, start, end, cues, names)
    if accepted and accepted[0][1].role == "main" and (act := find_imperative(text, start, end)):
        opens = "," not in text[start : act[0]]
        accepted = [] if opens and _holds(text, act[1], accepted[0][0].start) else accepted
    marks = _with_cues(text, (start, end), accepted, ends, quantities, names, edges, items)
    if not marks:
        marks = _requests(text, start, end, quantities, names, edges, items)
    told = None if marks else find_assigned(text, start, end, names)
    if not marks and (told or (practice and (told := find_practice(text, start, end, names, predicate)))):
        for cue, subject, place, opening in practised(text, *told, _limit_of_imperative(text, told[0].end, end)):
            mark = read_norm(text, (start, end), cue, subject, place, quantities, names, opening, (), edges, items)
            marks += [NormReading(mark, told[0], subject)] if mark else []
    return marks[:_MAX_NORMS]


def _with_cues(
    text: str,
    sentence: tuple[int, int],
    accepted: Sequence[tuple[Cue, Subject]],
    ends: Sequence[int],
    quantities: Sequence[Mark],
    names: frozenset[str],
    edges: Sequence[int],
    items: tuple[int, int],
) -> list[NormReading]:
    """What words of force lay down, each with its subject; every act of a list under one of them is a norm.

    Args:
        text: the text.
        sentence: its span.
        accepted: the cues that bind, with their subjects.
        ends: where clauses begin that share a subject and bind nobody, which end the one before.
        quantities: the sentence's own quantities.
        names: words that the document writes with a capital wherever they stand.
        edges: where items begin.
        items: where items stand that belong to their lead-in all together.
    """
    marks: list[NormReading] = []
    start, end = sentence
    for index, (cue, subject) in enumerate(accepted):
        later = [
            at.end if at.role == "relative" else at.clause
            for _, at in accepted[index + 1 :]
            if at.role != "relative" or text.startswith(",", at.end)
        ]
        hi = max(cue.end, _limit(text, cue, sorted([*later, *(at for at in ends if at > cue.end)]), end))
        floating = _FLOATING.match(text, cue.end, hi) or _OF_OTHERS.match(text, cue.end, hi)
        first = floating.end() if floating else cue.end
        between = limits_before_verb(text, first, hi)[0]
        for number, (lo, stop) in enumerate(_acts(text, cue, _actions(text, first, hi), alone=not edges)):
            # From its second item on, a list's clause is the item; the first one keeps the words that introduce it.
            at = subject if number == 0 else replace(subject, clause=lo)
            opening = subject if number else _opened(text, accepted, index)
            shared = between if number else ()
            mark = read_norm(text, (start, end), cue, at, (lo, stop), quantities, names, opening, shared, edges, items)
            if mark is not None and marks:
                mark = of_case(text, _named(mark, marks[-1].mark), marks[-1].mark, cue)
            if mark is not None and all(mark.data != other.mark.data for other in marks):
                marks.append(NormReading(mark, cue, at))
    return marks


def _named(mark: Mark, before: Mark) -> Mark:
    """A norm whose holder is a pronoun, with whom the one before it binds, where their numbers agree."""
    name = told_by_pronoun(mark, before)
    return mark if name is None else replace(mark, data=sort_data({**mark.data, "actor": name}))


def _opened(text: str, accepted: Sequence[tuple[Cue, Subject]], index: int) -> Subject | None:
    """The subject whose opening a joined act shares: "On request, the bank shall return it and shall not keep a copy"."""
    own = accepted[index][1]
    if own.role != "inherited" or not index:
        return None
    cue, before = accepted[index - 1]
    shared = (
        before.role == "main" and (before.start, before.end) == (own.start, own.end) and before.clause < before.start
    )
    joined = (
        shared and _SENTENCE_SIGN.search(text, cue.end, own.clause) is None and text[own.clause - 1 : own.clause] != ";"
    )
    return before if joined and _OWN_ADJUNCT.match(text, own.clause, accepted[index][0].start) is None else None


def _requests(
    text: str,
    start: int,
    end: int,
    quantities: Sequence[Mark],
    names: frozenset[str],
    edges: Sequence[int],
    items: tuple[int, int],
) -> list[NormReading]:
    """What a sentence tells to do or not to do, whose verb stands first, act by act."""
    verb, denied = find_imperative(text, start, end), find_denied(text, start, end)
    if verb is None and denied is None:
        return []
    first = verb[0] if verb else denied[1] if denied else end
    limit = _limit_of_imperative(text, verb[1] if verb else first, end)
    cuts = list(AND_DO_NOT.finditer(text, first, limit))
    cues = [denied] if verb is None and denied else []
    cues += [each.span("cue") for each in cuts]
    stops = [*(each.start() for each in cuts), limit]
    marks: list[NormReading] = []
    if verb is not None:
        cue = Cue(verb[0], verb[0], "obligation", "imperative", "mandatory", 0.75)
        for number, (lo, stop) in enumerate(split_coordinated(text, verb[0], max(verb[1], stops.pop(0)))):
            subject = Subject(verb[0], verb[0], start if number == 0 else lo, "main")
            own = cue if number == 0 else replace(cue, start=lo, end=lo)
            mark = read_norm(text, (start, end), own, subject, (lo, stop), quantities, names, edges=edges, items=items)
            marks += [NormReading(mark, cue, subject)] if mark else []
    for (lo, hi), stop in zip(cues, stops, strict=True):
        cue = Cue(lo, hi, "prohibition", "must not", "mandatory", 0.9)
        subject = Subject(lo, lo, lo if marks else start, "main")
        mark = read_norm(text, (start, end), cue, subject, (hi, stop), quantities, names, edges=edges, items=items)
        marks += [NormReading(mark, cue, subject)] if mark else []
    return marks


def _holds(text: str, verb: int, cue: int) -> bool:
    """Whether words of force stand in a clause inside of what an imperative tells: "Obtain a note that they agree to pay"."""
    return verb < cue and _CLAUSE_WITHIN.search(text, verb, cue) is not None and _STOP.search(text, verb, cue) is None


def _limit_of_imperative(text: str, at: int, end: int) -> int:
    stop = _STOP.search(text, at, end)
    return stop.start() if stop else end


def _begins_plain(text: str, lo: int, hi: int) -> bool:
    """Whether a predicate begins with a plain verb, as what somebody's duties include may."""
    first = _FIRST_WORD.match(text, lo, hi)
    return first is not None and first[1][0].isupper() and is_plain_verb(first[1])


def _acts(text: str, cue: Cue, spans: list[tuple[int, int]], *, alone: bool) -> list[tuple[int, int]]:
    """The actions under a modal expression: one for each verb with an object of its own.

    What somebody is responsible for is parted only where it stands alone: an item of a list is one duty.
    """
    if cue.kind == "permission":
        split = cue.modality in ("may", "has the right to", "is permitted to", "is entitled to")
        return (
            [part for span in spans for part in _split(text, *trim(text, *span), choice=True)][:_MAX_NORMS]
            if split
            else spans
        )
    if cue.modality in _UNSPLIT and not all(_begins_plain(text, *span) for span in spans):
        doing = cue.modality == "is responsible for" and alone
        return [part for span in spans for part in split_doing(text, *span)] if doing else spans
    if cue.kind == "prohibition":
        spans = [part for span in spans for part in _split_nor(text, *span)]
    if cue.kind == "obligation":
        spans = [part for span in spans for part in _split_not(text, *span)]
    return [part for span in spans for part in _split(text, *trim(text, *span))][:_MAX_NORMS]


def _split(text: str, lo: int, hi: int, *, choice: bool = False) -> list[tuple[int, int]]:
    """The acts that a predicate joins; the first keeps what stands in front of its verb: "at all times open and close"."""
    at = act_behind(text, lo, hi)
    (_, first), *others = split_coordinated(text, lo if at is None else at, hi, choice=choice)
    return [(lo, first), *others]


def _split_nor(text: str, lo: int, hi: int) -> list[tuple[int, int]]:
    """Part what is forbidden where "nor" begins another act: "shall not copy the key, nor lend it"."""
    cuts = [found for found in _NOR.finditer(text, lo, hi) if is_plain_verb(found["verb"])]
    edges = [lo, *(found.start("verb") for found in cuts)]
    return list(zip(edges, [*(found.start() for found in cuts), hi], strict=True))


def _split_not(text: str, lo: int, hi: int) -> list[tuple[int, int]]:
    """Part what has to be done where something follows that must not be: "agrees to keep the key and not to lend it"."""
    cuts = [
        found
        for found in _AND_NOT.finditer(text, lo, hi)
        if is_plain_verb(found["verb"]) and _CLAUSE_WITHIN.search(text, lo, found.start()) is None
    ]
    edges = [lo, *(found.end("joint") for found in cuts)]
    return list(zip(edges, [*(found.start() for found in cuts), hi], strict=True))


def _limit(text: str, cue: Cue, clauses: list[int], end: int) -> int:
    """Where a cue's clause ends: where the next begins, unless that is its own object ("ensure that X shall")."""
    for position, at in enumerate(clauses):
        proviso = _PROVISO.search(text, cue.end, max(at, cue.end))
        if proviso or position or not _OBJECT_CLAUSE.search(text, cue.end, max(at, cue.end)):
            return proviso.start() if proviso else at
    return end


def _accept(
    text: str, start: int, end: int, cues: list[Cue], names: frozenset[str]
) -> tuple[list[tuple[Cue, Subject]], list[int]]:
    """The cues that govern a main clause, each with its subject; "and shall" takes over the subject before it.

    Returns:
        The cues, and where clauses begin that share a subject but bind nobody: "and shall be deemed given".
    """
    out: list[tuple[Cue, Subject]] = []
    ends: list[int] = []
    lo, before = start, None  # type: tuple[int, Subject | None]
    for cue in cues:
        if lo > start and not text[lo : cue.start].strip():
            continue  # "need not require": the second verb belongs to the first
        if (
            cue.modality == "requires"
            and out
            and _GOVERNED.search(text, lo, cue.start) is None
            and text[cue.start : cue.end].rstrip() == "require"
        ):
            continue  # "must, in writing, require its auditor to"
        subject = nearest_agent(text, find_subject(text, lo, cue.start, first=lo == start), names)
        if subject.role == "inherited":
            before = before or _plain_subject(text, start, cue.start)
            subject = replace(subject, start=before.start, end=before.end) if before else subject
        if (
            out
            and (ensured := _ENSURED.search(text, out[-1][0].end, cue.start))
            and not has_finite_verb(text, ensured.end(), cue.start)
        ):
            continue  # "must ensure that the key must not be shared": one norm
        revised = revise(text, start, end, cue, subject, names)
        if revised is not None:
            bound_cue, bound = find_bound(text, start, end, revised, subject, cue)
            moved = cue.start <= bound.start and subject.start < subject.end <= cue.start
            out.append((bound_cue, replace(bound, front=subject.start) if moved else bound))
        elif out and subject.role == "inherited" and cue.modality.split()[0] == out[-1][0].modality.split()[0]:
            ends.append(_joint_before(text, out[-1][0].end, cue.start))
        if revised is not None or subject.role in ("main", "inherited"):
            named = subject.start < subject.end or before is None  # words that bind nobody end no subject
            lo, before = cue.end, out[-1][1] if revised is not None else subject if named else before
    return out, ends


def _joint_before(text: str, lo: int, cue: int) -> int:
    """Where the joint stands right before a cue: ", and shall"."""
    joint = _JOINED_CUE.search(text, lo, cue)
    return joint.start() if joint else cue


def _plain_subject(text: str, start: int, cue: int) -> Subject | None:
    """The subject of a plain clause to which a modal one is joined: "The forms are for the agents and need not be sent"."""
    verb = FINITE.search(text, start, cue)
    return None if verb is None else find_subject(text, start, verb.start(), first=True)


def _actions(text: str, at: int, hi: int) -> list[tuple[int, int]]:
    """Where the action lies; one span for each item when a list follows at once ("shall: (a) ...; (b) ...")."""
    colon = _COLON.match(text, at, hi)
    if colon:
        starts = [match.end() for match in _ITEM.finditer(text, colon.end() - 1, hi)]
        if len(starts) >= 2:
            limits = [*(match.start() for match in _ITEM.finditer(text, colon.end() - 1, hi)), hi][1:]
            return [trim(text, lo, stop) for lo, stop in zip(starts, limits, strict=True)][:_MAX_NORMS]
    stop = _STOP.search(text, at, hi)
    hi = stop.start() if stop else hi
    return [(at, _before_effect(text, at, hi))]


def _before_effect(text: str, at: int, hi: int) -> int:
    """Where a predicate ends before a clause of its own that only tells an effect: ", or the right will be deemed waived"."""
    for found in _OTHER_CLAUSE.finditer(text, at, hi):
        if text.count("(", at, found.start()) == text.count(")", at, found.start()):
            return found.start()
    return hi
