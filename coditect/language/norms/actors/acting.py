"""Whether a subject that no table knows can act: weights that were learnt judge what it is called and what it is to do.

Two linear models that taught each other (co-training, Blum and Mitchell 1998) on clauses of documents without labels: nouns that
the tables know to be persons or things taught which verbs persons have, and these verbs what else persons are called. How far each
of them counts was fitted on labelled norms. ``python -m coditect_benchmarks.acting`` fits them again and writes ``en/acting.json``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import orjson

from coditect.language.norms.actors.agents import heads, is_determined

__all__ = ["ActingWeights", "act_features", "can_act", "name_features", "read_weights"]

_FILE = Path(__file__).parents[2] / "en" / "acting.json"
_WORD = re.compile(r"[a-z'’-]+")
_IDLE = re.compile(r"not|also|then|only|all|each|either|both|at|times|always|\w+ly")
_NOBODY = re.compile(r"(?:nothing|there|none)\b", re.IGNORECASE)
_LIGHT = frozenset(("be", "have", "take", "make", "set", "give", "become", "act"))
_GENITIVE = ("'s", "’s")
_LONGEST_NAME = 4
_ENDINGS = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class ActingWeights:
    """What was learnt: the log-odds that a subject can act are the bias and the weights of its features, added.

    Attributes:
        version: name and number of the weights.
        bias: what is added for every subject.
        weights: by feature; one that is absent weighs nothing.
    """

    version: str
    bias: float
    weights: dict[str, float]

    def log_odds(self, name: str, act: str, modality: str) -> float:
        """How likely a subject can act, as log-odds; above 0 it rather can than cannot.

        Args:
            name: the noun phrase that is the subject.
            act: the words of the act, its verb first but for adverbs.
            modality: the words of force, as rules name them.
        """
        features = (*name_features(name), *act_features(act, modality))
        return self.bias + sum(self.weights.get(each, 0.0) for each in features)


@cache
def read_weights() -> ActingWeights:
    """The weights that are installed."""
    data = orjson.loads(_FILE.read_bytes())
    return ActingWeights(data["version"], data["bias"], data["weights"])


def can_act(name: str, act: str, modality: str, margin: float = 0.0) -> bool:
    """Whether a subject can act, for all that was learnt: "the Trust must give notice", not "the notice must state".

    Args:
        name: the noun phrase that is the subject.
        act: the words of the act, its verb first but for adverbs.
        modality: the words of force, as rules name them.
        margin: by how much that it can has to be likelier than that it cannot, in log-odds.
    """
    named = bool(name) and _NOBODY.match(name) is None
    return named and act[:1].isalpha() and read_weights().log_odds(name, act, modality) > margin


def name_features(name: str) -> Iterator[str]:
    """What tells of a subject's name: its last word and that word's endings, capitals, determiner and length."""
    members = heads(name)
    words = members[-1].split() if members else []
    last = words[-1].strip("“”\"'’.,") if words else ""
    lower, several = last.lower(), len(words) > 1
    yield f"word {lower}"
    yield from (f"ending {lower[-size:]}" for size in _ENDINGS)
    if last[:1].isupper():
        yield "capital" if several else "capital alone"
    if len(last) > 1 and last.isupper():
        yield "capitals"
    yield f"determiner {words[0].lower() if several and is_determined(name) else '-'}"
    yield f"words {min(_LONGEST_NAME, len(words))}"
    if any(each in name for each in _GENITIVE):
        yield "genitive"


def act_features(act: str, modality: str) -> Iterator[str]:
    """What tells of an act: its verb, the word behind it, and the words of force."""
    words = _WORD.findall(act[:120].lower())
    while words and _IDLE.fullmatch(words[0]):
        del words[0]
    if not words:
        return
    yield f"verb {words[0]}"
    if len(words) > 1:
        yield f"then {words[1]}"
        if words[0] in _LIGHT:
            yield f"both {words[0]} {words[1]}"
    yield f"modal {modality.split(maxsplit=1)[0]}"
