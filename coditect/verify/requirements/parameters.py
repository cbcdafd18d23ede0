"""Whether a sentence fixes what a requirement leaves to the organisation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.language.reading.sentence import Token, read_sentence
from coditect.language.tables import read_table
from coditect.verify.requirements.demand import Demand
from coditect.verify.requirements.figures.bounds import bounds_of, is_timed
from coditect.verify.requirements.terms import as_compared
from coditect.verify.requirements.wording import HOW_LONG, HOW_OFTEN, RequirementWording

__all__ = ["leaves_open", "unfilled"]

_PERSONS = re.compile(r"\b(?:personnel|roles?|individuals?|officials?|authorit|person)", re.IGNORECASE)
_MEANS = re.compile(r"\b(?:mechanism|control|technique|method|means|tool|measure|test)s?\b", re.IGNORECASE)
_BY_MEANS = re.compile(r"\b(?:using|by|via|with|through)\b", re.IGNORECASE)
_OF_WHAT = frozenset(("of", "on", "for", "in", "to", "against"))
_OPEN = re.compile(r"\[Assignment:|\]", re.IGNORECASE)
_GENERIC = re.compile(r"\borganization-defined\b", re.IGNORECASE)


def unfilled(part: RequirementWording, sentence: str, forth: dict[int, int]) -> str:
    """The first open parameter that a sentence does not plainly fix, in words; "" for none.

    Args:
        part: of a requirement.
        sentence: of a document.
        forth: token index of the part to that of the sentence, both as they are compared.
    """
    bounds = {each.kind for each in bounds_of(sentence) if is_timed(each)}
    tokens = read_sentence(as_compared(sentence)).tokens
    taken = frozenset(forth.values())
    for name in part.required:
        if HOW_OFTEN.search(name):
            if "frequency" not in bounds:
                return "nothing says how often"
        elif HOW_LONG.search(name):
            if not bounds:
                return "nothing says within which time"
        elif _PERSONS.search(name):
            if not any(token.actor and n not in taken for n, token in enumerate(tokens)):
                return f"whether it names “{name}” is not told"
        elif not (
            (_MEANS.search(name) and _BY_MEANS.search(sentence)) or _names(name, sentence) or _fixes(tokens, taken)
        ):
            return f"whether it fixes “{name}” is not told"
    for choices in part.choices:
        if not any(_takes(choice, sentence, tokens, taken) or _gives(choice, sentence) for choice in choices):
            return f"which of “{'; '.join(choices)[:80]}” it takes is not told"
    return ""


def leaves_open(part: RequirementWording, demand: Demand) -> bool:
    """Whether which things are meant is left to the organisation: "information [Assignment: information at rest]".

    Args:
        part: of a requirement.
        demand: the same, taken apart.
    """
    head = demand.reading.tokens[demand.head].key if demand.head is not None else ""
    named = [
        each for each in part.required if not (HOW_OFTEN.search(each) or HOW_LONG.search(each) or _PERSONS.search(each))
    ]
    return any(head in read_sentence(as_compared(_GENERIC.sub("", each))).keys for each in named)


def _takes(choice: str, sentence: str, tokens: Sequence[Token], taken: frozenset[int]) -> bool:
    """Whether a sentence names one of several choices; one that is left open itself by words that nothing else asks for."""
    if _OPEN.search(choice) is None:
        return _names(choice, sentence)
    wanted = read_sentence(as_compared(_OPEN.sub("", _GENERIC.sub("", choice)))).keys
    return bool(wanted) and wanted <= {each.key for n, each in enumerate(tokens) if n not in taken}


def _gives(choice: str, sentence: str) -> bool:
    """Whether a sentence has an act that keeps the good that a requirement lets one choose: what is encrypted is confidential."""
    goods = read_table("security_terms").mapping("gives")
    return any(goods.get(token.low) == choice.casefold() for token in read_sentence(sentence).tokens)


def _fixes(tokens: Sequence[Token], taken: frozenset[int]) -> bool:
    """Whether something of the sentence's own stands behind "of", "on" or "for" and what is in common: "scans of all servers"."""
    for n, token in enumerate(tokens[:-1]):
        if token.low not in _OF_WHAT or n == 0 or n - 1 not in taken:
            continue
        first = next((at for at in range(n + 1, len(tokens)) if tokens[at].has_substance), None)
        if first is not None and first not in taken and tokens[first].role == "word":
            return True
    return False


def _names(name: str, sentence: str) -> bool:
    """Whether a sentence has the words of a parameter's name: "organization-defined systems"."""
    wanted = read_sentence(as_compared(_OPEN.sub("", _GENERIC.sub("", name)))).keys
    return bool(wanted) and wanted <= read_sentence(as_compared(sentence)).keys
