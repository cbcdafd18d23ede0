"""The words and phrases that decide what a clause binds to: conditions, negations, quantifiers, comparatives.

Plain tables. Phrases are matched on casefolded words, punctuation between them left out ("provided, however, that"), the
longest one first.
"""

from __future__ import annotations

from typing import Literal

__all__ = ["PHRASES", "Role"]

Role = Literal["condition", "negation", "quantifier", "comparator", "order", "modal", "plain", "by", "label"]

_CONDITIONS = {
    "if": (
        "if; in the event; in the event that; in the event of; in event of; in case; in case of; in the case that"
        "; on condition that; on the condition that; conditional on; conditional upon; conditioned on"
        "; conditioned upon; contingent on; contingent upon; so long as; as long as; provided that"
        "; provided however that; provided always that; provided further that; provided however; providing that"
        "; assuming; assuming that; only if; only when; but only if; if and only if; if and to the extent; subject to; subject always to; subject only to"
        "; to the extent; to the extent that; to the extent of; only to the extent; but only to the extent"
        "; insofar as; where permitted; provided the; provided such"
    ),
    "when": "when; whenever; where; upon; as soon as; once; until; during; while; for as long as",
    "unless": (
        "unless; unless and until; except; except for; except that; except as; except where; except if"
        "; except to the extent; except in the case of; except in; except when; except with; save; save for"
        "; save that; save as; save where; other than; apart from; aside from; excluding; with the exception of"
        "; exclusive of; without; absent; but not; if not; in the absence of; with the exclusion of; excepting"
        "; subject to the exception of; but for; barring"
    ),
    "despite": (
        "notwithstanding; regardless of; irrespective of; despite; in spite of; even if; even though; whether or not"
        "; regardless of whether; irrespective of whether; without regard to; no matter"
    ),
}
_NEGATIONS = (
    "not; never; neither; nor; none; nobody; no; no one; nothing; fails to; fail to; failed to; failure to"
    "; failing to; refuses to; refuse to; refused to; refusal to; lacks; lack of; in no event; in no case"
    "; under no circumstances; at no time; by no means; no longer; not any; ceases to; cease to; prohibited from"
    "; barred from; precluded from; prevented from; refrain from; refrains from; hardly; unable to; incapable of"
    "; in no way"
)
_QUANTIFIERS = {
    "all": (
        "all; each; every; any; any and all; each and every; all of; each of; any of; every one of; all such"
        "; the entirety of; the whole of; either of"
    ),
    "either": "either",
    "both": "both; both of",
    "some": (
        "some; some of; only one; only one of; one of; one of the; just one; only the first; at least one of; at least some; certain; certain of; several; several of; a few; few; a portion of; portions of; a part of"
        "; part of; some part of; a number of; a subset of; selected; only some; only some of; not all; not all of"
        "; not every"
    ),
    "most": (
        "most; most of; the majority of; a majority of; substantially all; substantially all of; nearly all; almost all"
    ),
    "only": "only; solely; exclusively; merely; alone; nothing but",
}
_COMPARATORS = {
    "at least": (
        "at least; no less than; not less than; no fewer than; not fewer than; no lower than; not lower than"
        "; no earlier than; not earlier than; no shorter than; not shorter than; a minimum of; minimum of; minimum"
        "; at a minimum; at the least; no sooner than; not sooner than; not below; or more; or longer; or greater"
        "; or later"
    ),
    "at most": (
        "at most; no more than; not more than; no greater than; not greater than; no longer than; not longer than"
        "; not exceed; not to exceed; not exceeding; up to; a maximum of; maximum of; maximum; as much as; as many as"
        "; no later than; not later than; within; no higher than; not higher than; not above; or less; or fewer"
        "; or earlier; limited to; not in excess of; at the latest; by no later than; at or below"
    ),
    "more": (
        "more than; greater than; longer than; higher than; larger than; exceeds; exceed; exceeding; in excess of"
        "; over; above; better than; later than; older than"
    ),
    "less": (
        "less than; fewer than; shorter than; lower than; smaller than; below; under; worse than; earlier than"
        "; younger than; beneath"
    ),
}
_ORDERS = {
    "before": (
        "before; prior to; preceding; in advance of; ahead of; previous to; in advance; prior; earlier"
        "; previously; previous"
    ),
    "after": (
        "after; following; subsequent to; subsequent; thereafter; later; subsequently; afterwards; after the fact"
        "; succeeding"
    ),
}
_PLAIN = (
    "includes without limitation"
    "; without limitation; without limiting; without limiting the generality of"
    "; without limiting the foregoing; but not limited to; not limited to; without prejudice to; if any"
    "; if applicable; as if; if at all; whether; or otherwise; not only; at any time; at all times; as well as"
    "; in any event; in any case; such as; the following; as follows; followed by; all rights reserved"
    "; at any one time; from time to time; of any kind; under this; under the; under such; under any; under section"
    "; under which; under its; under applicable; under an; under a; under these; over the; over time; below; above"
    "; set forth below; set forth above; described above; described below; other than as; without charge"
    "; set out above; set out below; in part; in whole or in part; as part of; part of the; follow"
    "; until such time; if so; if and when; whole or part; certain other"
)
_MODALS = {
    "may": "can; might; could",
    "recommended": "ought to; are encouraged to; is encouraged to; is advised to",
}


def _phrases() -> dict[str, tuple[tuple[tuple[str, ...], Role, str], ...]]:
    found: dict[str, dict[tuple[str, ...], tuple[Role, str]]] = {}

    def add(role: Role, value: str, listed: str) -> None:
        for phrase in listed.split("; "):
            words = tuple(phrase.split())
            found.setdefault(words[0], {})[words] = (role, value)

    for value, listed in _COMPARATORS.items():
        add("comparator", value, listed)
    for value, listed in _ORDERS.items():
        add("order", value, listed)
    for value, listed in _QUANTIFIERS.items():
        add("quantifier", value, listed)
    for value, listed in _MODALS.items():
        add("modal", value, listed)
    for value, listed in _CONDITIONS.items():
        add("condition", value, listed)
    add("negation", "not", _NEGATIONS)
    add("plain", "", _PLAIN)
    add("by", "by", "by")
    return {
        first: tuple((words, *entry[words]) for words in sorted(entry, key=lambda w: (-len(w), w)))
        for first, entry in sorted(found.items())
    }


PHRASES = _phrases()
"""First word to the phrases that begin with it, longest first: (words, role, value)."""
