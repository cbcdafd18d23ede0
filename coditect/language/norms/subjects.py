"""Whom a modal expression binds: the subject of its clause, read leftwards from the cue."""

from __future__ import annotations

import re

from coditect.language.finite_verbs import has_finite_verb
from coditect.language.norms.before.joined import behind_comma_and, joined_clause, reduced_relative
from coditect.language.norms.before.later_subjects import is_aside, subject_in_segments
from coditect.language.norms.before.phrases import is_adjunct, is_bare_phrase, last_agent, last_noun, negative_noun
from coditect.language.norms.before.segments import (
    ADJUNCT_FIRST,
    NAMED_LAST,
    RELATIVE_FIRST,
    THAT_AGENT,
    Subject,
    begins_subject,
    behind_links,
    head_before,
    is_blank,
    last_name,
    skip_space,
    split_segments,
)
from coditect.language.norms.before.subordinates import (
    find_content_clause,
    find_open_subordinate,
    follows_noun,
    is_purpose,
    last_match,
)
from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.patterns.beginnings import quick
from coditect.language.tables import read_table

__all__ = ["Subject", "find_subject"]


_I = re.IGNORECASE
_CLAUSES, _VERBS, _PHRASES = (read_table(name) for name in ("clauses", "verbs", "noun_phrases"))

# What ends a clause for certain: a semicolon, a colon, a dash, an empty line, a marker of a list, a full stop, a proviso.
_SIGN = r";|:(?=\s)|\s[–—]\s|--|\s-\s(?=(?:if|when|where|unless|you|we|they|it|this|please)\s)|\n\s*\n"
_MARKER = (
    r"(?:(?<=[:;,]\s)|^|(?<=\sand\s)|(?<=\sor\s)|(?<=[a-z]\s))\((?:[a-z]|(?P<letter>[a-z])(?P=letter)|[ivx]{1,4}|[A-Z]|(?<=[:;,]\s\()\d{1,2})\)(?=\s)"
    rf"(?!\s+(?:{_CLAUSES.pattern('behind_cited_markers')}|,)\b)"
)
_FULL_STOP = r"(?<=[a-z\d)]{2}[.!?])\s+(?=[A-Z])"
_PROVISO = (
    r"(?<!\bas\s)(?<!\b(?:be|is)\s)(?<!\b(?:are|was|not)\s)(?<!\b(?:been|were)\s)\bprovided(?!\s+(?:in|by|for|under|to|with|herein|hereunder|below|above|is|are|has|shall|must|will|may)\b)"
    r"(?:,?\s*(?:however|further|always))*,?\s*(?:that)?,?|\bexcept\s+that\b|\bit\s+being\s+understood\s+that\b"
)
_HARD = quick(f"{_SIGN}|{_MARKER}|{_FULL_STOP}|{_PROVISO}")
_HARD_AHEAD = re.compile(r"[;:–—(.!?\n\-peb](?:(?<![peb])|(?<=p)rovided|(?<=e)xcept|(?<=b)eing)")
"""What each of them has: most clauses have none of it, and it is found without trying all of them everywhere."""

# "Opening hours The office shall": a title without a stop in front of its sentence.
_TITLE_RUN_IN = re.compile(
    r"\s(?<=[a-z)]\s)(?<!\bof\s)(?<!\bin\s)(?<!\bby\s)(?<!\bfor\s)(?<!\band\s)(?<!\bor\s)(?<!\bto\s)(?<!\bfrom\s)(?<!\bwith\s)(?<!\bat\s)(?<!\bon\s)(?<!\bthat\s)(?<!\b[Aa]n\s)(?<!\b[Tt]he\s)(?<!\b[Aa]\s)(?<!\b[Aa]ny\s)(?<!\b[Aa]ll\s)"
    r"\s*(?P<np>(?:The|Each|All|Any|Every|Either|Neither|No|An|This|These|Such)\s+(?=[a-zA-Z]))"
)
_MOST_OF_TITLE = 90
_RUN_IN = re.compile(r"(?<=[a-z)])\s+(?P<np>We|You|They)(?:\s+\w+ly|\s+also)?\Z")
_RUN_IN_ENDS = ("We", "You", "They", "ly", "also")
_ABSOLUTE = re.compile(r"[^,;]{4,160}\bnotwithstanding,\s+", _I)
_ADVERB_LAST = re.compile(
    r"\s+(?:also|then|therefore|hereby|further|generally|normally|usually|typically|only|still|always|jointly|promptly|immediately)\Z"
)
_QUESTION_FIRST = re.compile(r"[\s\W\d]*(?:What|How|Why)\s+(?!ever\b)(?!if\b|about\b)\w")
_GOES_BEFORE = re.compile(r"[;,]\s*(?:(?:and|or|but)\s+)?(?:\(\w{1,4}\)\s*)?\Z")
_RELATIVE = quick(rf"\b({_CLAUSES.pattern('relative_and_comparative')})\b\s*(?:\w+ly\s+)?,?\s*$", _I)
_CONDITION_FIRST = re.compile(r"\s*(?:if|when|where|whenever|unless|because|since|although|while)\b", _I)
_AFTER_DOING = re.compile(r"\W*(?:after|before|upon|on|once|when|by)\s+[a-z]+ing\b", _I)
_RELATIVE_SUBJECTS = ("which", "that", "who")
_CONJOINED = re.compile(
    rf"(?:^|[\s,])(?:and|or|but|nor|and/or)(?:\s+(?:{_CLAUSES.pattern('behind_coordinators')}|\w+ly))*[\s,]*$", _I
)
# "shall ask and, except as provided in rule 3(c), shall tell": a limit of its own stands before the second act.
_CONJOINED_ASIDE = re.compile(r"(?:^|[\s,])(?:and|or|but),\s+(?P<aside>[^,;:]{6,200}),\s*\Z")
_INDIRECT = re.compile(rf"\b(?:{_CLAUSES.pattern('interrogatives')})\b", _I)
_THAT_FIRST = re.compile(r"\s*that\s+")
_CLAUSE_AND_PRONOUN = re.compile(
    r"(?:\s[\w)]+){2},?\s(?:and|but|so)\s+(?P<np>we|they|it|you|he|she|I)(?:\s+therefore|\s+also)?\Z"
)
_PRONOUNS = ("we", "they", "it", "you", "he", "she")
_PRONOUN_ENDS = (*_PRONOUNS, "I", "therefore", "also")
"""How a text ends in which such a pronoun is the last word: a look at the end is cheaper than a search."""
_LINK = re.compile(r"(?:then|so|also|and|therefore),?\s+")
_AS_REASON = re.compile(
    r"(?<!\bsuch)(?<!\bfar)(?<!\blong)(?<!\bsoon)(?<!\bmuch)\s(?:as|since)\s+(?:they|it|we|you|he|she|this|these|there)\s*\Z"
)
_AS_REASON_ENDS = ("they", "it", "we", "you", "he", "she", "this", "these", "there")
_HAS_OR_WILL = re.compile(r"\b(?:has|have)\s+(?:not\s+|been\s+)?[a-z]+(?:ed|en|wn|de|t)\s+(?:and/or|and|or)\s*\Z")
# "a receipt, which receipt shall", "at which time any security given shall": clauses of their own.
_WHICH_NOUN = re.compile(
    r",\s+(?:which\s+(?P<np>(?!(?:shall|may|must|will|is|are|was|were|has|have|in|by|the|it|they|we|you)\b)[a-z]+(?:\s+(?!(?:is|are|has|have|was|were)\b)[a-z]+)?)"
    r"|(?:at|in|during|upon)\s+which\s+(?:time|case|event|period|point)\s+(?P<np2>(?:the|any|all|such|each|no)\s[^,;.:]{2,80}?))\s*\Z"
)
_SUCH_PRONOUN = re.compile(r"\bsuch\s+(?:\w+\s+){0,2}\w+s\s+(?:it|they|he|she|we|you)\s*\Z")
_VERB_THEN_NOUN = re.compile(
    r"\s*(?P<verb>[a-z]+)\s+(?=(?:the|an?|its|their|one|two|three|any|all|each|such|another)\s)"
)
_NEITHER = re.compile(r",\s+(?=neither\s)", _I)
# "such powers as the board may give", "whatever the cause may be"
_AS_MUCH = re.compile(
    r"\bsuch\b(?!\s+as\b)[^,;]*\bas\s+(?:the|an?|any|it|they|we|you|he|she|he\s+or\s+she|[A-Z][\w'’-]*)(?:\s+[\w'’-]+){0,5}\s*\Z"
)
_WHATEVER = re.compile(r"(?<=[\w),]\s)(?:whatever|whichever|whoever|whomever)\b[^,;]*\Z")
_CLOSED_CONTENT = re.compile(r"(?:they|it|he|she|we|you)\s+(?:are|is|was|were|have|has|had|do|does)\b[^,;:]*")
_WHO_FIRST = re.compile(r"\s(?:who|whose|which)\s")
_TITLE_FIRST = re.compile(
    r"[\W\d]*(?:[A-Z][A-Z&/’'-]*[,.:;]?\s+){2,12}(?=(?:The|Each|Any|All|No|Every|Neither|Either|Both|If|When|Upon|During|Subject|You|We|This)\s+[a-zA-Z][a-z])"
)
_NOMINATIVE = re.compile(
    r"(?<!\band)(?<!\bor)(?<!\bthat)(?<!\bas)(?<!\bthan)\s(?P<np>they|we|he|she|he\s+or\s+she|you|I|it)\s*\Z"
)
_WANTS = re.compile(r"(?:want|need|wish|plan|intend|believe|think|know|like)s?")  # verbs that no imperative begins with
_PARTICIPIAL = re.compile(r"(?:represented|acting|each|both|either)\b", _I)
_INSIDE_OF_ACT = re.compile(r"(?:in|when|while|before|after|by|upon|without)\s+[a-z]+ing\b")
_WHILE_DOING = re.compile(r"\s+(?:when|while|before|after|upon)\s+[a-z]+ing\b")
_GOES_ON = re.compile(r"(?:of|or|and|to|including)\b", _I)
# "Other suppliers: must be assessed": the label of an item is what its words of force are said of.
_LABEL = re.compile(r"[\W\d]*(?P<np>[A-Z][\w’'/&-]*(?:\s+[\w’'/&()-]+){0,5}?)[*_]*:[*_\s]*\Z")
_NO_LABEL = re.compile(
    r"(?:notes?|nb|important|caution|warning|example|exceptions?|conditions?|requirements?|rules?|\w+ing)", _I
)
_MOST_OF_LABEL = 80
# "except at night, when it must": a clause of its own, of the case that was left out.
_IN_THAT_CASE = re.compile(
    r"\b(?:except|save|unless|other\s+than)\b[^,;]*,\s+(?=when(?:ever)?\s+(?P<np>(?:it|they|he|she|we|you)|(?:the|an?|each|any|such)\s+(?:[\w’'-]+\s+){0,4}[\w’'-]+)\s*\Z)",
    _I,
)
_CASE_OF = re.compile(r"(?:in|of|to|for|with)\s+(?:the\s+)?case\s+of\b")


def find_subject(text: str, lo: int, cue: int, *, first: bool) -> Subject:
    """The subject of the clause whose modal expression begins at ``cue``.

    Args:
        text: the canonical text.
        lo: where the sentence begins, or where the cue before this one ends.
        cue: where the cue begins; at most a few thousand beyond ``lo``.
        first: whether ``lo`` is the start of the sentence.

    Returns:
        The subject and what part it plays.
    """
    hard = last_match(_HARD, text, lo, cue) if _HARD_AHEAD.search(text, max(0, lo - 1), cue) else None
    clause = hard.end() if hard else lo
    begins = first or hard is not None
    left = text[clause:cue]
    that = None if begins else _THAT_FIRST.match(left)
    if that:
        return _opening(text, clause + that.end(), cue)
    if "ever" in left and _WHATEVER.search(left):
        return Subject(cue, cue, clause, "subordinate")
    case = None if first or "when" not in left else _IN_THAT_CASE.search(left)
    if case:
        return Subject(clause + case.start("np"), clause + case.end("np"), clause + case.end(), "main")
    noun = _WHICH_NOUN.search(left)
    if noun:
        name = "np" if noun["np"] else "np2"
        at = clause + noun.start(name)
        return Subject(at, clause + noun.end(name), clause + noun.start() + 1, "main")
    if left.rstrip().endswith(_AS_REASON_ENDS) and _AS_REASON.search(left):
        return Subject(cue, cue, clause, "subordinate")  # "is not recommended as they may be lost"
    relative = _RELATIVE.search(left)
    if relative and relative[1].lower() != "it":
        word, behind_noun = relative[1].lower(), relative.start() > 2
        if word in _RELATIVE_SUBJECTS and behind_noun:
            end = clause + len(left[: relative.start()].rstrip(" ,"))
            start = head_before(text, clause, end)
            governing = None if first else _VERB_THEN_NOUN.match(text, start, end)
            if governing and is_plain_verb(governing["verb"]):
                start = governing.end()  # "shall appoint a warden, who shall keep the keys"
            return Subject(start, end, clause if first else start, "relative")
        if behind_noun or word != "that":
            return Subject(cue, cue, clause, "subordinate")
    if begins:
        return _begun(text, lo, clause, cue, is_behind=hard is not None, first=first)
    conjoined = _CONJOINED.search(left)
    aside = None if conjoined else _CONJOINED_ASIDE.search(left)
    if aside is not None and is_adjunct(text, clause + aside.start("aside"), clause + aside.end("aside")):
        conjoined = aside
    if conjoined or not left.strip(" ,"):
        at = clause + (conjoined.start() if conjoined else 0)
        return Subject(at, at, at, "inherited")
    if left.rstrip().endswith(_PRONOUNS) and _SUCH_PRONOUN.search(left):
        return Subject(cue, cue, clause, "subordinate")  # "impose such conditions it may deem necessary"
    own = left.rstrip()
    pronoun = _CLAUSE_AND_PRONOUN.search(own) if own.endswith(_PRONOUN_ENDS) else None
    if pronoun:
        at = clause + pronoun.start("np")
        return Subject(at, at + len(pronoun["np"]), at, "main")  # "must have an end and it must be reviewed"
    if _INDIRECT.search(left):
        return Subject(cue, cue, clause, "subordinate")  # "to determine what, if any, changes shall be made"
    return subject_in_segments(text, clause, cue)


def _begun(text: str, lo: int, clause: int, cue: int, *, is_behind: bool, first: bool) -> Subject:
    """The subject of a clause that begins a sentence, or stands behind a border inside of one."""
    found = _opening(text, clause, cue)
    if (
        is_behind
        and not first
        and found.role == "main"
        and found.start >= found.end
        and _GOES_BEFORE.search(text, lo, clause)
    ):
        # "must return the key; must not copy it; and, if asked, may keep it"
        return Subject(clause, clause, clause, "inherited")
    return _labelled(text, lo, clause, found) if first and is_behind else found


def _labelled(text: str, lo: int, clause: int, found: Subject) -> Subject:
    """A subject that is left out behind the label of its item: "Other suppliers: must be assessed every two years"."""
    if (
        found.role != "main"
        or found.start < found.end
        or clause - lo > _MOST_OF_LABEL
        or text.count(":", lo, clause) != 1
    ):
        return found
    label = _LABEL.match(text[lo:clause])
    if label is None or _NO_LABEL.fullmatch(label["np"]) or has_finite_verb(text, lo, clause):
        return found
    start = lo + label.start("np")
    return Subject(start, lo + label.end("np"), start, "main")


def _opening(text: str, lo: int, cue: int) -> Subject:
    """The subject of the first modal expression of a sentence or of what stands behind a semicolon.

    All that stands between the adjuncts in front and the cue is the subject, with its relative clauses, unless a subordinate clause
    is still without its verb: then the cue is that verb.
    """
    absolute = _ABSOLUTE.match(text, lo, cue)
    if absolute:
        lo = absolute.end()  # "Anything herein to the contrary notwithstanding, the bank shall"
    title = _TITLE_FIRST.match(text, lo, cue)
    lo = title.end() if title else lo  # "12. TRANSFER OF RIGHTS The seller agrees to"
    title = _TITLE_RUN_IN.search(text, lo, min(cue, lo + _MOST_OF_TITLE))
    if title and _is_title(text, lo, title.start("np")):
        lo = title.start("np")
    if text.find("such", lo, cue) >= 0 and _AS_MUCH.search(text, lo, cue):
        return Subject(cue, cue, lo, "subordinate")
    if _QUESTION_FIRST.match(text, lo, cue):
        return Subject(cue, cue, lo, "subordinate")  # "What we will do with your data": a title
    start = _behind_adjuncts(text, behind_links(text, lo, cue), cue)
    hi = cue
    while hi > start and text[hi - 1] in " ,\t\n":
        hi -= 1
    adverb = _ADVERB_LAST.search(text, start, hi)
    hi = adverb.start() if adverb and text[start : adverb.start()].strip() else hi  # "We also may"
    if _HAS_OR_WILL.search(text, start, cue):
        return Subject(cue, cue, lo, "subordinate")  # "has filed or will file": how things are
    if _CONJOINED.search(text, start, cue) and has_finite_verb(text, start, hi):
        if _CONDITION_FIRST.match(text, start, hi):
            return Subject(cue, cue, lo, "subordinate")  # "Where the bank has made it public and is obliged to"
        return Subject(hi, hi, hi, "inherited")  # "The forms are for the agents and need not be sent"
    pronoun = _CLAUSE_AND_PRONOUN.search(text, start, hi) if text.endswith(_PRONOUN_ENDS, start, hi) else None
    if pronoun:
        return Subject(pronoun.start("np"), hi, pronoun.start("np"), "main")  # "Our views change, and we shall"
    comma = behind_comma_and(text, start, hi)
    if comma is not None:
        return _opening(text, comma, cue)  # "The fee is due each month, and a bank that lends may"
    joined = joined_clause(text, start, hi)
    if joined is not None:
        return Subject(joined, hi, joined, "main")
    reduced = reduced_relative(text, start, hi)
    if reduced is not None:
        return Subject(reduced, hi, reduced, "main") if reduced < hi else Subject(cue, cue, lo, "subordinate")
    run_in = _RUN_IN.search(text, start, hi) if text.endswith(_RUN_IN_ENDS, start, hi) else None
    if run_in:
        return Subject(
            run_in.start("np"), hi, run_in.start("np"), "main"
        )  # "Sharing of Data We may share": a title in front
    neither = _NEITHER.search(text, start, hi)
    if neither:
        return Subject(neither.end(), hi, lo, "main")  # "Throughout the term, neither party shall"
    negative = negative_noun(text, start, hi)
    if negative is not None:
        return Subject(negative, hi, lo, "main")
    last = _last_segment_subject(text, start, hi)
    if last is not None:
        return Subject(last, hi, lo, "main")
    content = find_content_clause(text, start, hi)
    if content is not None:
        return _at_content(text, (lo, start, hi, cue), content)
    subordinate = find_open_subordinate(text, start, hi)
    if subordinate is not None:
        return _at_subordinate(text, (lo, start, hi, cue), *subordinate)
    if is_adjunct(text, start, hi):
        name = last_name(text, start, hi)  # "Upon request Supplier shall": without a comma
        name = last_agent(text, start, hi) if name is None else name
        name = last_noun(text, start, hi) if name is None else name
        return Subject(cue, cue, lo, "main") if name is None else Subject(name, hi, lo, "main")
    return Subject(start, _without_asides(text, start, hi), lo, "main")


def _at_content(text: str, bounds: tuple[int, int, int, int], content: int) -> Subject:
    """The subject where a clause of content ("that …") stands in front of the cue: within it, or around it."""
    lo, start, hi, cue = bounds
    if _CLOSED_CONTENT.fullmatch(text, content, hi) and _WHO_FIRST.search(text, start, content):
        return Subject(start, hi, lo, "main")  # "Staff who were told that they are at risk will"
    is_condition = _in_condition(text, lo, content)
    if is_condition or _AFTER_DOING.match(text, lo, content):
        name = last_agent(text, content, hi)
        if name is not None and has_finite_verb(text, content, name):
            return Subject(name, hi, lo, "main")  # "If it is found that the form is false the clerk shall"
    if is_condition:
        return Subject(cue, cue, lo, "subordinate")  # "If the contract provides that each side shall"
    return _opening(text, content, cue)


def _at_subordinate(text: str, bounds: tuple[int, int, int, int], word: str, at: int) -> Subject:
    """The subject where a subordinate clause in front of the cue is still without its verb; ``at`` is one past its first word."""
    lo, start, hi, cue = bounds
    if word == "that" and is_purpose(text, start, at):
        return Subject(cue, cue, lo, "subordinate")
    named = THAT_AGENT.search(text, start, hi) if word == "that" else None
    if named is not None:
        return Subject(max(named.start("that"), named.start("this")), hi, lo, "main")
    if word == "that" and not follows_noun(text, start, at):
        return Subject(_behind_adjuncts(text, behind_links(text, at, hi), hi), hi, lo, "main")
    return _in_subordinate(text, (lo, hi, cue), word, at)


def _is_title(text: str, lo: int, hi: int) -> bool:
    """Whether a stretch is a title that runs into its sentence: a noun phrase without comma or verb."""
    at = behind_links(text, lo, hi)
    return "," not in text[lo:hi] and not has_finite_verb(text, lo, hi) and at < hi and not is_adjunct(text, at, hi)


def _in_condition(text: str, lo: int, content: int) -> bool:
    """Whether a content clause hangs on the verb of a condition in front, not on that of the main clause."""
    start, end = split_segments(text, lo, content)[-1]
    return _CONDITION_FIRST.match(text, behind_links(text, start, end), end) is not None


def _last_segment_subject(text: str, lo: int, hi: int) -> int | None:
    """Where the subject begins behind the last comma, when all before it is a clause: "provided that it rains, the bank"."""
    segments = split_segments(text, lo, hi)
    last = segments[-1]
    if len(segments) < 2 or is_blank(text, last):
        return None
    if not has_finite_verb(text, lo, last[0]) or has_finite_verb(text, *last):
        return None
    if not begins_subject(text, *last) or ADJUNCT_FIRST.match(text[slice(*last)].lstrip()):
        return None
    if any(RELATIVE_FIRST.match(text, *segment) for segment in segments[1:]):
        return None
    at = skip_space(text, *last)
    link = _LINK.match(text, at, last[1])
    return link.end() if link else at


def _in_subordinate(text: str, edges: tuple[int, int, int], word: str, at: int) -> Subject:
    """The subject where the cue seems to be the verb of a subordinate clause: a name behind a verb, or what a pronoun means."""
    lo, hi, cue = edges
    if word == "that":
        return Subject(cue, cue, lo, "subordinate")  # "an act that the bank is required to do"
    name = NAMED_LAST.search(text, at, hi)
    if name and has_finite_verb(text, at, name.start("np")):
        return Subject(name.start("np"), hi, lo, "main")
    pronoun = _NOMINATIVE.search(text, at, hi)
    if pronoun and word not in ("which", "who", "whom", "whose", "that") and _has_verb(text, at, pronoun.start()):
        return Subject(pronoun.start("np"), hi, lo, "main")  # "If the member wants to leave they may"
    if word in ("which", "who", "whom", "whose") and not text[at:hi].strip(" ,"):
        return Subject(head_before(text, lo, at), at, lo, "relative")
    return Subject(cue, cue, lo, "subordinate")


def _has_verb(text: str, lo: int, hi: int) -> bool:
    """Whether a stretch holds a noun phrase and a verb with words behind it: "the member wants to leave"."""
    words = text[lo:hi].split()
    return any(_WANTS.fullmatch(each) or is_plain_verb(each.removesuffix("s")) for each in words[1:-1])


def _behind_adjuncts(text: str, lo: int, hi: int) -> int:
    """Where the subject begins behind the phrases in front of it: behind the last comma that a noun phrase follows."""
    if not is_adjunct(text, lo, hi):
        return lo
    segments = split_segments(text, lo, hi)[1:]
    for start, end in reversed(segments):
        if (start, end) == segments[-1] and is_bare_phrase(text, start, end):
            return skip_space(text, start, end)  # "Where possible, data are to"
        if not begins_subject(text, start, end) or RELATIVE_FIRST.match(text, start, end):
            continue
        at = skip_space(text, behind_links(text, start, end), end)
        if not is_adjunct(text, at, end):
            return at
    return lo


def _without_asides(text: str, lo: int, hi: int) -> int:
    """Where a subject ends without the adjuncts between commas behind it: "Supplier, at its own expense, shall"."""
    segments = split_segments(text, lo, hi)
    closed = is_blank(text, segments[-1]) or text.startswith(",", hi)
    adjuncts = [is_blank(text, each) or is_aside(text[slice(*each)].lstrip()) for each in segments]
    doing = (
        _WHILE_DOING.search(text, lo, segments[0][1])
        if closed and len(segments) == 1 + is_blank(text, segments[-1])
        else None
    )
    if doing:
        return doing.start()  # "The board before granting a licence, shall"
    for index, each in enumerate(segments[1:], 1):
        words = text[slice(*each)].lstrip()
        if closed and _PARTICIPIAL.match(words):
            return segments[index - 1][1]
        if closed and index == 1 and _INSIDE_OF_ACT.match(words):
            return segments[0][1]  # "The Bureau, in providing any aid, benefit or service, shall"
        if is_aside(words) and not (_CASE_OF.match(words) or _GOES_ON.match(words)) and all(adjuncts[index + 1 :]):
            return segments[index - 1][1]
    return hi
