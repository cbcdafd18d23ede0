r"""Patterns that look at the next letters first: the same matches, found several times as fast.

A pattern such as ``\b(?:if|unless|in the event of|…)`` has hundreds of alternatives, and the engine tries them one by one wherever
a word begins. :func:`quick` reads off the pattern how each of its matches can begin, as far as four characters, and puts a look
ahead at these in front: ``\b(?=if|unle|in t|…)(?:if|unless|…)``. What fails there can match nowhere, so that nothing else changes:
neither what is matched, nor by which group, nor which of two alternatives comes first.

The engine passes over letters with which no match begins only where a pattern itself begins with letters, and then several times as
fast as it looks ahead at each. So these beginnings are a pattern of their own as well, wherever they all begin with letters:
``i(?<=\bi)(?:f|n t)|u(?<=\bu)nle|…`` finds the places, and the pattern is tried there (:class:`_Sought`).

What a pattern begins with is derived from its own text, so it follows when a table of words changes. Whatever is not understood
counts as "may begin with anything", and the pattern is then compiled as it stands.

It pays for patterns of many alternatives of which few match. One of a few letters, or one that white space or any letter may
begin, is better compiled as it stands; so is one that a question compiles, which has a few milliseconds.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from coditect.language.patterns.deferred import deferred_by

__all__ = ["Beginning", "beginnings", "is_one_of_several", "quick"]

Beginning = tuple[str, ...]
"""The sources of the first characters of a match, each of which matches one character; case counts."""

_DEPTH = 4
"""Characters that are looked at."""

_MOST = 1_500
"""Beginnings that are told apart, at most; of a pattern with more of them a character less is looked at."""

_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_GROUP = re.compile(r"\((?:\?(?:P<\w+>|(?P<flags>[ims]*-?[ims]*):|>|(?P<around><?[=!])))?")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_REPEAT = re.compile(r"(?:(?P<star>\*)|(?P<plus>\+)|(?P<maybe>\?)|\{(?P<least>\d*)(?P<comma>,?)(?P<most>\d*)\})[?+]?")
_PLAIN = re.compile(r"[A-Za-z0-9 ]+(?![*+?{])")
_BRACKET = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.DOTALL)
_NO_WIDTH = frozenset((r"\b", r"\B", r"\A", r"\Z"))
_LEADING = re.compile(r"(?:\\b|\(\?<[=!](?:\\.|\[(?:\\.|[^\]\\])+\]|[^()\[\]\\|])+\))+")
# Letters that further characters equal where case does not matter (the long s, the sign of Kelvin, the Turkish i).
_OTHER_CASES = {"i": "iI\u0130\u0131", "k": "kK\u212a", "s": "sS\u017f"}
# The source of a first character that can be told: a class without ranges, or one character; and one that takes it in any case.
_TOLD = re.compile(
    r"\[((?:\\[^A-Za-z0-9]|[^\\^\]-])+)\]|\\?([^A-Za-z0-9\\\[\](){}|*+?^$.])|\\([^A-Za-z0-9])|([A-Za-z0-9])"
)
_IN_ANY_CASE = re.compile(r"\(\?i:(.+)\)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class _UnreadError(Exception):
    """A pattern that is not understood; it is compiled as it stands."""


class _Begin(NamedTuple):
    """How a match may begin: a source of each of its first characters, and whether the part that was read ends with them."""

    atoms: Beginning
    ends: bool


_Begins = frozenset[_Begin]
_EMPTY: _Begins = frozenset((_Begin((), ends=True),))
_ANYTHING: _Begins = frozenset((_Begin((), ends=False),))


def quick(pattern: str, flags: int = 0, parts: tuple[str, ...] = ()) -> re.Pattern[str]:
    """A pattern, compiled when it is first used, so that it is tried only where one of its matches can begin.

    Args:
        pattern: as for :func:`re.compile`. Its matches, groups and their order stay the same; :attr:`re.Pattern.pattern` does not.
        flags: of :func:`re.compile`, but for ``VERBOSE``.
        parts: alternatives in the pattern, as they stand there, that take long to find that they do not match: each of them is
            tried only where it can begin, too.
    """
    return deferred_by(lambda: _compiled(pattern, flags, parts))


def _compiled(pattern: str, flags: int, parts: tuple[str, ...] = ()) -> re.Pattern[str]:
    begins = beginnings(pattern, flags)
    if not begins:
        return re.compile(pattern, flags)
    leading = _LEADING.match(pattern)
    at = leading.end() if leading and not is_one_of_several(pattern) else 0
    body = pattern[at:]
    for part in parts:
        body = body.replace(f"|{part}", f"|{_ahead(beginnings(part, flags))}{part}")
    compiled = re.compile(f"{pattern[:at]}{_ahead(begins)}(?:{body})", flags)
    places = _places(pattern[:at], begins)
    return compiled if places is None else cast("re.Pattern[str]", _Sought(compiled, re.compile(places)))


class _Sought:
    """A pattern that is tried where another finds that it may begin; it has all that the compiled one has.

    Args:
        compiled: the pattern; never matches nothing.
        places: finds a beginning of each of its matches; begins with letters, to which the engine skips.
    """

    def __init__(self, compiled: re.Pattern[str], places: re.Pattern[str]) -> None:
        self.compiled = compiled
        self._match = compiled.match
        self._find = places.search

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the pattern has
        """What is not sought."""
        return getattr(self.compiled, name)

    def search(self, string: str, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[str] | None:
        """As :meth:`re.Pattern.search`."""
        find, match = self._find, self._match
        place = find(string, pos, endpos)
        while place is not None:
            at = place.start()
            found = match(string, at, endpos)
            if found is not None:
                return found
            place = find(string, at + 1, endpos)
        return None

    def finditer(self, string: str, pos: int = 0, endpos: int = sys.maxsize) -> Iterator[re.Match[str]]:
        """As :meth:`re.Pattern.finditer`."""
        find, match = self._find, self._match
        place = find(string, pos, endpos)
        while place is not None:
            at = place.start()
            found = match(string, at, endpos)
            if found is not None:
                yield found
            place = find(string, at + 1 if found is None else found.end(), endpos)


def _places(leading: str, begins: list[Beginning]) -> str | None:
    """A pattern that finds where matches may begin, a letter in front of each of its alternatives; None where some begin otherwise.

    Args:
        leading: what looks around in front of all of them.
        begins: the beginnings.
    """
    rest: dict[str, list[Beginning]] = {}
    for begin in begins:
        letters = _told(begin[0])
        if not letters:
            return None
        for letter in letters:
            rest.setdefault(letter, []).append(begin[1:])
    made = []
    for letter, following in rest.items():
        first = re.escape(letter)
        look = f"(?<={leading}{first})" if leading else ""
        made.append(first + look + ("" if () in following else f"(?:{_tree(following)})"))
    return "|".join(made)


def _told(source: str) -> str:
    """The characters that the source of one matches; "" where they cannot be listed."""
    cased = _IN_ANY_CASE.fullmatch(source)
    if cased is not None and cased[1].upper() == cased[1].lower():
        source = cased[1]
    told = _TOLD.fullmatch(source)
    if told is None:
        return ""
    return _ESCAPED.sub(r"\1", told[1]) if told[1] else told[2] or told[3] or told[4]


def beginnings(pattern: str, flags: int = 0) -> list[Beginning]:
    """How the matches of a pattern begin, each as far as it is told; none where they may begin with anything.

    Args:
        pattern: as for :func:`quick`.
        flags: the same.
    """
    if flags & re.VERBOSE or (pattern.startswith("(?") and pattern[2:3] in "aiLmsux"):
        return []
    try:
        for depth in range(_DEPTH, 0, -1):
            reader = _Reader(pattern, depth)
            begins = reader.choice(ignores_case=bool(flags & re.IGNORECASE))
            if reader.at < len(pattern) or any(not each.atoms for each in begins):
                return []
            if len(begins) <= _MOST:
                return sorted({each.atoms for each in begins})
    except _UnreadError:
        pass
    return []


def is_one_of_several(pattern: str) -> bool:
    """Whether a pattern as a whole consists of alternatives."""
    reader = _Reader(pattern, 1)
    reader.sequence(ignores_case=False)
    return reader.at < len(pattern)


def _ahead(begins: list[Beginning]) -> str:
    """A look ahead at one of some beginnings; at nothing where there are none."""
    return f"(?-i:(?={_tree(begins)}))" if begins else ""


def _tree(begins: list[Beginning]) -> str:
    """Sequences of characters as the alternatives of a pattern, those with the same first character as one."""
    rest: dict[str, list[Beginning]] = {}
    for begin in begins:
        rest.setdefault(begin[0], []).append(begin[1:])
    made = []
    for first, following in rest.items():
        if () in following:
            made.append(first)
        else:
            made.append(f"{first}(?:{_tree(following)})" if len(following) > 1 else first + "".join(following[0]))
    return "|".join(made)


def _letter(char: str, *, ignores_case: bool) -> str:
    """What matches a character that stands for itself."""
    if not ignores_case or not (char.isalpha() or not char.isascii()):
        return char if char.isalnum() or char in " _" else re.escape(char)
    if char.isascii():
        return f"[{_OTHER_CASES.get(char.lower(), char.lower() + char.upper())}]"
    return f"(?i:{char})"


@dataclass(slots=True)
class _Reader:
    """Reads how the matches of a pattern begin, from left to right.

    Attributes:
        pattern: the pattern.
        depth: how many characters are of interest.
        at: how far it is read.
    """

    pattern: str
    depth: int
    at: int = 0

    def choice(self, *, ignores_case: bool) -> _Begins:
        """Alternatives up to the end of the group."""
        found = self.sequence(ignores_case=ignores_case)
        while self.pattern.startswith("|", self.at):
            self.at += 1
            found |= self.sequence(ignores_case=ignores_case)
        return found

    def sequence(self, *, ignores_case: bool) -> _Begins:
        """What follows each other, up to the next alternative or the end of the group."""
        found = _EMPTY
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            if not any(each.ends and len(each.atoms) < self.depth for each in found):
                self._skip()
                break
            plain = _PLAIN.match(self.pattern, self.at)
            if plain is not None:
                self.at = plain.end()
                atoms = tuple(_letter(char, ignores_case=ignores_case) for char in plain[0][: self.depth])
                part = frozenset((_Begin(atoms, ends=len(plain[0]) <= self.depth),))
            else:
                part = self._repeated(self._item(ignores_case=ignores_case))
            found = self._followed(found, part)
        return found

    def _skip(self) -> None:
        """Go on to the next alternative or the end of the group, whatever stands before it."""
        depth = 0
        for found in _BRACKET.finditer(self.pattern, self.at):
            if depth == 0 and found[0] in ("|", ")"):
                self.at = found.start()
                return
            depth += (found[0] == "(") - (found[0] == ")")
        self.at = len(self.pattern)

    def _followed(self, first: _Begins, then: _Begins) -> _Begins:
        joined = set()
        for each in first:
            if not each.ends or len(each.atoms) >= self.depth:
                joined.add(each)
                continue
            for other in then:
                atoms = (each.atoms + other.atoms)[: self.depth]
                joined.add(_Begin(atoms, other.ends and len(each.atoms) + len(other.atoms) <= self.depth))
        if len(joined) > 4 * _MOST:
            self.depth = max(1, self.depth - 1)
            joined = {_Begin(each.atoms[: self.depth], each.ends and len(each.atoms) <= self.depth) for each in joined}
        return frozenset(joined)

    def _item(self, *, ignores_case: bool) -> _Begins:
        """A character, a class of characters, a group, or what has no width."""
        pattern, at = self.pattern, self.at
        char = pattern[at]
        if char == "(":
            return self._group(ignores_case=ignores_case)
        if char == "[":
            found = _CLASS.match(pattern, at)
            if found is None:
                raise _UnreadError
            self.at = found.end()
            return self._one(f"(?i:{found[0]})" if ignores_case else found[0])
        if char == "\\":
            return self._escaped(ignores_case=ignores_case)
        self.at += 1
        if char in "^$":
            return _EMPTY
        if char == ".":
            return _ANYTHING
        if char in "*+?{":
            raise _UnreadError
        return self._one(_letter(char, ignores_case=ignores_case))

    def _escaped(self, *, ignores_case: bool) -> _Begins:
        found = _ESCAPE.match(self.pattern, self.at)
        if found is None:
            raise _UnreadError
        self.at = found.end()
        said = found[0]
        if said in _NO_WIDTH:
            return _EMPTY
        if said[1].isdigit():
            return _ANYTHING  # what a group matched, once more
        return self._one(f"(?i:{said})" if ignores_case and (len(said) > 2 or said[1] not in "dswDSW.") else said)

    @staticmethod
    def _one(atom: str) -> _Begins:
        return frozenset((_Begin((atom,), ends=True),))

    def _group(self, *, ignores_case: bool) -> _Begins:
        found = _GROUP.match(self.pattern, self.at)
        if found is None or self.pattern.startswith("?", found.end()):
            raise _UnreadError  # a condition, a comment, or what a named group matched
        self.at = found.end()
        if found["flags"]:
            on, _, off = found["flags"].partition("-")
            ignores_case = (ignores_case or "i" in on) and "i" not in off
        inside = _EMPTY
        if found["around"]:
            while not self.pattern.startswith(")", self.at) and self.at < len(self.pattern):
                self._skip()
                self.at += self.pattern.startswith("|", self.at)
        else:
            inside = self.choice(ignores_case=ignores_case)
        if not self.pattern.startswith(")", self.at):
            raise _UnreadError
        self.at += 1
        return inside

    def _repeated(self, part: _Begins) -> _Begins:
        """A part as often as what stands behind it says."""
        found = _REPEAT.match(self.pattern, self.at)
        if found is None or (found["least"] == "" and not found["comma"]):
            return part
        self.at = found.end()
        if found["maybe"]:
            return part | _EMPTY
        once = found["least"] == "1" and not found["comma"]
        more = part if once else frozenset(_Begin(each.atoms, ends=False) for each in part)
        may_lack = found["star"] or (found["least"] is not None and int(found["least"] or 0) == 0)
        return more | _EMPTY if may_lack else more
