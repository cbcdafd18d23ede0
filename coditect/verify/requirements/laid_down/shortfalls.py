"""What a sentence that has all of a part falls short of, where the two are read word for word: near words, hedges, limits, cells.

These are asked only of a sentence that would else meet its part, so that evidence of less than all stays what it is (ADR 101).
"""

from __future__ import annotations

import re
from functools import cache

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.norms.imperatives import find_imperative
from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.reading.stems import canonical_stem
from coditect.language.tables import read_table, worded
from coditect.verify.alignment.matching import weight_of
from coditect.verify.requirements.demand import Demand, is_nominal
from coditect.verify.requirements.laid_down.governed import governed_by, is_done_by_product
from coditect.verify.requirements.laid_down.occasions import leaves_out_when
from coditect.verify.requirements.laid_down.papers import lays_down_rules, strays
from coditect.verify.requirements.laid_down.persons import binds_only_some
from coditect.verify.requirements.laid_down.reach import (
    binds_others,
    goes_by,
    is_done_by_others,
    is_held_elsewhere,
    kind_in,
    kind_of_page,
    narrowed_behind,
    only_limits,
    stage,
)
from coditect.verify.requirements.laid_down.voice import places_of
from coditect.verify.requirements.measures import Common
from coditect.verify.requirements.sides import AskedByPart, SaidByPolicy
from coditect.verify.requirements.terms import PLAIN, act_of, does, listed

__all__ = ["shortfalls"]

_STEM = 4
"""Letters that one stem has to have where it begins another: "decid" is none of "decis", "permit" is one of "permitt"."""

_FEWER = 6
"""Of so many words that tell something one may be left out; of fewer, too."""

_POINTING = frozenset(("this", "these", "those"))
_OR = frozenset(("or", "and/or"))
_CELLS = re.compile(r"\s\|\s")
_CLAUSE_OPENS = re.compile(
    r"\b(?:while|when|whenever|because|since|although|until|unless|after|before|once|if)\b|\bas\s+(?:the|our|we|they|it|you)\b",
    re.IGNORECASE,
)
_FRONTED = re.compile(r"\A\W*(?:in\s+order\s+to|so\s+as\s+to|to)\s[^,;:]*,", re.IGNORECASE)
"""What something is done for, in front of it: "In order to protect data, keys are rotated"."""

_EXCEPT = re.compile(r"\b(?:unless|except(?:ing)?|with\s+the\s+exception\s+of|other\s+than)\b", re.IGNORECASE)
_FOR_IT = re.compile(r"[\w-]+s\s+for\s+(?:(?!the\b|all\b|any\b)[\w-]+\s+){0,3}\Z", re.IGNORECASE)
"""A plural and "for" in front of a noun: "indicators for malware"."""

_hedges = worded("voice", r"\b(?:«hedges»)\b")
_audits = worded("voice", r"\b(?:«audits»)\s+(?:that|whether|if)\b[^.;:]*\Z")
_advice = worded("voice", r"(?<![\w-])(?:«advice»)(?![\w-])")
_abilities = worded("voice", r"\b(?:«abilities»)\s+(?:[\w-]+,?\s+){0,4}\Z")


def shortfalls(
    asked: AskedByPart, said: SaidByPolicy, sentence: SentenceReading, demand: Demand, common: Common
) -> list[str]:
    """What keeps a sentence from meeting a part whose words it has; empty where nothing does.

    Args:
        asked: the part.
        said: the sentence.
        sentence: its words as they are compared.
        demand: the part, taken apart.
        common: what both have in common.
    """
    acts = [sentence.tokens[common.forth[n]] for n in demand.acts if n in common.forth]
    places = places_of(demand, common, sentence)
    near = _near_words(demand, common, sentence)
    hedge = _first(_hedges(), sentence.text, asked.wording.text)
    narrow = goes_by(demand, common, sentence)
    kind = kind_of_page(asked, said, demand)
    found = [
        f"it says {near}" if near else "",
        "it leaves too many of its words out" if _leaves_out(demand, common) else "",
        "it is about one of several" if _points(demand, common, sentence) else "",
        "it leaves the choice of another" if _is_alternative(demand, common, sentence) else "",
        f"“{hedge}” leaves it open" if hedge else "",
        "it is told in a clause on something else" if _is_aside(acts or places, asked, sentence) else "",
        "it says who could do it, or what for" if any(_abilities().search(sentence.text[: a.start]) for a in acts) else "",
        "it is looked for, and not done" if any(_audits().search(sentence.text[: a.start]) for a in acts or places) else "",
        f"it leaves out “{word}”" if (word := _joined_left_out(demand, common)) else "",
        "it makes an exception" if _EXCEPT.search(sentence.text) and not _EXCEPT.search(asked.wording.text) else "",
        f"it binds “{some}” only" if (some := binds_only_some(asked, sentence)) else "",
        "its act only tells what something is for" if _is_what_for(acts, sentence) else "",
        f"it binds {other}" if (other := binds_others(asked, said)) else "",
        f"{doer} does it, and not the house" if (doer := is_done_by_others(asked, said)) else "",
        "it stands in a cell without a verb" if places and _is_in_bare_cell(places, sentence) else "",
        "its act belongs to a noun" if any(_is_compound(at, sentence) for at in _at(demand, common)) else "",
        f"only “{narrow}” goes by it" if narrow else "",
        "it is about what something else holds" if is_held_elsewhere(asked, demand, common, sentence) else "",
        "it sets a limit to it" if only_limits(acts, asked, sentence) else "",
        "it stands where a paper advises" if _advice().search(said.around) else "",
        f"its headings speak of “{kind}” only" if kind else "",
        f"it speaks of “{held}” only" if (held := kind_in(asked, said, demand)) else "",
        f"its headings speak of “{one}” only" if (one := stage(asked, said)) else "",
        f"only what is “{kept}” counts" if (kept := narrowed_behind(asked, demand, common, sentence)) else "",
        "" if lays_down_rules(said) else "its paper is no policy, standard, procedure or law",
        f"“{title}” is on another matter" if (title := strays(asked, said, sentence, demand, common)) else "",
        governed_by(acts, asked, sentence),
        f"it leaves out when: “{when}”" if (when := leaves_out_when(asked, sentence)) else "",
        "a product does it, and not the house" if is_done_by_product(sentence) else "",
    ]  # fmt: skip
    return [each for each in found if each]


def _at(demand: Demand, common: Common) -> list[int]:
    return [common.forth[n] for n in demand.acts if n in common.forth]


def _near_words(demand: Demand, common: Common, sentence: SentenceReading) -> str:
    """Words of a part for which a sentence has others that are near in meaning and not the same, in words; "" for none."""
    asked = demand.reading.tokens
    said = {each.key for each in sentence.tokens}
    for n in demand.reading.content:
        token = asked[n]
        if n not in common.forth or token.role != "word" or token.actor or token.key in said:
            continue
        other = sentence.tokens[common.forth[n]]
        if (weight_of(token) >= 1.0 or n == demand.head) and not _is_same(token, other):
            return f"“{other.low}” and not “{token.low}”"
    return ""


def _is_same(asked: Token, said: Token) -> bool:
    """Whether two words are one: of one stem, verbs of one act, or of one line of the table."""
    if act_of(asked.key) == act_of(said.key) or does(said.key, asked.key) or said.role == "modal":
        return True
    one, other = (_spelling(each.low) for each in (asked, said))
    if canonical_stem(one) == canonical_stem(other):
        return True
    short, long = sorted((canonical_stem(one), canonical_stem(other)), key=len)
    return (len(short) >= _STEM and long.startswith(short)) or any({short, long} <= each for each in _lines())


def _spelling(word: str) -> str:
    """A word as it is spelled in America and without its owner's ending."""
    return re.sub(r"['’]s?\Z", "", word).replace("isation", "ization").replace("ise", "ize")


def _leaves_out(demand: Demand, common: Common) -> bool:
    telling = [n for n in demand.reading.content if weight_of(demand.reading.tokens[n]) >= 1.0]
    missing = {word.casefold() for word in common.missing}
    left = sum(
        1 for n in telling if demand.reading.tokens[n].low in missing and demand.reading.tokens[n].key not in PLAIN
    )
    return left > max(1, len(telling) // _FEWER)


def _joined_left_out(demand: Demand, common: Common) -> str:
    """A word of a part that "and" or a comma joins to one that the sentence has, and the sentence leaves out; "" for none."""
    tokens = demand.reading.tokens
    missing = {word.casefold() for word in common.missing}
    for n, token in enumerate(tokens):
        if token.role != "word" or token.low not in missing or token.key in PLAIN or weight_of(token) < 1.0:
            continue
        if token.key in listed("papers"):
            continue  # "policies and procedures" are one thing under two names
        behind = n + 2 if n + 1 < len(tokens) and tokens[n + 1].low == "and" else n + 1
        is_joined = behind in common.forth and (behind == n + 2 or tokens[behind].comma)
        before = n - 2 if n > 1 and tokens[n - 1].low == "and" else n - 1
        if is_joined or (before in common.forth and (before == n - 2 or token.comma)):
            return token.low
    return ""


def _is_what_for(acts: list[Token], sentence: SentenceReading) -> bool:
    """Whether all acts are nouns that only say what something else is there for: "feeds for malware detection"."""
    return bool(acts) and all(
        is_nominal(each.low) and _FOR_IT.search(sentence.text[: each.start]) is not None for each in acts
    )


def _points(demand: Demand, common: Common, sentence: SentenceReading) -> bool:
    """Whether the object is one that the sentence points at, and the part asks of all: "this policy is reviewed"."""
    if demand.head is None or demand.head not in common.forth:
        return False
    if any(each.low in _POINTING for each in demand.reading.tokens):
        return False
    at = common.forth[demand.head] - 1
    while at > 0 and sentence.tokens[at].has_substance and sentence.tokens[at].role == "word":
        at -= 1
    return at >= 0 and sentence.tokens[at].low in _POINTING


def _is_alternative(demand: Demand, common: Common, sentence: SentenceReading) -> bool:
    """Whether acts, or the object of an active verb, stand beside "or" another that the part does not have."""
    ours = set(common.forth.values())
    tokens = sentence.tokens
    wanted = any(each.low in _OR for each in demand.reading.tokens)
    at = _at(demand, common)
    if not wanted and any(tokens[n].low in _OR for n in range(min(at, default=0), max(at, default=0))):
        between = [each.low for each in tokens[min(at) : max(at)]]
        if len(at) > 1 and any(low in _OR for low in between) and max(at) - min(at) <= 2 * len(at):
            return True
    if demand.head is None or demand.head not in common.forth or not at:
        return False
    head = common.forth[demand.head]
    if not any(n < head for n in at):
        return False
    first = head
    while first > 0 and tokens[first - 1].has_substance and not tokens[first].comma:
        first -= 1
    before = first > 1 and tokens[first - 1].low in _OR and first - 2 not in ours and tokens[first - 2].has_substance
    behind = head + 2 < len(tokens) and tokens[head + 1].low in _OR and tokens[head + 2].has_substance
    return not wanted and (before or (behind and head + 2 not in ours))


def _is_aside(acts: list[Token], asked: AskedByPart, sentence: SentenceReading) -> bool:
    """Whether all acts stand in what a sentence is done for, or in a clause behind its main one."""
    if not acts:
        return False
    fronted = _FRONTED.match(sentence.text)
    if (
        fronted is not None
        and _FRONTED.match(asked.wording.text) is None
        and all(each.end <= fronted.end() for each in acts)
    ):
        return True
    first = min(each.start for each in acts)
    opens = list(_CLAUSE_OPENS.finditer(sentence.text, 0, first))
    if not opens:
        return False
    last = opens[-1]
    within = sentence.text[last.end() : first]
    return has_finite_verb(sentence.text, 0, last.start()) and not re.search(r"[,;:.]", within)


def _is_in_bare_cell(places: list[Token], sentence: SentenceReading) -> bool:
    """Whether the words stand in a cell of a table that has no verb of its own: "Hosting | encrypted data"."""
    if _CELLS.search(sentence.text) is None:
        return False
    ends = [0, *(found.end() for found in _CELLS.finditer(sentence.text)), len(sentence.text)]
    cells = {sum(1 for end in ends if end <= each.start) for each in places}
    if len(cells) > 1:
        return True
    start, end = ends[min(cells) - 1], ends[min(cells)]
    begun = find_imperative(sentence.text, start, end)
    return not has_finite_verb(sentence.text, start, end) and begun is None


def _is_compound(at: int, sentence: SentenceReading) -> bool:
    tokens = sentence.tokens
    if not tokens[at].low.endswith("ing") or at + 1 >= len(tokens) or tokens[at + 1].comma:
        return False
    return tokens[at + 1].low in read_table("voice").words("papers_behind")


def _first(pattern: re.Pattern[str], text: str, unless: str) -> str:
    """The first match of a pattern in a text that another text does not have, too."""
    return next((each[0] for each in pattern.finditer(text) if each[0].casefold() not in unless.casefold()), "")


@cache
def _lines() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(canonical_stem, each)) for each in read_table("voice").groups("same_words"))
