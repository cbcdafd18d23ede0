"""A sentence that names its own source by a number or by its kind: "under SP-03", "SP-05 requires", "under the permit,".

The name is no word that the evidence would have to say. It tells whose words the sentence is to be compared with: those of the
documents that are called so, and of no others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table
from coditect.schemas import Signal, SupportFigures
from coditect.verify.staged.calibration import SHIPPED
from coditect.verify.staged.stages import Assessment, assess, refuse_unreadable
from coditect.verify.support.meaning import Meaning

__all__ = ["NamedSource", "assess_as_named", "find_named_source"]

_TABLE = read_table("attributions")
_BEFORE = _TABLE.pattern("before")
_CODE = r"(?P<letters>[A-Z]{1,6})[-‑– ]?(?P<digits>\d{1,6}(?:[.-]\d+)*)"
_KIND = r"(?P<kind>[a-z]{4,}(?:\s[a-z]{4,})?)"
_OPENING = deferred(rf"\s*(?i:{_BEFORE})\s+(?:(?:the\s+)?{_CODE}|the\s+{_KIND}),\s+(?=\w)")
_CLOSING = deferred(rf",?\s+(?i:{_BEFORE}|in)\s+(?:the\s+)?{_CODE}(?=\W*$)")
_SAYING = deferred(rf"\s*(?:The\s+)?{_CODE}\s+(?:{_TABLE.pattern('tells')})\s+that\s+(?=\w)")
_BINDING = deferred(
    rf"\s*(?:The\s+)?{_CODE}\s+(?:(?P<must>requires|demands|prescribes)|(?P<may>allows|permits))\s+(?!that\b)(?=\w)"
)
_SOMEBODY = deferred(r"(?P<who>(?:[\w'’-]+\s+){0,4}?[\w'’-]+)\s+to\s+(?P<verb>[a-z]+)\b")
_CALLED = deferred(r"(?<![A-Za-z])([A-Za-z]{1,6})[-‑–_ ]?(\d{1,6}(?:[.-]\d+)*)(?!\d)")


@dataclass(frozen=True, slots=True)
class NamedSource:
    """A source that a sentence names.

    Attributes:
        code: its letters and its number, or None of a kind.
        kind: of which kind it is, or "".
        said: what it is said to say, as a sentence of its own.
    """

    code: tuple[str, str] | None
    kind: str
    said: str

    def is_of(self, *names: str) -> bool:
        """Whether a document is the one that is named.

        Args:
            names: its name and its title.
        """
        if self.code is None:
            return any(re.search(rf"\b{re.escape(self.kind)}\b", name, re.IGNORECASE) for name in names)
        letters, digits = self.code
        called = {(found[1].casefold(), _plain(found[2])) for name in names for found in _CALLED.finditer(name)}
        return (letters.casefold(), _plain(digits)) in called


def find_named_source(text: str) -> NamedSource | None:
    """The source that a sentence names, and what it says of it; None where it names none.

    Args:
        text: one sentence.
    """
    for pattern in (_OPENING, _SAYING):
        found = pattern.match(text)
        if found is not None:
            return _named(found, _begun(text[found.end() :]))
    found = _BINDING.match(text)
    if found is not None:
        return _named(found, _bound(text[found.end() :], "must" if found["must"] else "may"))
    found = _CLOSING.search(text)
    return None if found is None else _named(found, f"{text[: found.start()]}.")


def assess_as_named(
    text: str,
    quotes: Sequence[str],
    names: Sequence[tuple[str, ...]],
    found: Assessment,
    minimum: float,
    *,
    figures: SupportFigures = SHIPPED,
    meaning: Meaning | None = None,
) -> Assessment | None:
    """What the checker makes of a sentence that names its source, beside the words of that source alone.

    Args:
        text: the sentence.
        quotes: the evidence.
        names: of each quote, what its document is called.
        found: what the checker makes of the sentence as it stands.
        minimum: probability from which it is supported, 0..1.
        figures: that the probability of support is calibrated with.
        meaning: an embedder with its weights; without one only words are compared.

    Returns:
        Without places in the sentence; None where it is supported as it stands, names no source, or none of the evidence is of it.
    """
    named = None if found.label == "supported" or found.unreadable else find_named_source(text)
    own = [number for number, each in enumerate(names) if named is not None and named.is_of(*each)]
    if named is None or not own:
        return None
    if refuse_unreadable(named.said) is not None:
        return None
    other = assess(named.said, [quotes[number] for number in own], minimum, figures=figures, meaning=meaning)
    return replace(other, signals=tuple(_unplaced(each, own) for each in other.signals))


def _named(found: re.Match[str], said: str) -> NamedSource:
    groups = found.groupdict()
    code = (groups["letters"], groups["digits"]) if groups.get("letters") else None
    return NamedSource(code, groups.get("kind") or "", said)


def _begun(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def _bound(words: str, force: str) -> str:
    """What a source "requires" or "allows", as a sentence: "staff to wear badges" as "Staff must wear badges"."""
    found = _SOMEBODY.match(words)
    if found is not None and is_plain_verb(found["verb"]):
        return f"{_begun(found['who'])} {force} {words[found.start('verb') :]}"
    return f"There {force} be {words}"


def _plain(digits: str) -> str:
    """A number without zeros before it: "03", "3"."""
    return digits.lstrip("0") or "0"


def _unplaced(signal: Signal, own: Sequence[int]) -> Signal:
    """A signal without its place in the sentence; its quotes by their numbers among all."""
    quotes = tuple(each.model_copy(update={"quote": own[each.quote]}) for each in signal.evidence)
    return signal.model_copy(update={"claim_start": None, "claim_end": None, "evidence": quotes})
