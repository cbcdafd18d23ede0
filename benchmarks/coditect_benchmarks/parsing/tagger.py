"""The small tagger, learnt from the gold: which modal expressions bind and how, and which words are which part.

Both models are log-linear: one label a clause, then one label a word, neighbours deciding together. With the rules' reading
as features (``on_rules``) the tagger corrects them; without it reads by itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from coditect_benchmarks.gold.records import Norm, Span
from coditect_benchmarks.parsing.candidates import bare_clauses, opening_word
from coditect_benchmarks.parsing.clauses import Clause, Place, TimePhrase
from coditect_benchmarks.parsing.crf import Model, fit
from coditect_benchmarks.parsing.features import Sentence, roles_of, token_features
from coditect_benchmarks.parsing.tasks import Task

__all__ = ["Gold", "Hints", "Tagger", "clauses_seen", "labels_of", "model_bytes"]

Gold = Mapping[int, Norm[Span]]
"""The norm of the gold that a clause is a reading of, by the clause's id."""
Hints = Callable[[Task, Sentence, Clause], Mapping[int, Sequence[str]]]
"""Further features of the tokens in view of one clause."""

_NONE = "none"
_LABEL_OF_ROLE = (
    ("time-deadline", "D"),
    ("time-frequency", "F"),
    ("holder", "H"),
    ("conditions", "C"),
    ("action", "A"),
)
_WORD = re.compile(r"[\w'’-]+|[,;:()]")


@dataclass(frozen=True, slots=True)
class Tagger:
    """A fitted tagger; a parser as the others are.

    Attributes:
        binding: tells what a clause is, by its words; None where the rules say it.
        spans: labels tokens.
        on_rules: whether the rules' clauses are read again, or every modal expression by itself.
        trust: how much likelier the label that the rules give is made, as a log of odds.
        hints: of another parser.
    """

    binding: Model | None
    spans: Model
    on_rules: bool
    trust: float = 0.0
    hints: Hints | None = None

    def parse(self, task: Task) -> list[Clause]:
        """The clauses that bind, with their parts as the labels bound them."""
        clauses = clauses_seen(task, self.on_rules)
        if self.binding is not None:
            told = [(clause, self.binding.label([_clause_features(task, clause)])[0]) for clause in clauses]
            bound = [replace(self._bounded(task, clause, clauses), kind=kind) for clause, kind in told if kind != _NONE]
            return [clause for clause in bound if clause.action]
        return [self._bounded(task, clause, clauses) for clause in clauses]

    def _bounded(self, task: Task, clause: Clause, clauses: Sequence[Clause]) -> Clause:
        sentence = _sentence(task)
        first, features = _features(task, clause, clauses, self.on_rules, self.hints)
        favoured = None
        if self.trust:
            roles = roles_of(sentence.tokens, clause)[first : first + len(features)]
            favoured = [next((label for name, label in _LABEL_OF_ROLE if name in role), "O") for role in roles]
        return _clause_of(sentence, clause, first, self.spans.label(features, favoured, self.trust))

    @classmethod
    def learn(
        cls,
        tasks: Sequence[Task],
        gold: Gold,
        *,
        on_rules: bool,
        trust: float = 0.0,
        hints: Hints | None = None,
        strength: float = 3.0,
    ) -> Tagger:
        """Fit a tagger.

        Args:
            tasks: to learn from.
            gold: what their clauses are in truth; a clause that is not in it is no norm.
            on_rules: whether the clauses are those of the rules.
            trust: see the class.
            hints: see the class.
            strength: of the prior of both models.
        """
        kinds, kind_labels, words, word_labels = [], [], [], []
        for task in tasks:
            clauses = clauses_seen(task, on_rules)
            for clause in clauses:
                norm = gold.get(id(clause))
                kinds.append([_clause_features(task, clause)])
                kind_labels.append([norm.kind if norm else _NONE])
                if norm is not None:
                    first, features = _features(task, clause, clauses, on_rules, hints)
                    words.append(features)
                    word_labels.append(labels_of(task, _sentence(task), norm)[first : first + len(features)])
        binding = None if on_rules else fit(kinds, kind_labels, strength=0.5)
        return cls(binding, fit(words, word_labels, strength=strength, rounds=40), on_rules, trust, hints)


def clauses_seen(task: Task, on_rules: bool) -> list[Clause]:
    """The clauses of a sentence that a tagger judges; made once, so that the gold is known by their id."""
    if on_rules:
        return task.clauses
    if task.bare is None:
        opening = opening_word(task)
        task.bare = [*bare_clauses(task), *([opening] if opening else [])]
    return task.bare


def _sentence(task: Task) -> Sentence:
    """A sentence as tokens, cut once."""
    if task.sentence is None:
        task.sentence = Sentence(task.text, task.starts)
    return task.sentence


def _features(
    task: Task, clause: Clause, clauses: Sequence[Clause], on_rules: bool, hints: Hints | None
) -> tuple[int, list[list[str]]]:
    """The features of the tokens of a clause, made once for all taggers that look at it in the same way."""
    key = id(clause), on_rules, hints is not None
    if key in task.features:
        return task.features[key]
    sentence = _sentence(task)
    others = [other for other in (*clauses, *(task.dropped if on_rules else ())) if other is not clause]
    told = hints(task, sentence, clause) if hints else None
    task.features[key] = token_features(sentence, clause, others, task.own, rules=on_rules, hints=told)
    return task.features[key]


def _clause_features(task: Task, clause: Clause) -> list[str]:
    """What a clause shows of its force: its cue and the words around it."""
    text = task.text
    cue = " ".join(text[clause.cue[0] : clause.cue[1]].lower().split())
    after = [word.lower() for word in _WORD.findall(text[clause.cue[1] : clause.cue[1] + 80])]
    before = [word.lower() for word in _WORD.findall(text[max(0, clause.cue[0] - 120) : clause.cue[0]])]
    found = ["bias", f"cue={cue}", f"kind={clause.kind}", f"item={task.is_item}", f"own={task.own[0] <= clause.cue[0]}"]
    found += [f"a{n}={word}" for n, word in enumerate(after[:3])] + [f"aa={' '.join(after[:2])}"]
    found += [f"b{n}={word}" for n, word in enumerate(reversed(before[-3:]))] + [
        f"bs={before[-1][-2:] if before else ''}"
    ]
    found += [
        f"in={word}"
        for word in sorted({*before} & {"if", "where", "when", "which", "that", "who", "whether", "as", "than"})
    ]
    found += [
        f"f={' '.join(before[:1])}",
        f"cuea={cue} {after[0] if after else ''}",
        f"cueb={before[-1] if before else ''} {cue}",
    ]
    return found


def labels_of(task: Task, sentence: Sentence, norm: Norm[Span]) -> list[str]:
    """What the gold says of each token: (H)older, (A)ction, (C)ondition, (D)eadline, (F)requency, another time (U); a (T)rigger."""
    parts: list[tuple[str, set[int]]] = []
    triggers: set[int] = set()
    for time in norm.times:
        name = {"deadline": "D", "frequency": "F"}.get(time.kind, "U")
        chars = _positions(task, time.text)
        if name != "U":
            trigger = _positions(task, time.trigger)
            triggers |= trigger
            parts.append((name + "T", trigger & chars))
        parts.append((name, chars))
    conditions = _positions(task, (*norm.conditions, *norm.exceptions))
    parts += [("CT", conditions & triggers), ("C", conditions)]
    parts += [("H", _positions(task, norm.holder)), ("A", _positions(task, norm.action))]
    return [next((name for name, chars in parts if start in chars), "O") for start, _ in sentence.tokens]


def _positions(task: Task, spans: Iterable[Span]) -> set[int]:
    return {at for start, end in spans for place in range(start, end) if (at := task.position(place)) is not None}


def _clause_of(sentence: Sentence, clause: Clause, first: int, labels: Sequence[str]) -> Clause:
    """A clause with the parts that the labels tell; its kind, cue and whole stay."""

    def runs(*names: str) -> list[Place]:
        found: list[Place] = []
        before = -2
        for number, label in enumerate(labels):
            if label in names:
                start, end = sentence.tokens[first + number]
                if before == number - 1:
                    found[-1] = found[-1][0], end
                else:
                    found.append((start, end))
                before = number
        return found

    of_conditions = runs("CT")
    times = []
    for name, kind in (("D", "deadline"), ("F", "frequency")):
        triggers = runs(name + "T")
        for start, end in runs(name, name + "T"):
            inside = [place for place in triggers if start <= place[0] < end] or of_conditions
            times.append(TimePhrase(kind, (start, end), inside[0] if len(inside) == 1 else None))
    holders = runs("H")
    return replace(
        clause,
        holder=max(holders, key=lambda place: place[1] - place[0]) if holders else None,
        action=tuple(runs("A")),
        conditions=tuple(runs("C", "CT")),
        times=tuple(times),
    )


def model_bytes(model: Model) -> int:
    """The size of a model as JSON with two decimals, weights under 0.02 left out."""
    told = {
        name: {
            label: round(float(w), 2)
            for label, w in zip(model.labels, model.weights[row], strict=True)
            if abs(w) >= 0.02
        }
        for name, row in model.features.items()
    }
    return len(json.dumps({name: weights for name, weights in told.items() if weights}, separators=(",", ":")).encode())
