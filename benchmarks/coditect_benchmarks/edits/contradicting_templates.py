"""What the contradicting edits exchange, for developing on and held out."""

from __future__ import annotations

import re

from coditect_benchmarks.edits.grammar import table

__all__ = ["ADDITIONS", "COMPARATIVE", "HEADS", "MODALITY", "NEGATION", "OPPOSITE", "SCOPE", "TAILS", "TURNS"]

_V = r"(?! (?:not|only|in no|never|under no|have (?:no|the|an?)|be (?:entitled|permitted|free))\b)(?=[ ,])"
MODALITY = {
    "dev": table(
        [
            (rf"\bshall{_V}", "may"),
            (rf"\bmust{_V}", "may"),
            (rf"\bshall{_V}", "should"),
            (rf"\bmust{_V}", "should"),
            (rf"\bmay{_V}", "shall"),
            (rf"\bmay{_V}", "must"),
            (r"\b(?:is|are) required to\b", "may"),
            (r"\bagrees to\b", "may"),
            (rf"\bshall{_V}", "could"),
            (rf"\bmust{_V}", "{be} at liberty to"),
            (rf"\bshall{_V}", "has the option to"),
            (rf"\bmay{_V}", "has to"),
            (rf"\bmay{_V}", "needs to"),
            (rf"\bmust{_V}", "ought to"),
            (rf"\bmay{_V}", "{be} bound to"),
            (rf"\bshall{_V}", "{be} invited to"),
            (rf"\bshall{_V}", "may choose to"),
            (rf"\bmay{_V}", "{be} under an obligation to"),
        ]
    ),
    "heldout": table(
        [
            (rf"\bshall{_V}", "{be} permitted to"),
            (rf"\bmust{_V}", "can"),
            (rf"\bshall{_V}", "{be} encouraged to"),
            (rf"\bmust{_V}", "{be} allowed to"),
            (rf"\bmay{_V}", "{be} required to"),
            (rf"\bmay{_V}", "{be} obliged to"),
            (rf"\bshall{_V}", "might"),
            (r"\b(?:is|are) entitled to\b", "must"),
            (rf"\bshall{_V}", "{be} free to"),
        ]
    ),
}
NEGATION = {
    "dev": table(
        [
            (r"\b(shall|must|will|may) not\b", r"\1"),
            (rf"\b(shall|must|will){_V}", r"\1 not"),
            (r"\b(is|are) not\b", r"\1"),
            (rf"\bmay{_V}", "may not"),
            (r"\bNo (?=[A-Za-z]+ (?:shall|may|will)\b)", "Each "),
            (r"\bNeither (?=[Pp]arty\b)", "Each "),
            (rf"\bshall{_V}", "fails to"),
            (rf"\bmay{_V}", "{be} forbidden to"),
            (r"\bcannot\b", "may"),
            (rf"\bmay{_V}", "{be} barred from ever being able to"),
            (rf"\b(shall|must|will){_V}", r"\1 under no circumstances"),
            (r"\b(do|does) not (?=[a-z]+\b)", r"\1 "),
            (r"\bno (?=(?:obligation|right|liability|authority|fee|charge)\b)", "an "),
            (rf"\bshall{_V}", "refuses to"),
        ]
    ),
    "heldout": table(
        [
            (r"\b(shall|must|will|may) not\b", r"\1"),
            (rf"\b(shall|must|will){_V}", r"\1 in no event"),
            (rf"\bshall{_V}", "{be} prohibited from ever having to"),
            (rf"\bshall{_V}", "need not"),
            (rf"\bmay{_V}", "cannot"),
            (rf"\b(shall|must|will){_V}", r"\1 never"),
            (r"\bcannot\b", "can"),
            (r"\b(?:is|are) (?:not permitted|not allowed|prohibited) (?=to\b)", "{be} permitted "),
            (r"\bNeither (?=[Pp]arty\b)", "Either "),
            (r"\b(does|do) not (?=[a-z]+\b)", r"\1 "),
        ]
    ),
}
OPPOSITE = {
    "dev": table(
        [
            (r"\bterminate\b", "renew"),
            (r"\bincrease\b", "decrease"),
            (r"\bincluding\b", "excluding"),
            (r"\bexclusive\b", "non-exclusive"),
            (r"\bapproval\b", "rejection"),
            (r"\bnon-exclusive\b", "exclusive"),
            (r"\baccept\b", "reject"),
            (r"\bgrant\b", "deny"),
            (r"\binclude\b", "exclude"),
            (r"\bwritten\b", "oral"),
            (r"\bdisclose\b", "withhold"),
            (r"\bpermit\b", "prohibit"),
            (r"\bmaximum\b", "minimum"),
            (r"\bvalid\b", "invalid"),
            (r"\bdirectly\b", "indirectly"),
            (r"\bapplicable\b", "inapplicable"),
            (r"\bjoint\b", "separate"),
            (r"\blawful\b", "unlawful"),
            (r"\bappropriate\b", "inappropriate"),
            (r"\bmaterial\b", "immaterial"),
            (r"\bearly\b", "late"),
            (r"\bhigher\b", "lower"),
            (r"\bgreater\b", "lesser"),
            (r"\bnew\b", "old"),
            (r"\bpermanent\b", "temporary"),
            (r"\bmandatory\b", "optional"),
            (r"\bfull\b", "partial"),
            (r"\bavailable\b", "unavailable"),
            (r"\bnecessary\b", "unnecessary"),
            (r"\bcomplete\b", "incomplete"),
            (r"\baccurate\b", "inaccurate"),
            (r"\binternal\b", "external"),
            (r"\bpaid\b", "unpaid"),
            (r"\bprompt\b", "delayed"),
            (r"\bfirst\b", "last"),
            (r"\bsubmit\b", "withdraw"),
            (r"\bsell\b", "buy"),
            (r"\bopen\b", "close"),
            (r"\badd\b", "remove"),
            (r"\bprotect\b", "expose"),
            (r"\bencourage\b", "discourage"),
            (r"\balways\b", "never"),
            (r"\bvoluntary\b", "involuntary"),
            (r"\bsufficient\b", "insufficient"),
            (r"\bstart\b", "stop"),
            (r"\bacquire\b", "dispose of"),
            (r"\bpublish\b", "conceal"),
            (r"\bbest\b", "worst"),
            (r"\bdirect\b", "indirect"),
        ]
    ),
    "heldout": table(
        [
            (r"\birrevocable\b", "revocable"),
            (r"\bperpetual\b", "temporary"),
            (r"\breasonable\b", "unreasonable"),
            (r"\bconfidential\b", "public"),
            (r"\bapprove\b", "disapprove"),
            (r"\breduce\b", "raise"),
            (r"\bminimum\b", "maximum"),
            (r"\bretain\b", "destroy"),
            (r"\btransferable\b", "non-transferable"),
            (r"\bnon-transferable\b", "transferable"),
            (r"\bcommence\b", "expire"),
            (r"\breceive\b", "send"),
            (r"\bauthorized\b", "unauthorized"),
            (r"\bexpress\b", "implied"),
            (r"\blimited\b", "unlimited"),
            (r"\brefuse\b", "accept"),
            (r"\bcomply with\b", "violate"),
            (r"\bexpire\b", "commence"),
            (r"\bsuccessful\b", "unsuccessful"),
            (r"\bcontinue\b", "cease"),
            (r"\bindirect\b", "direct"),
        ]
    ),
}
SCOPE = {
    "dev": table(
        [
            (
                r"\ball (?!of\b|or\b|times\b|respects\b|reasonable\b|such\b|other\b)(?=(?:the "
                r"|applicable )?[A-Za-z]+s\b)",
                "some ",
            ),
            (r"\bAll (?=[A-Za-z]+s\b)", "Some "),
            (r"\b([Ee])ach [Pp]arty\b", "only one party"),
            (r"\bonly (?=(?:to|for|by|in|if|upon|with|as)\b)", ""),
            (r"\bsolely ", ""),
            (r"\bboth [Pp]arties\b", "one of the parties"),
            (r"\bevery (?=[a-z]+\b)", "some "),
            (r"(?<!at )\ball (?=[a-z]+s\b)", "not all "),
            (r"\beach (?=[a-z]+\b)", "only one "),
            (r"\bevery (?=[a-z]+\b)", "not every "),
            (r"\bat all times\b", "occasionally"),
            (r"\bsolely\b", "primarily"),
            (r"\bonly (?=(?:to|for|by|in|if|upon|with|as)\b)", "also "),
            (r"\bentire\b", "partial"),
            (r"(?<!at )\ball (?=[a-z]+s\b)", "a number of "),
            (r"\bboth\b(?= [a-z]+ and\b)", "either"),
            (r"\bexclusively\b", "mainly"),
            (r"\bany and all\b", "some"),
        ]
    ),
    "heldout": table(
        [
            (
                r"\ball (?!of\b|or\b|times\b|respects\b|reasonable\b|such\b|other\b)(?=(?:the "
                r"|applicable )?[A-Za-z]+s\b)",
                "certain ",
            ),
            (r"\bAll (?=[A-Za-z]+s\b)", "Most "),
            (r"\ball of (?=the\b)", "a portion of "),
            (r"\bexclusively ", ""),
            (r"\bmay only\b", "may"),
            (r"\bshall only\b", "shall"),
            (r"\beach of the\b", "some of the"),
            (r"\bEach of the\b", "Some of the"),
            (r"\ball (?=other [a-z]+s\b)", "a few "),
            (r"\beither [Pp]arty\b", "only the first party"),
        ]
    ),
}
COMPARATIVE = {
    "dev": table(
        [
            (r"\bat least\b", "at most"),
            (r"\b(?:no|not) more than\b", "no less than"),
            (r"\bmore than\b(?<!no more than)(?<!not more than)", "less than"),
            (
                r"\bwithin (?=(?:[a-z-]+ \(\d+\)|\d+|[a-z-]+) (?:business |calendar |working )?(?:days|months"
                r"|hours|years)\b)",
                "after ",
            ),
            (r"\bprior to\b(?! written)", "after"),
            (r"\bbefore\b", "after"),
            (r"\b(?:no|not) less than\b", "no more than"),
            (r"(?<!here)(?<!there)\bafter\b", "before"),
            (r"\b(?:no|not) later than\b", "after"),
            (r"\bat least\b", "fewer than"),
            (r"\bmore than\b(?<!no more than)(?<!not more than)", "at most"),
            (
                r"\bwithin (?=(?:[a-z-]+ \(\d+\)|\d+) (?:business |calendar )?(?:days|months|hours|years)\b)",
                "no earlier than ",
            ),
            (r"\bprior to\b(?! written)", "following"),
            (r"\bexceed\b(?<!not exceed)", "fall below"),
            (r"\bnot exceed\b", "exceed"),
            (r"\bup to (?=[\d$])", "more than "),
            (
                r"(?<!based )(?<!agreed )(?<!relied )(?<!rely )(?<!agree )(?<!insist )(?<!binding )\bupon (?=(?:receipt"
                r"|request|termination|expiration|completion|written|notice|demand)\b)",
                "before ",
            ),
            (r"\buntil\b", "after"),
        ]
    ),
    "heldout": table(
        [
            (r"\b(?:no|not) later than\b", "no earlier than"),
            (r"\bup to\b(?= [\d$a-z])(?! date| the)", "at least"),
            (r"\bin excess of\b", "below"),
            (r"\bexceeds\b", "falls below"),
            (r"\bnot exceed\b", "not be less than"),
            (r"\bgreater than\b", "smaller than"),
            (r"\bless than\b(?<!no less than)(?<!not less than)", "more than"),
            (r"\bprior to\b(?! written)", "subsequent to"),
            (r"(?<!as )\bfollowing (?=(?:the|receipt|such|any|termination|expiration)\b)", "preceding "),
            (r"\bat least\b", "no more than"),
            (
                r"\bwithin (?=(?:[a-z-]+ \(\d+\)|\d+|[a-z-]+) (?:business |calendar |working )?(?:days|months"
                r"|hours|years)\b)",
                "no sooner than ",
            ),
            (r"\bnot fewer than\b", "fewer than"),
        ]
    ),
}
TAILS = {
    "dev": re.compile(
        r",? (?:unless|(?:provided|PROVIDED),? (?:however,? )?(?:that )?|except (?:as|for|to|that|where"
        r"|in|when)|without (?:the )?(?:prior|express|other)[^,.;]* (?:consent|approval)"
        r"|if) [^.;]{12,}(?=\.$)|,? without (?:the )?(?:prior|express) [^,.;]*(?:consent"
        r"|approval)[^.;]*(?=\.$)"
    ),
    "heldout": re.compile(
        r",? (?:subject to|to the extent|in the event|other than|so long as|only if|except|unless"
        r"|excluding|on condition that|as long as|provided, further, that) [^.;]{12,}(?=\.$)"
    ),
}
HEADS = {
    "dev": re.compile(
        r"^(?:If|Unless|Provided that) [^,.;]{12,}, (?=(?:the|a|an|each|any|all|no|such|[A-Z]|it|they|we|you)\b)"
    ),
    "heldout": re.compile(
        r"^(?:Subject to|In the event|To the extent|Except|In case|So long as"
        r"|As long as) [^,.;]{12,}, (?=(?:the|a|an|each|any|all|no|such|[A-Z]|it|they|we|you)\b)"
    ),
}
TURNS = {
    "dev": table(
        [
            (r"\bunless\b", "if"),
            (r"(?<!as )(?<!even )(?<!only )\bif\b(?! (?:any|not|so|applicable|at all|necessary|possible)\b)", "unless"),
            (r"\bIf\b(?! (?:any|not|so)\b)", "Unless"),
            (r"(?<!; )\bprovided that\b(?! (?:if|\w+ shall)\b)", "unless"),
            (r"\bsubject to\b", "regardless of"),
            (
                r"(?<!as )(?<!even )(?<!only )\bif\b(?! (?:any|not|so|applicable|at all|necessary|possible)\b)",
                "even if",
            ),
            (r"\bunless\b", "whether or not"),
            (r"\bother than\b(?! as)", "as well as"),
            (r"\bexcept for\b", "together with"),
            (r"\bwithout (?=(?:the )?(?:prior|express|written))", "with "),
            (r"\bexcept as\b", "even where"),
            (r"(?<!except )\bwhen\b", "except when"),
            (r"\bnotwithstanding\b", "subject to"),
            (r"\bprovided that\b(?! (?:if|\w+ shall)\b)", "regardless of whether"),
        ]
    ),
    "heldout": table(
        [
            (r"\bexcept (?=as |for )", "including "),
            (r"\bUnless\b", "If"),
            (r"\bin the event (?:that )?", "except if "),
            (r"\bsubject to\b", "notwithstanding"),
            (r"\bwithout (?=(?:the )?(?:prior|express|written))", "with or without "),
            (r"\bother than\b", "including"),
            (r"\bto the extent\b", "except to the extent"),
            (r"\bNotwithstanding\b", "Subject to"),
            (r"\bonly if\b", "even if"),
        ]
    ),
}
ADDITIONS = {
    "dev": (
        ", unless the other party objects in writing",
        ", provided that a fee has been paid in advance",
        ", if a manager agrees",
    ),
    "heldout": (
        ", except on weekends and public holidays",
        ", but only to the extent that funds are available",
        ", so long as no dispute is pending",
        ", subject to prior approval by the board",
    ),
}
