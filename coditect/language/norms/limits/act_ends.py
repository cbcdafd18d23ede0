"""Where an act ends: before a clause of its own that hangs on it, a joint to what follows, a name that it gets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.language.patterns.places import begun_matches

__all__ = ["NAMED_LAST", "closed", "end_of_act", "without_open_brackets"]

# What is only said of an act: "..., which shall be sealed", "..., in which event", "..., among other remedies",
# "..., with the first one due in May", "..., such leave being given by the clerk".
_SAID_OF_IT = (
    r",\s+which\s+(?:shall|must|may\s+not)\b|,\s+in\s+which\s+(?:case|event)\b"
    r"|,\s+among(?:st)?\s+other\s+(?:reasons|rights|remedies)\b"
    r"|,\s+with\s+(?:the|an?|any|all|each|such)\s+(?:[\w’'-]+\s+){1,4}?(?:being|occurring|due|including|beginning|starting|ending|remaining|becoming)\b"
    r"|,\s+see\s+(?:also\s+)?(?:the\s+)?(?:sections?|clauses?|articles?|paragraphs?|annex|appendix|chapter|part|rule|step|table|§|\d)[^,;]*\Z"
    r"|,\s+such\s+(?!as\b)(?:[\w’'-]+\s+){1,3}?[a-z]{2,}ing\b"
)
# A joined clause that binds nobody: ", and that order is enforceable", " and this contract will end", ", but rights that it
# gives shall last", " and rest assured that it is".
_HOLDS_AS_WELL = (
    r",\s+(?:and|but|so)\s+(?:the|any|such|this|that|no|each|all|an?|these|it|they|there)\s+(?:(?!(?:who|which|that|if|when|where|whose|as|and|or|to)\b)[\w’'()-]+\s+){0,8}?"
    r"(?:is|are|has|have|does|do|was|were)\b"
    r"|\s+and\s+(?:this|these|such)\s+(?:(?!(?:who|which|that|if|when|where|whose|as|and|or|to)\b)[\w’'()-]+\s+){1,4}?(?:will|shall)\b"
    r"|,\s+but\s+(?!(?:if|when|where|to|not|in|on|at|by|only|also|then|no|with|without|for|from|shall|must|may|will|should)\b)[\w’'-]+(?:\s+[\w’'()-]+){0,11}?\s+(?:shall|will|must)\s"
    r"|,?\s+(?:and|but)\s+(?:when|if|where)\s+[^,;()]{2,80},\s+(?:we|they|you|I|it|he|she)\s+[a-z]+"
    r"|,\s+but\s+(?:is|are|was|were)\s(?!not\s+(?:necessarily\s+)?limited\b)|\s+and\s+rest\s+assured\b"
)
# A clause of its own that hangs on the whole act.
_OTHER_CLAUSE = re.compile(
    r"[,;]?\s*\(?\bit\s+being\s+(?:understood|agreed|acknowledged)\b|,\s+at\s+which\s+(?:time|point)\b"
    r"|,\s+(?:in\s+)?which\s+(?!(?:shall|will|must|may|is|are|has|have)\b)[a-z]+\s+(?:shall|will|must|may)\b"
    r"|,\s+(?:and|but)\s+(?:(?:the|any|such|this|no|each|all|an?|these)\s+)?(?!(?:if|when|where|to|not|in|on|at|by|only|also|then)\b)[\w’'-]+"
    r"(?:\s+(?!(?:who|which|that|if|when|where|whose|as)\b)[\w’'()-]+){0,8}?\s+(?:shall|will|must|hereby)\s+(?:not\s+)?[a-z]+"
    r"|,?\s+and\s+(?:may|will|can|could)\s+(?:not\s+)?(?:result|lead|be\s+subject|affect|cause|constitute)\b"
    r"|,\s+as\s+(?:this|these)\s+\w+\s+(?:may|will|can|could|is|are)\b"
    rf"|{_SAID_OF_IT}|{_HOLDS_AS_WELL}"
)
_CLAUSE_BEGINS = re.compile(r"[,\s](?:(?<=,)|\s*(?:and|but)\s)")
"""Where a clause of its own may begin, but for "it being agreed"."""

# A remark in brackets behind the act, a clause of its own: "(this will take a day)", "(i.e. nobody must sign)", "(see section 4)".
_REMARK = re.compile(
    r"\s+\((?:see\b(?=[^()]*\)[\s.]*\Z)|(?:(?:i\.e\.|e\.g\.|that\s+is),?\s+|which\s+)?(?!(?:unless|except|if|when|where|provided|subject|as|whether|being|that|who|whose|or|and|but|including|in)\b)"
    r"(?:[^()]|\([^()]*\))*?\s(?:shall|must|will|should|may\s+not)\s+(?:also\s+|only\s+|not\s+)?[a-z]+\b)(?:[^()]|\([^()]*\))*\)[\s.]*\Z",
    re.IGNORECASE,
)
_INSIDE_CLAUSE = re.compile(r"\b(?:that|whether|which|who|how|what|if)\b")
# "the fee (the “Fee”)": a name for it that the text goes on with.
NAMED_LAST = re.compile(
    r"\s+\((?:(?:the|each,?|an?|collectively,?|together,?|such)\s+)*[\"“][^()\"“”]{2,60}[\"”](?:\s+(?:and|or)\s+[\"“][^()\"“”]{2,60}[\"”])?\)\W*\Z",
    re.IGNORECASE,
)
_TAIL = re.compile(r"(?:[,;\s(]+(?:and|or|but|\(\w{1,4}\)))+\s*$|[\s,;:.*]+$")


def end_of_act(text: str, lo: int, hi: int) -> int:
    """Where an act ends in its sentence, without a conjunction or a list marker that belongs to what follows.

    Args:
        text: the text.
        lo: where it begins.
        hi: one past the last code point that it may have.
    """
    other = _other_clause(text, lo, hi)
    hi = other.start() if other else hi
    tail = _TAIL.search(text[lo:hi])
    hi = lo + tail.start() if tail else hi
    remark = _REMARK.search(text, lo, hi)
    return remark.start() if remark else hi


def _other_clause(text: str, lo: int, hi: int) -> re.Match[str] | None:
    """A clause of its own behind an act, outside of brackets and of clauses inside of it."""
    for found in _clauses(text, lo, hi):
        inside = text.count("(", lo, found.start()) > text.count(")", lo, found.start())
        joined = found[0].lstrip(" ,").startswith(("and", "but", "so "))
        if not inside and not (joined and _INSIDE_CLAUSE.search(text, lo, found.start())):
            return found
    return None


def _clauses(text: str, lo: int, hi: int) -> Iterator[re.Match[str]]:
    """The matches of a clause of its own: tried only where one can begin, but for "it being agreed", which few texts have."""
    if text.find("being", lo, hi) >= 0:
        yield from _OTHER_CLAUSE.finditer(text, lo, hi)
        return
    yield from begun_matches(_OTHER_CLAUSE, _CLAUSE_BEGINS, text, lo, hi)


def closed(words: str) -> int:
    """How many characters stand before a parenthesis that closes what these words did not open."""
    depth = 0
    for index, char in enumerate(words):
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return index
    return len(words)


def without_open_brackets(words: str) -> str:
    """Words without a last bracket that closes what they did not open."""
    at = closed(words)
    return words[:at].rstrip(" .") if at >= len(words) - 2 else words
