"""The pieces of one normative clause: action, conditions, exceptions, actor, deadline, frequency and duration."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from coditect.language.finite_verbs import FINITE
from coditect.language.marks import JsonValue, Mark, sort_data, trim
from coditect.language.norms.actors.acting import can_act
from coditect.language.norms.actors.agents import by_agent, is_agent, with_bracket
from coditect.language.norms.actors.positions import is_of_some_alone, position_of
from coditect.language.norms.bearers import place_act
from coditect.language.norms.cues import Cue
from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.norms.limits.act_ends import NAMED_LAST, closed, end_of_act, without_open_brackets
from coditect.language.norms.limits.adjuncts import divide
from coditect.language.norms.limits.announced import behind_announcement, without_aside
from coditect.language.norms.limits.before_verb import limits_before_verb, limits_inside
from coditect.language.norms.limits.compound import whole_duration
from coditect.language.norms.limits.ends import CLAUSAL
from coditect.language.norms.limits.fronted import adjuncts_before
from coditect.language.norms.limits.openings import Adjunct
from coditect.language.norms.limits.times import times_granted, times_of, times_within
from coditect.language.norms.subjects import Subject, find_subject
from coditect.language.patterns.beginnings import quick
from coditect.language.tables import read_table

__all__ = ["NEGATIVE", "PARTICIPLE", "read_norm"]

_I = re.IGNORECASE
_VERBS = read_table("verbs")
_SHORTENED = re.compile(r"(?<=[a-z])['’](?:ll|re|ve|d)\Z")  # "you'll be free to"
_MAX_ACTION = 2_000
_MOST_LIMITS = 6

PARTICIPLE = re.compile(
    r"\s*(?:(?:\w+ly|also|then|thereafter|thereupon)\s+)?(?:be|been)\s+(?:(?:\w+ly|also|either|first|not|both|so)\s+){0,2}"
    rf"(?P<v>\w{{2,}}(?:ed|en|wn)|{_VERBS.pattern('irregular_participles')})\b",
    _I,
)
# Behind the "is" of a present passive, which is the cue itself.
_PRESENT = re.compile(PARTICIPLE.pattern.replace(r"(?:be|been)\s+", ""), _I)
# Participles that are adjectives: "shall be limited to" is no act of anybody.
_ADJECTIVE = frozenset(_VERBS.words("participial_adjectives"))
_OF_PERSONS = frozenset(_VERBS.words("participles_of_persons"))
_FRONTED = re.compile(rf",?\s*\b(?:{read_table('modality').pattern('fronted_negation')})\s*\Z", _I)
NEGATIVE = re.compile(r"nobody\b|(?P<prefix>(?:no|none\s+of(?:\s+the)?|neither)\s+)", _I)
# "If a key is lost, it is the duty of the custodian to", "If it rains, then it ends": no part of the adjunct.
_EXPLETIVE = re.compile(r",\s+(?:it|then,?|(?:then,?\s+)?(?:please|simply|kindly|just))\s*\Z")
_PRONOUN = re.compile(r"it|they|he|she|he\s+or\s+she|she\s+or\s+he|he/she", _I)
_SAID = quick(
    r"\b(?P<verb>(?:agree|acknowledge|undertake|covenant|promise|represent|warrant|confirm|certif(?:y|ies)|understand|accept|ensure)s?)\b"
    r"(?:[\s,]+(?:and|or|[a-z]+s|\w+ly)){0,4}(?:\s+(?:to|with)\s+(?:the\s+|each\s+)?\w+(?:\s+[A-Z]\w*)?)?[,:]?\s+(?:\(\w{1,4}\)\s+)?that\b(?:[^.;]{0,300}?\s(?:and|or)\s+that\b)?[\s:,]*(?:\(\w{1,3}\)\s*)?\Z",
    _I,
)
_BINDS_ITSELF = re.compile(r"\b(?:agree|undertake|covenant|promise|warrant|guarantee|ensure)s?\b")
# "the member is suspended", not "the suspended member is"; "if users become aware"
_VERBISH = re.compile(
    r"(?<!\bthe)(?<!\ban)(?<!\ba)(?<!\bany)(?<!\beach)\s(?:[a-z]{3,}(?<!s)s|[a-z]{3,}ed|(?<=[a-z]s\s)(?:become|fail|wish|want|receive|learn|suspect|find|lose|leave))\s(?=[a-z])"
)
_MODALS = frozenset(read_table("modality").words("modals"))
_NOT_TO = re.compile(
    r"\s*(?:(?:thereafter|thereupon|then|also|again|in\s+future)\s+)?(?:not|never)\s+(?:to\s+)?(?=[a-z])"
    r"(?!(?:only|later|less|more|fewer|earlier|possible|limited|merely|just|necessarily)\b)",
    _I,
)
_ONLY = re.compile(r"only\s+(?=\w)", _I)
_FOLLOWING = re.compile(r"\bfollowing\b", _I)
_STATES = ("is", "are", "was", "were", "has", "have")
_A_THING = re.compile(r"(?:the|an?|any|such|this|that)\s+(?:[\w’'-]+\s+){0,3}[\w’'-]+", _I)
_PURPOSE = re.compile(r"in\s+order\s+to\b", _I)
_BETWEEN_COMMAS = re.compile(r"\s*,\s+(?P<words>[^;]{3,400}),\s*")
_INVERTED = ("Should", "Were", "Had")
_WORDS = re.compile(r"\S+")
_MOST_OF_SUBJECT = 9


def read_norm(
    text: str,
    sentence: tuple[int, int],
    cue: Cue,
    subject: Subject,
    action: tuple[int, int],
    quantities: Sequence[Mark],
    names: frozenset[str] = frozenset(),
    opening: Subject | None = None,
    between: Sequence[Adjunct] = (),
    edges: Sequence[int] = (),
    items: tuple[int, int] = (0, 0),
) -> Mark | None:
    """Take one normative clause apart into its actor, action, conditions and limits.

    Args:
        text: the canonical text.
        sentence: the span that the finding covers.
        cue: the clause's modal expression.
        subject: the subject of the clause.
        action: where the action lies.
        quantities: the sentence's quantities; those inside the clause count.
        names: words that the document writes with a capital wherever they stand.
        opening: of a second act under one modal expression the subject of the first: what limits both stands in front of it.
        between: of a second act what limits both between the modal expression and the verb of the first.
        edges: where items begin that were put behind their lead-in.
        items: where items stand that belong to their lead-in all together.

    Returns:
        The finding, or None when there is no action.
    """
    lo, hi = trim(text, *action, punctuation=True)
    hi = last = end_of_act(text, lo, hi)
    placed = place_act(text, cue, subject, lo, hi)
    if placed is None:
        return None
    cue, subject = placed.cue, placed.subject
    behind = [*placed.behind, *limits_inside(text, cue.start, cue.end), *between]
    parts = _Parts(
        text, sentence, cue, subject, placed.lo, placed.hi, names, placed.rest, behind, opening, edges, items
    )
    data, passive = parts.read()
    cue = parts.cue
    if "action" not in data:
        return None
    begin = min(subject.clause, cue.start, *(each.start for each in parts.leading if opening is None))
    clause = trim(text, subject.clause if subject.clause > cue.end else begin, max(last, cue.end))
    data["clause"] = {"end": clause[1], "start": clause[0]}
    data["modality"] = (
        f"only … {cue.modality}" if is_of_some_alone(text, cue, subject.start, subject.end) else cue.modality
    )
    data["position"] = position_of(cue, str(data["action"])) if cue.kind == "permission" else None
    data["strength"] = cue.strength
    reach = [clause, *((each.start, each.end) for each in between)]
    near = [q for q in quantities if any(begin <= q.start and q.end <= stop for begin, stop in reach)]
    within = (
        times_within(text, parts.lo, parts.hi) if cue.kind == "obligation" else times_granted(text, cue.start, cue.end)
    )
    data |= times_of(text, (*parts.limits, *within), near)
    return Mark(cue.kind, *sentence, sort_data(data), _confidence(cue, sentence, "actor" in data, passive=passive))


def _confidence(cue: Cue, sentence: tuple[int, int], has_actor: bool, *, passive: bool) -> float:
    """How sure a norm is, 0.3..0.97: surer with an actor, less without one where no passive hides it, and in long sentences."""
    sure = cue.confidence + (0.04 if has_actor else 0.0 if passive else -0.1)
    return round(min(0.97, max(0.3, sure - (0.05 if sentence[1] - sentence[0] > 800 else 0.0))), 2)


@dataclass(slots=True)
class _Parts:
    """Reads the verbatim pieces of one clause.

    Attributes:
        text: the canonical text.
        sentence: the span that the finding covers.
        cue: the clause's modal expression.
        subject: its subject.
        lo: where the predicate begins; behind an aside, once that has been read.
        hi: one past the predicate.
        names: words that the document writes with a capital wherever they stand.
        opening: of a second act the subject of the first.
        edges: where items of a list begin.
        together: where items stand that belong to their lead-in all together.
        rest: what else is said behind the cue of an act that stands in front of it: "entry is permitted for guests".
        behind: adjuncts that stand outside of the predicate, behind it.
        leading: adjuncts in front of the subject, once they have been read.
        trailing: adjuncts behind the cue, once they have been read.
    """

    text: str
    sentence: tuple[int, int]
    cue: Cue
    subject: Subject
    lo: int
    hi: int
    names: frozenset[str]
    rest: Sequence[tuple[int, int]] = ()
    behind: Sequence[Adjunct] = ()
    opening: Subject | None = None
    edges: Sequence[int] = ()
    together: tuple[int, int] = (0, 0)
    leading: list[Adjunct] = field(default_factory=list)
    trailing: list[Adjunct] = field(default_factory=list)

    def read(self) -> tuple[dict[str, JsonValue | None], bool]:
        """The verbatim pieces by name, and whether the clause is passive."""
        text, data = self.text, {}  # type: tuple[str, dict[str, JsonValue | None]]
        self.leading = self._leading()
        self.trailing, self.lo = limits_before_verb(self.text, self.lo, self.hi)
        self.lo = self._turn(self.lo)
        self.lo = behind_announcement(text, self.lo, self.hi, self.edges)
        items = self._told_items()
        pieces = self._act(self.hi if items is None else items)
        if pieces and pieces[-1][1] - pieces[0][0] >= 2:
            words = without_open_brackets(NAMED_LAST.sub("", " ".join(text[start:end] for start, end in pieces)))
            data["action"] = words if len(words) <= _MAX_ACTION else words[: words.rfind(" ", 0, _MAX_ACTION)]
        for kind in ("condition", "exception"):
            told = self._told(kind)
            data[kind] = told[0] if len(told) == 1 else told or None
        data["duration"] = whole_duration(text, list(self.limits))
        name, negative = self._named()
        participle = self._participle(pieces, name)
        if participle is not None:
            agent = by_agent(text, participle.end(), self.hi)
            data["actor"] = text[agent[0] : agent[1]] if agent and self._can_act(*agent) else None
            named = name if items is None else trim(text, items, self.hi, punctuation=True)
            data["object"] = text[named[0] : named[1]] or None
        else:
            data |= self._who(name, str(data.get("action", "")), negative=negative)
        if data.get("actor") is None and self.cue.kind != "permission":
            data["actor"] = self._promiser(_BINDS_ITSELF)  # "Acme agrees that the fee shall be paid"
        if data.get("actor") is None:
            data.pop("actor", None)
        return data, participle is not None

    def _act(self, hi: int) -> list[tuple[int, int]]:
        """The pieces of the act; what limits it goes to what trails.

        Args:
            hi: one past where it may end.
        """
        told_as = self.cue.kind
        pieces, found = divide(
            self.text,
            self.lo,
            hi,
            denied=told_as == "prohibition",
            allowed=told_as == "permission",
            edges=self.edges,
            items=self.together,
        )
        if not pieces and found and not self.leading and not CLAUSAL.match(self.text, found[0].start):
            pieces, found = [(self.lo, hi)], []  # a verb that is in no table: all of it is the act
        pieces = [part for each in pieces for part in without_aside(self.text, *each, self.edges)]
        pieces += [each for each in self.rest if pieces]
        if pieces:
            pieces[0] = self._turn(pieces[0][0]), pieces[0][1]
        self.trailing += [*found, *self.behind]
        return pieces

    def _named(self) -> tuple[tuple[int, int], bool]:
        """Where the name of the subject stands, and whether "no" stood before it."""
        name = with_bracket(self.text, *trim(self.text, self.subject.start, self.subject.end, punctuation=True))
        only = _ONLY.match(self.text, *name)
        name = (only.end(), name[1]) if only else name
        negative = NEGATIVE.match(self.text, *name)
        return ((negative.end("prefix"), name[1]) if negative and negative["prefix"] else name), negative is not None

    def _participle(self, pieces: Sequence[tuple[int, int]], name: tuple[int, int]) -> re.Match[str] | None:
        """The participle of a passive; None where the clause is active."""
        text = self.text
        present = text[self.cue.start : self.cue.end] in ("is", "are")
        # "be signed by the clerk and sent to the board": the second act goes on with the auxiliary of the first.
        joined = self.opening is not None and pieces and pieces[0][0] == self.lo and self._goes_on_done()
        at = pieces[0][0] if pieces and not present and text[self.cue.end : self.lo].strip() else self.cue.end
        at = self.lo if joined else at
        found = (_PRESENT if present or joined else PARTICIPLE).match(text, at, self.hi)
        if found is None or found["v"].lower() in _ADJECTIVE:
            return None
        if found["v"].lower() in _OF_PERSONS and is_agent(text[slice(*name)], opens=True, names=self.names):
            return None  # "the firm must be satisfied that"
        return found

    def _who(self, at: tuple[int, int], action: str, *, negative: bool) -> dict[str, JsonValue | None]:
        """The subject of an active clause: who acts, or what is told of.

        Args:
            at: where its name stands.
            action: the act.
            negative: "no" stood before it.
        """
        opens = not self.text[self.sentence[0] : at[0]].strip(" \t\n*#-•(")
        # "each party (the “Tenant”)"
        name = _SHORTENED.sub("", NAMED_LAST.sub("", self.text[at[0] : at[1]]))
        acts = (
            is_agent(name, opens=opens, names=self.names)
            or can_act(name, action, self.cue.modality)
            or (self.subject.front >= 0 and self.cue.modality == "is permitted to")  # whom a grant is made to
            or (negative and name.lower().split(" ", 1)[0] == "one")  # "no one"
        )
        acts = acts and self.text[self.cue.start : self.cue.end] not in ("is", "are")  # "A ticket is valid for 8 hours"
        return {"actor" if acts else "subject": (self._meant(name) if acts else name) or None}

    def _goes_on_done(self) -> bool:
        """Whether an act begins with a participle that can be no plain verb."""
        word = _WORDS.match(self.text, self.lo, self.hi)
        return word is not None and not is_plain_verb(word[0].strip(","))

    def _told_items(self) -> int | None:
        """Where the items begin that say what a passive is told of: "The following must be filed: (a) the form"."""
        if _FOLLOWING.search(self.text, self.subject.start, self.subject.end) is None:
            return None
        edge = next((each for each in self.edges if self.lo < each < self.hi), None)
        return edge if edge is not None and PARTICIPLE.match(self.text, self.lo, edge) else None

    def _turn(self, at: int) -> int:
        """Make a prohibition of a duty not to do something: "agree to not copy", "shall, if asked, not be copied"; its place."""
        denied = _NOT_TO.match(self.text, at, self.hi) if self.cue.kind == "obligation" else None
        if denied is None:
            return at
        word = self.cue.modality.split()[0]
        modality = f"{word} not" if word in _MODALS else "must not"
        self.cue = replace(self.cue, kind="prohibition", modality=modality)
        return denied.end()

    def _can_act(self, lo: int, hi: int) -> bool:
        """Whether what stands behind "by" is somebody: "by the Registrar", not "by the vote of the members"."""
        words = self.text[lo:hi]
        return words.split()[-1][:1].isupper() or is_agent(words, opens=False, names=self.names)

    def _meant(self, name: str) -> str:
        """The name that a pronoun stands for, where the condition in front of it has a subject that can act; "" for a thing."""
        if not _PRONOUN.fullmatch(name):
            return name
        for each in reversed(self.leading):
            if each.kind != "condition":
                continue
            if self.text[each.start : each.head] in _INVERTED and (named := self._inverted(each)):
                return named
            first = _WORDS.search(self.text, each.head, each.end)  # of whom the condition tells
            behind = first.end() if first else each.head
            verbs = [pattern.search(self.text, behind, each.end) for pattern in (FINITE, _VERBISH)]
            verb = min((found for found in verbs if found), key=lambda found: found.start(), default=None)
            if verb is None:
                continue
            lo, hi = trim(self.text, each.head, verb.start(), punctuation=True)
            if lo < hi and is_agent(self.text[lo:hi], opens=False, names=self.names):
                return self.text[lo:hi]
            if name.lower() == "it" and verb[0].strip() in _STATES and _A_THING.fullmatch(self.text, lo, hi):
                return ""  # "If the notice is a letter, it must": a thing, which nobody is bound by
        return self._promiser() or name

    def _promiser(self, verbs: re.Pattern[str] | None = None) -> str | None:
        """Who says of himself what a content clause tells: "The Supplier agrees that it shall" binds the Supplier."""
        by = self._said(verbs)
        if by is None:
            return None
        lo, hi = trim(self.text, by.start, by.end, punctuation=True)
        named = lo < hi and is_agent(self.text[lo:hi], opens=True, names=self.names)
        return self.text[lo:hi] if named else None

    def _said(self, verbs: re.Pattern[str] | None = None) -> Subject | None:
        """The subject of the verb on which the clause hangs: of "agree that", "ensures that"."""
        said = _SAID.search(self.text, self.sentence[0], max(self.sentence[0], self.subject.start))
        if said is None or (verbs and not verbs.search(self.text, said.start(), said.end())):
            return None
        by = find_subject(self.text, self.sentence[0], said.start("verb"), first=True)
        return by if by.role == "main" else None

    def _inverted(self, each: Adjunct) -> str | None:
        """The subject of "Should the chair be ill": the words in front of its plain verb, if they name somebody."""
        words = list(_WORDS.finditer(self.text, each.head, each.end))[:_MOST_OF_SUBJECT]
        for before, verb in itertools.pairwise(words):
            name = self.text[words[0].start() : before.end()]
            if (verb[0] == "be" or is_plain_verb(verb[0])) and is_agent(name, opens=False, names=self.names):
                return name
        return None

    @property
    def limits(self) -> Iterable[Adjunct]:
        """All phrases that limit the clause, in order."""
        return (*self.leading, *self.trailing)

    def _told(self, kind: str) -> list[str]:
        """The words of all limits of a kind."""
        words = [self.text[each.start : each.end] for each in self.limits if each.kind == kind]
        words = [each[: closed(each)].rstrip() for each in words if len(each.split()) >= 2][:_MOST_LIMITS]
        return list(dict.fromkeys(words))

    def _leading(self) -> list[Adjunct]:
        """The conditions, exceptions and times in front of the subject."""
        subject = self.opening or self.subject
        if subject.clause > self.cue.start:
            return []
        said = self._said()
        if said is not None and said.clause < said.start:
            before = adjuncts_before(
                self.text, said.clause, said.start
            )  # "Unless told otherwise, the parties agree that"
            return [*before, *self._in_front(subject)]
        return [*self._in_front(subject), *self._behind_subject(subject)]

    def _behind_subject(self, subject: Subject) -> list[Adjunct]:
        """What stands between commas behind the subject: "The bank, on receipt of a notice, shall"."""
        if not subject.clause <= subject.start < subject.end <= self.cue.start:
            return []
        between = _BETWEEN_COMMAS.fullmatch(self.text, subject.end, self.cue.start)
        if between is None or _PURPOSE.match(between["words"]):
            return []
        return adjuncts_before(self.text, *between.span("words"))

    def _in_front(self, subject: Subject) -> list[Adjunct]:
        is_own = subject.clause <= subject.start < subject.end
        is_own = is_own or self.cue.end == subject.start < self.cue.start  # "If it is late, smoking is prohibited"
        stop = subject.front if subject.front >= 0 else subject.start if is_own else self.cue.start
        lo = min(subject.clause, stop)
        stop = min(stop, self.cue.start)
        fronted = _FRONTED.search(self.text, lo, stop) or _EXPLETIVE.search(self.text, lo, stop)
        return adjuncts_before(self.text, lo, fronted.start() if fronted else stop)
