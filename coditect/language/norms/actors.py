"""Who a modal expression binds: the subject of its clause, read leftwards from the cue."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from coditect.language.marks import trim
from coditect.language.tables import read_table

__all__ = ["Subject", "by_agent", "find_subject", "is_agent"]

Role = Literal["main", "inherited", "relative", "subordinate"]


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a clause, and what part the clause plays in its sentence.

    Attributes:
        start: first code point; equal to ``end`` when no noun phrase was found.
        end: one past the last.
        clause: where the clause begins, its leading condition included.
        role: "subordinate" means that the cue does not govern a main clause.
    """

    start: int
    end: int
    clause: int
    role: Role


_I = re.IGNORECASE
_AGENTS, _CLAUSES, _PHRASES, _VERBS = (read_table(name) for name in ("agents", "clauses", "noun_phrases", "verbs"))
_HARD = re.compile(
    r";|:(?=\s)|\s[–—]\s|--|\n\s*\n|(?:(?<=\s)|^)\((?:[a-z]|[ivx]{1,4}|[A-Z]|\d{1,2})\)(?=\s)(?!\s+(?:of|and|or|above|below|hereof|through|to|in|,)\b)|(?<=[a-z\d)]{2}[.!?])\s+(?=[A-Z])"
    r"|\bprovided(?:,?\s*(?:however|further|always))*,?\s*(?:that)?,?|\bexcept\s+that\b|\bit\s+being\s+understood\s+that\b"
)
_RELATIVE = re.compile(rf"\b({_CLAUSES.pattern('relative_and_comparative')})\s*(?:\w+ly\s+)?,?\s*$", _I)
_CONJ_END = re.compile(
    r"(?:^|[\s,])(?:and|or|but|nor|and/or)(?:\s+(?:then|also|hereby|further|thereafter|in\s+turn|otherwise|\w+ly))*[\s,]*$",
    _I,
)
_SUBORDINATE = re.compile(rf"(?<!\S)(?:{_CLAUSES.pattern('subordinators')})\s+(?=\S)", _I)
_PREPOSED = re.compile(rf"(?:{_CLAUSES.pattern('preposed')}|(?!(?:no|any|some|every)thing)[a-z]+ing|[a-z]+ly)\b", _I)
_LEAD = re.compile(rf"(?:[^\w{{\"“”]|\d{{1,3}}(?:\.\d{{1,3}})*[.)]?\s|(?:{_CLAUSES.pattern('lead_ins')})\b)+")
_NP_END = re.compile(
    rf"(?<!\S)(?P<np>(?:(?:{_PHRASES.pattern('opening_determiners')})\s+)?(?:[A-Z][\w&.'’{{}}-]*|{_AGENTS.pattern('bare_subjects')})"
    r"(?:\s+(?:(?:of|and|or|the|&)\s+)?[A-Z][\w&.'’{}-]*){0,6})\s*$"
)
_NP_START = re.compile(rf"(?:{_PHRASES.pattern('subject_openers')}|[A-Z])\b|[A-Z{{]")
_CONJ_IN = re.compile(r"\s(?:and|or|but)\s+(?=\S)")
_THAT = re.compile(r"\b(?:that|whereby|wherein)\s+(?=\S)")
# "the process the consumer must follow": a relative clause without its pronoun.
_REDUCED = re.compile(
    r"\b(?:the|any|all|each|every|an?)\s+(?:[a-z-]+\s+){1,3}?(?:the\s+(?:[\w-]+\s*){1,3}|it|they|you|we|he|she)\s*$"
)
_VERB_FIRST = re.compile(rf"(?:{_VERBS.pattern('finite_auxiliaries')}|\w+(?:es|ed))\b", _I)
_GERUND = re.compile(r"[A-Za-z]+ing\b")  # "Processing of data shall", "Marketing materials shall"
_INDIRECT = re.compile(rf"\b(?:{_CLAUSES.pattern('interrogatives')})\b", _I)
_COMMA = re.compile(r"[(),]")
_PAREN_TAIL = re.compile(r"\s*\([^()]*\)\s*$")

_AGENT_NOUN = re.compile(rf"\b(?:{_AGENTS.pattern('agent_nouns')})\b", _I)
_THING = re.compile(rf"\b(?:{_AGENTS.pattern('things')})$")
# Words that may open a sentence without an article though they name nobody: plurals, and nouns of action or quality.
_COMMON = re.compile(rf"(?:{_AGENTS.pattern('noun_endings')})$|^(?:{_AGENTS.pattern('bare_nouns')})$")
_BY = re.compile(
    rf"\bby\s+(?P<np>(?:(?:{_PHRASES.pattern('agent_determiners')})\s+(?:[\w'’{{}}-]+\s+){{0,3}}?[\w'’{{}}-]+"
    rf"|(?:[A-Z{{][\w&.'’{{}}-]*)(?:\s+[A-Z][\w&.'’-]*){{0,4}}|(?:{_AGENTS.pattern('bare_agents')})(?:\s+\w+)?)"
    rf")(?=\s*(?:[,.;:)]|$|\b(?:{_CLAUSES.pattern('behind_agents')})\b))"
)
_NO_AGENT = re.compile(rf"(?:the|a|an)\s+(?:{_AGENTS.pattern('no_agents')})\b")


def find_subject(text: str, lo: int, cue: int, *, first: bool) -> Subject:
    """The subject of the clause whose modal expression begins at ``cue``.

    Args:
        text: the canonical text.
        lo: where the sentence begins, or where the cue before this one ends.
        cue: where the cue begins; at most a few thousand beyond ``lo``.
        first: whether ``lo`` is the start of the sentence.

    Returns:
        The subject and what part it plays.
    """
    clause, hard = lo, False
    for match in _HARD.finditer(text, lo, cue):
        clause, hard = match.end(), True
    left = text[clause:cue]
    relative = _RELATIVE.search(left)
    if relative and relative[1].lower() != "it":
        if relative[1].lower() in ("which", "that", "who") and relative.start() > 2:
            end = clause + len(left[: relative.start()].rstrip(" ,"))
            start = _head(text, clause, end)
            return Subject(start, end, clause if first else start, "relative")
        if relative.start() > 2 or relative[1].lower() != "that":
            return Subject(cue, cue, clause, "subordinate")
    if not (first or hard) and (not left.strip(" ,") or _CONJ_END.search(left)):
        conj = _CONJ_END.search(left)
        at = clause + (conj.start() if conj else 0)
        return Subject(at, at, at, "inherited")
    if not (first or hard) and _INDIRECT.search(left):
        return Subject(cue, cue, clause, "subordinate")  # "to determine what, if any, changes shall be made"
    return _from_segments(text, clause, cue, opens=first or hard)


def _from_segments(text: str, clause: int, cue: int, *, opens: bool) -> Subject:
    """The subject among the comma-separated segments before a cue."""
    segments = _segments(text, clause, cue)
    last = len(segments) - 1
    if last > 0 and not text[segments[last][0] : segments[last][1]].strip():
        if not opens and last == 1 and not _PREPOSED.match(text[segments[0][0] : segments[0][1]].lstrip()):
            return Subject(segments[0][1], segments[0][1], segments[0][1], "inherited")  # "must sign, must date"
        last -= 2 if last >= 2 else 1  # "Supplier, at its own expense, shall": the words between commas are no subject
    for index in range(last, -1, -1):
        lo, hi = segments[index]
        lead = _LEAD.match(text, lo, hi)
        at = lead.end() if lead else lo
        words = text[at:hi]
        if not any(c.isalpha() for c in words):
            continue
        if _PREPOSED.match(words) and index != last:
            continue
        led = lead is not None and re.match(r"\s*(?:and|or|but|nor)\s", text[lo : at + 1]) is not None
        found = _in_segment(text, at, hi, opens=opens or led or (index > 0 and _NP_START.match(words) is not None))
        if found is None:
            if index == last and index > 0 and _PREPOSED.match(words):
                continue
            return Subject(cue, cue, clause if opens else cue, "main")
        start, end, role = found
        if role == "main" and index == last:
            start = _widen(text, segments, index, start)
        return Subject(start, end, clause if opens else start, role)
    return Subject(cue, cue, clause, "main")


def _in_segment(text: str, lo: int, hi: int, *, opens: bool) -> tuple[int, int, Role] | None:
    """The noun phrase in one segment, or None."""
    lo, hi = trim(text, lo, hi)
    that = None
    for that in _THAT.finditer(text, lo, hi):  # noqa: B007 - the last one counts
        pass
    if that is not None and _VERB_FIRST.match(text, that.end(), hi):
        that = None  # "personnel that are engaged in": the clause hangs on the subject
    if that is not None:
        lo = that.end()
    if not opens and that is None and _REDUCED.search(text, lo, hi):
        return hi, hi, "subordinate"
    sub = None
    for sub in _SUBORDINATE.finditer(text, lo, hi):  # noqa: B007
        pass
    if sub is not None:
        tail = _NP_END.search(text, sub.end(), hi)
        # "Upon request Supplier shall" has no comma; "if Supplier shall" is the condition itself.
        return (tail.start("np") if tail else hi, hi, "subordinate")
    if _PREPOSED.match(text, lo, hi) or (not opens and that is None):
        tail = _NP_END.search(text, max(lo, hi - 160), hi)
        if tail:
            # Without a comma the words before "and" belong to the clause before: "pay the Fee and Customer shall".
            both = re.search(r".*\s(?:and|or)\s+", tail["np"]) if not opens else None
            return tail.start("np") + (both.end() if both else 0), hi, "main"
        conj = None
        for conj in _CONJ_IN.finditer(text, lo, hi):  # noqa: B007
            pass
        if conj and _NP_START.match(text, conj.end(), hi):
            return conj.end(), hi, "main"
        return (lo, hi, "main") if opens and _GERUND.match(text, lo, hi) else None
    return (lo, hi, "main") if len(text[lo:hi].split()) <= 24 else None


def _segments(text: str, lo: int, hi: int) -> list[tuple[int, int]]:
    """Spans between commas that are outside parentheses."""
    out, depth, at = [], 0, lo
    for mark in _COMMA.finditer(text, lo, hi):
        index = mark.start()
        if mark[0] != ",":
            depth = depth + 1 if mark[0] == "(" else max(0, depth - 1)
        elif not depth and not text.startswith((", Inc", ", LLC", ", Ltd", ", L.", ", INC", ", LTD"), index):
            out.append((at, index))
            at = index + 1
    out.append((at, hi))
    return out


def _widen(text: str, segments: list[tuple[int, int]], index: int, start: int) -> int:
    """Take in the earlier members of "Supplier, its agents and employees"."""
    if not re.match(r"\s*(?:and|or|nor)\s", text[segments[index][0] : start + 1]) and not (
        index and re.search(r"\s(?:and|or)\s", text[start : segments[index][1]])
    ):
        return start
    for lo, hi in reversed(segments[max(0, index - 6) : index]):
        words = text[lo:hi].strip()
        if not words or len(words.split()) > 5 or _PREPOSED.match(words) or not _NP_START.match(words):
            break
        lead = _LEAD.match(text, lo, hi)
        start = lead.end() if lead else lo
    return start


def _head(text: str, lo: int, hi: int) -> int:
    """Where the noun phrase begins that a relative clause hangs on."""
    tail = _NP_END.search(text, max(lo, hi - 160), hi)
    if tail:
        return tail.start("np")
    words = text[lo:hi]
    cut = max(words.rfind(","), words.rfind(" to "), words.rfind(" with "), words.rfind(" by "))
    lead = _LEAD.match(text, lo + cut + 1, hi) if cut >= 0 else _LEAD.match(text, lo, hi)
    return min(hi, lead.end() if lead else lo)


def is_agent(name: str, *, opens: bool) -> bool:
    """Whether a subject can act: a party, a person, a role, a body.

    Args:
        name: the noun phrase that is the subject.
        opens: whether it begins its sentence, so that its first capital proves nothing.
    """
    words = _PAREN_TAIL.sub("", name).strip()
    head = re.split(r"\s(?:of|for|in|to|under|on|from|with|that|which|who)\s", words)[0]
    if _AGENT_NOUN.search(head):
        return True
    if _THING.search(head):
        return False
    tokens = head.split()
    if len(tokens) > 1 and head.isupper():
        return False  # in a line of capitals a capital proves nothing
    if opens and len(tokens) == 1 and tokens[0][:1].isupper() and not _COMMON.search(tokens[0]):
        return True
    proper = [t for t in tokens[1 if opens and len(tokens) > 1 else 0 :] if t[:1].isupper() or t.startswith("{{")]
    return bool(proper) and (len(tokens) > 1 or not opens or tokens[0].isupper() or tokens[0].startswith("{{"))


def by_agent(text: str, lo: int, hi: int) -> tuple[int, int] | None:
    """The agent of a passive ("by the Security Officer"), as a span, or None."""
    match = _BY.search(text, lo, min(hi, lo + 160))
    if match is None or _NO_AGENT.match(match["np"]):
        return None
    return match.span("np")
