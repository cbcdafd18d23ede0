"""Phrases that limit what a clause says: conditions, exceptions and times, where each begins and how far it goes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.marks import trim
from coditect.language.norms.before.segments import begins_subject
from coditect.language.norms.limits.commas import comma_at, skip_blank
from coditect.language.norms.limits.compound import ONLY_JOINS
from coditect.language.norms.limits.ends import (
    CLAUSAL,
    FEWEST_BEFORE,
    JOINT_BETWEEN,
    UNLESS,
    WITHOUT,
    before_agent,
    before_other_act,
    before_place,
    end_of_leave,
    end_of_time,
    ends_condition,
    ends_time,
)
from coditect.language.norms.limits.objects import is_of_next, waits
from coditect.language.norms.limits.openings import (
    BARE,
    SHORT,
    START,
    TIED,
    TIMES,
    Adjunct,
    AdjunctKind,
    is_addressed,
    is_empty_proviso,
    is_inside,
    kind_of,
    may_begin,
)

__all__ = ["LISTED", "TO_ACT", "divide"]

_JOINTS = ("and", "or", "but", "then", "either", "both")
_DENIES = re.compile(
    r"\s*(?:ensure|assure|procure|make\s+sure)\s+(?:that\s+)?(?:no|none|neither|nobody)\b", re.IGNORECASE
)
_FOR_CAUSE = re.compile(r"for\s+(?:good\s+)?cause", re.IGNORECASE)
_LEGAL = re.compile(r"as\s+permitted\b", re.IGNORECASE)
# "why it works and where we can improve": a second indirect question, and no condition.
_ASKED = re.compile(
    r"\b(?:what|why|how|whether|who|when|where|which|the\s+(?:date|time|place|reason)s?)\b[^;:]*?,?\s(?:and|or)\s+\Z",
    re.IGNORECASE,
)
_MAY_ASK = re.compile(r"(?:if|when|where)\b(?!\s+so\b)", re.IGNORECASE)
# "and, to the extent known, the address": between commas.
_JOINT_AND_COMMA = re.compile(r"\b(?:and|or|but|then),\s*\Z")
_COMMA_LAST = re.compile(r",\s*\Z")
_RESUMES = re.compile(r",\s+(?P<word>on|to|with|for|from|of|into|against|by)\s")
_RESUMES_NOUN = re.compile(r",\s+(?:the|an?|any|all|each|its|their|such|to\s+be)\s")
_CHECKS = re.compile(
    r"\s*(?:confirm|determine|check|ask|find\s+out|verify|decide|establish|see|consider|assess|ascertain|know|tell\s+\w+)"
    r"(?:\s+(?:within|by|before|promptly|immediately|as\s+soon\s+as)\b[^,;]{0,60})?\s+\Z"
)
_JOINT_ALONE = re.compile(r"[\s,]*(?:and|or|but)?[\s,]*")
# "and, in any case, before it opens", "may do so, however, within a month": what joins an act to what limits it.
_JOINT_AT_END = re.compile(r"(?:[\s,(]+(?:and|or|but|then)(?:,?\s+in\s+any\s+(?:case|event))?|,\s+however)\s*\Z")
LISTED = re.compile(r",\s+(?:and|or)\b")
_THAT_BEFORE = re.compile(r"\bthat,?\s*\Z")
# A main clause behind a comma, as far as its first words tell.
_GOES_ON = re.compile(
    r",\s+(?:the|an?|any|each|every|all|its|their|such|no|it|they|[A-Z])[\w\s’'()-]{0,80}?\s(?:is|are|has|have|does|do|can|will|shall|must|may|should)\s"
)
# "prior to any approval, whether or not it is final, of the Board": words between commas that belong to the event.
_WHETHER = re.compile(r",\s+whether\b[^,;.]{1,80},(?=\s+(?:from|of|by|to)\b)")
_ASIDE_CLAUSE = re.compile(
    r"\s\((?:it\s+being|provided|and\b|but\b|or\b(?!\s+(?:such|within|any|earlier|later|sooner)\b)|which\b|unless\b|except\b)"
)
TO_ACT = re.compile(r"\s+to\s+(?=[a-z])")  # "where necessary to give access": what it is needed for belongs to it
_PASSIVE = re.compile(
    r"\s*(?:not\s+)?(?:\w+ly\s+)?(?:be(?:en)?\s|(?!(?:need|feed|embed|shed|heed)\b)[a-z]{3,}(?<!ce)ed\b)"
)
# A limit in brackets; what it is a case of only where an act or a clause begins: "an issuer (where it is a bank)" is a noun's own.
_BRACKETS = re.compile(
    r"\((?P<opens>(?P<whole>unless|except|subject\s+to|provided(?:,?\s+however)?,?\s+that)|(?P<case>in\s+the\s+case\s+of|if|where|when))"
    r"(?=\s+\S+\s+\S+)(?:[^()]|\([^()]*\))*\)",
    re.IGNORECASE,
)
_BEGINS = re.compile(r"(?:\b(?:that|whether|to|must|shall|may)|[:,—])\s*\Z")
_LEFT_OPEN = re.compile(
    r"\b(?:of|after|before|from|to|by|upon|following|follows|in|on|at|with|for|the|an?|that|which|where|who|and|or|either|is|are|has|have|been|not)[\s:,]*\Z"
)
_OF = re.compile(r"\s+of\b")
# "within a year of the sale, or within a year of the audit, whichever is later"
_WHICHEVER = re.compile(r",\s+whichever\b[^,;.]{0,60}")
# "once every calendar year in the Gazette and by such means": where and how, and not how often.
_PLACED = re.compile(
    r"\s+(?:in\s+(?!which\b|respect\b|relation\b|each\b|every\b|any\b|(?:the\s+)?(?:month|week|year|course|first|last|period)s?\b|[A-Z][a-z]+\s+(?:and|or|of)\b)|to\s+(?:the|an?|its|each|every|all)\s)"
)
# What may tell more of how often: "every year from the first meeting on", "each month, on the first Monday".
_GOES_ON_WITH = re.compile(
    r"[\s,(]*(?:in|on|at|of|from|after|before|by|during|when|whenever|where|if|for|upon|following|with|within|as|and|or|but|throughout"
    r"|until|prior|start\w*|begin\w*|commenc\w*|thereafter|unless|except|to|or\s+more|\()\b|[\s,]*\Z",
    re.IGNORECASE,
)
_AT_ONCE = ("immediately", "promptly", "forthwith")
# "yearly, or periodically in the case of a small bank": the case is that of the other time alone.
_OR_LAST = re.compile(r"\bor\s+\Z")
_CASE_OF = re.compile(r"\s+(?:in\s+(?:the\s+)?case\s+of|for)\s+(?!(?:a|the)\s+period\b)[^,;.]{2,80}(?=,)")
_UPON_VERB = re.compile(
    r"\b(?:act|rely|depend|insist|call|agree|decide|impose|confer|embark|bestow)(?:ed|ing|s)?\s+\Z", re.IGNORECASE
)
# A body before which something is brought: a place, and no time.
_BEFORE_WHOM = re.compile(
    r"before\s+(?:the|an?|any|its)\s+(?:[\w’'-]+\s+)?(?:board|court|council|committee|commission|tribunal|membership|members|judges?|magistrates?|panel|assembly|senate|house|public|authority)"
    r"(?=\s*(?:[.,;)]|\Z|and\b|or\b|for\b|in\b|at\b|by\b|under\b|within\b))",
    re.IGNORECASE,
)
_AND = re.compile(r"[\s,]*(?:and|as\s+well\s+as)\s+(?:also\s+)?")
_OCCASION = re.compile(r"(?:upon|when|whenever)\b", re.IGNORECASE)
# A closing quotation mark behind the full stop: "within four hours.”"
_CLOSING = re.compile(r"[.;,](?P<sign>[’”\"'])[.;,]?\s*\Z")
_OPENS = {"’": re.compile("‘"), "”": re.compile("“"), '"': re.compile(r'"(?=\w)'), "'": re.compile(r"(?<!\w)'(?=\w)")}
_CLOSES = {
    "’": re.compile("’"),
    "”": re.compile("”"),
    '"': re.compile(r'"(?!\w)'),
    "'": re.compile(r"(?<=[.;,])'(?!\w)"),
}
_THEN_ACT = re.compile(r"\s+and\s+(?:then|subsequently|thereafter)\s+(?:be\s+)?[a-z]{3,}ed\b")
_OTHER_ACT = re.compile(r"\s+(?:and|or)\s+(?:be\s+|then\s+)?[a-z]{3,}ed\b")


@dataclass(frozen=True, slots=True)
class _Clause:
    """What is known of a predicate: where it begins, whether it forbids or allows, whether it is passive, where items begin."""

    start: int
    denied: bool
    allowed: bool
    passive: bool
    edges: tuple[int, ...]
    items: tuple[int, int] = (0, 0)  # where items stand that belong to what leads into them, all together
    waits: bool = False  # whether the verb still has no object: "provide, if it is late, an invoice"


def divide(
    text: str,
    lo: int,
    hi: int,
    *,
    denied: bool = True,
    allowed: bool = False,
    edges: Sequence[int] = (),
    items: tuple[int, int] = (0, 0),
) -> tuple[list[tuple[int, int]], list[Adjunct]]:
    """Part a predicate from the phrases that limit it.

    A condition or exception goes on to the end, or to the next one behind a comma; a time to its comma or the next phrase;
    what stands behind a time goes on with the predicate.

    Args:
        text: the text.
        lo: where the predicate begins, behind its modal expression.
        hi: one past its last.
        denied: whether the act is forbidden, so that "without doing X" leaves something out and is not how it is done.
        allowed: whether the act is allowed, so that "immediately" says how and not by when.
        edges: where items begin that were put behind their lead-in, which ends what limits it.
        items: where items stand that belong to what leads into them, all together: what limits one of them is its own.

    Returns:
        The pieces of the predicate in order, and the adjuncts in order.
    """
    pieces: list[tuple[int, int]] = []
    found: list[Adjunct] = []
    closing = _CLOSING.search(text, max(lo, hi - 6), hi)
    if closing and _is_opened_before(text, lo, hi, closing["sign"]):
        hi = closing.start()  # the sentence, and not the act, stands in quotation marks
    clause = _Clause(lo, denied, allowed, _PASSIVE.match(text, lo, hi) is not None, tuple(edges), items)
    at = lo
    while at < hi:
        if len(pieces) == 1 and found:
            clause = replace(clause, waits=waits(text, *pieces[0]))
        adjunct = _next(text, at, hi, clause, opens=at == lo or bool(found and not pieces))
        if adjunct is None:
            _add(pieces, text, at, hi)
            break
        _add(pieces, text, at, adjunct.start)
        found.append(_as_occasion(text, found, adjunct))
        at = max(adjunct.end, at + 1)
        while at < hi and text[at] in " ,\n\t":
            at += 1
    if pieces and (joint := _JOINT_AT_END.search(text, *pieces[-1])):
        pieces[-1] = pieces[-1][0], joint.start()
    return pieces, found


def _as_occasion(text: str, found: Sequence[Adjunct], adjunct: Adjunct) -> Adjunct:
    """An occasion that is joined to how often an act is due is one more time, and restricts nothing: "yearly and upon a change"."""
    joined = bool(found) and found[-1].kind == "frequency" and adjunct.kind == "condition"
    is_one = joined and _AND.fullmatch(text, found[-1].end, adjunct.start) and _OCCASION.match(text, adjunct.start)
    return replace(adjunct, kind="deadline") if is_one else adjunct


def _add(pieces: list[tuple[int, int]], text: str, lo: int, hi: int) -> None:
    """Take in a piece of the predicate, unless it is only what joins two others."""
    start, end = trim(text, lo, hi, punctuation=True)
    while start < end and text[start] in ",;) ":
        start += 1
    while start < end and text[end - 1] in "( ":
        end -= 1
    if start < end and text[start:end].lower() not in _JOINTS and not ONLY_JOINS.fullmatch(text, start, end):
        pieces.append((start, end))


def _is_opened_before(text: str, lo: int, hi: int, sign: str) -> bool:
    """Whether more quotation marks close than open in a stretch."""
    opened = sum(1 for _ in _OPENS[sign].finditer(text, lo, hi))
    return opened < sum(1 for _ in _CLOSES[sign].finditer(text, lo, hi))


def _next(text: str, at: int, hi: int, clause: _Clause, *, opens: bool) -> Adjunct | None:
    """The next adjunct of a predicate; ``opens`` where nothing of the predicate has been seen yet."""
    aside = _bracketed(text, at, hi, clause)
    for match in START.finditer(text, at, aside.start if aside else hi):
        if clause.items[0] <= match.start() < clause.items[1]:
            continue
        if clause.allowed and match[0].lower() in _AT_ONCE:
            continue  # "may immediately terminate"
        denied = clause.denied or _DENIES.match(text, clause.start, match.start()) is not None
        if not denied and kind_of(match) == "exception" and WITHOUT.match(match[0]):
            continue  # "must be placed there without hiding the text", "may meet without notice": how
        begins = match.start() == at or any(0 <= match.start() - edge < FEWEST_BEFORE for edge in clause.edges)
        begins = begins and not is_empty_proviso(text, match) and not is_addressed(text, match)
        if not (begins or may_begin(text, at, match)) or is_inside(text, at, match.start()):
            continue
        between = opens and (begins or not text[at : match.start()].strip(" ,"))
        between = between or (opens and _JOINT_ALONE.fullmatch(text, at, match.start()) is not None)
        joined_by_comma = _JOINT_AND_COMMA.search(text, max(at, match.start() - 8), match.start()) is not None
        between = between or joined_by_comma
        joined = text[max(at, match.start() - 40) : match.start()].rstrip().endswith((" and", " or"))
        if match[0].lower() == "if" and _CHECKS.match(text, clause.start, match.start()):
            continue  # "confirm if it is open", "confirm within two days if it is open"
        if match[0].lower() == "providing that" and joined:
            continue  # "rules about proxies and providing that they are kept"
        if joined and _MAY_ASK.match(text, match.start()) and _is_asked(text, at, match, hi):
            continue  # "record the date and when it was sent"
        if waits(text, *trim(text, clause.start, match.start(), punctuation=True)):
            clause = replace(clause, waits=True)
        stop = _end(text, match, hi, clause, between=between)
        short = SHORT.match(text, match.start(), hi)
        brief = len(text[match.end() : stop].split()) == 1 and match[0].lower() != "if"  # "to the extent known"
        brief = brief or (short is not None and short.end() == stop)
        if _BEFORE_WHOM.match(text, match.start(), hi) or (
            stop == match.end() and match[0].lower() in ("following", "before")
        ):
            continue  # "any issue put before the board", "starring or following"
        if match[0].lower() == "upon" and _UPON_VERB.search(text, clause.start, match.start()):
            continue  # "act upon all requests", "rely upon the report"
        if joined_by_comma and not brief and is_of_next(text, stop, hi):
            continue  # "the key and, if there is one, a copy": of the copy alone
        return Adjunct(kind_of(match), match.start(), match.end(), stop)
    return aside


def _bracketed(text: str, at: int, hi: int, clause: _Clause) -> Adjunct | None:
    """The next limit in brackets: "(unless the clerk agrees)"; "(in the case of a fund) the capital" where a clause begins."""
    for found in _BRACKETS.finditer(text, at, hi):
        if clause.items[0] <= found.start() < clause.items[1]:
            continue
        begins = not text[at : found.start()].strip() or _BEGINS.search(text, at, found.start()) is not None
        begins = begins or any(0 <= found.start() - edge < FEWEST_BEFORE for edge in clause.edges)
        if found["whole"] or (found["case"] and begins and text[found.end() : hi].strip()):
            kind: AdjunctKind = "exception" if UNLESS.match(found["opens"]) else "condition"
            return Adjunct(kind, found.start("opens"), found.end("opens"), found.end() - 1)
    return None


def _is_asked(text: str, at: int, match: re.Match[str], hi: int) -> bool:
    """Whether a clause behind a joint is a question that is to be told as well, and no condition."""
    if match[0].lower() != "if" and text.find(",", match.end(), hi) < 0:
        return True
    return _ASKED.search(text, at, match.start()) is not None


def _end(text: str, match: re.Match[str], hi: int, clause: _Clause, *, between: bool) -> int:
    """Where an adjunct ends, with the items that it leads into; ``between`` where it stands between the modal verb and the act."""
    first, behind = clause.items
    if match.start() < first < hi and kind_of(match) in ("condition", "exception"):
        if not text[match.end() : first].strip(" ,:") and not has_finite_verb(text, first, behind):
            behind = hi  # "if: (a) before May; or (b) after June; it is late"
        stop = _own_end(text, match, first, clause, between=between)
        return (
            trim(text, match.end(), min(behind, hi), punctuation=True)[1] if not text[stop:first].strip(" ,:") else stop
        )
    return _own_end(text, match, hi, clause, between=between)


def _own_end(text: str, match: re.Match[str], hi: int, clause: _Clause, *, between: bool) -> int:
    """Where an adjunct ends that leads into no items."""
    kind, head = kind_of(match), match.end()
    if _FOR_CAUSE.fullmatch(match[0]):
        return head
    edge = next((each for each in clause.edges if head < each < hi), None)
    if edge is not None and _is_closed(text, match, edge):
        hi = edge  # "on the date of filing: (a) a letter"
    case = _CASE_OF.match(text, head, hi) if kind == "frequency" else None
    if case and _OR_LAST.search(text, max(0, match.start() - 6), match.start()):
        return case.end()
    if kind == "frequency" and (clause.waits or _PLACED.match(text, head, hi)) and not TIED.match(text, head, hi):
        return head  # "pay every two years a contribution", "once a year in the Gazette"
    short = SHORT.match(text, match.start(), hi)
    if short and not (kind == "condition" and TO_ACT.match(text, short.end(), hi)):
        return short.end()
    if (
        kind == "frequency"
        and not match[0].lower().endswith(("each", "every"))
        and not _GOES_ON_WITH.match(text, head, hi)
    ):
        return head  # "review at least yearly the policy"
    if kind in TIMES and BARE.fullmatch(match[0]):
        other = START.match(text, skip_blank(text, head, hi), hi)
        told = kind == "frequency" and other is not None and kind_of(other) in TIMES
        told = told or (
            kind == "deadline" and match[0][:6].lower() != "within" and _OF.match(text, head, hi) is not None
        )  # "notify us promptly of a loss", "told as soon as may be of the grounds"
        if between or told or match[0].lower() == "at any time" or not TIED.match(text, head, hi):
            return head
    if kind == "condition" and _THAT_BEFORE.search(text, max(0, match.start() - 8), match.start()):
        comma = comma_at(text, head, hi)
        whole = comma < hi and has_finite_verb(text, head, comma) and begins_subject(text, comma + 1, hi)
        if comma < hi and (whole or _GOES_ON.match(text, comma)):
            return comma  # "ensure that, when it trades, the orders are carried out"
    comma = comma_at(text, head, hi)
    if _LEGAL.match(match[0]):
        return comma
    begins = any(0 <= match.start() - each < FEWEST_BEFORE for each in clause.edges)
    if begins and not (CLAUSAL.match(match[0]) and not has_finite_verb(text, head, comma)):
        return comma
    if between:  # "must, in procuring the report, ensure": up to the comma
        return comma_at(text, head, hi)
    if kind == "condition" and _COMMA_LAST.search(text, max(0, match.start() - 4), match.start()):
        comma = comma_at(text, head, hi)
        goes_on = _RESUMES.match(text, comma, hi)
        if goes_on and has_finite_verb(text, head, comma) and f" {goes_on['word']} " not in text[head:comma]:
            return comma  # "may rely, if that is reasonable, on any of the following"
        if (
            not CLAUSAL.match(match[0])
            and _RESUMES_NOUN.match(text, comma, hi)
            and not LISTED.search(text, comma + 1, hi)
        ):
            return comma  # "may require, in respect of any claim, the production of"
        resumed = clause.waits and _RESUMES_NOUN.match(text, comma, hi) is not None
        if resumed and (not CLAUSAL.match(match[0]) or has_finite_verb(text, head, comma)):
            return comma  # "must provide, if the goods are not there by then, an invoice, a price list or a bill"
    if kind in TIMES:
        head, hi = _words_of_time(text, match, head, hi, clause)
        later = (each for each in START.finditer(text, head + 1, hi) if ends_time(text, head, each, kind))
    else:
        hi = end_of_leave(text, match, hi)
        later = (each for each in START.finditer(text, head + 1, hi) if ends_condition(text, match, each))
    stop = next((each.start() for each in later), hi)
    end = trim(text, head, stop, punctuation=True)[1]
    joint = JOINT_BETWEEN.search(text, head, end) if stop < hi or text.startswith(",", hi) else None
    return trim(text, head, joint.start(), punctuation=True)[1] if joint else end


def _words_of_time(text: str, match: re.Match[str], head: int, hi: int, clause: _Clause) -> tuple[int, int]:
    """Where the words of a time begin, behind what it is tied to, and where they end at the latest."""
    comma = comma_at(text, head, hi)
    whether = _WHETHER.match(text, comma, hi)
    comma = comma_at(text, whether.end(), hi) if whether else comma
    whichever = _WHICHEVER.match(text, comma, hi)
    comma = whichever.end() if whichever else comma
    aside = _ASIDE_CLAUSE.search(text, head, comma)
    hi = end_of_time(text, head, aside.start() if aside else comma)
    hi = before_agent(text, head, hi, clause.edges) if clause.passive else hi
    other = (_OTHER_ACT if kind_of(match) == "duration" else _THEN_ACT).search(text, head, hi)
    hi = other.start() if other else hi  # "for two years and retained for three"
    hi = before_place(text, match.start(), before_other_act(text, head, hi))
    tied = TIED.match(text, head, hi)
    head = tied.end() if tied else head  # "immediately upon receipt"
    return head, hi


def _is_closed(text: str, match: re.Match[str], edge: int) -> bool:
    """Whether a phrase has all its words before an item begins: not "within: (a) two days", "unless: (a) it is late"."""
    words = text[match.end() : edge].strip(" ,:")
    if not words or _LEFT_OPEN.search(text, match.end(), edge) or "following" in words[-60:]:
        return False
    return not CLAUSAL.match(match[0]) or has_finite_verb(text, match.end(), edge)
