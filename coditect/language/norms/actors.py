"""Who a modal expression binds: the subject of its clause, read leftwards from the cue."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from coditect.language.finite_verbs import has_finite_verb
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
    r";|:(?=\s)|\s[–—]\s|--|\n\s*\n|(?:(?<=[:;,]\s)|^|(?<=\sand\s)|(?<=\sor\s)|(?<=[a-z]\s))\((?:[a-z]|[ivx]{1,4}|[A-Z]|(?<=[:;,]\s\()\d{1,2})\)(?=\s)(?!\s+(?:of|and|or|above|below|hereof|through|to|in|,)\b)|(?<=[a-z\d)]{2}[.!?])\s+(?=[A-Z])"
    r"|\bprovided(?:,?\s*(?:however|further|always))*,?\s*(?:that)?,?|\bexcept\s+that\b|\bit\s+being\s+understood\s+that\b"
)
_RELATIVE = re.compile(rf"\b({_CLAUSES.pattern('relative_and_comparative')})\s*(?:\w+ly\s+)?,?\s*$", _I)
_CONJ_END = re.compile(
    r"(?:^|[\s,])(?:and|or|but|nor|and/or)(?:\s+(?:then|also|hereby|further|thereafter|in\s+turn|otherwise|\w+ly))*[\s,]*$",
    _I,
)
_SUBORDINATE = re.compile(rf"(?<!\S)(?:{_CLAUSES.pattern('subordinators')})\s+(?=\S)", _I)
_PREPOSED = re.compile(
    rf"(?:{_CLAUSES.pattern('preposed')}|(?-i:(?!(?:no|any|some|every)thing)[a-z]+ing|[A-Z]?[a-z]+ly))\b", _I
)
_LEAD = re.compile(
    rf"(?:[^\w{{]|\d{{1,3}}(?:\.\d{{1,3}})*[.)]?\s|(?:{_CLAUSES.pattern('lead_ins')}|And|Or|But|Nor|So|Yet|That|Alternatively|Similarly|Likewise|Importantly|Thus|Hence|As\s+such|For\s+example)\b(?=[\s,]))+"
)
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
_OPENER = re.compile(
    r"\b(?P<word>that|which|who|whom|whose|where|when|whenever|if|unless|whether|because|since|although|though|while|until|once)\b",
    _I,
)
_RELATIVE_OPENS = re.compile(
    r"\s*(?:which|who|whom|whose|that|being|including|other\s+than|such\s+as|except|i\.e|e\.g)\b", _I
)
_COMPLEMENT = re.compile(
    rf"\b(?:{read_table('lead_ins').pattern('clause_takers')}|aware|likely|important|clear|expected|understood|noted|recogni[sz]ed|view|aim|intention|possible)\s+that\s+",
    _I,
)
_NOUN_THAT = re.compile(r"\b(?:the|an?|any|all|each|such|no|those|or)\s+(?:[\w’'-]+\s+){0,3}[\w’'-]+\s+that\s*\Z", _I)
_PLURAL = re.compile(r"[a-z]+s\b")
_PARTICIPIAL = re.compile(r"(?:represented|acting|each|both|either)\b", _I)
_OF = re.compile(r"(?:of|or|and|to|including)\b", _I)
_INDIRECT = re.compile(rf"\b(?:{_CLAUSES.pattern('interrogatives')})\b", _I)
_COMMA = re.compile(r"[(),]")
_PAREN_TAIL = re.compile(r"\s*\([^()]*\)\s*$")

_AGENT_NOUN = re.compile(rf"(?:{'|'.join(_AGENTS.pattern(name) for name in ('agent_nouns', 'persons', 'bodies'))})", _I)
_THING = re.compile(rf"\b(?:{_AGENTS.pattern('things')})$")
# Words that may open a sentence without an article though they name nobody: plurals, and nouns of action or quality.
_COMMON = re.compile(rf"(?:{_AGENTS.pattern('noun_endings')})$|^(?:{_AGENTS.pattern('bare_nouns')})$")
# Nouns of roles by their ending (Huddleston and Pullum 2002, chapter 19), and nouns of things with the same endings.
_ROLE = re.compile(r"[A-Za-z]{2,}(?:er|or|ee|ist|ian|ant|wright|holder)s?", _I)
_NO_ROLE = re.compile(rf"(?:{_AGENTS.pattern('no_roles')})", _I)
_INITIALS = re.compile(r"[A-Z][A-Z&-]+s?")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_BEHIND_HEAD = re.compile(
    r"\s(?:of|for|in|to|under|on|from|with|without|that|which|who|whom|whose|by|at|within|between|among"
    r"|responsible|subject|[a-z]+ing|[a-z]{3,}ed)\s"
)
_DETERMINED = re.compile(r"(?:the|an?|this|that|these|those|such|any|each|every|all|its|their|our|his|her|your)\s", _I)
_BY = re.compile(
    rf"\bby\s+(?P<np>(?:(?:{_PHRASES.pattern('agent_determiners')})\s+(?:[\w'’{{}}-]+\s+){{0,3}}?[\w'’{{}}-]+"
    rf"|(?:[A-Z{{][\w&.'’{{}}-]*)(?:\s+[A-Z][\w&.'’-]*){{0,4}}|(?:{_AGENTS.pattern('bare_agents')})(?:\s+\w+)?)"
    rf")(?=\s*(?:[,.;:)]|$|\b(?:{_CLAUSES.pattern('behind_agents')})\b))"
)
_OTHER_VERB = re.compile(
    r"[a-z]{3,}(?:ed|en)\s*\Z|,\s|\b(?:that|which|who|if|when|where)\b|\b(?:to\s+be|being|been|is|are)\b"
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
    that = re.match(r"\s*that\s+", left) if not (first or hard) else None
    if that:
        return _opening(text, clause + that.end(), cue)
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
    if first or hard:
        return _opening(text, clause, cue)
    return _from_segments(text, clause, cue, opens=False)


def _opening(text: str, lo: int, cue: int) -> Subject:
    """The subject of the first modal expression of a sentence or of what stands behind a semicolon.

    All that stands between the adjuncts in front and the cue is the subject, with its relative clauses, unless a subordinate clause
    is still without its verb: then the cue is that verb.
    """
    lead = _LEAD.match(text, lo, cue)
    start = lead.end() if lead else lo
    start = _behind_adjuncts(text, start, cue)
    hi = cue
    while hi > start and text[hi - 1] in " ,\t\n":
        hi -= 1
    segments = _segments(text, start, hi)
    last = segments[-1]
    if (
        len(segments) > 1
        and text[slice(*last)].strip()
        and has_finite_verb(text, start, last[0])
        and not has_finite_verb(text, *last)
    ):
        opens_relative = any(_RELATIVE_OPENS.match(text, a, b) for a, b in segments[1:])
        if _begins_subject(text, *last) and not _PREPOSED.match(text[slice(*last)].lstrip()) and not opens_relative:
            at = last[0]
            while text[at].isspace():
                at += 1
            return Subject(at, hi, lo, "main")  # "provided that it rains, the bank shall"
    content = _content_clause(text, start, hi)
    if content is not None:
        return _opening(text, content, cue)
    open_at = _open_subordinate(text, start, hi)
    if open_at is not None:
        word, at = open_at
        if word != "that":
            tail = _NP_END.search(text, at, hi)
            if tail and has_finite_verb(text, at, tail.start("np")):
                return Subject(tail.start("np"), hi, lo, "main")
            if word in ("which", "who", "whom", "whose"):
                return (
                    Subject(_head(text, lo, at), at, lo, "relative")
                    if not text[at:hi].strip(" ,")
                    else Subject(cue, cue, lo, "subordinate")
                )
            return Subject(cue, cue, lo, "subordinate")
        if _NOUN_THAT.search(text, start, at):
            return Subject(cue, cue, lo, "subordinate")  # "an act that the bank is required to do"
        lead = _LEAD.match(text, at, hi)
        start = _behind_adjuncts(text, lead.end() if lead else at, hi)
        return Subject(start, hi, lo, "main")
    if _PREPOSED.match(text, start, hi) or _SUBORDINATE.match(text, start, hi):
        tail = _NP_END.search(text, max(start, hi - 160), hi)  # "Upon request Supplier shall": without a comma
        if tail is None:
            return Subject(cue, cue, lo, "main")
        return Subject(tail.start("np"), hi, lo, "main")
    return Subject(start, _without_asides(text, start, hi), lo, "main")


def _content_clause(text: str, lo: int, hi: int) -> int | None:
    """Where the clause begins that is the complement of another: "The principle is that, where ..., the bank"."""
    for match in reversed(list(_COMPLEMENT.finditer(text, lo, hi))):
        if has_finite_verb(text, lo, match.end()) and text.count("(", lo, match.start()) == text.count(
            ")", lo, match.start()
        ):
            return match.end()
    return None


def _behind_adjuncts(text: str, lo: int, hi: int) -> int:
    """Where the subject begins behind the phrases in front of it: behind the last comma that a noun phrase follows."""
    if not (_PREPOSED.match(text, lo, hi) or _SUBORDINATE.match(text, lo, hi)):
        return lo
    segments = _segments(text, lo, hi)
    for start, end in reversed(segments[1:]):
        if not _begins_subject(text, start, end) or _RELATIVE_OPENS.match(text, start, end):
            continue
        lead = _LEAD.match(text, start, end)
        at = lead.end() if lead else start
        while at < end and text[at].isspace():
            at += 1
        if not _PREPOSED.match(text, at, end) and not _SUBORDINATE.match(text, at, end):
            return at
    return lo


def _begins_subject(text: str, at: int, hi: int) -> bool:
    """Whether a clause may begin behind a comma: a noun phrase, or another adjunct."""
    lead = _LEAD.match(text, at, hi)
    at = lead.end() if lead else at
    while at < hi and text[at].isspace():
        at += 1
    if at >= hi:
        return False
    rest = text[at:hi]
    if re.match(r"\s*(?:and|or|nor)\s", text[at:hi]) or (
        lead and re.match(r"\s*(?:and|or|nor)\s", text[lead.start() : at + 1])
    ):
        return False  # "if the bank, or its agents, ..."
    return _NP_START.match(rest) is not None or _PREPOSED.match(rest) is not None or _PLURAL.match(rest) is not None


def _open_subordinate(text: str, lo: int, hi: int) -> tuple[str, int] | None:
    """The last subordinate clause that has no finite verb yet, as its first word and where that ends."""
    words = [
        m for m in _OPENER.finditer(text, lo, hi) if text.count("(", lo, m.start()) == text.count(")", lo, m.start())
    ]
    for match in reversed(words):
        if has_finite_verb(text, match.end(), hi) or _verbal(text, match.end(), hi):
            continue
        if match["word"].lower() in ("where", "when", "if", "as") and re.match(
            r"\s*(?:appropriate|necessary|applicable|possible|required|relevant|any|so\b)",
            text[match.end() : match.end() + 14],
        ):
            continue
        return match["word"].lower(), match.end()
    return None


def _verbal(text: str, lo: int, hi: int) -> bool:
    """Whether a relative clause has a verb that no table lists: "who carries on", "that administers"."""
    return re.match(r"\s+(?:\w+ly\s+)?[a-z]{2,}(?:s|ed)\b", text[lo:hi]) is not None


def _without_asides(text: str, lo: int, hi: int) -> int:
    """Where a subject ends without the adjuncts between commas behind it: "Supplier, at its own expense, shall"."""
    segments = _segments(text, lo, hi)
    for index, (start, end) in enumerate(segments[1:], 1):
        words = text[start:end].lstrip()
        if _PARTICIPIAL.match(words) and not text[slice(*segments[-1])].strip():
            return segments[index - 1][1]
        if _PREPOSED.match(words) and not re.match(r"(?:in|of|to|for|with)\s+(?:the\s+)?case\s+of\b", words) and index:
            rest = segments[index + 1 :]
            if all(_PREPOSED.match(text[a:b].lstrip()) or not text[a:b].strip() for a, b in rest) and not _OF.match(
                words
            ):
                return segments[index - 1][1]
    return hi


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
        if _NOUN_THAT.search(text, lo, that.end()) and not _COMPLEMENT.search(text, lo, that.end()):
            return hi, hi, "subordinate"  # "the service that they will provide"
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


def is_agent(name: str, *, opens: bool, names: frozenset[str] = frozenset()) -> bool:
    """Whether a subject can act: a party, a person, a role, a body.

    The head of the noun phrase decides: "the Manager's report" is a report. A noun for a role tells by itself or by its ending
    ("verifier", "trustee"); a name tells by its capital where no determiner stands before it.

    Args:
        name: the noun phrase that is the subject.
        opens: whether it begins its sentence, so that its first capital proves nothing.
        names: words that the document writes with a capital wherever they stand.
    """
    words = _BRACKETS.sub(" ", name).strip(" ,")
    head = _BEHIND_HEAD.split(words, maxsplit=1)[0].strip(" ,")
    members = [each.strip(" ,") for each in re.split(r",\s+|\s(?:and|or|and/or|nor)\s", head) if each.strip(" ,")]
    return any(_can_act(each, names, opens=opens and number == 0) for number, each in enumerate(members))


def _can_act(phrase: str, names: frozenset[str], *, opens: bool) -> bool:
    tokens = phrase.split()
    if not tokens:
        return False
    last = tokens[-1].strip("“”\"'’.,")
    if _AGENT_NOUN.fullmatch(last):
        return True
    if _THING.fullmatch(last) or _NO_ROLE.fullmatch(last):
        return False
    if _ROLE.fullmatch(last):
        return True
    if last.startswith("{{") or last.endswith("}}"):
        return True
    if not last[:1].isupper():
        return False
    if not _DETERMINED.match(phrase) and last in names and len(tokens) < 3:
        return True
    if _INITIALS.fullmatch(last) and (len(tokens) < 4 or not phrase.isupper()):
        return True
    if len(tokens) > 1 and phrase.isupper():
        return False  # in a line of capitals a capital proves nothing
    if _DETERMINED.match(phrase):
        return any(_AGENT_NOUN.fullmatch(token) for token in tokens[1:]) or _INITIALS.fullmatch(last) is not None
    if opens and len(tokens) == 1:
        return last in names or last.isupper() or not _COMMON.search(last)
    return not _COMMON.search(last) or last.isupper() or any(token[:1].isupper() for token in tokens[:-1])


def by_agent(text: str, lo: int, hi: int) -> tuple[int, int] | None:
    """The agent of a passive ("by the Security Officer"), as a span, or None; "on terms recommended by" is another's."""
    match = _BY.search(text, lo, min(hi, lo + 160))
    if match is None or _NO_AGENT.match(match["np"]) or _OTHER_VERB.search(text, lo, match.start()):
        return None
    return match.span("np")
