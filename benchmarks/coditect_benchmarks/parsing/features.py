"""What a tagger sees of a token: itself, its neighbours, its place in its clause, and what the rules say of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from coditect.language.norms.modality import find_cues
from coditect.language.quantities.meaning import find_quantities
from coditect_benchmarks.parsing.clauses import Clause, Place

__all__ = ["CONDITIONS", "EXCEPTIONS", "MOST_TOKENS", "Sentence", "roles_of", "token_features", "tokens_of"]

MOST_TOKENS = 240
"""Tokens of one clause, at most; those around its own words are kept."""

_TOKEN = re.compile(r"\w+(?:[’'-]\w+)*|[^\w\s]")
CONDITIONS = (
    "if|where|when|whenever|wherever|provided|providing|once|until|upon|in the event|in case|in the case|subject to"
    "|to the extent|so long as|as long as|insofar as|in so far as|on condition|assuming"
)
EXCEPTIONS = (
    "unless|except|excluding|other than|save|but not(?!\\s+limited)|notwithstanding"
    "|without (?:the )?(?:prior )?(?:express )?(?:written )?(?:consent|approval|permission)"
)
"""What opens a condition or an exception, for both parsers alike (Huddleston and Pullum 2002, chapters 8 and 11)."""

_OPENERS = tuple(
    (name, re.compile(rf"(?:{words})\b", re.IGNORECASE))
    for name, words in (
        ("cond", f"{CONDITIONS}|after|before|following|subject|during"),
        ("exc", f"{EXCEPTIONS}|without"),
        (
            "time",
            "within|by|no later|not later|prior|at least|annually|every|each|promptly|immediately|as soon"
            "|without (?:undue )?delay|from time|on or before|for a period|for at least",
        ),
        ("rel", "which|that|who|whom|whose|whereby|as|than"),
        (
            "to",
            "to|in order to|so as to|for|with|under|in accordance|pursuant|in respect|in connection|on|in|at|by|of|from",
        ),
        ("and", "and|or|but|nor"),
    )
)


class Sentence:
    """A sentence cut into tokens once, with what all its clauses share."""

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self.text = text
        self.tokens = tokens_of(text)
        self.words = [text[start:end] for start, end in self.tokens]
        self.lower = [word.lower() for word in self.words]
        self.cues = [(cue.start, cue.end) for cue in find_cues(text, 0, len(text))]
        self.quantities = [
            (m.start, m.end, str(m.data.get("quantity_kind"))) for m in find_quantities(text, 0, len(text))
        ]
        self.pieces = list(starts)
        self.openers = [
            next((name for name, pattern in _OPENERS if pattern.match(text, start)), "") for start, _ in self.tokens
        ]
        self.segments: list[int] = []
        number, depth = 0, 0
        for at, word in enumerate(self.lower):
            depth = max(0, depth + (word == "(") - (word == ")"))
            if word in ",;:" or (self.tokens[at][0] in self.pieces and at):
                number += 1
            self.segments.append(number)
        self.own = [self._own(at) for at in range(len(self.tokens))]

    def _own(self, at: int) -> list[str]:
        """Features of a token by itself, whatever the clause."""
        word, lower = self.words[at], self.lower
        shape = (
            "X"
            if word.isupper()
            else "Xx"
            if word[:1].isupper()
            else "9"
            if word[:1].isdigit()
            else "x"
            if word[:1].isalpha()
            else word
        )

        def near(by: int) -> str:
            return lower[at + by] if 0 <= at + by < len(lower) else "|"

        found = [
            f"w={lower[at]}", f"s3={lower[at][-3:]}", f"s2={lower[at][-2:]}", f"sh={shape}",
            f"w-1={near(-1)}", f"w+1={near(1)}", f"w-2={near(-2)}", f"w+2={near(2)}",
            f"ww={near(-1)} {lower[at]}", f"ww+={lower[at]} {near(1)}", f"op={self.openers[at]}",
        ]  # fmt: skip
        start, _ = self.tokens[at]
        for first, last, kind in self.quantities:
            if first <= start < last:
                found.append(f"q={kind}")
                found.append(f"qb={kind}{first == start}")
        # What opened the stretch that the token is in: the last opener since the last comma.
        for back in range(at, max(-1, at - 30), -1):
            if self.openers[back] in ("cond", "exc", "time", "rel"):
                found += [f"o1={self.openers[back]}", f"ow={lower[back]}", f"od={min(at - back, 12) // 3}"]
                break
            if lower[back] in ",;:":
                found.append(f"o1={lower[back]}")
                break
        begin = at
        while begin and self.segments[begin - 1] == self.segments[at] and lower[begin - 1] not in ",;:":
            begin -= 1
        if lower[begin] in ",;:" and begin < at:
            begin += 1
        found += [f"seg={lower[begin]}", f"sego={self.openers[begin]}", f"segw={' '.join(lower[begin : begin + 2])}"]
        return found


def tokens_of(text: str) -> list[Place]:
    """Words and marks, as places."""
    return [match.span() for match in _TOKEN.finditer(text)]


def token_features(
    sentence: Sentence,
    clause: Clause,
    others: Sequence[Clause],
    own: Place,
    *,
    rules: bool = True,
    hints: Mapping[int, Sequence[str]] | None = None,
) -> tuple[int, list[list[str]]]:
    """Features of the tokens around a clause, and the number of the first of them.

    Args:
        sentence: that holds the clause.
        clause: as the rules read it.
        others: the other clauses of the sentence.
        own: what of the sentence is told here.
        rules: whether what the rules say of each token counts.
        hints: features from elsewhere in view of the clause, by token.
    """
    tokens = sentence.tokens
    first, last = _window(tokens, clause)
    roles = roles_of(tokens, clause) if rules else ["-"] * len(tokens)
    cue_at = next((n for n, (start, _) in enumerate(tokens) if start >= clause.cue[0]), len(tokens))
    cue_stop = next((n for n, (start, _) in enumerate(tokens) if start >= clause.cue[1]), len(tokens))
    cue_word = sentence.text[clause.cue[0] : clause.cue[1]].lower().split() or ["-"]
    next_clause = min((c.whole[0] for c in others if c.whole[0] > clause.cue[1]), default=len(sentence.text))
    before_clause = max((c.cue[1] for c in others if c.cue[1] <= clause.cue[0] and c.cue != clause.cue), default=0)
    passive = cue_stop < len(tokens) and sentence.lower[cue_stop] in ("be", "been")
    found = []
    for at in range(first, last):
        start, _ = tokens[at]
        side = "cue" if clause.cue[0] <= start < clause.cue[1] else "<" if start < clause.cue[0] else ">"
        segment = sentence.segments[at] - sentence.segments[min(cue_at, len(tokens) - 1)]
        segment = max(-3, min(segment, 4))
        role = roles[at]
        distance = at - cue_stop if side == ">" else cue_at - at
        names = [
            *sentence.own[at],
            *(f"{side}{name}" for name in sentence.own[at] if name[0] in "oqs" and not name.startswith("s3")),
            f"{side}w={sentence.lower[at]}", f"side={side}",
            f"seg#={side}{segment}", f"seg#op={side}{segment}{sentence.openers[at]}",
            f"d={side}{min(distance, 3) if distance < 4 else 4 + min(distance // 6, 5)}", f"k={clause.kind}{side}",
            f"pass={passive}{side}{min(distance, 2)}", f"next={start >= next_clause}", f"prev={start < before_clause}",
            f"in={clause.whole[0] <= start < clause.whole[1]}{side}", f"own={own[0] <= start < own[1]}{side}",
            f"cue={cue_word[-1]}{side}{min(distance, 2)}", f"last={at + 1 == len(tokens)}",
        ]  # fmt: skip
        if rules:
            back, ahead = (roles[at - 1] if at else "|"), (roles[at + 1] if at + 1 < len(tokens) else "|")
            names += [
                f"r={role}", f"r-1={back}{role}", f"r+1={role}{ahead}", f"rw={role}{sentence.lower[at]}", f"rside={role}{side}",
                f"rop={role}{sentence.openers[at]}", f"rd={role}{min(distance, 2)}", f"rseg={role}{segment}",
            ]  # fmt: skip
            names += [
                f"r{name}"
                for name in (f"{role}{each}" for each in sentence.own[at] if each.startswith(("o1=", "sego=", "q=")))
            ]
        if hints is not None:
            names += [f"p{each}" for each in hints.get(at, ())]
            names += [f"p{side}{each}" for each in hints.get(at, ())]
        found.append(names)
    return first, found


def _window(tokens: Sequence[Place], clause: Clause) -> Place:
    if len(tokens) <= MOST_TOKENS:
        return 0, len(tokens)
    at = next((n for n, (start, _) in enumerate(tokens) if start >= min(clause.whole[0], clause.cue[0])), len(tokens))
    first = max(0, at - MOST_TOKENS // 3)
    return first, min(len(tokens), first + MOST_TOKENS)


def roles_of(tokens: Sequence[Place], clause: Clause) -> list[str]:
    """What the rules say of each token."""
    parts: list[tuple[str, Place]] = []
    parts += [("time-" + time.kind, time.text) for time in clause.times]
    parts += [("trigger", time.trigger) for time in clause.times if time.trigger]
    parts += [("holder", clause.holder)] if clause.holder else []
    parts += [("conditions", part) for part in clause.conditions]
    parts += [("action", part) for part in clause.action]
    return [
        "+".join(dict.fromkeys(name for name, (first, last) in parts if first <= start < last)) or "-"
        for start, _ in tokens
    ]
