"""The words and phrases that decide what a clause binds to: conditions, negations, quantifiers, comparatives.

Plain tables. Phrases are matched on casefolded words, punctuation between them left out ("provided, however, that"),
the longest one first; "~" stands for every form of "to be".
"""

from __future__ import annotations

from typing import Literal

from coditect.verify.contradictions.words import canonical_stem

__all__ = ["PHRASES", "Role"]

Role = Literal["condition", "negation", "quantifier", "comparator", "order", "modal", "plain", "by", "word"]

_CONDITIONS = {
    "if": (
        "if; in the event; in the event that; in the event of; in event of; in case; in case of; in the case that"
        "; on condition that; on the condition that; conditional on; conditional upon; on condition of"
        "; on the condition of; under the condition that; dependent on; dependent upon; as a condition of"
        "; should it happen that; conditioned on"
        "; conditioned upon; contingent on; contingent upon; so long as; as long as; provided that"
        "; provided however that; provided always that; provided further that; provided however; providing that"
        "; assuming; assuming that; only if; only when; but only if; if and only if; if and to the extent"
        "; subject to; subject always to; subject only to"
        "; to the extent; to the extent that; to the extent of; only to the extent; but only to the extent"
        "; insofar as; as far as; so far as; in so far as; inasmuch as; where permitted; provided the; provided such"
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
        "notwithstanding; regardless of; irrespective of; despite; in spite of; even if; even though"
        "; even where; even when; whether or not"
        "; regardless of whether; with or without; irrespective of whether; without regard to; no matter"
    ),
}
_NEGATIONS = (
    "not; never; in no circumstances; under no circumstance; on no account; at no point; in no instance"
    "; declines to; decline to; declined to; omits to; omit to; neglects to; neglect to; scarcely; neither"
    "; nor; none; nobody; no; no one; nothing; fails to; fail to; failed to; failure to"
    "; failing to; refuses to; refuse to; refused to; refusal to; lacks; lack of; in no event; in no case"
    "; under no circumstances; at no time; by no means; no longer; not any; ceases to; cease to; prohibited from"
    "; barred from; precluded from; prevented from; refrain from; refrains from; hardly; unable to; incapable of"
    "; in no way"
)
_QUANTIFIERS = {
    "all": (
        "all; always; at all times; each; every; any; any and all; each and every; all of; each of; any of"
        "; every one of; all such"
        "; the entirety of; the whole of; either of"
    ),
    "either": "either",
    "both": "both; both of",
    "some": (
        "some; hardly any; scarcely any; almost none of; almost no; few if any; sometimes; occasionally"
        "; at times; some of; only one; only one of; one of; one of the; just one"
        "; only the first; at least one of; at least some; certain; certain of; several; several of; a few; few"
        "; a portion of; portions of; a part of"
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
        "at least; no less than; but not less than; but no less than; but not fewer than; but no fewer than"
        "; not less than; no fewer than; not fewer than; no lower than; not lower than"
        "; no earlier than; not earlier than; no shorter than; not shorter than; a minimum of; minimum of; minimum"
        "; at a minimum; at the least; no sooner than; not sooner than; not below; or more; or longer; or greater"
        "; or later"
    ),
    "at most": (
        "at most; no more than; but not more than; but no more than; but not later than; but no later than"
        "; not more than; no greater than; not greater than; no longer than; not longer than"
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
    "without limitation; at once; all at once; once a; once per; once every; once each"
    "; without limiting; without limiting the generality of"
    "; without limiting the foregoing; but not limited to; not limited to; without prejudice to; if any"
    "; if applicable; as if; if at all; whether; or otherwise; not only; at any time; as well as"
    "; in any event; in any case; such as; the following; as follows; followed by; all rights reserved"
    "; at any one time; from time to time; of any kind; under section"
    "; under which"
    "; set forth below; set forth above; described above; described below; without charge; without delay"
    "; without undue delay; without unreasonable delay; without cost; without exception; without fail"
    "; without prejudice"
    "; set out above; set out below; in part; in whole or in part; as part of; part of the; follow"
    "; until such time; if so; if and when; whole or part; certain other"
)
_MODALS = {
    "may": (
        "can; might; could; ~ at liberty to; ~ free to; ~ welcome to; ~ empowered to; ~ licensed to; ~ permitted to"
        "; ~ allowed to; ~ entitled to; ~ able to; has the option to; have the option to; may choose to; may elect to"
        "; has discretion to; have discretion to; has the right to; have the right to"
    ),
    "recommended": (
        "ought to; ~ encouraged to; ~ advised to; ~ invited to; ~ urged to; ~ recommended to; should consider"
        "; would be well advised to"
    ),
    "shall": (
        "has to; have to; ~ to; needs to; need to; ~ bound to; ~ obliged to; ~ obligated to; ~ compelled to"
        "; ~ forced to"
        "; ~ under an obligation to; ~ under a duty to; ~ under the obligation to; ~ duty bound to; undertakes to"
        "; undertake to; commits to; covenants to; ~ committed to"
    ),
    "shall not": "~ forbidden to; ~ forbidden from; ~ unauthorized to; ~ unauthorised to; ~ ineligible to"
    "; ~ barred from"
    "; ~ not at liberty to; ~ not free to; ~ disallowed from",
    "free": (
        "~ exempt from; ~ exempted from; ~ excused from; ~ relieved from; ~ relieved of; ~ not bound to"
        "; ~ not obliged to"
        "; ~ under no obligation to; ~ under no duty to; has no need to; have no need to; ~ free not to"
    ),
}
_WORDS = {
    "eventually": "in due course; at a later date; at a later time; some time later; when convenient; at its leisure",
    "immediately": "right away; straight away; as soon as possible; without any delay",
}
"""Phrases that stand for one word."""
_BE = ("is", "are", "be", "was", "were", "being")


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
        for be in _BE:
            add("modal", value, listed.replace("~", be))
    for value, listed in _CONDITIONS.items():
        add("condition", value, listed)
    for value, listed in _WORDS.items():
        add("word", canonical_stem(value), listed)
    add("negation", "not", _NEGATIONS)
    add("plain", "", _PLAIN)
    add("by", "by", "by")
    return {
        first: tuple((words, *entry[words]) for words in sorted(entry, key=lambda w: (-len(w), w)))
        for first, entry in sorted(found.items())
    }


PHRASES = _phrases()
"""First word to the phrases that begin with it, longest first: (words, role, value)."""
