"""Who a modal expression binds: the subject of its clause, read leftwards from the cue."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from coditect.language.marks import trim

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
    r";|:(?=\s)|\s[–—]\s|--|\n\s*\n|(?:(?<=\s)|^)\((?:[a-z]|[ivx]{1,4}|[A-Z]|\d{1,2})\)(?=\s)(?!\s+(?:of|and|or|above|below|hereof|through|to|in|,)\b)|(?<=[a-z\d)]{2}[.!?])\s+(?=[A-Z])"
    r"|\bprovided(?:,?\s*(?:however|further|always))*,?\s*(?:that)?,?|\bexcept\s+that\b|\bit\s+being\s+understood\s+that\b"
)
_RELATIVE = re.compile(
    r"\b(which|that|who|whom|whose|as|than|what|whatever|where|when|how|the\s+case|it)\s*(?:\w+ly\s+)?,?\s*$", _I
)
_CONJ_END = re.compile(
    r"(?:^|[\s,])(?:and|or|but|nor|and/or)(?:\s+(?:then|also|hereby|further|thereafter|in\s+turn|otherwise|\w+ly))*[\s,]*$",
    _I,
)
_SUBORDINATE = re.compile(
    r"(?<!\S)(?:if|unless|when|whenever|where|wherever|until|whether|because|since|although|though|while|once|in\s+the\s+event(?:\s+that)?"
    r"|in\s+case|to\s+the\s+extent(?:\s+that)?|so\s+long\s+as|as\s+long\s+as|as\s+soon\s+as|as|than|which|whom|whose|lest|except\s+as)\s+(?=\S)",
    _I,
)
_PREPOSED = re.compile(
    r"(?:upon|on|in|at|within|for|from|to|by|with|without|subject|except|notwithstanding|during|after|before|prior|following|under|pursuant"
    r"|as|if|unless|when|where|until|while|once|including|excluding|other|through|because|since|although|until|promptly|whether|provided"
    r"|in\s+the\s+event|having|being|acting|together|regardless|based|given|save|according|depending|beginning|commencing|effective"
    r"|at\s+(?:any|all)|not\s+later|no\s+later|such\s+as|however|therefore|otherwise|further|furthermore|moreover|accordingly|additionally"
    r"|respectively|if\s+any|as\s+applicable|directly|either\s+directly|(?!(?:no|any|some|every)thing)[a-z]+ing|[a-z]+ly)\b",
    _I,
)
_LEAD = re.compile(
    r"(?:[^\w{\"“”]|\d{1,3}(?:\.\d{1,3})*[.)]?\s|(?:and|or|but|nor|however|therefore|then|further|also|accordingly|additionally|moreover|furthermore"
    r"|in\s+addition|thereafter|otherwise|that|agrees?|acknowledges?|WHEREAS|whereas|so|yet|where\s+applicable|consequently|in\s+which\s+case|in\s+such\s+(?:case|event))\b)+",
)
_NP_END = re.compile(
    r"(?<!\S)(?P<np>(?:(?:the|The|each|Each|any|Any|all|All|no|No|such|Such|either|Either|neither|Neither|both|Both|a|A|an|An|every|Every|its|their|our"
    r"|Our|this|This|these|said)\s+)?(?:[A-Z][\w&.'’{}-]*|parties|party|it|they|we|you|he|she|company|employees?|users?)"
    r"(?:\s+(?:(?:of|and|or|the|&)\s+)?[A-Z][\w&.'’{}-]*){0,6})\s*$"
)
_NP_START = re.compile(
    r"(?:the|each|any|all|no|such|either|neither|both|an?|every|its|their|our|this|these|said|it|they|we|you|[A-Z])\b|[A-Z{]",
    0,
)
_CONJ_IN = re.compile(r"\s(?:and|or|but)\s+(?=\S)")
_THAT = re.compile(r"\b(?:that|whereby|wherein)\s+(?=\S)")
# "the process the consumer must follow": a relative clause without its pronoun.
_REDUCED = re.compile(
    r"\b(?:the|any|all|each|every|an?)\s+(?:[a-z-]+\s+){1,3}?(?:the\s+(?:[\w-]+\s*){1,3}|it|they|you|we|he|she)\s*$"
)
_VERB_FIRST = re.compile(r"(?:is|are|was|were|has|have|had|do|does|may|can|could|would|will|shall|\w+(?:es|ed))\b", _I)
_GERUND = re.compile(r"[A-Za-z]+ing\b")  # "Processing of data shall", "Marketing materials shall"
_INDIRECT = re.compile(r"\b(?:what|whether|how|why)\b", _I)
_COMMA = re.compile(r"[(),]")
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
# Words that may open a sentence without an article though they name nobody: plurals, and nouns of action or quality.
_COMMON = re.compile(
    r"(?:s|tion|sion|ment|ing|ness|ance|ence|ity|ure|al|age|ship|th|ty)$|^(?:Access|Work|Notice|Interest|Title|Delivery|Data|Software|Time"
    r"|Service|Product|This|That|These|Those|There|Here|All|Each|Any|Such|Failure|Nothing|Use|Both|None|Rent|Tax|Risk|Income|What|Which)$"
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
    if len(tokens) > 1 and head.isupper():
        return False  # in a line of capitals a capital proves nothing
    if opens and len(tokens) == 1 and tokens[0][:1].isupper() and not _COMMON.search(tokens[0]):
        return True
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
