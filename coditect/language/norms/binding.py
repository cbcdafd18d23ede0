"""Which modal expressions of a sentence bind somebody, and the finding that each of them makes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from coditect.language.finite_verbs import FINITE, has_finite_verb
from coditect.language.marks import Mark, trim
from coditect.language.norms.agents import is_agent
from coditect.language.norms.imperatives import find_imperative, is_plain_verb, split_coordinated
from coditect.language.norms.modality import Cue, NormKind, find_cues
from coditect.language.norms.parts import NEGATIVE, PARTICIPLE, read_norm
from coditect.language.norms.subjects import Subject, find_subject
from coditect.language.tables import read_table
from coditect.schemas.tier1.data import Strength

__all__ = ["NormReading", "find_norms", "read_norms"]

_I = re.IGNORECASE
_EFFECTS, _MODALITY = read_table("effects"), read_table("modality")
_MAX_NORMS = 12
_UNSPLIT = ("prohibited", "is required", "is responsible for")

_STOP = re.compile(
    r";(?![^\[\]]*\])|(?<=[a-z\d)”\"])(?<!\bInc)(?<!\bCorp)(?<!\bLtd)(?<!\bNo)(?<!\bSec)(?<!\bCo)[.!?](?:\s+(?=[A-Z(])|$)|\n\s*\n"
)
_STATE = rf"\s*(?:(?:{_EFFECTS.pattern('adverbs_of_effect')})\s+){{0,3}}"
# What is so by force of the text, whoever is named: nobody has to act.
_DECLARED = re.compile(
    _STATE + rf"(?:be\s+(?:(?:\w+ly|also|not|so|then)\s+){{0,2}}(?:{_EFFECTS.pattern('declared_states')})\b"
    r"|mean\b|have\s+the\s+(?:same\s+)?(?:respective\s+)?meanings?|constitute|survive|inure"
    r"|have\s+(?:no|any)\s+(?:further\s+|legal\s+)*(?:effect|force))",
    _I,
)
# The same of things, but an act when a person does it: "Supplier shall terminate", "the term shall terminate".
_DECLARED_OF_THINGS = re.compile(
    _STATE + rf"(?:{_EFFECTS.pattern('effects_of_things')}|(?:{_EFFECTS.pattern('events')})\b"
    r"|remain\s+(?:in|the|liable|unchanged|subject|effective)\b|refer\s|be\s+(?:the|an?|for)\b)",
    _I,
)
_POSSIBLE = re.compile(
    r"\s*(?:also\s+|not\s+|otherwise\s+|reasonably\s+|from\s+time\s+to\s+time\s+|only\s+)*"
    rf"(?:{_EFFECTS.pattern('possibilities')}|(?:include|need|have|lose)\b|lead\s"
    rf"|be\s+(?:{_EFFECTS.pattern('possible_states')}|(?:a|an|the|in|at)\b))",
    _I,
)
_UNABLE = re.compile(r"\s*(?:always\s+)?(?:be\s+(?:able|aware|sufficient|available|possible|successful)|succeed)\b", _I)
_PERHAPS = re.compile(r"\b(?:may|might|could|can)\s+(?:(?:also|then)\s+)?(?:be\s+)?(?=[a-z]+\s+to\b)", _I)
_NONE = re.compile(r"(?:nothing|none|no\s+(?:provision|term|section|part))\b", _I)
_OTHERS = r"(?P<np>(?:[\w'’{}.-]+\s+){1,6}?)"
_NOTHING_DOES: tuple[tuple[re.Pattern[str], NormKind, str, Strength], ...] = (
    (
        re.compile(
            rf"\s*(?:be\s+(?:construed|deemed|interpreted)\s+(?:so\s+as\s+)?to\s+(?:[^;.]{{0,80}}?\bto\s+)?)?(?:require|oblige|obligate|compel)s?\s+{_OTHERS}to\s+",
            _I,
        ),
        "permission",
        "is not required to",
        "optional",
    ),
    (
        re.compile(
            rf"\s*(?:be\s+(?:construed|deemed|interpreted)\s+(?:so\s+as\s+)?to\s+)?(?:prevent|prohibit|preclude|restrict|bar|limit)s?\s+{_OTHERS}from\s+",
            _I,
        ),
        "permission",
        "is not prevented from",
        "optional",
    ),
    (
        re.compile(rf"\s*(?:give|grant|confer\s+on)s?\s+{_OTHERS}(?:the|any|a)\s+rights?\s+to\s+", _I),
        "prohibition",
        "has no right to",
        "mandatory",
    ),
)
_OTHERS_NAMED = re.compile(
    rf".*?\b(?:require|oblige|obligate|compel|prevent|prohibit|preclude|restrict|bar|limit|give|grant|confer\s+on)s?\s+{_OTHERS}(?:to|from|the\s+rights?\s+to|any\s+rights?\s+to|a\s+right\s+to)\s+\Z",
    _I | re.DOTALL,
)
_NOTHING = re.compile(r"(?:nothing|there|this\s+(?:section|agreement|policy|part|article|paragraph))\b", _I)
_ITEM = re.compile(r"(?:(?<=[;,:\n])|(?<=\sand)|(?<=\sor))\s*(?:and\s+|or\s+)?\((?:[a-z]|[ivx]{1,4}|\d{1,2})\)\s+")
_DONT = re.compile(
    r"[\s\W]*(?:(?:\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})[).]|please)\s+)?(?P<cue>Do\s+not|DO\s+NOT|Don['’]t|Never)\s+(?=[a-z])"
)
_NEVER = re.compile(rf"\b(?:{_MODALITY.pattern('fronted_negation')})\s*$", _I)
_INVERTED = re.compile(
    r"\s*(?P<np>(?:(?:the|an?|any|either|each|such|its|our)\s+(?:[a-z-]+(?=\s)|[A-Z][\w-]*)|we|you|it|they|[A-Z][\w&.'’-]*)(?:\s+[A-Z][\w&.'’-]*){0,4})\s+(?=[a-z])"
)
_REQUIRED_TO = re.compile(r"\s*(?P<np>(?:[\w'’{}-]+\s+){1,6}?)to\s+(?=[a-z])")
_OBJECT_CLAUSE = re.compile(r"\bthat\s*$", _I)
_ENSURED = re.compile(
    r"\b(?:ensur(?:e|es|ing)|procure|see\s+to\s+it|make\s+sure|demonstrate|verify|confirm|satisfy\s+\w+|stat(?:e|es|ing)|show|certify)\b[^.;]*?\b(?:that|how|whether)\s",
    _I,
)
# A report of what another provision lays down: "Rule 4 requires banks to", "Under section 9 of the Act the office may".
_PROVISION = re.compile(
    r"(?:[A-Z]{2,6}\s+)?(?:Rules?|Sections?|Articles?|Regulations?|Parts?|Chapters?|Paragraphs?|Appendix|Schedules?|§+)\s+[\dIVX‎]",
    _I,
)
_REPORTED = re.compile(
    r"[\W\d]*Under\s+(?:sections?|rules?|articles?|parts?|chapters?)\s+[\d‎][^,;]{0,80}?\bof\s+(?:the\s+)?[A-Z]"
)
_EXCEED = re.compile(r"\s*(?:exceed|be\s+(?:less|more|lower|higher|greater|fewer|later|earlier)\s+than)\b", _I)
_TELLS = re.compile(r"\s*(?:also\s+)?(?:include|contain|specify|state|describe|identify|set\s+(?:out|forth))\b", _I)
_PAST = re.compile(r"(?:was|were)\b", _I)
_BEHIND_MODAL = re.compile(r"\b(?:shall|must|will|may|might|could|would|should|can|to|what|reasonably)\s*\Z", _I)
_INCLUDE = re.compile(r"\s*(?:not\s+|also\s+)?(?:include|consist|comprise)\b", _I)
_IN_BRACKETS = re.compile(r"\((?:provided|it\s+being|and|or|but|However|The|This|If|In|[a-z]\)|[ivx]+\)|\d\))[^()]*\Z")
_PERFECT = re.compile(r"\s*(?:not\s+)?have\s+(?:been\s+)?(?:\w{3,}ed|become|made|taken|given|done|had)\b", _I)
# A subject of its own stands before a verb in the plural: "the rules require".
_GOVERNED = re.compile(r"[A-Za-z]+s\s*\Z|\b(?:and|that|we|they|you|policies)\s*\Z")
_NEGATED = {modal: f"{modal} not" for modal in _MODALITY.words("modals")}


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

    Returns:
        Marks over the whole sentence, at most 12; ``data["clause"]`` has the offsets of the clause. Confidence is the
        cue's, plus 0.04 with an actor, less 0.1 without subject, 0.15 in an item that inherits its modal, 0.2 in a
        relative clause, 0.05 in sentences over 800 characters.
    """
    if text[start:end].rstrip().endswith("?"):
        return []
    cues = find_cues(text, start, end)
    if within is not None:
        cues = [cue for cue in cues if any(lo <= cue.start < hi for lo, hi in within)]
    accepted = _accept(text, start, end, cues, names)
    marks: list[NormReading] = []
    for index, (cue, subject) in enumerate(accepted):
        hi = max(
            cue.end, _limit(text, cue, [at.clause for _, at in accepted[index + 1 :] if at.role != "relative"], end)
        )
        for number, (lo, stop) in enumerate(_acts(text, cue, _actions(text, cue.end, hi))):
            # From its second item on, a list's clause is the item; the first one keeps the words that introduce it.
            at = subject if number == 0 else replace(subject, clause=lo)
            mark = read_norm(text, (start, end), cue, at, (lo, stop), quantities, names)
            if mark is not None and all(mark.data != other.mark.data for other in marks):
                marks.append(NormReading(mark, cue, at))
    if not marks and (verb := find_imperative(text, start, end)):
        cue = Cue(verb[0], verb[0], "obligation", "imperative", "mandatory", 0.75)
        for number, (lo, stop) in enumerate(split_coordinated(text, verb[0], _limit_of_imperative(text, verb[1], end))):
            subject = Subject(verb[0], verb[0], start if number == 0 else lo, "main")
            mark = read_norm(
                text,
                (start, end),
                cue if number == 0 else replace(cue, start=lo, end=lo),
                subject,
                (lo, stop),
                quantities,
                names,
            )
            marks += [NormReading(mark, cue, subject)] if mark else []
    if not marks:
        dont = _DONT.match(text, start, end)
        if dont:
            cue = Cue(dont.start("cue"), dont.end("cue"), "prohibition", "must not", "mandatory", 0.9)
            subject = Subject(cue.start, cue.start, cue.start, "main")
            mark = read_norm(text, (start, end), cue, subject, (cue.end, end), quantities, names)
            marks += [NormReading(mark, cue, subject)] if mark else []
    return marks[:_MAX_NORMS]


def _limit_of_imperative(text: str, at: int, end: int) -> int:
    stop = _STOP.search(text, at, end)
    return stop.start() if stop else end


def _acts(text: str, cue: Cue, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The actions under a modal expression: one for each verb with an object of its own."""
    if cue.kind == "permission" or cue.modality in _UNSPLIT:
        return spans
    return [part for span in spans for part in split_coordinated(text, *trim(text, *span))][:_MAX_NORMS]


def _limit(text: str, cue: Cue, clauses: list[int], end: int) -> int:
    """Where a cue's clause ends: where the next begins, unless that is its own object ("ensure that X shall")."""
    for position, at in enumerate(clauses):
        if position or not _OBJECT_CLAUSE.search(text, cue.end, max(at, cue.end)):
            return at
    return end


def _accept(text: str, start: int, end: int, cues: list[Cue], names: frozenset[str]) -> list[tuple[Cue, Subject]]:
    """The cues that govern a main clause, each with its subject; "and shall" takes over the subject before it."""
    out: list[tuple[Cue, Subject]] = []
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
        subject = find_subject(text, lo, cue.start, first=lo == start)
        if subject.role == "inherited":
            before = before or _plain_subject(text, start, cue.start)
            subject = replace(subject, start=before.start, end=before.end) if before else subject
        if (
            out
            and (ensured := _ENSURED.search(text, out[-1][0].end, cue.start))
            and not has_finite_verb(text, ensured.end(), cue.start)
        ):
            continue  # "must ensure that the key must not be shared": one norm
        revised = _revise(text, start, end, cue, subject, names)
        if revised is not None:
            out.append(_inverted(text, start, end, revised, subject, cue))
        if revised is not None or subject.role in ("main", "inherited"):
            lo, before = cue.end, out[-1][1] if revised is not None else subject
    return out


def _plain_subject(text: str, start: int, cue: int) -> Subject | None:
    """The subject of a plain clause to which a modal one is joined: "The forms are for the agents and need not be sent"."""
    verb = FINITE.search(text, start, cue)
    return None if verb is None else find_subject(text, start, verb.start(), first=True)


def _inverted(text: str, start: int, end: int, cue: Cue, subject: Subject, before: Cue) -> tuple[Cue, Subject]:
    """Find the actor behind the cue: "In no event shall Supplier disclose", "requires employees to report"."""
    if _NONE.match(text, subject.start, max(subject.start, subject.end)) and cue.end > before.end:
        named = _OTHERS_NAMED.match(text, before.end, cue.end)
        if named:
            return cue, replace(subject, start=named.start("np"), end=named.end("np"))
    if before.modality == "requires":
        named = _REQUIRED_TO.match(text, cue.end, end)
        if named:
            return replace(cue, end=named.end()), replace(subject, start=named.start("np"), end=named.end("np"))
        that = re.compile(r"that\b\s*").match(text, cue.end, end)
        return (replace(cue, end=that.end()) if that else cue), replace(subject, start=cue.start, end=cue.start)
    if cue.modality in _NEGATED and _NEVER.search(text, start, cue.start):
        strength: Strength = "recommended" if cue.modality == "should" else "mandatory"
        cue = replace(cue, kind="prohibition", modality=_NEGATED[cue.modality], strength=strength, confidence=0.9)
        named = _INVERTED.match(text, cue.end, end)
        if named:
            return replace(cue, end=named.end()), replace(subject, start=named.start("np"), end=named.end("np"))
        plain = _NEVER.sub("", text[subject.start : subject.end]).rstrip(" ,")
        return cue, replace(subject, end=subject.start + (0 if plain in ("which", "that", "who") else len(plain)))
    return cue, subject


def _revise(text: str, start: int, end: int, cue: Cue, subject: Subject, names: frozenset[str]) -> Cue | None:
    """The cue as its clause makes it: negated by "no employee", weaker in relative clauses, None if it binds nobody."""
    name = text[subject.start : subject.end]
    if subject.role == "subordinate" or (
        subject.role == "relative" and cue.modality not in ("shall", "must", "shall not", "must not")
    ):
        return None
    if cue.modality == "requires" and not _PROVISION.match(name.strip()) and _NONE.match(name):
        # "Nothing in this chapter requires a member to": the member is free.
        return replace(cue, kind="permission", modality="is not required to", strength="optional", confidence=0.85)
    agent = bool(name) and is_agent(name, opens=_opens(text, start, subject), names=names)
    if _is_report(text, start, cue, name) or _is_no_act(text, start, end, cue, name, agent=agent):
        return None
    word = cue.modality.split()[0]
    modal = word in _NEGATED
    if modal and name and _NONE.match(name):
        return _freed(text, end, cue)
    if modal and _is_effect(text, end, cue, name, agent=agent):
        return None
    if modal and (negated := _negated(cue, name)) is not None:
        return negated
    passive = PARTICIPLE.match(text, cue.end, end) is not None
    if word == "may" and _is_possibility(text, end, cue, subject, name, agent=agent, passive=passive):
        return None
    if subject.role == "relative" and not agent:
        return None
    if cue.kind == "obligation" and _PERHAPS.search(text, max(start, cue.start - 16), cue.end + 3):
        return None  # "may be required to"
    if word in ("will", "cannot") and not agent:
        tells = passive or _TELLS.match(text, cue.end, end) is not None
        return replace(cue, confidence=0.55) if tells and word == "will" and name else None
    if cue.modality in ("has to", "agrees to", "has the right to") and not name:
        return None
    return replace(cue, confidence=cue.confidence - 0.2) if subject.role == "relative" else cue


def _is_report(text: str, start: int, cue: Cue, name: str) -> bool:
    """Whether a clause tells what another provision lays down, or stands in brackets as an aside."""
    if cue.modality == "requires" and _PROVISION.match(name.strip()):
        return True
    if cue.modality.split()[0] == "may" and _REPORTED.match(text, start, cue.start):
        return True
    inside = text.count("(", start, cue.start) > text.count(")", start, cue.start)
    return inside and not _IN_BRACKETS.search(text, start, cue.start)


def _is_no_act(text: str, start: int, end: int, cue: Cue, name: str, *, agent: bool) -> bool:
    """Whether words that could bind only tell what is expected, owed to nobody, or counted as what."""
    if cue.modality in ("is to", "is expected to"):
        expects = text[cue.start : cue.end].lower().startswith("expect")
        passive = cue.modality == "is to" and PARTICIPLE.match(" " + text[cue.end : cue.end + 60]) is not None
        if not (expects or agent or passive) or _PAST.match(text, cue.start):
            return True
        if expects and _BEHIND_MODAL.search(text, start, cue.start):
            return True
    if cue.modality == "is not permitted to" and text[cue.start : cue.end].rstrip().endswith("entitled to"):
        following = re.match(r"\s*([a-z-]+)", text[cue.end : cue.end + 30])
        if following is None or not is_plain_verb(following[1]):
            return True  # "will not be entitled to fees"
    if cue.modality.split()[0] not in ("shall", "will", "may"):
        return False
    if name and cue.kind == "prohibition" and not agent and _INCLUDE.match(text, cue.end, end):
        return True  # "A function shall not include": what counts as what
    return _PERFECT.match(text, cue.end, end) is not None


def _is_effect(text: str, end: int, cue: Cue, name: str, *, agent: bool) -> bool:
    """Whether a clause says what is so by force of the text, whoever is named."""
    if (_NOTHING.match(name) and cue.modality.split()[0] != "must") or _DECLARED.match(text, cue.end, end):
        return True
    return not agent and _DECLARED_OF_THINGS.match(text, cue.end, end) is not None


def _negated(cue: Cue, name: str) -> Cue | None:
    """The cue as "no employee" and "neither party" turn it around; None where the subject does not."""
    word = cue.modality.split()[0]
    turned = NEGATIVE.match(name) and not cue.modality.endswith("not")
    if not turned and not (name.lower().startswith("neither ") and cue.kind != "prohibition"):
        return None
    strength: Strength = "recommended" if turned and word == "should" else "mandatory"
    return replace(cue, kind="prohibition", modality=_NEGATED[word], strength=strength, confidence=0.9)


def _is_possibility(text: str, end: int, cue: Cue, subject: Subject, name: str, *, agent: bool, passive: bool) -> bool:
    """Whether "may" tells of what is possible: "may result in", "such notices may help", "may not be able to"."""
    if cue.kind == "prohibition":
        if _UNABLE.match(text, cue.end, end):
            return True
        return bool(name) and not agent and not passive and not _EXCEED.match(text, cue.end, end)
    if cue.kind != "permission" or text[cue.start : cue.end] == "MAY":
        return False
    acts = agent and not re.match(r"\s*(?:be|have|need|incur|suffer|become|lose)\b", text[cue.end : cue.end + 12])
    if _POSSIBLE.match(text, cue.end, end) and not acts:
        return True
    return bool(name) and not agent and not passive and subject.role == "main"


def _opens(text: str, start: int, subject: Subject) -> bool:
    """Whether a subject begins its sentence but for signs, so that its first capital proves nothing."""
    return not text[start : subject.start].strip(" \t\n*#-•(")


def _freed(text: str, end: int, cue: Cue) -> Cue | None:
    """What "nothing in this Agreement shall" does: to oblige frees somebody, to forbid permits, to give a right denies it."""
    for pattern, kind, modality, strength in _NOTHING_DOES:
        found = pattern.match(text, cue.end, end)
        if found:
            return replace(cue, end=found.end(), kind=kind, modality=modality, strength=strength, confidence=0.85)
    return None


def _actions(text: str, at: int, hi: int) -> list[tuple[int, int]]:
    """Where the action lies; one span for each item when a list follows at once ("shall: (a) ...; (b) ...")."""
    colon = re.compile(r"[^;.:]{0,50}:\s*(?=\(\w{1,4}\)\s)").match(text, at, hi)
    if colon:
        starts = [match.end() for match in _ITEM.finditer(text, colon.end() - 1, hi)]
        if len(starts) >= 2:
            limits = [*(match.start() for match in _ITEM.finditer(text, colon.end() - 1, hi)), hi][1:]
            return [trim(text, lo, stop) for lo, stop in zip(starts, limits, strict=True)][:_MAX_NORMS]
    stop = _STOP.search(text, at, hi)
    return [(at, stop.start() if stop else hi)]
