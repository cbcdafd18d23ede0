"""The words that make a sentence normative: what they are called, how strong they are, and where they stand."""

from __future__ import annotations

import re
from dataclasses import replace

from coditect.language.norms.capitals import in_small_letters
from coditect.language.norms.cues import Cue, NormKind
from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.norms.meanings.cue_rules import ADVISABLE, CUE_RULES, DUTY
from coditect.language.patterns.beginnings import quick
from coditect.language.tables import read_table
from coditect.schemas.tier1.data import Strength

__all__ = ["find_cues"]

_MODALITY = read_table("modality")

# The first words of all the rules: a cheap test that spares the engine the whole alternation at most positions.
_FIRST = (
    r"(?=(?:[Nn]othing|no\s|[sS](?:hall|HALL|hould|HOULD|han['’])|[mM](?:ust|UST)|[wW](?:ill|ILL|as|ere|on['’])|[mM](?:ay|AY)|is|a[rm]|be|need|ha[sv]|do|commit|ought|expect|retain|remain|stay|reserve|prohibit|assume"
    r"|hereby|agree|accept|take|allow|encourage|urge|advise|recommend|suggest|ask|wo|undertake|covenant|promise|commit|can|CAN|further|also|each|require|[rR]esponsibilities|[dD]uties|[oO]bligations|[tT]asks|authori[sz]es|grants))"
)
_CUE = quick(
    rf"(?<![\w’'-]){_FIRST}(?:"
    + "|".join(f"(?P<r_{name}>{pattern})".replace("?P<modal>", f"?P<m_{name}>") for name, pattern, *_ in CUE_RULES)
    + r")|(?P<r_short>(?<=[a-zI])['’]ll\b(?:\s+(?P<denied>not|never)\b)?)"
    + rf"|(?P<r_best>(?<=\b[iI]t)['’]s\s+(?:also\s+|\w+ly\s+)?{ADVISABLE})|(?P<r_its>(?<=\b[iI]t)['’]s\s+{DUTY})"
)
_TO_A_THING = re.compile(
    r"(?!(?:that|all|each|every|any|its|the|our)\b)(?:[\w'’{}-]+\s+){1,6}?to\s+(?:the|an?|its|their|our|your|any|all|each|every|such|this|that|these|those)\b"
)
# Of these "to" needs an act behind it, which an item of a list may write with a capital.
_BEFORE_ACTS = ("duty", "its", "noright", "right", "haveto", "isnotto", "agree")
_IF_INVERTED = re.compile(
    r"should\s+(?:(?:it|they|he|she|we|you)\s+[a-z]{2,}|(?:the|an?|all|any|such|our|your|their|its)\s)"
)
_AFTER_NEGATION = re.compile(
    rf"\b(?:{_MODALITY.pattern('fronted_negation')}|never|only|what|how|why|when|where|who)\s+\Z", re.IGNORECASE
)
_NEED_NOUN = re.compile(r"\b(?:an?|the|any|no|their|its|our|your|[a-z]+(?:able|al|ate|ful|ive|ary)|business)\s+\Z")
_CAPITAL = re.compile(r"\s+([A-Z][a-z-]+)")
_MODAL_FIRST = re.compile(r"(?:shall|will|must|may)\b")
_ACT = re.compile(r"\s+(?:\w+ly\s+)?([a-z]+)")
_CONTRACTED_BE = re.compile(r"['’](?<=[A-Za-z]['’])re(?=\s)")
_EXPECTED = re.compile(
    rf"\s+(?:\w+ly\s+|also\s+|just\s+|now\s+|then\s+)?(?:{_MODALITY.pattern('expected_acts')})\b", re.IGNORECASE
)
_CONTRACTED = {"won": "will", "shan": "shall", "mustn": "must", "shouldn": "should"}
_BY_NAME = {name: (kind, modality, strength, confidence) for name, _, kind, modality, strength, confidence in CUE_RULES}
_HINT = quick(
    r"[sS]hall|[mM]ust|will|Will |May |Should|othing |not to |exempt|under an? |may\b|should|SHALL|MUST|WILL|MAY\b|SHOULD"
    r"|need|requir|oblig"
    r"|entitled|permitted|allowed|free to|at liberty|uthori[sz]ed|prohibit|forbid|unlawful|illegal|responsib"
    r"|agrees?\b|undertake|covenant|promise|commit|cannot|can not|CANNOT|right|option|power|has |have |to be "
    r"|not apply|NOT APPLY|n['’]t |['’]ll |commits|guilty of"
    r"|important|essential|advisable|crucial|vital|imperative|suggested|desirable"
    r"|['’]re\b|responsibility|duty to|policy to|allow|permit|authori|encourage|urge|recommend|requested|ask(?:s|ed)? "
    r"|[rR]esponsibilit|[dD]uties |[oO]bligations |[tT]asks |grant"
    r"|nlawful|llegal|not tolerated|not condoned|acceptable|welcome "
    r"|expect|advised|advises? |suggests? |discouraged|ought| is to | are to |liable"
)
_NOUN_BEFORE = re.compile(rf"\b(?:{_MODALITY.pattern('nouns_before_will')})\s+$", re.IGNORECASE)
# "By-law 9, entitled “A by-law under which fires may be set”": words of a title.
_NAMED_TEXT = quick(r"\b(?:entitled|titled)[\s:,]{1,3}[“\"][^“”\"]{8,400}[”\"]")
_MODAL: dict[str, tuple[NormKind, str, Strength, float]] = {
    "shall": ("obligation", "shall", "mandatory", 0.92),
    "must": ("obligation", "must", "mandatory", 0.92),
    "will": ("obligation", "will", "mandatory", 0.7),
    "should": ("obligation", "should", "recommended", 0.82),
    "may": ("permission", "may", "optional", 0.85),
}  # fmt: skip


def find_cues(text: str, start: int, end: int) -> list[Cue]:
    """The modal expressions of a sentence, in order, not overlapping.

    Capitalised "May" and "Will" are a month and a name, never a modal; so are "at will" and "good will".

    Args:
        text: the canonical text.
        start: the sentence's first code point.
        end: one past its last; at most a few thousand beyond ``start``.

    Returns:
        Cues; whether one really governs a clause is decided by :mod:`coditect.language.norms.binding`.
    """
    if _HINT.search(text, start, end) is None and not text[start : start + 20].isupper():
        return []
    shown = text
    if _CONTRACTED_BE.search(text, start, end):
        shown = text[:start] + _CONTRACTED_BE.sub(" be", text[start:end]) + text[end:]  # as many code points
    shown = in_small_letters(shown, start, end)
    cues = []
    for match in _CUE.finditer(shown, start, end):
        cue = _cue(shown, start, match)
        if cue is not None:
            is_short = shown is not text and text.startswith(("'re", "’re"), cue.start - 1)
            cues.append(replace(cue, start=cue.start - 1) if is_short else cue)
    titles = [each.span() for each in _NAMED_TEXT.finditer(text, start, end)] if cues else []
    return [cue for cue in cues if not any(lo <= cue.start < hi for lo, hi in titles)]


def _asks_for_thing(text: str, at: int) -> bool:
    """Whether "requires" has an object that goes on with "to" and a noun, and asks nobody to do anything."""
    return _TO_A_THING.match(text, at) is not None


def _acts_behind(text: str, at: int) -> bool:
    """Whether the plain form of a verb follows."""
    act = _ACT.match(text, at)
    return act is not None and is_plain_verb(act[1])


def _cue(text: str, lo: int, match: re.Match[str]) -> Cue | None:
    """The cue of one match, or None where the words are a noun."""
    name = (match.lastgroup or "r_modal").removeprefix("r_")
    capital = _CAPITAL.match(text, match.end()) if name in _BEFORE_ACTS else None
    if (
        name == "haveto"
        and match[0].startswith("need")
        and _NEED_NOUN.search(text, max(lo, match.start() - 24), match.start())
    ):
        return None  # "a reasonable need to know"
    if name == "required" and "bound" in match[0]:
        act = _ACT.match(text, match.end())
        if act is None or not is_plain_verb(act[1]):
            verb = _MODAL_FIRST.match(match[0])  # "shall be bound to the account"
            return Cue(match.start(), match.start() + verb.end(), *_MODAL[verb[0]]) if verb else None
    if name == "right" and "rights" in match[0].split(None, 2)[1:2] and not _acts_behind(text, match.end()):
        return None  # "has rights to websites"
    if name == "requires" and _asks_for_thing(text, match.end()):
        return None  # "requires access to the system"
    if capital is not None and not is_plain_verb(capital[1]):
        return None  # "retains the right to Products"; "has the right to: (a) Appoint" is one
    if match["r_best"]:
        return Cue(match.start(), match.end(), "obligation", "is expected to", "recommended", 0.75)
    if match["r_its"]:
        return Cue(match.start(), match.end(), "obligation", "is responsible for", "mandatory", 0.8)
    if match["r_short"]:
        if match["denied"]:
            return Cue(match.start(), match.end(), "prohibition", "will not", "mandatory", 0.7)
        # "we'll see" is how people speak of what they expect.
        told = _EXPECTED.match(text, match.end()) is not None
        return None if told else Cue(match.start(), match.end(), "obligation", "will", "mandatory", 0.6)
    if match["r_contracted"]:
        modal = next(each for start, each in _CONTRACTED.items() if match[0].lower().startswith(start))
        force: Strength = "recommended" if modal == "should" else "mandatory"
        return Cue(match.start(), match.end(), "prohibition", f"{modal} not", force, 0.75 if modal == "will" else 0.85)
    kind, modality, strength, confidence = _BY_NAME[name]
    if name not in ("modal", "not"):
        return Cue(match.start(), match.end(), kind, modality, strength, confidence)
    word = match[f"m_{name}"].lower()
    if (
        word == "should"
        and _IF_INVERTED.match(text, match.start())
        and not _AFTER_NEGATION.search(text, lo, match.start())
    ):
        return None  # "act as principal should it choose to sell": a condition
    if word == "will" and _NOUN_BEFORE.search(text, max(lo, match.start() - 12), match.start()):
        return None
    binding: Strength = "recommended" if word == "should" else "mandatory"
    if name == "not":
        sure = 0.75 if word == "will" else confidence
        return Cue(match.start(), match.end(), "prohibition", f"{word} not", binding, sure)
    if match["only"]:
        if word == "may":  # "may only be used by": leave, within a limit that the action tells
            return Cue(match.start(), match.end(), "permission", "may only", "optional", 0.85)
        return Cue(match.start(), match.end(), "obligation", f"{word} only", binding, 0.85)
    return Cue(match.start(), match.end(), *_MODAL[word])
