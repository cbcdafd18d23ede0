"""A sentence that calls a party of a contract by its name, beside statements of the contract that call it something else.

"Helixor must notify the bank" says of Helixor what the contract says of "the Provider", whom it defines as Helixor Ledger Services
Ltd. The sentence is compared once more with the contract's words for its parties. That both are the same is read from a
definition by rule, so that a person still decides where only this makes the sentence hold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from coditect.documents.profile.parties import party_key
from coditect.knowledge.review.grounds import TextGrounds
from coditect.schemas import ProfileParty, Signal, SupportFigures
from coditect.verify.staged.stages import Assessment, assess
from coditect.verify.support.meaning import Meaning

__all__ = ["CALLED", "assess_as_called"]

CALLED = "party_called"
"""Name of the signal that says whom a contract calls what."""

_FOREIGN = frozenset(("contradiction_role", "contradiction_substitution", "contradiction_entity"))
"""Signals that names alone may give."""

_SHORT = 4
"""Letters of a name's first word that are too few for it to be named by that."""


def assess_as_called(
    text: str,
    grounds: TextGrounds,
    found: Assessment,
    minimum: float,
    figures: SupportFigures,
    meaning: Meaning | None = None,
) -> Assessment:
    """What the checker makes of a sentence that names parties, in the words of the contract that it is compared with.

    Args:
        text: the sentence.
        grounds: what it is compared with.
        found: what the checker makes of it as it stands.
        minimum: probability from which it is supported, 0..1.
        figures: that the probability of support is calibrated with.
        meaning: an embedder with its weights; without one only words are compared.

    Returns:
        ``found``, or where a contract's own words come nearer, that it needs review and why, or why it is unsupported. What is
        denied in something else than whom it is about stays unsupported, and is told in the contract's words where these deny it.
    """
    if found.label == "supported" or found.unreadable:
        return found
    is_denied = any(_is_of_matter(each) for each in found.signals)
    if is_denied and not any(each.name in _FOREIGN and not each.passed for each in found.signals):
        return found
    for document in dict.fromkeys(each for each, _ in grounds.parties):
        named = [(party, said) for each, party in grounds.parties if each == document if (said := _said(text, party))]
        own = [number for number, each in enumerate(grounds.evidence) if each.document_id == document]
        quotes = [grounds.evidence[number].composed or grounds.evidence[number].text for number in own]
        heard = [(party, said) for party, said in named if any(_place(party.called).search(each) for each in quotes)]
        if not heard:
            continue
        other = assess(_renamed(text, heard), quotes, minimum, figures=figures, meaning=meaning)
        if is_denied:
            if other.label == found.label == "unsupported" and any(map(_is_of_matter, other.signals)):
                return _joined(found, other, heard, own, grounds)
            continue
        if other.label == "supported" or (other.score > found.score and not other.unreadable):
            return _joined(found, other, heard, own, grounds)
    return found


def _is_of_matter(signal: Signal) -> bool:
    """Whether a signal says that the evidence denies the sentence in something else than whom it is about."""
    return signal.name.startswith("contradiction_") and not signal.passed and signal.name not in _FOREIGN


def _said(text: str, party: ProfileParty) -> str:
    """How a sentence names a party: whole, by its first words, or as "the bank" for a name that ends so; "" where it does not."""
    words = party.value.split()
    for count in range(len(words), 0, -1):
        name = " ".join(words[:count]).rstrip(",.")
        is_telling = count > 1 or len(words) == 1 or len(name) > _SHORT
        if is_telling and name.casefold() != party.called.casefold() and _place(name).search(text):
            return name
    last = f"the {party_key(party.value).split()[-1]}"
    return last if len(words) > 1 and _place(last, re.IGNORECASE).search(text) else ""


def _place(name: str, flags: int = 0) -> re.Pattern[str]:
    """Where a name stands, with an article before it, and not as the beginning of another one: "Larkmoor North"."""
    longer = "" if flags else r"(?!\s+[A-Z][a-z])"
    return re.compile(rf"(?<!\w)(?:the\s+)?{re.escape(name)}(?!\w){longer}", flags)


def _renamed(text: str, heard: Sequence[tuple[ProfileParty, str]]) -> str:
    """A sentence with the contract's words for its parties."""
    for party, said in heard:
        flags = re.IGNORECASE if said.startswith("the ") else 0
        at_start = _place(said, flags).match(text) is not None
        text = _place(said, flags).sub(f"the {party.called}", text)
        text = f"T{text[1:]}" if at_start else text
    return text


def _joined(
    found: Assessment,
    other: Assessment,
    heard: Sequence[tuple[ProfileParty, str]],
    own: Sequence[int],
    grounds: TextGrounds,
) -> Assessment:
    """What is said of the sentence in the contract's words; places in the sentence itself are not told, since it has others."""
    label = "needs_review" if other.label == "supported" else other.label
    told = " and ".join(f"{party.value} “{party.called}”" for party, _ in heard)
    told = f"“{grounds.evidence[own[0]].document_name}” calls {told}"
    if other.label == "supported":
        told = f"{told}, and says this so"
    signals = [Signal(name=CALLED, passed=False, detail=told), *(_unplaced(each, own) for each in other.signals)]
    return replace(found, label=label, score=other.score, signals=tuple(signals), doubt=other.doubt)


def _unplaced(signal: Signal, own: Sequence[int]) -> Signal:
    """A signal without its place in the sentence; its quotes by their numbers among all."""
    quotes = tuple(each.model_copy(update={"quote": own[each.quote]}) for each in signal.evidence)
    return signal.model_copy(update={"claim_start": None, "claim_end": None, "evidence": quotes})
