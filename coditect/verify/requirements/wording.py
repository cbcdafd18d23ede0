"""The wording of a part of a requirement: its label and the parameters that it leaves open taken out of the words to compare."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.reading.sentence import read_sentence
from coditect.language.tables import worded
from coditect.verify.requirements.asides import without_asides

__all__ = [
    "HOW_LONG",
    "HOW_OFTEN",
    "RequirementWording",
    "as_act",
    "as_bidding",
    "names_who_alone",
    "read_wording",
    "without_number",
]


_LABEL = re.compile(
    r"\s*(?:\(?[a-zA-Z0-9]{1,3}[.)]|\([a-z0-9]{1,4}\)"
    r"|[A-Z]{1,4}[-.]?\d+(?:[.-]\w{1,3}|\(\w{1,3}\))+|\d+(?:\.\d+){2,}(?:\.[a-z])?|\d+\.\d+\.?(?=\s+[A-Z]))\s+"
)
"""The label that a part begins with: "a.", "(1)", "SR-03.11.01.b", "A.8.2", "6.4.5"."""
_TAIL = re.compile(r"[\s;:,]*(?:[;,]\s*(?:and|or))?[\s;:,]*$")
"""What joins an item of a list to the next."""

_OPENED = re.compile(r"\[(?:Assignment|Selection)", re.IGNORECASE)
_NAMED = re.compile(r"\[Assignment:\s*(?P<name>[^\[\]]*)\]", re.IGNORECASE)
_DEFINED = re.compile(r"\borganization-defined\s*", re.IGNORECASE)
_PARENTHESES = re.compile(r"\([^()]*\)")
_BETWEEN_ACTS = frozenset(("and", "or", "the", "a", "an"))
_SELECTION = re.compile(r"\[Selection[^:\[\]]*:\s*", re.IGNORECASE)
HOW_OFTEN = re.compile(r"\bfrequenc", re.IGNORECASE)
HOW_LONG = re.compile(r"\b(?:time period|time frame|timeframe|period|number of days|within)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RequirementWording:
    """A part of a requirement, ready to be compared.

    Attributes:
        text: its words without label and open parameters.
        parameters: what is left to the organisation, as printed.
        asks_how_often: whether one of them is a frequency.
        asks_how_long: whether one of them is a length of time.
        item: of an item of a list its own words, without those of the lead-in; else "".
        choices: of each selection its alternatives, as printed; what is left open in one of them is no parameter by itself.
        required: parameters that stand in no selection.
        filled: the words with the name of a parameter that its act is done to: "Employ password managers to", or what a body is
            bound to do, without the body: "Report losses"; "" for none.
        bound: who is bound, as printed, where that is known; else "".
    """

    text: str
    parameters: tuple[str, ...]
    asks_how_often: bool
    asks_how_long: bool
    item: str = ""
    choices: tuple[tuple[str, ...], ...] = ()
    required: tuple[str, ...] = ()
    filled: str = ""
    bound: str = ""

    @property
    def asked(self) -> str:
        """Its words without explanations and examples."""
        return without_asides(self.filled or self.text)


def without_number(part: str) -> str:
    """A part as it is printed, without the label in front of it."""
    label = _LABEL.match(part)
    return part[label.end() :] if label else part


def read_wording(part: str) -> RequirementWording:
    """Read a part of a requirement.

    Args:
        part: as printed, parameters spelled out as ``[Assignment: …]`` and ``[Selection: …]``.
    """
    label = _LABEL.match(part)
    fixed, opened = _split(part[label.end() :] if label else part)
    text = _TAIL.sub("", " ".join(fixed.split()))
    names = tuple(" ".join(found["name"].split()) for each in opened for found in _NAMED.finditer(each))
    return RequirementWording(
        text,
        names,
        any(HOW_OFTEN.search(each) for each in names),
        any(HOW_LONG.search(each) and not HOW_OFTEN.search(each) for each in names),
        choices=tuple(_alternatives(each) for each in opened if _SELECTION.match(each)),
        required=tuple(
            " ".join(found["name"].split())
            for each in opened
            if not _SELECTION.match(each)
            for found in _NAMED.finditer(each)
        ),
        filled=_filled(part[label.end() :] if label else part) or as_bidding(text),
        bound=found["who"] if (found := _addressed().match(text)) is not None else "",
    )


def _filled(part: str) -> str:
    """The words with the name of what the first act is done to, where that is left open; "" where it is not."""
    opened = _OPENED.search(part)
    named = _NAMED.match(part, opened.start()) if opened else None
    before = part[: opened.start()].split() if opened else []
    acts = [each.strip(",").casefold() for each in before]
    if named is None or not acts or not all(is_plain_verb(each) or each in _BETWEEN_ACTS for each in acts):
        return ""
    if HOW_OFTEN.search(named["name"]) or HOW_LONG.search(named["name"]):
        return ""
    name = _PARENTHESES.sub("", _DEFINED.sub("", named["name"])).strip()
    fixed, _ = _split(f"{part[: named.start()]}{name}{part[named.end() :]}")
    return _TAIL.sub("", " ".join(fixed.split()))


def _alternatives(selection: str) -> tuple[str, ...]:
    """The alternatives of a selection: "[Selection (one or more): confidentiality; integrity]"."""
    inner = _SELECTION.sub("", selection)[:-1]
    return tuple(" ".join(each.split()) for each in inner.split(";") if each.strip())


def names_who_alone(lead: str) -> bool:
    """Whether a lead-in says only who is asked ("The organization:"), which no sentence of its own documents need repeat."""
    reading = read_sentence(lead)
    return all(reading.tokens[n].actor for n in reading.content)


def _split(text: str) -> tuple[str, list[str]]:
    """What is fixed, and the bracketed parameters, which may hold each other."""
    fixed: list[str] = []
    opened: list[str] = []
    at = 0
    while found := _OPENED.search(text, at):
        depth, end = 0, found.start()
        for end in range(found.start(), len(text)):
            depth += {"[": 1, "]": -1}.get(text[end], 0)
            if not depth:
                break
        fixed.append(text[at : found.start()])
        opened.append(text[found.start() : end + 1])
        at = end + 1
    return " ".join((*fixed, text[at:])), opened


# Duties that a law, a permit or a standard lays on bodies, as what is to be done. A body acts through its people, and its papers
# name those: "the Risk Officer shall report losses". Of duties of persons (users, managers, patients) the person stays.

_BODY = r"(?:(?:the|a|an|each|every|any|all|such)\s+)?(?:[\w'’/-]+\s+){0,3}?(?:«bodies»)"
_addressed = worded(
    "acts",
    rf"\A(?P<lead>(?:[^.;:]*?,\s+)?)(?P<who>{_BODY}(?:(?:,|,?\s+(?:and/or|and|or))\s+{_BODY}){{0,3}})\s+"
    r"(?:shall|must|will|(?:is|are)\s+required\s+to|ha(?:s|ve)\s+to|needs?\s+to)"
    r"(?P<between>,[^,;:.]{3,90},)?\s+(?P<verb>[a-z][a-z-]+)\b(?P<rest>.*)\Z",
)


@lru_cache(maxsize=4_096)
def as_bidding(text: str) -> str:
    """What a part asks of a body, as what is to be done; "" where it is not such a duty.

    What stands in front of the body stays there, and what stands between "shall" and the verb comes last.

    Args:
        text: the part's words without its label.
    """
    found = _addressed().match(text)
    if (
        found is None
        or not is_plain_verb(found["verb"].casefold())
        or found["verb"].casefold() in ("not", "be", "have")
    ):
        return ""
    between = f", {found['between'].strip(', ')}" if found["between"] else ""
    rest = found["rest"].rstrip(" .;,")
    bidden = f"{found['verb']}{rest}{between}"
    lead = found["lead"]
    return f"{lead}{bidden}" if lead else bidden[:1].upper() + bidden[1:]


_procedural = worded(
    "acts",
    r"\A(?:(?:shall|must|will|should)\s+)?(?:(?:implement|establish|develop|adopt|maintain|have|document|create|put\s+in\s+place|define|provide)(?:,|\s+and|\s*\(and[^()]*\))?\s+){1,3}"
    r"(?:(?!to\b|for\b|that\b)[\w/-]+,?\s+){0,4}?(?:«means_of_acting»)\s+(?:(?P<to>to|that|which)|for)\s+(?P<adverb>[a-z]+ly\s+)?"
    r"(?P<verb>[a-z]{3,})\b(?P<rest>.*)\Z",
)


@lru_cache(maxsize=4_096)
def as_act(text: str) -> str:
    """What procedures are to be there for, as what is to be done: "implement procedures to end sessions", "end sessions".

    A house that lays down that sessions are ended has laid down the procedure; "" where nothing of the kind is asked.

    Args:
        text: what is asked, as it is compared: of a body as :func:`as_bidding` gives it.
    """
    found = _procedural().match(text)
    if found is None:
        return ""
    verb = found["verb"].casefold()
    verb = verb if found["to"] else _base_of(verb)
    if not verb or not is_plain_verb(verb):
        return ""
    return f"{verb[:1].upper()}{verb[1:]}{found['rest']}"


def _base_of(gerund: str) -> str:
    """The verb of a gerund: "ending", "end"; "" where the word is none."""
    stem = gerund.removesuffix("ing")
    if stem == gerund:
        return ""
    forms = (stem, f"{stem}e", stem[:-1] if stem[-1:] == stem[-2:-1] else "")
    return next((each for each in forms if each and is_plain_verb(each)), "")
