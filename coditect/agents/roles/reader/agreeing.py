"""Whether what an answer calls a norm agrees with the words that carry its force, where these leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.agents.roles.answers import ReadKind
from coditect.language.norms.modality import find_cues
from coditect.schemas.tier1.data import Position
from coditect.tiers.readings.told import NormKind, Place

__all__ = ["disagrees", "is_recommended", "kind_of", "leaves_out_between", "position_of"]

_KINDS: dict[ReadKind, NormKind] = {
    "obligation": "obligation",
    "prohibition": "prohibition",
    "permission": "permission",
    "power": "permission",
    "right": "permission",
    "exemption": "permission",
}
_POSITIONS: dict[ReadKind, Position] = {
    "permission": "permission",
    "power": "power",
    "right": "right",
    "exemption": "exemption",
}

_I = re.IGNORECASE
_NEGATED = re.compile(r"\b(?:not|no|never|neither|nor|none|nobody|nothing|cannot)\b|n['’]t\b", _I)
_FORBIDS = re.compile(
    r"\b(?:prohibit|forbid|forbad|unlawful|illegal|offen[cs]e|guilty|refrain|abstain|restrain|restrict|preclud|barred|banned|ban\b|disallow"
    r"|without|contraven|violat|avoid|unacceptable|impermissible|discouraged|unauthori[sz]ed)",
    _I,
)
_LETS = re.compile(r"\b(?:prevent|prohibit|preclud|restrict|limit|affect|impair|prejudic|bar|deem|constru|requir)", _I)
_FREES = re.compile(
    r"\b(?:exempt|excus|reliev|releas|free\b|freed|waiv|discharg|exclud|except|without|disclaim|only|limited|instead|unless)",
    _I,
)
_ADVISES = re.compile(
    r"\b(?:should|ought|encourag|expect|recommend|advis|urge|suggest|prefer|desirable|good\s+practice)", _I
)
# "Shall have all powers needed", "shall be vested with": what gives stands behind the modal verb, in what is done.
_GIVES = re.compile(
    r"(?:also\s+)?(?:have\b|(?:be\s+)?(?:entitled|permitted|allowed|free\b|authori[sz]ed|empowered|vested|given|granted|eligible|at\s+liberty))",
    _I,
)
_BARE = frozenset(("shall", "must", "will", "may", "should"))
_NEGATED_VERB = re.compile(r"\b(?:shall|will|must|may|can|should|would|do|does|is|are)\s+not\Z", _I)
_LIMITS = re.compile(r"\b(?:not|never|neither|nor|cannot|unless|except|provided\s+that)\b|n['’]t\b", _I)


def kind_of(kind: ReadKind) -> NormKind:
    """What an extraction of this kind is."""
    return _KINDS[kind]


def position_of(kind: ReadKind) -> Position | None:
    """What a permission puts its holder in; None of a duty."""
    return _POSITIONS.get(kind)


def is_recommended(cue: str) -> bool:
    """Whether words of force only advise."""
    return _ADVISES.search(cue) is not None or any(
        each.strength == "recommended" for each in find_cues(cue, 0, len(cue))
    )


def disagrees(kind: ReadKind, cue: Sequence[str], action: Sequence[str]) -> str:
    """Why the words of force contradict the kind of a norm, or ""."""
    words = " ".join(" ".join(cue).lower().split())
    negated = _NEGATED.search(words) is not None
    if kind == "obligation" and (words == "may" or (negated and "not only" not in words)):
        return "words of force that contradict a duty"
    if kind == "prohibition" and not (negated or _FORBIDS.search(words) or _NEGATED.match(action[0])):
        return "words of force that forbid nothing"
    if kind == "exemption" and not (negated or _FREES.search(f"{words} {' '.join(action)}")):
        return "words of force that free from nothing"
    if kind in ("permission", "power", "right"):
        if negated and not _LETS.search(words):
            return "words of force that contradict a permission"
        gives = (kind == "right" and words in ("shall", "will")) or _GIVES.match(action[0])
        if words in _BARE - {"may"} and not gives:
            return "words of force that contradict a permission"
    return ""


def leaves_out_between(text: str, places: Sequence[Place], taken: Sequence[Place], core: int = -1) -> bool:
    """Whether a word that turns or limits what a norm says stands between its parts, and in no part of any norm.

    Args:
        text: the text as it is read.
        places: of the norm's parts in its line, at least one.
        taken: of the parts of all norms of the line.
        core: where who acts and the words of force begin, both; a verb that is negated in front of them ("(a) the clerk will
            not be asked, and (b) the owner shall pay") is that of another clause. -1 where they do not stand in the line.
    """
    lo, hi = min(start for start, _ in places), max(end for _, end in places)
    return any(
        not any(start <= each.start() and each.end() <= end for start, end in taken)
        and not (each.end() <= core and _NEGATED_VERB.search(text, max(lo, each.start() - 12), each.end()))
        for each in _LIMITS.finditer(text, lo, hi)
    )
