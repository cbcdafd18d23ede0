"""Where an act ends: before a clause of its own that hangs on it, a joint to what follows, a name that it gets."""

from __future__ import annotations

import re

__all__ = ["NAMED_LAST", "closed", "end_of_act", "without_open_brackets"]

# A clause of its own that hangs on the whole act.
_OTHER_CLAUSE = re.compile(
    r"[,;]?\s*\(?\bit\s+being\s+(?:understood|agreed|acknowledged)\b|,\s+at\s+which\s+(?:time|point)\b"
    r"|,\s+(?:in\s+)?which\s+(?!(?:shall|will|must|may|is|are|has|have)\b)[a-z]+\s+(?:shall|will|must|may)\b"
    r"|,\s+(?:and|but)\s+(?:(?:the|any|such|this|no|each|all|an?|these)\s+)?(?!(?:if|when|where|to|not|in|on|at|by|only|also|then)\b)[\w’'-]+"
    r"(?:\s+(?!(?:who|which|that|if|when|where|whose|as)\b)[\w’'()-]+){0,8}?\s+(?:shall|will|must|hereby)\s+(?:not\s+)?[a-z]+"
    r"|,?\s+and\s+(?:may|will|can|could)\s+(?:not\s+)?(?:result|lead|be\s+subject|affect|cause|constitute)\b"
    r"|,\s+as\s+(?:this|these)\s+\w+\s+(?:may|will|can|could|is|are)\b"
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
    return lo + tail.start() if tail else hi


def _other_clause(text: str, lo: int, hi: int) -> re.Match[str] | None:
    """A clause of its own behind an act, outside of brackets and of clauses inside of it."""
    for found in _OTHER_CLAUSE.finditer(text, lo, hi):
        inside = text.count("(", lo, found.start()) > text.count(")", lo, found.start())
        joined = found[0].lstrip(" ,").startswith(("and", "but"))
        if not inside and not (joined and _INSIDE_CLAUSE.search(text, lo, found.start())):
            return found
    return None


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
