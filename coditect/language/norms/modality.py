"""The words that make a sentence normative: what they are called, how strong they are, and where they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from coditect.language.beginnings import quick
from coditect.language.norms.capitals import in_small_letters
from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.tables import read_table
from coditect.schemas.tier1.data import Strength

__all__ = ["LEAVE", "Cue", "NormKind", "find_cues"]

NormKind = Literal["obligation", "prohibition", "permission"]


@dataclass(frozen=True, slots=True)
class Cue:
    """A modal expression in a text.

    Attributes:
        start: first code point.
        end: one past the last; the action begins here.
        kind: what it makes of the sentence.
        modality: its normalised name ("shall", "must not", "is required to", ...).
        strength: how binding it is.
        confidence: of the cue by itself, 0..1.
    """

    start: int
    end: int
    kind: NormKind
    modality: str
    strength: Strength
    confidence: float


_MODALITY = read_table("modality")
_BE = f"(?:{read_table('verbs').pattern('be')})"
_SHALL = f"(?P<modal>{'|'.join(f'{modal}|{modal.upper()}' for modal in _MODALITY.words('modals'))})"
_OBLIGED, _PERMITTED = _MODALITY.pattern("obliged"), _MODALITY.pattern("permitted")
_FREE = _MODALITY.pattern("free")
_UNDERTAKES = _MODALITY.pattern("undertaking")
_IRREGULAR = read_table("verbs").pattern("irregular_participles")
_DUTY = (
    rf"(?:the|your|our|their|its|his|her|[A-Z]\w*['’]s)\s+(?:(?:{_MODALITY.pattern('kinds_of_duties')})\s+)?(?:{_MODALITY.pattern('duties')})"
    r"(?:\s+of\s+[^.;:,]{2,80}?)?\s+to(?=\s+[A-Za-z…])"
)

LEAVE = r"(?:the|any|its|their|such)\s+(?:\w+\s+)?(?:rights?|powers?|authority|discretion|ability|freedom|entitlement)"
"""What somebody may have to act: "the discretion", "any right"."""

# "it is important that", "it is best to": what follows is a clause without a finite verb, or an act.
_ADVISABLE = (
    rf"(?:{_MODALITY.pattern('advisable')})"
    r"(?:\s+that(?=\s+\w)|(?=\s(?:all|any|each|every|the|you)\s[^.;]{0,60}?\sbe\s)"
    rf"|\s+to(?=\s+(?!(?:{_MODALITY.pattern('minding')})\b)[a-z]))"
)

# One pass, longest reading first. Order matters: what frees from a duty stands before what imposes one.
_RULES: tuple[tuple[str, str, NormKind, str, Strength, float], ...] = (
    (
        "free",
        rf"(?:shall|will|may|does|do|has|have|shall\s+be|{_BE})(?:\s+be)?\s+(?:have\s+|under\s+)?"
        r"(?:no|not\s+(?:have|be\s+under)\s+any)\s+(?:further\s+|such\s+|other\s+)?(?:obligations?|dut(?:y|ies)|responsibilit(?:y|ies))"
        r"(?:\s+\w+ever)?(?=\s+(?:to|for|under|of|with|in)\b)(?:\s+to)?"
        r"|(?:(?:does|do|shall|will)\s+not|(?:does|do)n['’]t)\s+(?:have|owe)\s+(?:an?|any)\s+(?:\w+\s+)?(?:obligation|duty|responsibility)\s+to(?=\s)"
        r"|(?:assumes?|undertakes?|accepts?|bears?|takes?)\s+no\s+(?:\w+\s+)?(?:obligations?|dut(?:y|ies)|responsibilit(?:y|ies)|liabilit(?:y|ies))(?=\s+(?:to|for)\b)(?:\s+to)?"
        rf"|(?:(?:shall|will|{_BE}|do|does)\s+not|(?:is|are|do|does|was|were)n['’]t)\s+(?:(?:be|otherwise)\s+)?(?:{_OBLIGED}|need|have)\s+to"
        rf"|(?:(?:shall|will|must|should)\s+)?{_BE}\s+exempt(?:ed)?\s+from(?=\s)"
        r"|(?:(?:will|shall)\s+)?no\s+longer\s+(?:needs?|ha(?:s|ve)|be\s+required)\s+to|(?:is|are)\s+no\s+longer\s+(?:required|obliged)\s+to"
        r"|need\s+not|needn['’]t|(?:shall|will)\s+not\s+be\s+(?:\w+ly\s+)?responsible\s+(?:for|to)"
        rf"|(?:shall|will)\s+not\s+be\s+(?:{_OBLIGED})\s+to",
        "permission", "is not required to", "optional", 0.85,
    ),
    (
        "unliable",
        r"(?:shall|will|does|do|has|have)\s+(?:not\s+)?(?:have\s+)?(?:no|not\s+(?:have\s+)?any)\s+(?:further\s+|other\s+)?(?:liabilit(?:y|ies))(?:\s+whatsoever)?(?=\s+(?:to|for|under|of|with|in)\b)"
        r"|(?:shall|will)\s+(?:not\s+be\s+under\s+any|be\s+under\s+no)\s+liability(?=\s)"
        r"|(?:shall|will)\s+not\s+(?:be|have\s+been)\s+(?:held\s+)?(?:liable|responsible|accountable)(?=\s+(?:to|for|under|in)\b)|(?:is|are)\s+not\s+(?:liable|responsible|accountable)(?=\s+(?:to|for|under|in)\b)",
        "permission", "is not required to", "optional", 0.85,
    ),
    (
        "notapply",
        r"(?i:(?:do|does|shall|will|should)\s+(?:therefore\s+)?not\s+apply(?:\s+(?=to\b|in\b|where\b|if\b|when\b|with\b)))",
        "permission", "does not apply", "optional", 0.8,
    ),
    (
        "nothing",
        r"[Nn]othing\s+(?:contained\s+)?(?:in|herein)\b(?:(?!\b(?:shall|will|may|must|should|if|that|which)\b)[^.;:]){0,160}?\b"
        r"(?:(?:prevents?|precludes?|prohibits?|bars?|restricts?)\s+(?:[\w'’{}.-]+\s+){1,8}?from(?=\s+[a-z]+ing\b)"
        rf"|(?:limits?|affects?|impairs?|restricts?|prejudices?|diminish(?:es)?)\s+{LEAVE}\s+of\s+(?:[\w'’{{}}.-]+\s+){{1,8}}?to(?=\s+[a-z]))",
        "permission", "is not prevented from", "optional", 0.85,
    ),
    (
        "notneeded",
        r"(?:(?:shall|will)\s+not\s+be|(?:is|are)\s+not|(?:is|are)n['’]t)\s+(?:required|necessary|needed|mandatory)(?=\s*(?:[.,;)]|$|for\b|where\b|if\b|when\b|in\b|unless\b))",
        "permission", "is not required", "optional", 0.8,
    ),
    (
        "offence",
        r"(?:commits?|is\s+guilty\s+of)\s+(?:an?\s+)?(?:criminal\s+)?(?:offence|offense|contravention|Contravention|breach)\b",
        "prohibition", "commits an offence", "mandatory", 0.85,
    ),
    (
        "expected",
        rf"(?:(?:shall|will)\s+)?{_BE}(?:\s+(?:also|strongly|generally|therefore|further|otherwise))?\s+(?:expected|encouraged|advised|recommended|urged)\s+to|(?:ought)\s+to|(?:expects?|(?:{_MODALITY.pattern('asking')}))\s+(?=(?:(?:the|an?|any|all|each|every|its|their|our|such)\s|you\s|[A-Z{{]|[a-z]+s\s)(?:[\w'’{{}}-]+\s+){{0,7}}?to\s+[A-Za-z…])|(?:recommends?|advises?|suggests?)(?=\s+[a-z]{{2,}}ing\s)|(?:{_MODALITY.pattern('asking')})\s+that(?=\s+\w)",
        "obligation", "is expected to", "recommended", 0.8,
    ),
    (
        "discouraged",
        rf"{_BE}\s+(?:(?:also|strongly|\w+ly)\s+)?(?:not\s+(?:recommended|encouraged|advised|advisable)|discouraged)(?=\s*(?:[.,;)]|$|as\b|for\b|in\b|if\b|when\b|because\b|unless\b|at\b|by\b|and\b))",
        "prohibition", "is not recommended", "recommended", 0.75,
    ),
    (
        "encouraged",
        rf"{_BE}\s+(?:(?:also|strongly|\w+ly)\s+)?(?:recommended|encouraged|advised)(?=\s*(?:[.,;)]|$|when(?:ever)?\b|where(?:ver)?\b|if\b|in\b|for\b|at\b|on\b|unless\b|because\b))",
        "obligation", "is recommended", "recommended", 0.7,
    ),
    (
        "advisable",
        rf"(?<=\b[Ii]t\s)is\s+(?:also\s+|\w+ly\s+)?{_ADVISABLE}",
        "obligation", "is expected to", "recommended", 0.75,
    ),
    (
        "noright",
        r"(?:shall|will|does|do|has|have)\s+(?:(?:not\s+)?(?:have\s+)?no|not\s+have\s+any)\s+(?:\w+\s+)?(?:right|authority|power)s?\s+(?:or\s+\w+\s+)?(?:[^.;:(),]{0,60}?\s)?to(?=\s+[A-Za-z…])"
        r"|(?:shall|will)\s+not\s+(?:be\s+entitled|have\s+the\s+(?:right|authority|power))\s+to"
        rf"|(?:{_BE}\s+not|(?:is|are)n['’]t)\s+(?:{_PERMITTED}|entitled)\s+to",
        "prohibition", "is not permitted to", "mandatory", 0.9,
    ),
    (
        "right",
        r"(?:(?:shall|will|may)\s+)?(?:also\s+|each\s+)?(?:have|has|retains?|reserves?)(?:,\s[^,;.:]{2,100},)?\s+(?:the|an?|full|sole|exclusive)\s+"
        r"(?:(?!no\b)[\w-]+,?\s+){0,6}?(?:rights?|option|opportunity|authority|power|discretion|licen[sc]e)\b(?:[^.;:()]{0,60}?)\s+to(?=\s+[A-Za-z…])"
        r"|(?:(?:shall|will)\s+)?(?:also\s+)?(?:have|has)\s+(?:(?:full|sole|exclusive|general)\s+)?(?:power|authority|discretion|permission|liberty)s?"
        r"(?:\s+and\s+(?:authority|power|discretion))?\s+to(?=\s+[A-Za-z…])"
        r"|(?:(?:shall|will)\s+)?(?:have|has)\s+rights?\s+to(?=\s+(?!(?:the|an?|any|all|its|their|our|your|such|this|that)\b)[a-z])"
        r"|(?:shall|will)\s+have\s+(?:up\s+to\s+)?(?:an?\s+period\s+of\s+)?[\w-]+\s+(?:\(\d+\)\s+)?(?:\w+\s+){0,2}(?:days?|weeks?|months?|hours?)\b(?:[^.;:()]{0,60}?)(?:\s+in\s+which)?\s+to(?=\s+[a-z])",
        "permission", "has the right to", "optional", 0.88,
    ),
    (
        "grants",
        rf"(?<!\bnot\s)(?:(?:does\s+)?hereby\s+(?:\w+ly\s+)?grants?|grants)(?=\s(?!no\s)[^.;:]{{2,200}}?\b(?:{_MODALITY.pattern('granted')})\b)",
        "permission", "is permitted to", "optional", 0.8,
    ),
    (
        "entitled",
        rf"(?:(?:shall|will|may|must)\s+(?:(?:also|each|\w+ly)\s+)?)?{_BE}(?:\s+(?:hereby|also|only|each|\w+ly))?\s+entitled\s+to|(?:shall|will)\s+(?:also\s+)?be\s+eligible\s+(?:to|for)(?=\s)",
        "permission", "is entitled to", "optional", 0.88,
    ),
    (
        "permitted",
        rf"(?:(?:shall|will|may|must)\s+)?{_BE}(?:\s+(?:hereby|also|only|expressly|each))?\s+(?:{_PERMITTED}|{_FREE})\s+to"
        rf"|{_BE}\s+only\s+(?:{_PERMITTED})(?=\s+(?:on|in|if|when|where|with|by|for|at|under|from|after)\b)",
        "permission", "is permitted to", "optional", 0.88,
    ),
    (
        "prohibited",
        rf"(?:(?:shall|will|must|should)\s+)?{_BE}(?:\s+(?:hereby|also|strictly|expressly|generally))?\s+"
        rf"(?:{_MODALITY.pattern('prohibited')})\s+(?:from|to(?=\s+[A-Za-z…]))|"
        rf"(?:(?:shall|will|must|should)\s+)?{_BE}(?:\s+(?:hereby|also|strictly|expressly))?\s+(?:prohibited|forbidden)\b(?!\s+by\b)"
        rf"|{_BE}(?:\s+(?:hereby|also|strictly|expressly|\w+ed\s+and))?\s+not\s+(?:be\s+)?(?:{_PERMITTED})\b(?=\s*(?:[.,;]|on\b|in\b|without\b|unless\b|for\b|at\b|under\b))"
        r"|prohibits?\s+(?=\w)",
        "prohibition", "prohibited", "mandatory", 0.88,
    ),
    (
        "agreenot",
        rf"(?:(?:shall|will)\s+)?(?:hereby\s+)?(?:{_UNDERTAKES})(?:\s+and\s+(?:agrees?|covenants?))?(?:,\s+[^;.:]{{1,160}}?)?\s+not\s+to"
        r"|(?:shall|must|will|agrees?\s+to)\s+(?:refrain|abstain|desist)\s+from",
        "prohibition", "agrees not to", "mandatory", 0.9,
    ),
    (
        "not",
        rf"{_SHALL}(?:\s+(?:also|each|both|likewise|therefore|however|thus|accordingly|normally|generally))?\s*,?\s*(?:{_MODALITY.pattern('negation_of_modals')})\b(?!\s+(?:only\s+be|only)\b)",
        "prohibition", "", "mandatory", 0.92,
    ),
    (
        "contracted",
        r"(?:won|shan|mustn|shouldn)['’]t\b",
        "prohibition", "", "mandatory", 0.85,
    ),
    (
        "notallowed",
        rf"(?:(?:shall|will|do|does)\s+not|(?:do|does|wo)n['’]t)\s+(?:\w+ly\s+)?(?:{_MODALITY.pattern('allowing')})\s+(?=(?:[\w'’{{}}-]+\s+){{1,7}}?to\s+[A-Za-z…])",
        "prohibition", "is not permitted to", "mandatory", 0.8,
    ),
    (
        "unrequired",
        r"(?:(?:shall|will|do|does)\s+not|(?:do|does|wo)n['’]t)\s+(?:require|oblige|obligate|compel)\s+(?=(?:[\w'’{}-]+\s+){1,10}?to\s+[A-Za-z…])",
        "permission", "is not required to", "optional", 0.85,
    ),
    (
        "cannot",
        r"(?:cannot|can\s+not|CANNOT|can['’]t)\b",
        "prohibition", "cannot", "mandatory", 0.7,
    ),
    (
        "required",
        rf"(?:(?:shall|will|must|may)\s+(?:(?:also|each|\w+ly)\s+)?)?{_BE}(?:\s+(?:hereby|also|only|expressly|each|then|further))?\s+(?:{_OBLIGED}|bound|under\s+(?:an?|the)\s+(?:\w+\s+)?(?:obligation|duty))(?:,?\s+(?:under|by|pursuant\s+to)\s+[^.;:,]{{2,40}}?,?)?\s+to\b(?!\s+(?:which|whom|the|an?|any|all|each|this|that|these|those|its|their|our|such)\b)",
        "obligation", "is required to", "mandatory", 0.88,
    ),
    (
        "duty",
        rf"(?:shall\s+be|will\s+be|is)\s+(?:also\s+)?{_DUTY}",
        "obligation", "is responsible for", "mandatory", 0.8,
    ),
    (
        "needed",
        rf"(?:(?:shall|will|must)\s+)?{_BE}\s+(?:also\s+|always\s+|strictly\s+)?(?:required|mandatory)(?=\s*(?:[.,;]|for\b|when\b|before\b|prior\b|on\b|if\b|in\b|at\b|and\s+must\b|unless\b))",
        "obligation", "is required", "mandatory", 0.8,
    ),
    (
        "burden",
        rf"(?:(?:shall|will|must)\s+)?{_BE}\s+(?:the|at\s+the)\s+(?:(?:sole|exclusive|joint|primary|own|full)\s+)?(?:responsibility|obligation|duty)\s+of(?=\s+(?:the|an?|each|any|its|their|[A-Z{{]))",
        "obligation", "is responsible for", "mandatory", 0.75,
    ),
    (
        "responsible",
        rf"(?:(?:shall|will|must)\s+(?:(?:also|solely|fully|jointly|each|\w+ly)\s+)?)?{_BE}(?:\s+(?:hereby|also|solely|fully|jointly|ultimately|primarily|exclusively|each|and)){{0,3}}\s+responsible\s+(?:for|to)"
        r"|(?:ha(?:s|ve)|bears?|assumes?|accepts?)\s+any\s+(?:\w+\s+)?(?:responsibility|liability|obligation|duty)\s+(?:for|to)(?=\s)"
        r"|(?:(?:shall|will|must)\s+)?(?:ha(?:s|ve)|bears?|retains?|assumes?)\s+(?:the\s+)?(?:(?!(?:no|any|an?|shared)\b)[a-z-]+\s+){0,3}?responsibility\s+for(?=\s)",
        "obligation", "is responsible for", "mandatory", 0.82,
    ),
    (
        "duties",
        r"(?:responsibilities|duties|obligations|tasks)(?:\s+of\s+[^.;:,]{2,80}?)?\s+(?:(?:shall|will|must)\s+)?(?:(?:also\s+)?(?:include|comprise)|are)"
        r"(?:,?\s+but\s+(?:are\s+|is\s+|shall\s+)?not\s+(?:be\s+)?limited\s+to,?)?(?:\s+the\s+following)?(?:\s*[:—](?=\s)|(?=\s+(?:\([a-z1]+\)\s+)?(?:[A-Z][a-z]{2,}\s|[a-z]{3,}ing\s|…)))",
        "obligation", "is responsible for", "mandatory", 0.75,
    ),
    (
        "agree",
        rf"(?:(?:shall|will)\s+)?(?:(?:hereby|further|also|each)\s+){{0,2}}(?:{_UNDERTAKES}|commits?)"
        r"(?:\s+and\s+(?:agrees?|covenants?|undertakes?))?\s+(?:(?:at\s+all\s+times|further|always|with(?:\s+respect\s+to)?\s+(?:[\w-]+\s+){1,6}?)\s*)?"
        rf"to(?=\s*:?\s+(?:\(\w{{1,4}}\)\s+)?(?!(?:{_MODALITY.pattern('no_acts')})\b)(?:[a-z…]|[A-Z][a-z]))"
        rf"|(?:(?:shall|will)\s+)?(?:hereby\s+)?(?:{_UNDERTAKES})(?:,\s+(?!(?:and|or|that)\b)[^,;.:]{{2,160}},)\s+to(?=\s+(?!(?:{_MODALITY.pattern('no_acts')})\b)[a-z])",
        "obligation", "agrees to", "mandatory", 0.85,
    ),
    (
        "isto",
        rf"(?:is|are)\s+to(?=\s+be\s+(?:\w+ly\s+)?(?:\w+(?:ed|en|wn)|{_IRREGULAR})\b|\s+(?!be\b|have\b)[a-z]{{3,}}\s)",
        "obligation", "is to", "mandatory", 0.7,
    ),
    (
        "haveto",
        r"(?:has|have)(?:\s+(?:an?|the)\s+(?:\w+\s+)?(?:obligation|duty|responsibility))?\s+to(?=\s+[A-Za-z…])|(?:(?:will|shall|would|do|does)\s+(?:also\s+|therefore\s+|then\s+)?)?needs?\s+to(?=\s+[A-Za-z…])",
        "obligation", "has to", "mandatory", 0.75,
    ),
    (
        "isnotto",
        r"(?:is|are)\s+not\s+to(?=\s+[A-Za-z…])(?!\s+be\s+(?:construed|deemed|taken|treated|considered|regarded|interpreted)\b)",
        "prohibition", "must not", "mandatory", 0.7,
    ),
    (
        "requires",
        r"(?<!not\s)(?<!to\s)requires?\s+(?=(?:that\b|all\b|each\b|every\b|any\b|its\b|the\b|our\b|(?:[\w'’{}-]+\s+){1,6}?to\s+(?:[A-Za-z]|…)))",
        "obligation", "requires", "mandatory", 0.7,
    ),
    (
        "modal",
        rf"{_SHALL}(?:\s+(?P<only>only))?(?![\w’'-])",
        "obligation", "", "mandatory", 0.9,
    ),
)  # fmt: skip

# The first words of all the rules: a cheap test that spares the engine the whole alternation at most positions.
_FIRST = (
    r"(?=(?:[Nn]othing|no\s|[sS](?:hall|HALL|hould|HOULD|han['’])|[mM](?:ust|UST)|[wW](?:ill|ILL|as|ere|on['’])|[mM](?:ay|AY)|is|a[rm]|be|need|ha[sv]|do|commit|ought|expect|retain|reserve|prohibit|assume"
    r"|hereby|agree|accept|take|allow|encourage|urge|advise|recommend|suggest|ask|wo|undertake|covenant|promise|commit|can|CAN|further|also|each|require|responsibilities|duties|obligations|tasks|grants))"
)
_CUE = quick(
    rf"(?<![\w’'-]){_FIRST}(?:"
    + "|".join(f"(?P<r_{name}>{pattern})".replace("?P<modal>", f"?P<m_{name}>") for name, pattern, *_ in _RULES)
    + r")|(?P<r_short>(?<=[a-zI])['’]ll\b(?:\s+(?P<denied>not|never)\b)?)"
    + rf"|(?P<r_best>(?<=\b[iI]t)['’]s\s+(?:also\s+|\w+ly\s+)?{_ADVISABLE})|(?P<r_its>(?<=\b[iI]t)['’]s\s+{_DUTY})"
)
_TO_A_THING = re.compile(
    r"(?!(?:that|all|each|every|any|its|the|our)\b)(?:[\w'’{}-]+\s+){1,6}?to\s+(?:the|an?|its|their|our|your|any|all|each|every|such|this|that|these|those)\b"
)
# Of these "to" needs an act behind it, which an item of a list may write with a capital.
_BEFORE_ACTS = ("duty", "its", "noright", "right", "haveto", "isnotto", "agree")
_IF_INVERTED = re.compile(
    r"should\s+(?:(?:it|they|he|she|we|you)\s+[a-z]{2,}|(?:the|an?|any|such|our|your|their|its)\s)"
)
_AFTER_NEGATION = re.compile(
    rf"\b(?:{_MODALITY.pattern('fronted_negation')}|never|only|what|how|why|when|where|who)\s+\Z", re.IGNORECASE
)
_NEED_NOUN = re.compile(r"\b(?:an?|the|any|no|their|its|our|your|[a-z]+(?:able|al|ate|ful|ive|ary)|business)\s+\Z")
_CAPITAL = re.compile(r"\s+([A-Z][a-z-]+)")
_MODAL_FIRST = re.compile(r"(?:shall|will|must|may)\b")
_ACT = re.compile(r"\s+(?:\w+ly\s+)?([a-z]+)")
_CONTRACTED_BE = re.compile(r"(?<=[A-Za-z])['’]re(?=\s)")
_EXPECTED = re.compile(
    rf"\s+(?:\w+ly\s+|also\s+|just\s+|now\s+|then\s+)?(?:{_MODALITY.pattern('expected_acts')})\b", re.IGNORECASE
)
_CONTRACTED = {"won": "will", "shan": "shall", "mustn": "must", "shouldn": "should"}
_BY_NAME = {name: (kind, modality, strength, confidence) for name, _, kind, modality, strength, confidence in _RULES}
_HINT = re.compile(
    r"[sS]hall|[mM]ust|will|Will |May |Should|othing |not to |exempt|under an? |may\b|should|SHALL|MUST|WILL|MAY\b|SHOULD"
    r"|need|requir|oblig"
    r"|entitled|permitted|allowed|free to|at liberty|uthori[sz]ed|prohibit|forbid|responsib"
    r"|agrees?\b|undertake|covenant|promise|commit|cannot|can not|CANNOT|right|option|power|has |have |to be "
    r"|not apply|NOT APPLY|n['’]t |['’]ll |commits|guilty of"
    r"|important|essential|advisable|crucial|vital|imperative|suggested|desirable"
    r"|['’]re\b|responsibility|duty to|policy to|allow|permit|authori|encourage|urge|recommend|ask(?:s|ed)? "
    r"|responsibilit|duties |obligations |tasks |grant"
    r"|expect|advised|advises? |suggests? |discouraged|ought| is to | are to |liable"
)
_NOUN_BEFORE = re.compile(rf"\b(?:{_MODALITY.pattern('nouns_before_will')})\s+$", re.IGNORECASE)
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
    return cues


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
