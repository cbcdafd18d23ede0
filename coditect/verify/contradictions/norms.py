"""Contradictions between the norms of a claim and those of its evidence: how they bind, and whom, as Tier 1 reads them.

The tokens of a sentence tell how a verb binds where both sides have that verb. Where they do not ("must carry the disclosures"
beside "the disclosures are not required"), the norms as wholes are compared: those whose acts have most of their words in common.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from coditect.language.norms.binding import read_norms
from coditect.language.quantities.meaning import find_quantities
from coditect.language.reading.binding import opens_relative, verb_of
from coditect.language.reading.conditions import find_conditions
from coditect.language.reading.sentence import SentenceReading
from coditect.language.reading.stems import canonical_stems
from coditect.language.tables import read_table
from coditect.verify.alignment.matching import weight_of
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.alignment.predicates import speaks_of
from coditect.verify.contradictions.kinds import DOUBT, Contradiction, contradiction

__all__ = ["Norm", "find_norm_contradictions", "norms_of"]

_SHARED = 0.6
"""Share of the words of a claim's norm that the norm of the evidence must have."""
_FEWEST = 2
_ANOTHER = 0.65
"""Severity of another actor: a doubt, and more than a remark where many words differ."""
_STOPPING = frozenset(read_table("negation").words("stopping"))
_LIMITING = frozenset(("for", "to", "with", "in", "on", "by", "from", "during", "at", "within", "under", "of"))
_FREEING = frozenset(("is not required to", "is not required", "does not apply"))
_UNNAMED = frozenset(
    (
        *canonical_stems(read_table("actors").words("generic")),
        *read_table("actors").words("pronouns"),
        *("it", "he", "she", "who", "which"),
    )
)
_DIFFER: dict[frozenset[str], float] = {
    frozenset(("shall", "may")): DOUBT,
    frozenset(("shall", "free")): 1.0,
    frozenset(("shall", "shall not")): 1.0,
    frozenset(("shall not", "may")): 1.0,
    frozenset(("shall not", "free")): 0.9,
    frozenset(("shall", "recommended")): 0.7,
    frozenset(("recommended", "free")): 0.6,
}
_SAID = {
    "shall": "a duty",
    "may": "a permission",
    "free": "no duty",
    "shall not": "a prohibition",
    "recommended": "a recommendation",
}


@dataclass(frozen=True, slots=True)
class Norm:
    """A norm of a sentence, by its tokens.

    Attributes:
        force: shall, shall not, may, free or recommended.
        tokens: indexes of the tokens of substance in its clause.
        actor: those of them that name who has to act; none where nobody is named.
        cue: index of a token of the words that bind.
        limited: whether it holds only under a condition or but for an exception, or "only".
        denies: whether something inside of its act is denied.
    """

    force: str
    tokens: tuple[int, ...]
    actor: tuple[int, ...]
    cue: int
    limited: bool
    denies: bool


@lru_cache(maxsize=512)
def norms_of(reading: SentenceReading) -> tuple[Norm, ...]:
    """The norms of a sentence; the last 512 sentences are remembered."""
    text, tokens = reading.text, reading.tokens
    found = []
    for each in read_norms(text, 0, len(text), find_quantities(text, 0, len(text))):
        data = each.mark.data
        clause = data["clause"]
        lo, hi = int(clause["start"]), int(clause["end"])  # type: ignore[index,call-overload,arg-type]
        inside = tuple(n for n, token in enumerate(tokens) if lo <= token.start < hi and token.has_substance)
        cue = next((n for n, token in enumerate(tokens) if token.end > each.cue.start), 0)
        name = str(data.get("actor") or "")
        at = text.find(name, lo) if name else -1
        actor = tuple(n for n in inside if 0 <= at <= tokens[n].start < at + len(name))
        rest = [t for n, t in enumerate(tokens) if lo <= t.start < hi and t.start >= each.cue.end and n != cue]
        found.append(
            Norm(
                _force(each.mark.kind, str(data.get("modality")), str(data.get("strength"))),
                inside,
                actor,
                min(cue, max(len(tokens) - 1, 0)),
                bool(data.get("condition") or data.get("exception")) or "only" in text[lo:hi].split(),
                any(token.negates for token in rest),
            )
        )
    return tuple(found)


def _force(kind: str, modality: str, strength: str) -> str:
    if kind == "permission":
        return "free" if modality in _FREEING else "may"
    if kind == "prohibition":
        return "shall not"
    return "recommended" if strength == "recommended" else "shall"


def find_norm_contradictions(pair: AlignedPair) -> Iterator[Contradiction]:
    """Norms of the claim that bind otherwise than those of the evidence on the same act, or somebody else.

    Args:
        pair: the claim beside its evidence.
    """
    theirs = norms_of(pair.evidence)
    for norm in norms_of(pair.claim):
        same = _counterpart(pair, norm, theirs)
        if same is None:
            continue
        found = _forces_differ(pair, norm, same) or _actors_differ(pair, norm, same) or _limit_lost(pair, norm, same)
        if found is not None:
            yield found


def _counterpart(pair: AlignedPair, norm: Norm, theirs: tuple[Norm, ...]) -> Norm | None:
    """The norm of the evidence that has most words of a norm of the claim, if it has enough of them."""
    held = [(sum(pair.forth.get(n, -1) in other.tokens for n in norm.tokens), other) for other in theirs]
    most, best = max(held, key=lambda each: each[0], default=(0, None))
    return best if most >= max(_FEWEST, _SHARED * len(norm.tokens)) else None


def _forces_differ(pair: AlignedPair, norm: Norm, same: Norm) -> Contradiction | None:
    severity = _DIFFER.get(frozenset((norm.force, same.force)), 0.0)
    if opens_relative(pair.claim.tokens, norm.cue) or opens_relative(pair.evidence.tokens, same.cue):
        return None  # "no driver who must carry fuel may": what binds there is not what is denied
    if not severity or norm.denies or same.denies:
        return None  # "must ensure that no member is" is as good as "no member may be"
    if "free" in (norm.force, same.force) and (_is_denied(pair.claim, norm) or _is_denied(pair.evidence, same)):
        return None  # "no records are required" is as good as "records are not required"
    if {norm.force, same.force} <= {"may", "shall not", "shall"} and (norm.limited or same.limited):
        return None  # "may not, unless" is "may, if"
    if {norm.force, same.force} == {"shall", "shall not"} and _stops(pair, norm, same):
        return None  # "shall be suspended" is as good as "must not be done"
    token, other = pair.claim.tokens[norm.cue], pair.evidence.tokens[same.cue]
    detail = f"the claim says “{token.low}” ({_SAID[norm.force]}), the evidence “{other.low}” ({_SAID[same.force]})"
    return contradiction(pair, "modality", severity, token, other, detail)


def _stops(pair: AlignedPair, norm: Norm, same: Norm) -> bool:
    """Whether the duty of two norms is to stop something, by a verb that the prohibition has not."""
    seen, duty = (pair, norm) if norm.force == "shall" else (pair.turned(), same)
    verb = verb_of(seen.claim, duty.cue)
    return verb is not None and seen.claim.tokens[verb].low in _STOPPING and verb not in seen.forth


def _is_denied(reading: SentenceReading, norm: Norm) -> bool:
    """Whether a duty is denied by its subject: "no records are required"."""
    tokens = reading.tokens[: norm.cue]
    return norm.force == "shall" and any(
        token.negates and token.clause == reading.tokens[norm.cue].clause for token in tokens
    )


def _actors_differ(pair: AlignedPair, norm: Norm, same: Norm) -> Contradiction | None:
    """Whether somebody else has to act: both sides name an actor, and no word of one is in the other."""
    if not norm.actor or not same.actor or not _is_same_act(pair, norm, same):
        return None
    mine, theirs = (
        {reading.tokens[n].key for n in actor}
        for reading, actor in ((pair.claim, norm.actor), (pair.evidence, same.actor))
    )
    if mine & theirs or (mine | theirs) & _UNNAMED or any(pair.forth.get(n) in same.actor for n in norm.actor):
        return None
    token, other = pair.claim.tokens[norm.actor[0]], pair.evidence.tokens[same.actor[0]]
    if _abbreviates(pair.claim, norm.actor, pair.evidence) or _abbreviates(pair.evidence, same.actor, pair.claim):
        return None
    detail = f"in the claim “{token.low}” has to act, in the evidence “{other.low}”"
    return contradiction(pair, "role", _ANOTHER, token, other, detail)


def _is_same_act(pair: AlignedPair, norm: Norm, same: Norm) -> bool:
    """Whether the verb behind the words that bind is one that the other norm has as well."""
    tokens = pair.claim.tokens
    behind = [n for n in norm.tokens if n > norm.cue and not tokens[n].low.endswith("ly")]
    verb = next((n for n in behind if weight_of(tokens[n]) >= 1.0), None)
    return verb is None or pair.forth.get(verb) in same.tokens


def _limit_lost(pair: AlignedPair, norm: Norm, same: Norm) -> Contradiction | None:
    """What limits a permission or a prohibition at the end of its act, and is left out: "on written notice", "to third parties".

    A duty without one of its limits is still a duty of the evidence; a permission is wider without it.
    """
    if norm.force != same.force or norm.force not in ("may", "shall not") or not speaks_of(pair, same.cue):
        return None
    tokens = pair.evidence.tokens
    behind = [n for n in same.tokens if n > same.cue]
    held = [n for n in behind if n in pair.back]
    if not held:
        return None
    lost = [n for n in behind if n > held[-1]]
    heavy = [n for n in lost if weight_of(tokens[n]) >= 1.0]
    if not heavy or tokens[held[-1] + 1].low not in _LIMITING or tokens[held[-1] + 1].comma:
        return None
    if len(heavy) < _FEWEST and any(each.at < lost[0] < each.stop for each in find_conditions(pair.evidence)):
        return None
    token, other = pair.claim.tokens[norm.cue], tokens[lost[0]]
    detail = (
        f"the claim leaves out what limits it in the evidence: “{tokens[held[-1] + 1].low} … {tokens[lost[-1]].low}”"
    )
    return contradiction(pair, "condition", 0.6, token, other, detail)


def _abbreviates(reading: SentenceReading, actor: tuple[int, ...], other: SentenceReading) -> bool:
    """Whether a name is the first letters of words in a row of another sentence."""
    name = "".join(reading.tokens[n].low for n in actor)
    initials = "".join(word.low[0] for word in other.words)
    return 1 < len(name) <= 6 and name in initials
