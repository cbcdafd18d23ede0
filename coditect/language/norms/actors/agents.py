"""Who can act: whether a noun phrase names a party, a person, a role or a body, and the agent of a passive."""

from __future__ import annotations

import re
from functools import lru_cache

from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = ["by_agent", "heads", "is_agent", "is_determined", "is_no_person", "known_to_act", "with_bracket"]

_I = re.IGNORECASE
_AGENTS, _CLAUSES, _PHRASES = (read_table(name) for name in ("agents", "clauses", "noun_phrases"))
_AGENT_NOUN = deferred(rf"(?:{'|'.join(_AGENTS.pattern(name) for name in ('agent_nouns', 'persons', 'bodies'))})", _I)
_THING = deferred(rf"\b(?:{_AGENTS.pattern('things')})$")
# Words that may open a sentence without an article though they name nobody: plurals, and nouns of action or quality.
_COMMON = deferred(rf"(?:{_AGENTS.pattern('noun_endings')})$|^(?:{_AGENTS.pattern('bare_nouns')})$")
# Nouns of roles by their ending (Huddleston and Pullum 2002, chapter 19), and nouns of things with the same endings.
_ROLE = deferred(rf"[A-Za-z]{{2,}}(?:{_AGENTS.pattern('role_endings')})s?", _I)
_NO_ROLE = deferred(rf"(?:{_AGENTS.pattern('no_roles')})", _I)
_DESKS = _AGENTS.pattern("desks", space=r"[\s-]?")
_OF_TWO_WORDS = deferred(rf"\b(?:{_AGENTS.pattern('subjects_of')}|{_DESKS})\Z", _I)
_MOST_OF_INITIALS = 5
_CAMEL = deferred(r"(?:[a-z]{1,3}[A-Z][A-Za-z]+|[A-Z][a-z]+[A-Z][A-Za-z]+)")
_INITIALS = deferred(r"[A-Z][a-z]?[A-Z&-]+s?")
_BRACKETS = deferred(r"\([^()]*\)|\[[^\[\]]*\]")
_PLACEHOLDER = deferred(r"\[(?P<words>[A-Z][\w.&’'-]*(?:\s+[\w.&’'-]+){0,4})\]")
_BEHIND_HEAD = deferred(rf"(?<!,)\s(?:{_PHRASES.pattern('behind_heads')}|[a-z]+ing|[a-z]{{3,}}ed)\s")
_LAST_PARTICIPLE = deferred(
    r"(?<=[a-z])\s+(?:hereto|thereto|hereof|hereunder|thereof|thereby|[a-z]{3,}ed(?:\s+(?:hereto|thereby))?)\Z"
)
_JOINT = deferred(r",\s+|\s(?:and|or|and/or|nor)\s")
# "Vendor and contract considerations": both words say of what kind they are.
_MODIFIERS_JOINED = deferred(r"[A-Z]?[a-z]+(?<!s)\s+(?:and|or|and/or)\s+[A-Z]?[a-z]+(?<!s)\s+(?P<head>[A-Za-z]+s)")
_DETERMINER = deferred(r"(?:the|an?|any|each|all|such|its|their|our)", _I)
_BARE_DETERMINER = deferred(rf"(?:{_DETERMINER.pattern})(?:\s+\w+ly)?", _I)
_SOME_OF = deferred(
    r"\A(?:(?:at\s+least|at\s+most|up\s+to|no\s+more\s+than|no\s+fewer\s+than)\s+)?(?:\d+|one|two|three|four|five|six|some|most|many|both|neither|either|none|(?:a|the)\s+majority)\s+of\s+(?=the\s|its\s|their\s|our\s|these\s|those\s)",
    _I,
)
_DETERMINED = deferred(rf"(?:{_PHRASES.pattern('determiners_of_names')})\s", _I)

_PLURALS = "|".join(
    sorted(
        {word for name in ("agent_nouns", "persons", "bodies") for word in _AGENTS.words(name) if word.endswith("s")}
    )
)
# "by Acme Bank plc": the one legal form that is written with a small letter.
_SMALL = r"(?:plc|p\.l\.c)"
_A_COMPANY = deferred(rf"[A-Z].*\s{_SMALL}")
_SMALL_FORM = rf"(?:\s+{_SMALL}\b\.?(?![\w-]))?"
_AGENT_PHRASE = (
    rf"(?:{_PHRASES.pattern('agent_determiners')})\s+(?:[\w'’{{}}-]+\s+){{0,3}}?[\w'’{{}}-]+"
    r"|(?:[A-Z{][\w&.'’{}-]*)(?:\s+[A-Z][\w&.'’-]*){0,4}"
    rf"{_SMALL_FORM}"
    rf"|(?:{_AGENTS.pattern('bare_agents')})(?:\s+\w+)?"
    rf"|(?:[a-z]+\s+)?(?:{_PLURALS})(?:\s+or\s+(?:[a-z]+\s+)?(?:{_PLURALS}))?"  # "by authorised officers", "by clerks or keepers"
    r"|(?:(?:the|an?|each|any)\s+)?\[[A-Z][^\[\]\n]{1,60}\]"  # "by a [Group Representative]"
)
# "each individual working group": the participle belongs to the name.
_GERUND_MODIFIERS = (
    r"(?:working|steering|governing|managing|operating|contracting|reporting)"
    r"\s+(?:group|party|team|committee|board|body|council|director|partner|officer|company)"
)
_AND_NAME = r"(?:\s+and\s+(?:the\s+)?[A-Z{][\w&.'’{}-]*(?:\s+[A-Z][\w&.'’-]*){0,3}" + _SMALL_FORM + ")?"
# "by the Clerk of the Court", "by the officer in charge"
_OF_NAME = r"(?:\s+of\s+(?:the\s+)?[A-Z][\w’'-]*(?:\s+(?:and\s+)?[A-Z][\w’'-]*){0,4}|\s+in\s+charge)?"
_BY = deferred(
    rf"\bby\s+(?P<np>(?:{_AGENT_PHRASE}){_OF_NAME}{_AND_NAME})(?=\s*(?:[,.;:)]|$|\b(?:other\s+than|{_CLAUSES.pattern('behind_agents')}|(?!(?:{_GERUND_MODIFIERS})\b)[a-z]{{3,}}ing)\b))"
)
_MOST_BEFORE_BY = 160
"""Code points between the participle of a passive and the end of its agent, at most."""

# What stands before "by" and has an agent of its own: another participle, a noun of action ("without approval by"), a clause.
_OTHER_VERB = deferred(
    rf"[a-z]{{3,}}(?:ed|en)\s*\Z|\b(?:{read_table('verbs').pattern('irregular_participles')})\s*\Z|\b[a-z]{{3,}}(?:tion|sion|ment|oval|consent|review)\s*\Z"
    r"|,\s|\b(?:that|which|who|if|when|where)\b|\b(?:to\s+be|being|been|is|are)\b"
)
_JOINED = deferred(
    rf"(?:\s*,?\s*(?:and/or|and|or)\s+(?:\w+ly\s+)?(?:\w+(?:ed|en|wn)|{read_table('verbs').pattern('irregular_participles')}))+\s*\Z"
)
_NO_PERSON = deferred(rf"(?i:(?:{_AGENTS.pattern('no_persons')})\Z)|(?:tion|sion|ment|ness|ance|ence|ity|ing|ism)s?\Z")
_NO_AGENT = deferred(rf"(?:the|a|an)\s+(?:{_AGENTS.pattern('no_agents')})\b")


@lru_cache(maxsize=1 << 14)
def is_agent(name: str, *, opens: bool, names: frozenset[str] = frozenset()) -> bool:
    """Whether a subject can act: a party, a person, a role, a body.

    The head of the noun phrase decides: "the Manager's report" is a report. A noun for a role tells by itself or by its ending
    ("verifier", "trustee"); a name tells by its capital where no determiner stands before it.

    Args:
        name: the noun phrase that is the subject.
        opens: whether it begins its sentence, so that its first capital proves nothing.
        names: words that the document writes with a capital wherever they stand.

    Returns:
        True if any member of a coordination can.
    """
    modified = _MODIFIERS_JOINED.fullmatch(name.strip(" ,"))
    if modified and known_to_act(modified["head"]) is False:
        return False
    return any(_can_act(each, names, opens=opens and number == 0) for number, each in enumerate(heads(name)))


def heads(name: str) -> list[str]:
    """The noun phrases that a subject joins, each up to the noun that heads it: "the clerk of the court and any deputy" has two."""
    if "[" in name:
        name = _PLACEHOLDER.sub(r"\g<words>", name)  # "the [Steering Group]", "[Company]"
    if "(" in name or "[" in name:
        name = _BRACKETS.sub(" ", name)
    words = _SOME_OF.sub("", name.strip(" ,"))
    head = _BEHIND_HEAD.split(words, maxsplit=1)[0].strip(" ,")
    head = _LAST_PARTICIPLE.sub("", head)
    head = words if _BARE_DETERMINER.fullmatch(head) else head  # "the testing reports"
    return [each.strip(" ,") for each in _JOINT.split(head) if each.strip(" ,")]


def is_determined(name: str) -> bool:
    """Whether a noun phrase begins with an article or another determiner."""
    return _DETERMINED.match(name) is not None


def with_bracket(text: str, lo: int, hi: int) -> tuple[int, int]:
    """A name with the bracket that it begins with: "[Company]", of which a mark at the edge would be cut."""
    opens = text.startswith("[", lo - 1) and text.find("]", lo, hi) >= 0 and text.find("[", lo, hi) < 0
    return (lo - 1, hi) if opens and lo else (lo, hi)


def known_to_act(phrase: str) -> bool | None:
    """What the tables say of a noun phrase's last word: somebody, a thing, or None where they do not know it.

    Args:
        phrase: one noun phrase, its head last.
    """
    last = phrase.split()[-1].strip("“”\"'’.,") if phrase.split() else ""
    if _AGENT_NOUN.fullmatch(last):
        return True
    if _THING.fullmatch(last) or _NO_ROLE.fullmatch(last) or _NO_PERSON.search(last):
        return False
    return True if _ROLE.fullmatch(last) else None


def is_no_person(name: str) -> bool:
    """Whether a subject is a program, a paper or what a noun of action or quality names: nothing that has to do anything."""
    return any(_NO_PERSON.search(each.split()[-1].strip("“”\"'’.,")) is not None for each in heads(name))


def _can_act(phrase: str, names: frozenset[str], *, opens: bool) -> bool:
    """Whether one noun phrase names somebody: by the noun of its head, or else by its capitals."""
    tokens = phrase.split()
    if not tokens:
        return False
    last = tokens[-1].strip("“”\"'’.,")
    if _AGENT_NOUN.fullmatch(last) or _OF_TWO_WORDS.search(phrase) or _A_COMPANY.fullmatch(phrase.rstrip(" ,.")):
        return True
    if last == "role" and len(tokens) > 1:  # "the Lead Editor role is responsible"
        return _AGENT_NOUN.fullmatch(tokens[-2]) is not None or _ROLE.fullmatch(tokens[-2]) is not None
    if _THING.fullmatch(last) or _NO_ROLE.fullmatch(last):
        return False
    is_variable = last.startswith("{{") or last.endswith("}}")
    if _ROLE.fullmatch(last) or is_variable:
        return True
    if _CAMEL.fullmatch(last) and len(tokens) == 1:
        return True  # "iPass"
    return last[:1].isupper() and _is_name(phrase, tokens, last, names, opens=opens)


def _is_name(phrase: str, tokens: list[str], last: str, names: frozenset[str], *, opens: bool) -> bool:
    """Whether the capital of a phrase's last word makes a name of it."""
    determined = _DETERMINED.match(phrase) is not None
    initials = _INITIALS.fullmatch(last) is not None
    if not determined and last in names and len(tokens) < 3:
        return True
    if initials and (not phrase.isupper() or len(tokens) == 1 or (len(tokens) < 4 and len(last) <= _MOST_OF_INITIALS)):
        return True
    if len(tokens) > 1 and phrase.isupper():
        return False  # in a line of capitals a capital proves nothing
    if determined:
        return (initials and not phrase.isupper()) or any(
            _AGENT_NOUN.fullmatch(token.rpartition("-")[2]) for token in tokens[1:]
        )
    if opens and len(tokens) == 1:
        return last in names or last.isupper() or not (names or _COMMON.search(last))
    return not _COMMON.search(last) or last.isupper() or any(token[:1].isupper() for token in tokens[:-1])


def by_agent(text: str, lo: int, hi: int) -> tuple[int, int] | None:
    """The agent of a passive: "by the Security Officer"; "on terms recommended by" has the agent of another verb.

    Args:
        text: the text.
        lo: one past the participle.
        hi: one past the predicate.

    Returns:
        The agent's span, or None.
    """
    match = _BY.search(text, lo, min(hi, lo + _MOST_BEFORE_BY))
    if match is None or _NO_AGENT.match(match["np"]):
        return None
    if _OTHER_VERB.search(text, lo, match.start()) and not _JOINED.match(text, lo, match.start()):
        return None
    return match.span("np")
