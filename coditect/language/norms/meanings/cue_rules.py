"""The words of force as patterns, in the order in which they are tried: what they are called, and how strong they are."""

from __future__ import annotations

from coditect.language.norms.cues import NormKind
from coditect.language.tables import read_table
from coditect.schemas.tier1.data import Strength

__all__ = ["ADVISABLE", "CUE_RULES", "DUTY", "LEAVE"]

_MODALITY = read_table("modality")
_BE = f"(?:{read_table('verbs').pattern('be')})"
_SHALL = f"(?P<modal>{'|'.join(f'{modal}|{modal.upper()}' for modal in _MODALITY.words('modals'))})"
_OBLIGED, _PERMITTED = _MODALITY.pattern("obliged"), _MODALITY.pattern("permitted")
_FREE = _MODALITY.pattern("free")
_UNDERTAKES = _MODALITY.pattern("undertaking")
_IRREGULAR = read_table("verbs").pattern("irregular_participles")
DUTY = (
    rf"(?:the|your|our|their|its|his|her|[A-Z]\w*['’]s)\s+(?:(?:{_MODALITY.pattern('kinds_of_duties')})\s+)?(?:{_MODALITY.pattern('duties')})"
    r"(?:\s+of\s+[^.;:,]{2,80}?)?\s+to(?=\s+[A-Za-z…])"
)

LEAVE = r"(?:the|any|its|their|such)\s+(?:\w+\s+)?(?:rights?|powers?|authority|discretion|ability|freedom|entitlement)"
"""What somebody may have to act: "the discretion", "any right"."""

# "it is important that", "it is best to": what follows is a clause without a finite verb, or an act.
ADVISABLE = (
    rf"(?:{_MODALITY.pattern('advisable')})"
    r"(?:\s+that(?=\s+\w)|(?=\s(?:all|any|each|every|the|you)\s[^.;]{0,60}?\sbe\s)"
    rf"|\s+to(?=\s+(?!(?:{_MODALITY.pattern('minding')})\b)[a-z]))"
)

# One pass, longest reading first. Order matters: what frees from a duty stands before what imposes one.
CUE_RULES: tuple[tuple[str, str, NormKind, str, Strength, float], ...] = (
    (
        "free",
        rf"(?:shall|will|may|does|do|has|have|shall\s+be|{_BE})(?:\s+be)?\s+(?:have\s+|under\s+)?"
        r"(?:no|not\s+(?:have|be\s+under)\s+any)\s+(?:further\s+|such\s+|other\s+)?(?:[a-z-]+\s+){0,2}?(?:obligations?|dut(?:y|ies)|responsibilit(?:y|ies))"
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
        "askednot",
        rf"(?:(?:shall|will)\s+)?{_BE}\s+(?:(?:also|strongly|kindly|therefore|further)\s+)?(?:asked|requested|reminded|advised|urged|encouraged|expected)\s+not\s+to(?=\s+[a-z])",
        "prohibition", "is expected not to", "recommended", 0.8,
    ),
    (
        "expected",
        rf"(?:(?:shall|will)\s+)?{_BE}(?:\s+(?:also|strongly|generally|therefore|further|otherwise))?\s+(?:expected|encouraged|advised|recommended|urged|asked|requested|reminded)\s+to|(?:ought)\s+to|(?<!\b[Tt]o\s)(?:expects?|(?:{_MODALITY.pattern('asking')}))\s+(?=(?:(?:the|an?|any|all|each|every|its|their|our|such)\s|you\s|[A-Z{{]|[a-z]+s\s|(?=[a-z]+\s[a-z]+s\sto\s))(?:[\w'’{{}}-]+\s+){{0,7}}?to\s+[A-Za-z…])|(?:recommends?|advises?|suggests?)(?=\s+[a-z]{{2,}}ing\s)|(?:{_MODALITY.pattern('asking')})\s+that(?=\s+\w)",
        "obligation", "is expected to", "recommended", 0.8,
    ),
    (
        "discouraged",
        rf"{_BE}\s+(?:(?:also|strongly|\w+ly)\s+)?(?:not\s+(?:recommended|encouraged|advised|advisable)|discouraged)(?=\s*(?:[.,;)]|$|as\b|for\b|in\b|if\b|when\b|because\b|unless\b|at\b|by\b|and\b))"
        rf"|{_BE}\s+(?:\w+ly\s+)?not\s+(?:recommended|advised|encouraged)\s+to(?=\s+be\s)",
        "prohibition", "is not recommended", "recommended", 0.75,
    ),
    (
        "encouraged",
        rf"{_BE}\s+(?:(?:also|strongly|\w+ly)\s+)?(?:recommended|encouraged|advised)(?=\s*(?:[.,;)]|$|when(?:ever)?\b|where(?:ver)?\b|if\b|in\b|for\b|at\b|on\b|unless\b|because\b))",
        "obligation", "is recommended", "recommended", 0.7,
    ),
    (
        "advisable",
        rf"(?<=\b[Ii]t\s)is\s+(?:also\s+|\w+ly\s+)?{ADVISABLE}",
        "obligation", "is expected to", "recommended", 0.75,
    ),
    (
        "noright",
        r"(?:shall|will|does|do|has|have)\s+(?:(?:not\s+)?(?:have\s+)?no|not\s+have\s+any)\s+(?:\w+\s+)?(?:right|authority|power)s?\s+(?:or\s+\w+\s+)?(?:[^.;:(),]{0,60}?\s)?to(?=\s+[A-Za-z…])"
        r"|(?:shall|will)\s+not\s+(?:be\s+entitled|have\s+the\s+(?:right|authority|power))\s+to"
        rf"|(?:{_BE}\s+not|(?:is|are)n['’]t)\s+(?:{_PERMITTED}|entitled)\s+to"
        rf"|(?:shall|will|must|may)(?:,\s+(?:for|during|until|upon|on|after|while)\s[^,;.:]{{2,80}}?,?)?\s+[Nn]ot\s+be\s+(?:{_PERMITTED})\s+to(?=\s+[A-Za-z…])",
        "prohibition", "is not permitted to", "mandatory", 0.9,
    ),
    (
        "empowered",
        r"(?:shall|will)\s+have(?=\s+(?:all|such)\s+(?:(?:[\w-]+,\s+)*[\w-]+\s+(?:and\s+)?){0,6}?powers?\s+(?:necessary|needed|required|as|to|of|under|conferred|vested)\b)",
        "permission", "has the right to", "optional", 0.8,
    ),
    (
        "right",
        r"(?:(?:shall|will|may)\s+)?(?:also\s+|each\s+)?(?:have|has|retains?|reserves?)(?:,\s[^,;.:]{2,100},)?\s+(?:the|an?|full|sole|exclusive)\s+"
        r"(?:(?!no\b)[\w-]+,?\s+){0,6}?(?:rights?|option|opportunity|authority|power|discretion|licen[sc]e)\b(?:,\s(?:upon|on|at|for|during|within|from|in|subject|with|by|without)\s[^.;:]{2,140},|[^.;:()]{0,60}?)\s+to(?=\s+[A-Za-z…])"
        r"|(?:(?:shall|will)\s+)?(?:also\s+)?(?:have|has)\s+(?:(?:full|sole|exclusive|general)\s+)?(?:power|authority|discretion|permission|liberty)s?"
        r"(?:\s+and\s+(?:authority|power|discretion))?\s+to(?=\s+[A-Za-z…])"
        r"|(?:(?:shall|will)\s+)?(?:have|has)\s+rights?\s+to(?=\s+(?!(?:the|an?|any|all|its|their|our|your|such|this|that)\b)[a-z])"
        r"|(?:shall|will)\s+(?:then\s+|thereafter\s+)?have\s+(?:up\s+to\s+|at\s+least\s+)?(?:an?\s+(?:\w+\s+)?period\s+of\s+)?(?:\[[^\[\]]{1,20}\]|\d+(?=-)|[\w-]+)[\s-]+(?:\(\d+\)[\s-]+)?(?:\w+\s+){0,2}(?:days?|weeks?|months?|hours?)\b(?:[^.;:()]{0,60}?)(?:\s+in\s+which)?\s+to(?=\s+[a-z])",
        "permission", "has the right to", "optional", 0.88,
    ),
    (
        "grants",
        rf"(?<!\bnot\s)(?:(?:does\s+)?hereby\s+(?:\w+ly\s+)?grants?|grants)(?=\s(?!no\s)[^.;:]{{2,200}}?\b(?:{_MODALITY.pattern('granted')})\b)",
        "permission", "is permitted to", "optional", 0.8,
    ),
    (
        "authorises",
        r"(?<!\bnot\s)(?<!\b[Tt]o\s)(?:hereby\s+)?authori[sz]es\s+(?=(?:[\w'’{}&.-]+\s+){1,8}?to\s+[a-z…])",
        "permission", "is permitted to", "optional", 0.75,
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
        "allowed",
        rf"(?:(?:shall|will)\s+)?{_BE}\s+(?:also\s+|hereby\s+)?(?:permitted|allowed)(?=\s*(?:[.;]|,\s+(?:if|provided|unless|but|except)\b|$"
        r"|(?:only\s+(?=(?:for|in|on|at|by|to|if|when|where|with|during|between)\b)|between|in|on|at|within|during|if|when|where|unless|with|without|provided|until|after|before|inside|outside|under|anywhere)\b))",
        "permission", "is permitted", "optional", 0.7,
    ),
    (
        "unlawful",
        rf"(?<=\b[Ii]t\s)(?:(?:shall|will)\s+)?{_BE}\s+(?:(?:also|hereby|further)\s+)?(?:unlawful|illegal)"
        r"(?=,?\s+(?:(?:for|to)\b|at\s+any\s+time\s))",
        "prohibition", "is not permitted to", "mandatory", 0.88,
    ),
    (
        "prohibited",
        rf"(?:(?:shall|will)\s+)?{_BE}\s+(?:hereby\s+)?(?:unlawful|illegal)(?=\s*(?:[.,;]|$|unless\b|in\b|within\b|on\b|at\b|during\b|between\b))|"
        rf"(?:(?:shall|will|must|should)\s+)?{_BE}(?:\s+(?:hereby|also|strictly|expressly|generally))?\s+"
        rf"(?:{_MODALITY.pattern('prohibited')})\s+(?:from|to(?=\s+[A-Za-z…]))|"
        rf"(?:(?:shall|will|must|should)\s+)?{_BE}(?:\s+(?:hereby|also|strictly|expressly|further|otherwise))?\s+(?:prohibited|forbidden)\b(?!\s+by\b)"
        rf"|{_BE}(?:\s+(?:hereby|also|strictly|expressly|\w+ed\s+and))?\s+not\s+(?:be\s+)?(?:{_PERMITTED})\b(?=\s*(?:[.,;]|(?:on|in|without|unless|for|at|under|within|during|inside|outside|near|after|before|by|if|when|where|into|anywhere)\b))"
        rf"|(?:{_BE}\s+not|(?:will|shall)\s+not\s+be)\s+(?:tolerated|condoned|acceptable)\b"
        rf"|(?:(?:shall|will)\s+)?{_BE}\s+(?:hereby\s+)?(?:{_MODALITY.pattern('prohibited')})\s+for(?=\s[^.;:,]{{2,120}}?\sto\s+[a-z])"
        r"|prohibits?\s+(?=\w)"
        rf"|(?<=\b[Ww]e\s)(?:do\s+not|don['’]t)\s+(?:{_MODALITY.pattern('tolerating')})\s+"
        r"(?=\w)(?!(?:(?!\b(?:that|which|who)\b)[\w'’{}-]+\s+){1,7}?to\s+[a-z])",
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
        rf"(?:(?:shall|will|must|may)\s+(?:(?:also|each|then|nevertheless|nonetheless|therefore|\w+ly)\s+)?)?{_BE}(?:\s+(?:hereby|also|only|expressly|each|then|further))?\s+(?:{_OBLIGED}|bound|under\s+(?:an?|the)\s+(?:\w+\s+)?(?:obligation|duty))(?:,?\s+(?:under|by|pursuant\s+to)\s+[^.;:,]{{2,40}}?,?)?\s+to\b(?!\s+(?:which|whom|the|an?|any|all|each|this|that|these|those|its|their|our|such)\b)",
        "obligation", "is required to", "mandatory", 0.88,
    ),
    (
        "liable",
        rf"(?:(?:shall|will)\s+)?{_BE}\s+(?:\w+ly\s+)?liable\s+to(?=\s+(?:re)?(?:pay|imburse|indemnify|compensate)\b)",
        "obligation", "is required to", "mandatory", 0.85,
    ),
    (
        "duty",
        rf"(?:shall\s+be|will\s+be|is)\s+(?:also\s+)?{DUTY}",
        "obligation", "is responsible for", "mandatory", 0.8,
    ),
    (
        "needed",
        rf"(?:(?:shall|will|must)\s+)?{_BE}\s+(?:also\s+|always\s+|strictly\s+)?(?:required|mandatory)(?=\s*(?:[.,;]|(?:no|not)\s+later\b|within\b|upon\b|during\b|for\b|when\b|before\b|prior\b|on\b|if\b|in\b|at\b|and\s+must\b|unless\b))",
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
        r"|(?:(?:shall|will|must)\s+)?(?:remains?|stays?)\s+(?:\w+ly\s+){0,2}responsible\s+for(?=\s)"
        r"|(?:ha(?:s|ve)|bears?|assumes?|accepts?)\s+any\s+(?:\w+\s+)?(?:responsibility|liability|obligation|duty)\s+(?:for|to)(?=\s)"
        r"|(?:(?:shall|will|must)\s+)?(?:ha(?:s|ve)|bears?|retains?|assumes?)\s+(?:the\s+)?(?:(?!(?:no|any|an?|shared)\b)[a-z-]+\s+){0,3}?responsibility\s+for(?=\s)",
        "obligation", "is responsible for", "mandatory", 0.82,
    ),
    (
        "duties",
        r"(?:[Rr]esponsibilities|[Dd]uties|[Oo]bligations|[Tt]asks)(?:\s+of\s+[^.;:,]{2,80}?)?\s+(?:(?:shall|will|must)\s+)?(?:(?:also\s+)?(?:include|comprise)|are)"
        r"(?:,?\s+but\s+(?:are\s+|is\s+|shall\s+)?not\s+(?:be\s+)?limited\s+to,?)?(?:\s+the\s+following)?(?:\s*[:—](?=\s)|(?<=\bfollowing)(?=\s+[a-z]{3,}\s)|(?=\s+(?:\([a-z1]+\)\s+)?(?:[A-Z][a-z]{2,}\s|[a-z]{3,}ing\s|…)))",
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
        r"(?:(?:(?:will|shall)\s+(?:also\s+|then\s+)?)?have|has)(?:\s+(?:an?|the)\s+(?:\w+\s+)?(?:obligation|duty|responsibility))?\s+to(?=\s+[A-Za-z…])|(?:(?:will|shall|would|do|does)\s+(?:also\s+|therefore\s+|then\s+)?)?needs?\s+to(?=\s+[A-Za-z…])",
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
