"""Who a modal expression binds: the subject of its clause, read leftwards from the cue."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from coditect.text.marks import trim

__all__ = ["Subject", "by_agent", "find_subject", "is_agent"]

Role = Literal["main", "inherited", "relative", "subordinate"]


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a clause.

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
_HARD = re.compile(
    r";|:(?=\s)|\s[–—]\s|--|\n\s*\n|(?:(?<=\s)|^)\((?:[a-z]|[ivx]{1,4}|[A-Z]|\d{1,2})\)(?=\s)|(?<=[a-z\d)]{2}[.!?])\s+(?=[A-Z])"
    r"|\bprovided(?:,?\s*(?:however|further|always))*,?\s*(?:that)?,?|\bexcept\s+that\b|\bit\s+being\s+understood\s+that\b"
)
_RELATIVE = re.compile(
    r"\b(which|that|who|whom|whose|as|than|what|whatever|where|when|how|it)\s*(?:\w+ly\s+)?,?\s*$", _I
)
_CONJ_END = re.compile(
    r"(?:^|[\s,])(?:and|or|but|nor|and/or)(?:\s+(?:then|also|hereby|further|thereafter|in\s+turn|otherwise|\w+ly))*[\s,]*$",
    _I,
)
_SUBORDINATE = re.compile(
    r"(?:^|\s)(?:if|unless|when|whenever|where|wherever|until|whether|because|since|although|though|while|once|in\s+the\s+event(?:\s+that)?"
    r"|in\s+case|to\s+the\s+extent(?:\s+that)?|so\s+long\s+as|as\s+long\s+as|as\s+soon\s+as|as|than|which|whom|whose|lest|except\s+as)\s+(?=\S)",
    _I,
)
_PREPOSED = re.compile(
    r"(?:upon|on|in|at|within|for|from|to|by|with|without|subject|except|notwithstanding|during|after|before|prior|following|under|pursuant"
    r"|as|if|unless|when|where|until|while|once|including|excluding|other|through|because|since|although|until|promptly|whether|provided"
    r"|in\s+the\s+event|having|being|acting|together|regardless|based|given|save|according|depending|beginning|commencing|effective"
    r"|at\s+(?:any|all)|not\s+later|no\s+later|such\s+as|however|therefore|otherwise|further|furthermore|moreover|accordingly|additionally"
    r"|respectively|if\s+any|as\s+applicable|directly|either\s+directly|[a-z]+ing|[a-z]+ly)\b",
    _I,
)
_LEAD = re.compile(
    r"(?:[\s\W]|\d{1,3}(?:\.\d{1,3})*[.)]?\s|(?:and|or|but|nor|however|therefore|then|further|also|accordingly|additionally|moreover|furthermore"
    r"|in\s+addition|thereafter|otherwise|that|agrees?|acknowledges?|WHEREAS|whereas|so|yet|where\s+applicable|consequently)\b)+",
)
_NP_END = re.compile(
    r"(?:^|\s)(?P<np>(?:(?:the|The|each|Each|any|Any|all|All|no|No|such|Such|either|Either|neither|Neither|both|Both|a|A|an|An|every|Every|its|their|our"
    r"|Our|this|This|these|said)\s+)?(?:[A-Z][\w&.'’{}-]*|parties|party|it|they|we|you|he|she|company|employees?|users?)"
    r"(?:\s+(?:(?:of|and|or|the|&)\s+)?[A-Z][\w&.'’{}-]*){0,6})\s*$"
)
_NP_START = re.compile(
    r"(?:the|each|any|all|no|such|either|neither|both|an?|every|its|their|our|this|these|said|it|they|we|you|[A-Z])\b|[A-Z{]",
    0,
)
_CONJ_IN = re.compile(r"\s(?:and|or|but)\s+(?=\S)")
_THAT = re.compile(r"\b(?:that|whereby|wherein)\s+(?=\S)")
_PAREN_TAIL = re.compile(r"\s*\([^()]*\)\s*$")

_AGENT_NOUN = re.compile(
    r"\b(?:team|officers?|managers?|management|employees?|staff|personnel|users?|administrators?|admins?|departments?|committees?|compan(?:y|ies)"
    r"|part(?:y|ies)|vendors?|suppliers?|customers?|clients?|contractors?|subcontractors?|providers?|workforce|members?|owners?|auditors?|board"
    r"|directors?|agents?|affiliates?|licensors?|licensees?|lessees?|lessors?|tenants?|landlords?|borrowers?|lenders?|creditors?|consultants?"
    r"|distributors?|manufacturers?|sellers?|buyers?|purchasers?|recipients?|controllers?|processors?|developers?|engineers?|executives?|we|you|it|they|he|she"
    r"|individuals?|persons?|organi[sz]ations?|institutions?|servicers?|banks?|bureau|commission|authority|agenc(?:y|ies)|franchisees?|franchisors?|counsel)\b",
    _I,
)
_THING = re.compile(
    r"\b(?:Agreement|Term|Section|Schedule|Exhibit|Services?|Products?|Fees?|Information|Date|Period|Policy|Plan|Data|Article|Payments?|Act|Rights?"
    r"|Materials?|Software|Property|Notice|Termination|Royalt(?:y|ies)|Price|Shares?|Territory|Force|Majeure|Program|Project|Appendix|Law|Access|Failure)$"
)
_BY = re.compile(
    r"\bby\s+(?P<np>(?:(?:the|an?|each|any|its|their|our|either|both|all|such)\s+(?:[\w'’{}-]+\s+){0,3}?[\w'’{}-]+|(?:[A-Z{][\w&.'’{}-]*)(?:\s+[A-Z][\w&.'’-]*){0,4}"
    r"|(?:security|management|employees|users|personnel|senior|authorized|qualified)(?:\s+\w+)?))(?=\s*(?:[,.;:)]|$|\b(?:to|in|for|at|on|within|and|or|prior|before|upon|from|under|with|of|as|if|when|who|that|using)\b))"
)


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
            return Subject(start, end, clause, "relative")
        if relative.start() > 2 or relative[1].lower() != "that":
            return Subject(cue, cue, clause, "subordinate")
    if not (first or hard) and (not left.strip(" ,") or _CONJ_END.search(left)):
        conj = _CONJ_END.search(left)
        at = clause + (conj.start() if conj else 0)
        return Subject(at, at, at, "inherited")
    return _from_segments(text, clause, cue, opens=first or hard)


def _from_segments(text: str, clause: int, cue: int, *, opens: bool) -> Subject:
    """The subject among the comma-separated segments before a cue."""
    segments = _segments(text, clause, cue)
    last = len(segments) - 1
    if last > 0 and not text[segments[last][0] : segments[last][1]].strip():
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
        found = _in_segment(text, at, hi, opens=opens or index > 0)
        if found is None:
            if index == last and index > 0 and _PREPOSED.match(words):
                continue
            return Subject(cue, cue, clause, "main")
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
    if that is not None:
        lo = that.end()
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
            return tail.start("np"), hi, "main"
        conj = None
        for conj in _CONJ_IN.finditer(text, lo, hi):  # noqa: B007
            pass
        if conj and _NP_START.match(text, conj.end(), hi):
            return conj.end(), hi, "main"
        return None
    return (lo, hi, "main") if len(text[lo:hi].split()) <= 24 else None


def _segments(text: str, lo: int, hi: int) -> list[tuple[int, int]]:
    """Spans between commas that are outside parentheses."""
    out, depth, at = [], 0, lo
    for index in range(lo, hi):
        char = text[index]
        if char == "(":
            depth += 1
        elif char == ")":
            depth = max(0, depth - 1)
        elif (
            char == ","
            and not depth
            and not text.startswith((", Inc", ", LLC", ", Ltd", ", L.", ", INC", ", LTD"), index)
        ):
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
        name: the noun phrase.
        opens: whether it begins its sentence, so that its first capital proves nothing.
    """
    words = _PAREN_TAIL.sub("", name).strip()
    head = re.split(r"\s(?:of|for|in|to|under|on|from|with|that|which|who)\s", words)[0]
    if _AGENT_NOUN.search(head):
        return True
    if _THING.search(head):
        return False
    tokens = head.split()
    proper = [t for t in tokens[1 if opens and len(tokens) > 1 else 0 :] if t[:1].isupper() or t.startswith("{{")]
    return bool(proper) and (len(tokens) > 1 or not opens or tokens[0].isupper() or tokens[0].startswith("{{"))


def by_agent(text: str, lo: int, hi: int) -> tuple[int, int] | None:
    """The agent of a passive ("by the Security Officer"), as a span, or None."""
    match = _BY.search(text, lo, min(hi, lo + 160))
    if match is None or re.match(
        r"(?:the|a|an)\s+(?:date|end|means|terms|time|following|use|fact|provisions|close)\b", match["np"]
    ):
        return None
    return match.span("np")
