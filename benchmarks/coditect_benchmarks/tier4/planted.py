"""Contradicting edits planted into published claims: into what a claim says itself, in every way that applies to it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from coditect.schemas import Claim
from coditect_benchmarks.edits.contradicting import CONTRADICTING
from coditect_benchmarks.edits.grammar import Family

__all__ = ["Planted", "plant"]

FAMILIES: tuple[Family, ...] = ("dev", "heldout")
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.]*\d)")
_VERBS = (
    ("speak to", "do not speak to"), ("speaks to", "does not speak to"), ("differ", "agree"), ("refers to", "does not refer to"),
    ("refer to", "do not refer to"), ("requires what", "permits what"), ("permits what", "prohibits what"),
    ("has no", "has its"), ("has a date that has passed", "has no date that has passed"), ("is out of date", "is up to date"),
    ("which is not in", "which is in"), ("do not say", "say"), ("does not say", "says"),
    ("fix the same", "do not fix the same"), ("leaves a point open", "leaves no point open"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Planted:
    """A claim after an edit.

    Attributes:
        claim: edited; cites what it cited.
        kind: of the edit.
        family: of its templates.
    """

    claim: Claim
    kind: str
    family: Family


def plant(claim: Claim, seed: int) -> Iterator[Planted]:
    """Every edit that applies to a claim, of both families, one each.

    Requirements are edited behind the name of their document; figures, gaps and differences also in their numbers, their verbs and
    the documents that they name, which the generator's legal templates do not reach.
    """
    head, said = _parts(claim)
    for family in FAMILIES:
        for kind, edit in CONTRADICTING.items():
            edited = edit(said, random.Random(f"{seed} {claim.claim_id} {kind} {family}"), family)  # noqa: S311
            if edited and " ".join(edited.split()).casefold() != " ".join(said.split()).casefold():
                yield Planted(_with(claim, head + edited), kind, family)
    if claim.claim_kind not in ("requirement", "synthesis"):
        rng = random.Random(f"{seed} {claim.claim_id}")  # noqa: S311
        yield from (Planted(_with(claim, text), kind, "dev") for kind, text in _of_forms(claim.text, rng))


def _parts(claim: Claim) -> tuple[str, str]:
    """What stands before the words that are edited, and those words."""
    head, mark, said = claim.text.partition(": “")
    return (head + mark, said) if claim.claim_kind == "requirement" and mark else ("", claim.text)


def _with(claim: Claim, text: str) -> Claim:
    fields = {name: getattr(claim, name) for name in Claim.model_fields if name != "claim_id"}
    return Claim.create(**{**fields, "text": text})


def _of_forms(text: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    bare = list(
        _NUMBER.finditer(re.sub(r"“[^“”]*”|[\w./-]*/[\w./-]+|[\w-]+\.\w{2,4}\b", lambda m: "x" * len(m.group()), text))
    )
    if bare:
        match = rng.choice(bare)
        yield "figure", f"{text[: match.start()]}{int(match.group()) + rng.randint(1, 9)}{text[match.end() :]}"
    for plain, turned in _VERBS:
        if plain in text:
            yield "verb", text.replace(plain, turned, 1)
            break
    quotes = re.findall(r"“([^“”]{12,})”", text)
    if quotes:
        words = rng.choice(quotes).split()
        yield "quotation", text.replace(" ".join(words), " ".join([*words[:-1], "not", words[-1]]))
    yield "condition", text.rstrip(".") + ", unless the parties agree otherwise."
    yield "sentence added", text + " No further review is needed."
