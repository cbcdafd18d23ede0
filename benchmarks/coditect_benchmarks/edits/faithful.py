"""Edits after which a sentence still says what its source says, by type."""

from __future__ import annotations

import random
import re

from coditect.language.quantities.numbers import NUMBER, parse_number
from coditect_benchmarks.edits.faithful_templates import BACK, FRONT, LEADS, MODAL, PARTICIPLES, PASSIVE_VERBS, SHORT
from coditect_benchmarks.edits.figures import amount, date, duration, percentage
from coditect_benchmarks.edits.grammar import (
    ACTOR,
    Edit,
    Family,
    capitalised,
    first_main,
    in_words,
    lowered,
    replaced,
    swap_first,
)

__all__ = ["FAITHFUL"]

_BOTH = re.compile(r"(?<![\w.,$-])(?P<words>[A-Za-z]+(?:[ -][A-Za-z]+)?) \((?P<digits>\d{1,3})\)(?= [a-z])")
_DIGITS = re.compile(
    r"(?<![\w.,$(/§-])(?P<n>\d{1,3})(?= (?:business |calendar |working )?(?:days?|months?|years?"
    r"|hours?|weeks?|percent|copies|consumers?)\b)"
)
_SPELLED = re.compile(
    rf"\b(?P<n>{NUMBER})(?= (?:business |calendar |working )?(?:days|months|years|hours|weeks|copies)\b)", re.I
)
_FREE = re.compile(
    r"\b(?:not|no|never|neither|nor|without|unless|except|excluding|if|when|where|whether|but|subject|provided|only"
    r"|other than|extent"
    r"|\d|shall|must|may|will|percent|days|months|all|any|each|every|Section|after|before|prior"
    r"|than)\b|\d",
    re.I,
)
_PAREN = re.compile(r" \((?P<in>[^()]{2,90})\)")
_ASIDE = re.compile(
    r", (?:as applicable|if any|as the case may be|if applicable|among other things|in its discretion"
    r"|at its expense|by way of example|for example|inter alia),|\b(?:hereby|herein|thereof"
    r"|expressly) "
)
_TAIL = re.compile(
    r",? (?P<tail>(?:including|such as|and|or|which|together with|as well as|in accordance with"
    r"|for the purpose of|in connection with|relating to) [^.]{20,})\.$"
)


def _modal(text: str, rng: random.Random, family: Family) -> str | None:
    if re.search(r"\b(?:[Nn]o|[Nn]either|[Nn]or|[Nn]one)\b", text):
        return None  # "neither shall" and "neither is required to" differ
    return swap_first(MODAL[family], text, rng, main=True)


def _number_form(text: str, rng: random.Random, family: Family) -> str | None:
    """Digits for words, words for digits, one for both."""
    match = _BOTH.search(text)
    if match and parse_number(match["words"]) == float(match["digits"]):
        return replaced(
            text,
            match,
            match["digits"]
            if family == "dev"
            else rng.choice((match["words"], f"{match['digits']} ({match['words'].lower()})")),
        )
    match = _DIGITS.search(text)
    if match and 0 < int(match["n"]) < 1000:
        value = int(match["n"])
        return replaced(text, match, in_words(value) if family == "dev" else f"{in_words(value)} ({value})")
    match = _SPELLED.search(text)
    value_of = parse_number(match["n"]) if match and match["n"].replace("-", " ").replace(" ", "").isalpha() else None
    return replaced(text, match, f"{value_of:g}") if match and value_of and value_of == int(value_of) else None


def _unit(text: str, rng: random.Random, family: Family) -> str | None:
    """The same time, money or share in another unit."""
    edits = [duration, amount, percentage]
    rng.shuffle(edits)
    for edit in edits:
        made = edit(text, rng, family, same=True)
        if made is not None and made != text:
            return made
    return None


def _passive(text: str, rng: random.Random, family: Family) -> str | None:
    verbs = PASSIVE_VERBS[family].replace(" ", "|")
    match = re.match(
        rf"^(?P<who>(?:(?:The|Each|A|An) )?(?:{ACTOR}|[A-Z]{{2,}}))\s(?P<modal>shall|must|will"
        rf"|may)(?P<adv> promptly| also)? (?P<verb>{verbs})"
        r" (?P<what>(?:the|all|each|any|its|such|a|an) (?:[A-Za-z-]+ ){0,2}?[A-Za-z-]+)(?P<rest>(?: (?:to"
        r"|within|in|with|for|at|on|under|upon|if|by|of|during|prior|unless|no later|without) [^;]*)?)\.$",
        text,
    )
    if match is None or re.search(r"\b(?:and|or|that|to|its)\b", match["what"]) or match["rest"].startswith(" of"):
        return None
    verb = match["verb"]
    participle = PARTICIPLES.get(verb) or (verb + ("d" if verb.endswith("e") else "ed"))
    who = lowered(match["who"])
    return capitalised(f"{match['what']} {match['modal']}{match['adv'] or ''} be {participle} by {who}{match['rest']}.")


def _reorder(text: str, rng: random.Random, family: Family) -> str | None:
    """The condition goes to the other end."""
    match = FRONT[family].match(text)
    if match and not re.search(r"\b(?:it|they|he|she|its|their)\b", match["main"].split(" shall ")[0]):
        main = match["main"].removeprefix("then ")
        if not re.search(r",? (?:if|unless|provided|except)\b|only$|^(?:and|or|but|which|including)\b|,", main):
            return f"{capitalised(main)} {lowered(match['cond'])}."
    match = BACK[family].match(text)
    if (
        match
        and not re.search(r"\b(?:if|unless|when|which|that|and|or)\b", match["main"], re.I)
        and not re.search(r"^(?:The foregoing|Such)|\b(?:even|only|but|not|except)$", match.string[: match.end("main")])
    ):
        return f"{capitalised(match['cond'])}, {lowered(match['main'])}."
    return None


def _parenthetical(text: str, rng: random.Random, family: Family) -> str | None:
    if family == "heldout":
        match = _ASIDE.search(text)
        if match and first_main(_ASIDE, text):
            return replaced(text, match, " ")
    for match in _PAREN.finditer(text):
        inside = match["in"]
        if (
            not _FREE.search(inside)
            and (family == "dev" or inside[0] in "“\"’'Tt" or inside[0].islower())
            and not re.fullmatch(r"(?:[a-z]|[ivx]+|s|es|(?:or|and) .*)", inside)
        ):
            return replaced(text, match, "")
    return None


def _abbreviation(text: str, rng: random.Random, family: Family) -> str | None:
    return swap_first(SHORT[family], text, rng, main=False)


def _spacing(text: str, rng: random.Random, family: Family) -> str | None:
    """Punctuation, case and white space."""
    if family == "dev":
        choice = rng.randrange(3)
        return (text.rstrip("."), text.replace(" ", "  ").replace("’", "'"), re.sub(r",(?= (?:and|or) )", "", text))[
            choice
        ]
    choice = rng.randrange(4)
    half = text.find(" ", len(text) // 2)
    return (text.upper(), f"“{text}”", text[:half] + "\n" + text[half + 1 :], f"- {text}")[choice]


def _shortened(text: str, rng: random.Random, family: Family) -> str | None:
    """What stands behind or before goes, marked by an ellipsis; never a condition, a number or another duty."""
    match = _TAIL.search(text)
    if (
        match is None
        or _FREE.search(match["tail"])
        or match.start() < 50
        or " shall"
        not in text[: match.start()] + " shall" * ("must" in text[: match.start()] or "may" in text[: match.start()])
    ):
        return None
    if match["tail"].startswith(("or ", "and ")) and not re.match(
        r"(?:and|or) (?:the|all|its|any|to)\b", match["tail"]
    ):
        return None
    return text[: match.start()] + (" …" if family == "dev" else " [...]")


def _lead_in(text: str, rng: random.Random, family: Family) -> str | None:
    return rng.choice(LEADS[family]) + lowered(text)


def _split(text: str, rng: random.Random, family: Family) -> str | None:
    """The first of two coordinated clauses, its own conditions kept."""
    stop = (
        r"; (?:and |or )?"
        if family == "dev"
        else r", (?:and|but) (?=(?:the |each |such |any )?(?:[A-Z][A-Za-z]+|it|they|parties|party|consumer"
        r"|creditor|bank|servicer) (?:shall|must|may|will)\b)"
    )
    match = re.search(stop, text)
    if match is None or not match.start() > 45 or text[: match.start()].count("(") != text[: match.start()].count(")"):
        return None
    if re.search(
        r"\b(?:provided|unless|except|foregoing|if|however|otherwise|in the event|subject to"
        r"|to the extent|other than|without)\b",
        text[match.end() :],
        re.I,
    ):
        return None
    first = text[: match.start()]
    if not re.search(r"\b(?:shall|must|may|will)\b", first) or re.search(
        r"\b(?:either|both|if|that|following|where)\b", first
    ):
        return None
    return first.rstrip(",") + "."


FAITHFUL: dict[str, Edit] = {
    "modal synonym": _modal,
    "number form": _number_form,
    "unit": _unit,
    "date form": lambda text, rng, family: date(text, rng, family, same=True),
    "passive": _passive,
    "reorder": _reorder,
    "parenthetical": _parenthetical,
    "abbreviation": _abbreviation,
    "spacing and case": _spacing,
    "shortened": _shortened,
    "lead-in": _lead_in,
    "split": _split,
}
"""Name of the type to the edit; None where it does not apply."""
