"""Subjects: what two statements are both about, in words that one of them prints."""

from __future__ import annotations

import re
from functools import lru_cache

from coditect.language.tables import read_table
from coditect.language.terms import MODAL_TERMS, STOPWORDS, stem
from coditect.tiers.findings.conflicts.apart.events import without_occasion
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.measures import canonical
from coditect.tiers.findings.said.statements import clause_of, content_words

__all__ = ["LONGEST_SUBJECT", "subject_of"]

LONGEST_SUBJECT = 5
"""Content words that the subject of a conflict has at most."""

_LIGHT = frozenset(stem(word) for word in read_table("acts").words("light_verbs"))
"""Verbs that say nothing of what is done: "conduct annual review"."""

_BREAK = re.compile(r"[.,;:()\[\]\"“”|]|--")
_WORD = re.compile(r"[^\W_][\w'’-]*")


def subject_of(first: Entry, second: Entry) -> str:
    """The longest run of content words that two statements have in common, as printed in the first; "" for none."""
    texts = [_clause(each) for each in (first, second)]
    if first.kind == "frequency":
        texts = [without_occasion(text) for text in texts]
    ours, theirs = (_located(text, entry.head) for text, entry in zip(texts, (first, second), strict=True))
    best: tuple[int, int, int] = (0, 0, 0)
    places: dict[str, list[int]] = {}
    for j, (word, _, _) in enumerate(theirs):
        places.setdefault(word, []).append(j)
    for i, (word, _, _) in enumerate(ours):
        for j in places.get(word, ()) if word else ():
            length = 0
            while (
                i + length < len(ours)
                and j + length < len(theirs)
                and ours[i + length][0] == theirs[j + length][0] != ""
            ):
                length += 1
            best = max(best, (min(length, LONGEST_SUBJECT), -i, -j))
    length, begin = best[0], -best[1]
    # A single word is a subject where both begin with it: "Passwords shall have …".
    if not length or (length == 1 and (ours[begin][0] in _LIGHT or not first.lead == second.lead == ours[begin][0])):
        return ""
    ends = (texts[0][ours[begin][2] :], texts[1][theirs[-best[2]][2] :])
    if length == 1 and first.kind in _TIMED and not _is_thing(ends, (first, second)):
        return ""
    return " ".join(texts[0][ours[begin][1] : ours[begin + length - 1][2]].split())


def _clause(entry: Entry) -> str:
    """The clause in which a subject is looked for; a time ends it: "each incident | within 12 hours of notice"."""
    if entry.kind == "modality":
        return entry.says
    clause = clause_of(entry.statement.sentence.text, entry.says)
    return clause.replace(entry.says, "|" * len(entry.says)) if entry.kind in _TIMED else clause


def _is_thing(ends: tuple[str, str], entries: tuple[Entry, Entry]) -> bool:
    """Whether a single word says of what a time is: not a modifier ("privileged accounts"), not who acts, not what all is reviewed.

    Args:
        ends: what stands behind the word in each of both texts.
        entries: the times.
    """
    if any(each.head in _REVIEWS or canonical(each.head) in _REVIEWS for each in entries):
        return False
    for behind, entry in zip(ends, entries, strict=True):
        match = _NEXT.match(behind)
        if match is None:
            continue
        word, then = match["word"].casefold(), (match["then"] or "").casefold()
        if word in _AUXILIARIES:
            if word in MODAL_TERMS and then not in ("be", "not"):
                return False
        elif word not in STOPWORDS and canonical(stem(word)) != entry.head:
            return False
    return True


_TIMED = frozenset(("frequency", "deadline", "duration"))
_REVIEWS = frozenset(stem(word) for word in read_table("acts").words("reviews"))
_AUXILIARIES = frozenset((*MODAL_TERMS, "is", "are", "be"))
_NEXT = re.compile(r"[ -](?P<word>[A-Za-z][\w’'-]*)(?:\s+(?P<then>[A-Za-z]+))?")


def _located(text: str, head: str) -> list[tuple[str, int, int]]:
    """(stem, start, end) of the content words of a text; "" for the stem where a subject ends: at the verb and at punctuation."""
    found: list[tuple[str, int, int]] = []
    at = 0
    for match in _WORD.finditer(text):
        stems, act = _read_word(match.group())
        verb = act in (head, _MODAL)
        if _BREAK.search(text, at, match.start()) or verb:
            found.append(("", match.start(), match.start()))
        if stems and not verb:
            found.append((stems, match.start(), match.end()))
        at = match.end()
    return found


_MODAL = "\0"


@lru_cache(maxsize=1 << 14)
def _read_word(word: str) -> tuple[str, str]:
    """(its stems, "" for a word that says nothing; of which act it is a verb, or that it is a modal)."""
    return " ".join(content_words(word)), _MODAL if word.casefold() in MODAL_TERMS else canonical(stem(word))
