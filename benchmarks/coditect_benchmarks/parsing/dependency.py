# ruff: noqa: ANN401 - the library gives its own classes, and has no types without being installed
"""A statistical dependency parser (spaCy): modal verbs of main clauses, subjects, verb phrases, the scope of conditions."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from coditect_benchmarks.parsing.candidates import bare_clauses, without
from coditect_benchmarks.parsing.clauses import Clause, Place
from coditect_benchmarks.parsing.features import CONDITIONS, EXCEPTIONS, Sentence
from coditect_benchmarks.parsing.tasks import Task

__all__ = ["DependencyParser", "Parses", "RevisedRules", "find_imperative", "governs", "revise"]

_CONDITION = re.compile(rf"(?:{CONDITIONS}|{EXCEPTIONS})\b", re.IGNORECASE)
_LEADING = re.compile(r"(?:following|after|before|prior to|as soon as|during|should)\b", re.IGNORECASE)
_RELATIVES = frozenset(("which", "that", "who", "whom"))
_BENEATH = frozenset(("relcl", "advcl", "ccomp", "acl", "pcomp", "csubj"))


class Parses:
    """The parse of each sentence, made once; counts what it costs.

    Attributes:
        seconds: of the processor, spent on parsing.
        words: that were parsed.
    """

    def __init__(self, pipeline: Any) -> None:
        self._pipeline = pipeline
        self._done: dict[str, Any] = {}
        self.seconds = 0.0
        self.words = 0

    @classmethod
    def load(cls, name: str) -> Parses:
        """A pipeline from a package or a folder, with what a dependency parse needs and nothing else.

        Raises:
            OSError: there is no such model.
        """
        import spacy

        return cls(spacy.load(name, exclude=["ner", "lemmatizer", "senter"]))

    def of(self, text: str) -> Any:
        """The parse of a sentence."""
        if text not in self._done:
            begun = time.process_time()
            self._done[text] = self._pipeline(text)
            self.seconds += time.process_time() - begun
            self.words += len(text.split())
        return self._done[text]

    def hints(self, task: Task, sentence: Sentence, clause: Clause) -> dict[int, list[str]]:
        """What the parse says of each token in view of one clause: its tag, its relation, whether it hangs on the verb."""
        doc = self.of(task.text)
        verb, cue = _verb(doc, clause), _span(doc, clause.cue)
        revised = revise(doc, clause)
        subject = _subject(verb, cue)[0] if verb is not None and cue is not None else None
        by_start = {token.idx: token for token in doc}
        below = {token.i for token in verb.subtree} if verb is not None else set()
        of_subject = {token.i for token in subject.subtree} if subject is not None else set()
        parts = (("H", (revised.holder,)), ("A", revised.action), ("C", revised.conditions))
        found: dict[int, list[str]] = {}
        token = None
        for number, (start, _) in enumerate(sentence.tokens):
            token = by_start.get(start, token)
            names = [f"b{name}" for name, places in parts if any(p and p[0] <= start < p[1] for p in places)]
            if token is not None:
                names += [f"tag={token.tag_}", f"dep={token.dep_}", f"up={token.dep_}<{token.head.dep_}"]
            if token is not None and verb is not None:
                inside = token.i in below
                names.append(f"below={inside}")
                if inside and token is not verb:
                    top = token
                    while top.head is not verb and top.head is not top:
                        top = top.head
                    names += [f"top={top.dep_}", f"topw={top.dep_}{top.left_edge.lower_}"]
                if subject is not None:
                    names.append(f"subject={token.i in of_subject}")
            found[number] = names
        return found


class DependencyParser:
    """Every modal verb that governs a main clause, and every imperative, with the parts that the parse bounds."""

    def __init__(self, parses: Parses) -> None:
        self._parses = parses

    def parse(self, task: Task) -> list[Clause]:
        """The clauses of a sentence."""
        doc = self._parses.of(task.text)
        found = [revise(doc, clause) for clause in bare_clauses(task) if governs(doc, clause)]
        if not found and (verb := find_imperative(doc, task.own)):
            whole = verb[0], len(task.text.rstrip(" .;,"))
            bare = Clause("obligation", (verb[0], verb[0]), None, (whole,), (), (), whole)
            conditions = tuple(_conditions(doc, _at(doc, verb[0]), (), bare))
            found = [replace(bare, conditions=conditions, action=without(task.text, whole, conditions))]
        return found


class RevisedRules:
    """The clauses of the rules with some of their parts as the parse has them.

    ``parts`` are of "binding" (a clause that is subordinate by the parse is dropped), "holder" (the whole subject, or the
    agent), "scope" (where a condition that the rules found ends), "conditions" (those of the parse instead) and "action".
    """

    def __init__(self, parses: Parses, *parts: str) -> None:
        self._parses = parses
        self._parts = frozenset(parts)

    def parse(self, task: Task) -> list[Clause]:
        """The clauses of a sentence."""
        if not task.clauses:
            return []
        doc = self._parses.of(task.text)
        bound = [each for each in task.clauses if "binding" not in self._parts or governs(doc, each)]
        return [revise(doc, clause, self._parts, alone=False) for clause in bound]


def _at(doc: Any, place: int) -> Any:
    return next(token for token in doc if token.idx == place)


def _span(doc: Any, place: Place) -> Any | None:
    if place[0] >= place[1]:
        return None
    return doc.char_span(*place, alignment_mode="expand")


def governs(doc: Any, clause: Clause) -> bool:
    """Whether the words of force govern a main clause: neither a relative, nor an adverbial, nor a content clause."""
    at = _verb(doc, clause)
    steps = 0
    while at is not None and at.head is not at and steps < 12:
        if at.dep_ in _BENEATH:
            return False
        at, steps = at.head, steps + 1
    return at is not None


def _verb(doc: Any, clause: Clause) -> Any | None:
    """The verb that the words of force govern."""
    cue = _span(doc, clause.cue)
    if cue is None or not len(cue):
        return _at(doc, clause.cue[0]) if any(token.idx == clause.cue[0] for token in doc) else None
    inside = range(cue.start, cue.end)
    for token in cue:
        if token.dep_ in ("aux", "auxpass") and token.head.i not in inside:
            return token.head
    for token in cue:
        for child in token.children:
            if child.i not in inside and child.dep_ in ("xcomp", "ccomp", "pcomp") and child.i > token.i:
                return child
    return cue.root


def _subject(verb: Any, cue: Any) -> tuple[Any | None, bool]:
    """The subject of a verb and whether the verb is passive; a conjunct shares the subject of the verb that it is joined to."""
    at, steps = verb, 0
    while at is not None and steps < 6:
        for child in at.children:
            if child.dep_ in ("nsubj", "nsubjpass", "csubj", "expl") and child.i < cue.end:
                if child.lower_ in _RELATIVES and at.dep_ == "relcl":
                    return at.head, child.dep_ == "nsubjpass"
                return child, child.dep_ == "nsubjpass"
        steps += 1
        at = at.head if at.dep_ in ("conj", "xcomp", "ccomp", "pcomp") and at.head is not at else None
    return None, any(child.dep_ == "auxpass" for child in verb.children)


def revise(
    doc: Any,
    clause: Clause,
    parts: frozenset[str] = frozenset(("holder", "action", "conditions")),
    *,
    alone: bool = True,
) -> Clause:
    """A clause with some parts as the parse bounds them.

    Args:
        doc: the parse of its sentence.
        clause: from the rules, or bare.
        parts: "holder", "action", "scope", "conditions".
        alone: whether nobody has looked for a holder yet; else only one that the rules found is bounded anew.
    """
    verb, cue = _verb(doc, clause), _span(doc, clause.cue)
    if verb is None or cue is None:
        return clause
    if "conditions" in parts:
        clause = replace(clause, conditions=tuple(_conditions(doc, verb, cue, clause)))
    if "scope" in parts:
        clause = replace(
            clause, conditions=tuple(_rescoped(doc, place, clause.whole[1]) for place in clause.conditions)
        )
    if "holder" in parts:
        clause = replace(clause, holder=_holder(doc, verb, cue, clause, alone=alone))
    if "action" in parts:
        clause = replace(clause, action=_action(doc, verb, clause))
    return clause


def _rescoped(doc: Any, place: Place, limit: int) -> Place:
    """A condition up to the end of the clause or phrase that its first word opens."""
    token = next((each for each in doc if each.idx == place[0]), None)
    if token is None:
        return place
    head = token.head if token.dep_ in ("mark", "advmod") else token
    end = min(head.right_edge.idx + len(head.right_edge), limit)
    pieces = without(doc.text, (place[0], end), ())
    return pieces[0] if pieces and end - place[0] > 6 else place


def _holder(doc: Any, verb: Any, cue: Any, clause: Clause, *, alone: bool) -> Place | None:
    subject, passive = _subject(verb, cue)
    if passive or any(child.dep_ == "auxpass" for child in verb.children):
        for child in verb.children:
            if child.dep_ == "agent":
                for inner in child.children:
                    if inner.dep_ == "pobj":
                        return _edges(doc, inner)
        return None if subject is None else clause.holder
    if subject is None or (clause.holder is None and not alone):
        return clause.holder
    found = _edges(doc, subject)
    stop = min(found[1], clause.cue[0]) if found[0] < clause.cue[0] else found[1]
    return (found[0], stop) if stop > found[0] else clause.holder


def _edges(doc: Any, token: Any) -> Place:
    """The subtree of a token, without what hangs on behind a comma as a condition."""
    left, right = token.left_edge, token.right_edge
    end = right.idx + len(right)
    for child in token.children:
        if child.dep_ in ("advcl", "prep") and _CONDITION.match(doc.text, child.left_edge.idx):
            end = min(end, child.left_edge.idx) if child.left_edge.idx > token.idx else end
    return left.idx, end


def _conditions(doc: Any, verb: Any, cue: Iterable[Any], clause: Clause) -> Iterator[Place]:
    """Adverbial clauses and phrases that begin as a condition or an exception does, in full."""
    heads, at = [verb], verb
    while at.dep_ in ("conj", "xcomp", "ccomp") and at.head is not at and len(heads) < 4:
        at = at.head
        heads.append(at)
    for token in cue:
        if token not in heads:
            heads.append(token)
    seen: list[Place] = []
    lowest = clause.whole[0]
    pool = list(heads)
    if heads:
        pool += [d for d in verb.subtree if d.pos_ in ("NOUN", "PROPN", "VERB") and d is not verb]
    for head in pool:
        for child in head.children:
            if child.dep_ not in (
                "advcl",
                "prep",
                "mark",
                "advmod",
                "ccomp",
                "pcomp",
                "relcl",
                "acl",
                "cc",
                "npadvmod",
                "pobj",
            ):
                continue
            start = child.left_edge.idx
            if start < lowest or any(a <= start < b for a, b in seen):
                continue
            leading = start < clause.cue[0]
            if not (_CONDITION.match(doc.text, start) or (leading and _LEADING.match(doc.text, start))):
                continue
            if leading and head not in heads:
                continue
            end = child.right_edge.idx + len(child.right_edge)
            if child.dep_ in ("mark", "advmod") and head not in (verb,):
                end = head.right_edge.idx + len(head.right_edge)
            if leading:
                end = min(end, clause.cue[0])
            pieces = without(doc.text, (start, max(start, min(end, clause.whole[1]))), ())
            if pieces and pieces[0][1] - start > 6:
                seen.append(pieces[0])
                yield pieces[0]


def _action(doc: Any, verb: Any, clause: Clause) -> tuple[Place, ...]:
    """From behind the cue to the last word that hangs on the verb, without conditions, times and coordinate clauses."""
    if not clause.action:
        return clause.action
    start = clause.action[0][0]
    if start < clause.cue[0]:
        return clause.action
    end = min(verb.right_edge.idx + len(verb.right_edge), clause.whole[1])
    for child in verb.children:
        if child.dep_ == "conj" and any(g.dep_ == "aux" and g.tag_ == "MD" for g in child.children):
            end = min(end, child.left_edge.idx)
            for mark in verb.children:
                if mark.dep_ in ("cc", "punct") and verb.i < mark.i < child.i:
                    end = min(end, mark.idx)
    if end <= start:
        return clause.action
    return without(doc.text, (start, end), [*clause.conditions, *(phrase.text for phrase in clause.times)])


def find_imperative(doc: Any, own: Place) -> Place | None:
    """The verb that opens a sentence in its base form, without subject and auxiliary."""
    for token in doc:
        if token.idx < own[0] or not token.is_alpha:
            continue
        helped = any(child.dep_ in ("nsubj", "nsubjpass", "aux", "expl") for child in token.children)
        return (
            (token.idx, token.idx + len(token))
            if token.tag_ == "VB" and token.dep_ in ("ROOT", "conj") and not helped
            else None
        )
    return None
