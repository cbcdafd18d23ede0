"""Imperatives: what a text tells its reader to do in the plain form of a verb, and where verbs are joined under one subject."""

from __future__ import annotations

import re

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = [
    "AND_DO_NOT",
    "asks",
    "find_denied",
    "find_imperative",
    "is_plain_verb",
    "split_coordinated",
    "split_doing",
]

_VERBS = read_table("base_verbs")
_PLAIN = frozenset(_VERBS.words("verbs"))
_NOUNS = frozenset(_VERBS.words("also_nouns"))
_WHO = frozenset(("staff",))
_WORD = deferred(r"[A-Za-z][a-z]*(?:-[a-z]+)?")
_FIRST = deferred(
    r"[\s\W\d]*(?:(?:please|simply|kindly|just|then|also|always|and|or|only|first|finally|next|immediately|promptly|periodically|regularly|continuously|manually|automatically|regularly|carefully|clearly|directly|explicitly|formally|fully|properly|securely|thoroughly|uniquely|(?:in\s+addition|furthermore|moreover|additionally|similarly|likewise|instead|therefore|lastly),)\s+)*",
    re.IGNORECASE,
)
# What follows an imperative whose verb could be a noun: an object, an adverb, a second verb; not "of", a verb, or an end.
_OBJECT = deferred(
    r"\s+(?:the|an?|all|any|each|every|its|their|your|our|this|that|these|those|such|both|no|at\s+least|only|whether|how|what|which|it|them|us|you|and\s+[a-z]+\s+(?:the|an?|all|any|each|its|their|your|our|\[)"
    r"|(?!of\b|is\b|are\b|was\b|were\b|will\b|shall\b|must\b|may\b|should\b|can\b|has\b|have\b|for\b|by\b|at\b|on\b|in\b|and\b|or\b|to\b|with\b|from\b|as\b)[a-z][\w-]*\s+[\w\[({]|\[|\{\{|“|\")"
)
_SURE_OBJECT = deferred(
    r"\s+(?:the|an?|all|any|each|every|its|their|your|our|this|that|these|those|such|both|only|whether|how|it|them|us|you|and\s+[a-z]+\s+(?:the|an?|all|any|each|its|their|your|our|\[))\b"
)
_ADJUNCT_FIRST = deferred(
    r"[\s\W\d]*(?:(?:also|however|finally|then|likewise|moreover|furthermore|in\s+addition|additionally),?\s+)?(?:if|when|where|once|before|after|upon|for|in|on|at|to|as|although|during|following|prior|within|until|unless|by|with|without|whenever|given|depending|should(?=\s+(?:you|we|it|they|there|the|an?|any)\b))\b",
    re.IGNORECASE,
)
_INVERTED = deferred(r"\W*should\b", re.IGNORECASE)  # "Should you move, tell us"
_CLAUSE_END = deferred(
    r";|(?<=[a-z)])\.\s|\s(?:that|which|who|if|when|where|as|because|so|unless|until|while|what|how|whether)\b"
)
_EVENT = deferred(
    r"\s(?:before|after|once)\s+(?:(?:it|they|you|he|she)\s+|[a-z]+s\s+|(?:the|an?|any|each|all|its|their|such|this|that)\s+(?:[\w’'-]+\s+){1,6}?)(?:is|are|has|have|was|were)\b"
)
_AND = deferred(
    r"(?:,\s+(?:and\s+(?:then\s+|thereafter\s+)?(?:to\s+)?|then\s+)?|\s+and\s+(?:then\s+|thereafter\s+|to\s+)?)(?=(?:(?!(?:ap|com|sup|re|im|multi)ply\b|rely\b)[a-z]{2,}ly\s+)?(?P<verb>[a-z]+(?:-[a-z]+)?)\s+(?P<next>[\w“\"(\[{]+))"
)
_AND_OR = deferred(_AND.pattern.replace("and\\s+(?:then", "(?:and/or|and|or)\\s+(?:then"))
_DETERMINER = deferred(
    r"(?:the|an?|all|any|each|every|its|their|your|our|his|her|such|this|that|these|those|with|to|on|in|for|it|them|no|out|up)\b"
)


def is_plain_verb(word: str) -> bool:
    """Whether a word is the plain form of a verb, as far as the table knows."""
    return word.lower() in _PLAIN


def find_imperative(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The verb of an imperative that a sentence begins with, perhaps behind an adjunct and a comma.

    Args:
        text: the text.
        start: first code point of the sentence.
        end: one past its last.

    Returns:
        The verb's span, or None: a noun that could be a verb needs an object behind it, and the clause no other finite verb.
    """
    noted = _NOTED.match(text, start, end)
    start = noted.end() if noted else start  # "Please note: If you move, tell us"
    at = _imperative_at(text, start, end)
    if at is not None or _ADJUNCT_FIRST.match(text, start, end) is None:
        return at
    inverted = _INVERTED.match(text, start, end)
    depth, before = 0, inverted.end() if inverted else start
    for place in range(start, end):
        char = text[place]
        depth += (char in "([") - (char in ")]")
        if char == "," and depth <= 0:
            if _MAIN_CLAUSE.match(text, before, place):
                return None  # "In case of doubt you may be asked for your name, email addresses"
            at, before = _imperative_at(text, place + 1, end), place + 1
            if at is not None:
                return at
    return None


_NUMBERED = r"(?:\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})[).]|\d{1,2}(?:\.\d{1,2})+\.?|[Pp]lease)"
# "Never events" names things; "Never discuss" and "Never focus" do not.
_DO_NOT = r"(?P<cue>[Dd]o\s+not|DO\s+NOT|[Dd]on['’]t|[Nn]ever(?!\s+[a-z]+[^\Wsu]s\b))\s+(?=[a-z])"
_DENIED = deferred(rf"[\s\W]*(?:{_NUMBERED}\s+)?{_DO_NOT}")
_DENIED_BEHIND = deferred(rf",\s+(?:then\s+|please\s+)?{_DO_NOT}")
AND_DO_NOT = deferred(rf",?\s+(?:and|or|but)\s+(?:please\s+)?{_DO_NOT}")
"""Where what is told not to be done is joined to what is: "Sign the form and do not copy it"."""


def find_denied(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The words that forbid in a request: "Do not copy the key", "If it rings, do not answer".

    Args:
        text: the text.
        start: first code point of the sentence.
        end: one past its last.
    """
    found = _DENIED.match(text, start, end)
    if found is None and _ADJUNCT_FIRST.match(text, start, end):
        found = _DENIED_BEHIND.search(text, start, end)
        before = max(start, text.rfind(",", start, found.start()) + 1) if found else start
        if found and before > start and _MAIN_CLAUSE.match(text, before, found.start()):
            return None
    return found.span("cue") if found else None


def asks(text: str) -> bool:
    """Whether a sentence asks by itself to do something or not to do it: "Review the log", "Never copy the key"."""
    return find_imperative(text, 0, len(text)) is not None or find_denied(text, 0, len(text)) is not None


_INSIDE = (
    "if|when|where|once|before|after|as|although|though|until|unless|whenever|that|which|who|whom|whose|whether|because|since"
    "|while|what|how|than"
)
_MAIN_CLAUSE = deferred(
    rf"(?:(?!\b(?:{_INSIDE})\b)[^,;])*?\b(?:is|are|was|were|shall|must|will|may|should|can|cannot|could|would)\b",
    re.IGNORECASE,
)


_CHAIN = deferred(r"(?:,\s+[a-z]+(?:-[a-z]+)?)+,?\s+(?:and|or|and/or)\s+[a-z]+(?:-[a-z]+)?")
_JOINTS = ("and", "or")
# What only draws attention: "Note that", "Please remember that", "See section 5".
_ATTENTION = deferred(
    r"(?:(?:note|remember|recall|consider|assume|suppose|observe)(?:,|\s+also|\s+however|,\s+however,)?\s+(?:that|the\s+following)|note(?=:|\s+[A-Z])|see|compare|refer(?=\s+to\b))\b(?!(?<!refer)\s+to\b)",
    re.IGNORECASE,
)
_NOTED = deferred(r"[\W\d]*(?:please\s+)?note\s*:\s+", re.IGNORECASE)
_PLURAL_THEN = deferred(r"(?<!\bto\s)\b[a-z]{2,}s\s+(?P<verb>[a-z]+)\s+(?=[a-z])")


# "Host grants Customer a licence": the first word is the subject of a verb in the third person with an object of its own.
_THIRD_THEN = deferred(r"\s+(?P<verb>[a-z]{2,}s)\s+(?:(?:to\s+)?(?:the|an?|its|all|any)\s|to\s+[A-Z]|[A-Z])")


def _other_verb(text: str, lo: int, hi: int) -> bool:
    """Whether a noun in the plural with a verb behind it follows without a determiner, so that the first word is a noun as well."""
    if _SURE_OBJECT.match(text, lo, hi):
        return False
    third = _THIRD_THEN.match(text, lo, hi)
    if third and any(is_plain_verb(third["verb"][:-cut]) and third["verb"][:-cut] not in _NOUNS for cut in (1, 2)):
        return True
    found = _PLURAL_THEN.search(text, lo, hi)
    return found is not None and is_plain_verb(found["verb"])


def _imperative_at(text: str, start: int, end: int) -> tuple[int, int] | None:
    first = _FIRST.match(text, start, end)
    word = _WORD.match(text, first.end() if first else start, end)
    if word is None or word[0].lower() not in _PLAIN:
        return None
    if _MEANS.match(text, word.end(), end):
        return None  # "distribute includes sell": a word that is explained
    chain = _CHAIN.match(text, word.end(), end)
    joined = chain is not None and all(is_plain_verb(each) for each in _WORD.findall(chain[0]) if each not in _JOINTS)
    behind = chain.end() if chain is not None and joined else word.end()
    if text[behind : behind + 1] not in (" ", "\n", "\t") or _ATTENTION.match(text, word.start(), end):
        return None
    stop = _CLAUSE_END.search(text, behind, end)
    limit = stop.start() if stop else end
    if word[0].lower() not in _NOUNS or _SURE_OBJECT.match(text, word.end(), end):
        # "Lock the store before the keys are handed over": no noun stands there of which "are" could be said
        event = _EVENT.search(text, behind, limit)
        limit = event.start() if event else limit
    denied = AND_DO_NOT.search(text, behind, limit)
    limit = denied.start() if denied else limit
    asked = first is not None and "please" in first[0].lower()
    if _OF.match(text, word.end(), end) and word[0].lower() not in ("dispose", "think", "beware"):
        return None  # "Conduct of financial operations"
    if word[0][0].isupper() and _NUMBERED_PAPER.match(text, word.start(), end):
        return None  # "Exhibit 10.3 Execution Version"
    if word[0][0].isupper() and _LABEL.match(text, word.end(), end):
        return None  # "Exhibit C sets forth"
    sees_to = _SEE_TO.match(text, word.start(), end) is not None
    if word[0].lower() in _NOUNS and not joined and not asked and not sees_to:
        if _other_verb(text, word.end(), limit):
            return None  # "Access control policies control access"
        object_ = _OBJECT.match(text, word.end(), end)
        if object_ is None or has_finite_verb(text, word.end(), limit):
            return None
        if _SURE_OBJECT.match(text, word.end(), end) is None and _STATED.match(text, word.end(), end):
            return None  # "Control deficiencies identified as a result of an audit are documented"
        if _SURE_OBJECT.match(text, word.end(), end) is None and len(text[start:end].split()) < (
            5 if text[end - 1] in ".:;" else 7
        ):
            return None  # "Source code repositories"
    if not sees_to and _is_subject(text, word.end(), limit):
        return None
    if word[0].lower() in _WHO and (then := _WORD.match(text, word.end() + 1, end)) and then[0] in _PLAIN:
        return None  # "Staff wash their hands"
    if word[0][0].isupper() and _TITLE.match(text, word.start(), end):
        return None  # "Conduct Initial Impact Assessment: In this step"
    return word.span()


# "Ensure the form is signed", "Make sure you are logged in": a clause that no "that" begins.
_SEE_TO = deferred(
    r"(?:ensure|verify|confirm|make\s+(?:sure|certain)|be\s+(?:sure|certain))\s+(?!that\b)(?=\w)|check\s+(?:[\w’'-]+\s+){1,8}?to\s+(?:ensure|verify|confirm|make\s+sure|see)\b",
    re.IGNORECASE,
)
_NUMBERED_PAPER = deferred(
    r"(?:Exhibit|Schedule|Form|Figure|Table|Note|Part|Page|Process|Control|Question)\s+(?:[A-Z]?\d|[A-Z]\b|[IVX]+\b)"
)
# Words with capitals up to the end, or to the colon behind which what they head is told.
_TITLE = deferred(
    r"[A-Z][\w’'/-]*(?:[,]?\s+(?:(?:and|or|of|the|a|an|for|to|in|on|with|by|&)\s+){0,2}[A-Z][\w’'/-]*){2,9}\s*(?::\s|:?\s*\Z)"
)
_MEANS = deferred(r"\s+(?:[a-z]+\s+){0,3}?(?:includes|means|excludes|comprises)\b")
_OF = deferred(r"\s+of\b")
_LABEL = deferred(r"\s+(?:[A-Z]|[IVX]{1,4}|\d[\d.]*)(?:[-.]\d+)?\s+(?!and\b|or\b)[a-z]")
_STATED = deferred(
    r"(?:(?!\b(?:that|which|who|whose|whom|if|when|where|because|so|unless|until|while|what|how|whether|and)\b)[^.;:,])*?\s(?:is|are|was|were)\s"
)
_AUXILIARY = deferred(
    r"\b(?:is|are|was|were|has|have|had|shall|must|will|may|should|can|cannot|could|would|do|does|did)\b"
)


def _is_subject(text: str, lo: int, hi: int) -> bool:
    """Whether an auxiliary follows before the clause ends, so that the word is part of a subject."""
    return _AUXILIARY.search(text, lo, hi) is not None


def split_coordinated(text: str, lo: int, hi: int, *, choice: bool = False) -> list[tuple[int, int]]:
    """Part "file a report and pay the fee" where a second verb with its own object begins.

    Args:
        text: the text.
        lo: where the first verb begins.
        hi: one past the predicate.
        choice: whether verbs joined by "or" part as well, as those of what somebody may do.

    Returns:
        The predicates in order; one, where no second verb with an object is sure.
    """
    first = _WORD.match(text, lo, hi)
    if first is None:
        return [(lo, hi)]
    cuts: list[tuple[int, int]] = []
    is_passive = first[0].lower() == "be"
    begin = lo
    for match in (_AND_OR if choice else _AND).finditer(text, first.end(), hi):
        verb = match["verb"]
        if not _is_second(match) or text.count("(", lo, match.start()) != text.count(")", lo, match.start()):
            continue
        with_to = _AND_TO.search(match[0]) is not None
        own = text[begin : match.start()].split()
        if len(own) < 2 + (not own[-1].endswith("s")) or all(
            is_plain_verb(each.strip(",")) or each in _JOINTS for each in own
        ):
            continue  # "define, create and maintain": one act
        if own[0].endswith(",") or (is_plain_verb(own[-1]) and not _is_noun(own)):
            continue  # "sell, offer for sale, market or promote the product": one object behind them all
        if own[-1][:1].isupper() and is_plain_verb(own[-1]) and not _DETERMINER.fullmatch(own[-2].lower()):
            continue  # "the following duties: Build and maintain"
        if _ENDS_OPEN.search(text, begin, match.start()):
            continue
        paired = _PAIRED.match(text, match.end("verb"), hi)
        paired = paired if paired and is_plain_verb(paired["verb"]) else None
        may_be_noun = verb in _NOUNS and not paired and not with_to and verb not in _HARDLY_NOUNS
        if may_be_noun and _HANGS.match(match["next"]):
            continue  # "post a notice and link on the page"
        if may_be_noun and not (_DETERMINER.match(match["next"]) or _MODIFIER.fullmatch(match["next"])):
            continue
        if match["next"] in ("of", "or", "and", "by") and not paired and not with_to:
            continue
        apart = with_to and text[match.start()] == "," and text.endswith(("to", "to "), 0, lo)
        if _NOT_COORDINATED.search(text, begin, match.start()) and not (
            apart and _TO_SOME_ACT.search(text, begin, match.start()) is None
        ):
            continue  # but "agree to ensure that it is right, and to tell us"
        if _BARE_COMMA.fullmatch(match[0]) and _CONDITION.search(text, begin, match.start()):
            continue  # "must tell us if it undertakes to settle, defend or pay a claim"
        if choice and own[0] in ("include", "be", "have"):
            continue  # "may include clergy or lay persons"
        if choice and (
            any(each.search(text, begin, match.start()) for each in (_CONDITION, _TO_SOME_ACT))
            or _OR_TO.search(match[0])
        ):
            continue  # "if you write or call us", "share it with consent or to complete an order"
        if is_passive and _JOINED.search(match[0]) is None:
            continue  # "must be secured using a password, pin, unlock pattern"
        if text[match.start()] != "," and any(is_plain_verb(to[1]) for to in _TO.finditer(text, begin, match.start())):
            continue  # "to enable it to review and report"
        timed = _TIMED_BEFORE.search(text, begin, match.start())
        cuts.append((timed.start(), timed.end()) if timed else (match.start(), match.end()))
        begin = match.end()
    if choice and cuts and _is_series(text, first.end(), cuts[-1]):
        return [(lo, hi)]
    cuts = cuts or (_passive_cuts(text, lo, hi) if is_passive else [])
    edges = [lo, *(b for _, b in cuts)]
    ends = [*(a for a, _ in cuts), hi]
    return list(zip(edges, ends, strict=True))


def _is_second(match: re.Match[str]) -> bool:
    """Whether a word behind a joint is known as a verb, or has itself as its object: "and recuse themselves"."""
    return bool(match["verb"] in _PLAIN or (match["next"] in _REFLEXIVE and not match["verb"].endswith(("ing", "ed"))))


def split_doing(text: str, lo: int, hi: int) -> list[tuple[int, int]]:
    """Part "keeping the accounts and reporting to the board", what somebody is responsible for, where a second act begins.

    Args:
        text: the text.
        lo: where the first act begins.
        hi: one past the last.
    """
    first = _DOING_FIRST.match(text, lo, hi)
    if first is None or not _is_doing(first["verb"].lower()):
        return [(lo, hi)]
    cuts: list[re.Match[str]] = []
    for match in _AND_DOING.finditer(text, first.end(), hi):
        own = text[cuts[-1].end() if cuts else first.start("verb") : match.start()]
        whole = len(own.split()) > 1 and not own.split()[-1].endswith("ing") and not own.split()[0].endswith(",")
        if whole and _is_doing(match["verb"]) and not _NOT_COORDINATED.search(own) and own.count("(") == own.count(")"):
            cuts.append(match)
    edges = [lo, *(cut.end() for cut in cuts)]
    return list(zip(edges, [*(cut.start() for cut in cuts), hi], strict=True))


def _is_doing(word: str) -> bool:
    """Whether a word is the gerund of a verb: "keeping", "chairing", "planning"."""
    stem = word.removesuffix("ing")
    doubled = stem[:-1] if stem[-2:-1] == stem[-1:] else stem
    return word.endswith("ing") and any(each in _PLAIN for each in (stem, stem + "e", doubled))


_DOING_FIRST = deferred(r"\s*(?:\w+ly\s+)?(?P<verb>[A-Za-z]+ing)\b")
_AND_DOING = deferred(
    r",?\s+and\s+(?:for\s+|then\s+|also\s+)?(?:\w+ly\s+)?(?=(?P<verb>[a-z]{2,}ing)\s+(?!(?:and|or|of)\b)\w)"
)

# "keep a log and, not later than 60 days after the end of the year, file the report": the time of the second act.
_TIMED_BEFORE = deferred(
    r"\s+and,\s+(?=(?:within|(?:no|not)\s+later\s+than|at\s+the\s+latest|by\s+the|before|after|at\s+least|promptly|immediately)\b[^,;]{0,160}\Z)"
)


def _is_noun(own: list[str]) -> bool:
    """Whether the last word of an act that could be a verb is a noun: "pay the fee and", "terminate this Lease and"."""
    return own[-1] in _NOUNS or (own[-1].lower() in _NOUNS and _DETERMINER.fullmatch(own[1].lower()) is not None)


def _is_series(text: str, lo: int, last: tuple[int, int]) -> bool:
    """Whether the last of several acts is a choice among three or more: "may remove it, hide it from others, or set limits"."""
    if not _OR_LAST.match(text[slice(*last)]):
        return False
    return any(is_plain_verb(each["verb"]) for each in _NEXT_ACT.finditer(text, lo, last[0]))


_OR_LAST = deferred(r",\s+or\s")
_NEXT_ACT = deferred(r",\s+(?P<verb>[a-z]+)\s+(?:the|an?|all|any|it|them|its|their|your|our|such|this|that)\b")


def _passive_cuts(text: str, lo: int, hi: int) -> list[tuple[int, int]]:
    """Where a second participle with words of its own begins, as the first has: "be kept in a file and sent to the board"."""
    for match in _AND_DONE.finditer(text, lo, hi):
        own = text[lo : match.start()].split()
        if len(own) < _FEWEST_OF_PASSIVE - (own[1:3] == ["in", "writing"]) or text.count(
            "(", lo, match.start()
        ) != text.count(")", lo, match.start()):
            continue
        if _NOT_COORDINATED.search(text, lo, match.start()) or _CONDITION.search(text, lo, match.start()):
            continue
        if _IS_DONE.search(" ".join(own[2:])) or _ENDS_OPEN.search(text, lo, match.start()):
            continue  # "be sent to the persons named and listed in it"
        return [match.span()]
    return []


_FEWEST_OF_PASSIVE = 4
_DONE = rf"(?:[a-z]{{3,}}(?:ed|en|wn)|{read_table('verbs').pattern('irregular_participles')})"
_IS_DONE = deferred(rf"\b(?:[a-z]{{3,}}(?:ed|wn)|{read_table('verbs').pattern('irregular_participles')})\b")
_AND_DONE = deferred(
    rf",?\s+and\s+(?:then\s+|thereafter\s+)?(?!(?:deemed|construed|considered)\b)(?={_DONE}\s+(?:by|to|at|in|on|within|with|for|from|before|after|as|promptly|available)\s+\w)"
)
# "work in our yard, accept and follow our rules": the second verb has its object behind the third.
_PAIRED = deferred(
    r"\s+(?:and|or)\s+(?P<verb>[a-z]+)\s+(?:the|an?|all|any|each|every|its|their|your|our|such|this|these|those)\b"
)
_ENDS_OPEN = deferred(r"\b(?:the|an?|of|to|for|in|on|with|by|and|or|its|their|any|all)\s*\Z")
# Inside such a clause the second verb may belong to the clause: "to enable it to review and ...", "that review".
_NOT_COORDINATED = deferred(r"\b(?:that|which|who|whether|how|ensure|enable|allow|require|in\s+order|so\s+as)\b")
_MODIFIER = deferred(r"(?:un|non)[a-z]+(?:ed|ive|al|able)|[a-z]+(?:ious|ible|able)")
_TO_SOME_ACT = deferred(
    r"\bto\s+(?!(?:the|an?|any|all|each|its|their|our|your|such|this|that|these|those|it|them|us|you)\b)[a-z]+\s"
)
_OR_TO = deferred(r"\bor\s+to\s*\Z")
_AND_TO = deferred(r"\band\s+to\s*\Z")
_REFLEXIVE = frozenset(("itself", "himself", "herself", "themselves", "yourself", "yourselves", "ourselves"))
_HARDLY_NOUNS = ("take", "make", "give")  # behind "and" they are verbs: "and take possession"
_BARE_COMMA = deferred(r",\s+")
_CONDITION = deferred(r"\b(?:if|when|where|unless|until|whenever|provided|in\s+the\s+event)\b")
_HANGS = deferred(r"(?:on|in|for|with|to|no)\b")
_JOINED = deferred(r"\b(?:and|then)\b")
_TO = deferred(r"\bto\s+([a-z]+)")
