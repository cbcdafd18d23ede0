"""What the faithful edits exchange, for developing on and held out."""

from __future__ import annotations

import re

from coditect_benchmarks.edits.grammar import table

__all__ = ["BACK", "FRONT", "LEADS", "MODAL", "PARTICIPLES", "PASSIVE_VERBS", "SHORT"]

_V = r"(?! (?:not|only|in no|never|under no|each|both|also|at all|have|be)\b)(?= [a-z])"
MODAL = {
    "dev": table(
        [
            (rf"\bshall{_V}", "must"),
            (rf"\bmust{_V}", "shall"),
            (rf"\bshall{_V}", "{be} required to"),
            (r"\bshall not\b", "must not"),
            (rf"\bmay{_V}", "{be} permitted to"),
            (r"\bmay not\b", "must not"),
            (r"\bmust not\b", "shall not"),
            (r"\b(?:is|are) required to\b", "must"),
            (rf"\bwill{_V}", "shall"),
            (rf"\bshall{_V}", "has to"),
            (rf"\bmust{_V}", "needs to"),
            (rf"\bshall{_V}", "{be} bound to"),
            (rf"\bmay{_V}", "can"),
            (rf"\bmay{_V}", "{be} at liberty to"),
            (rf"\bshall{_V}", "{be} under an obligation to"),
            (r"\bmay not\b", "cannot"),
            (r"\bshall not\b", "{be} not permitted to"),
            (r"\bshould\b(?! (?:have|be|not)\b)(?= [a-z])", "ought to"),
            (rf"\bmay{_V}", "has the right to"),
        ]
    ),
    "heldout": table(
        [
            (rf"\bshall{_V}", "{be} obliged to"),
            (rf"\bmust{_V}", "{be} obligated to"),
            (rf"\bshall{_V}", "will"),
            (r"\bshall not\b", "may not"),
            (rf"\bmay{_V}", "{be} entitled to"),
            (rf"\bmay{_V}", "{be} allowed to"),
            (r"\b(?:is|are) entitled to\b", "may"),
            (r"\bmust not\b", "{be} not allowed to"),
            (r"\b(?:is|are) obligated to\b", "must"),
            (r"\bmay not\b", "{be} not permitted to"),
            (r"\bagrees to\b", "shall"),
        ]
    ),
}
FRONT = {
    "dev": re.compile(r"^(?P<cond>(?:If|When|Upon|Unless) [^,.;]{10,160}), (?P<main>(?:then )?[^.;]{15,})\.$"),
    "heldout": re.compile(
        r"^(?P<cond>(?:Subject to|In the event(?: that)?|Except|To the extent|During|Following|Prior to"
        r"|After|Before|Within|Notwithstanding|At least|On or before|Where"
        r"|For) [^,.;]{8,160}), (?P<main>[^.;]{15,})\.$"
    ),
}
BACK = {
    "dev": re.compile(r"^(?P<main>[^,.;]{15,}),? (?P<cond>(?:if|unless|upon|when) [^.;,]{12,})\.$"),
    "heldout": re.compile(
        r"^(?P<main>[^,.;]{15,}),? (?P<cond>(?:except as|in the event|prior to|within|during"
        r"|to the extent|in accordance with|at least) [^.;,]{12,})\.$"
    ),
}
LEADS = {
    "dev": ("Under this agreement, ", "According to the document, ", "As stated in the text, "),
    "heldout": (
        "The document provides that ",
        "Pursuant to the terms, ",
        "It is stated that ",
        "As set out in the source, ",
        "For clarity, ",
    ),
}
SHORT = {
    "dev": table(
        [
            (r"\bpercent\b", "%"),
            (r"\bSection (?=\d)", "§ "),
            (r"\bCorporation\b", "Corp."),
            (r"\bIncorporated\b", "Inc."),
            (r"\bfor example\b", "e.g."),
            (r"\bUnited States\b", "U.S."),
            (r"\band/or\b", "or"),
            (r"\bcannot\b", "can not"),
            (r"\bprior to\b(?! written)", "before"),
            (r"\bin the event that\b", "if"),
            (r"\bthirty \(30\)", "30"),
            (r"\bon behalf of\b", "for"),
            (r"\bpursuant to\b", "under"),
            (r"\bin accordance with\b", "according to"),
            (r"\bcommences?\b", "begins"),
            (r"\bprior to\b(?! written)", "earlier than"),
            (r"\bat least\b", "not fewer than"),
            (r"\b(?:no|not) more than\b", "at most"),
            (r"\bexcept as\b", "save as"),
            (r"\bunless\b", "save where"),
            (r"\bprovided that\b(?! (?:if|\w+ shall)\b)", "on condition that"),
            (r"\bin the event that\b", "in case"),
            (r"\bnotwithstanding\b", "despite"),
            (r"\bother than\b(?! as)", "apart from"),
            (r"\bsolely\b", "only"),
            (r"\bevery\b", "each"),
            (r"\bapproximately\b", "about"),
            (r"\bso long as\b", "as long as"),
            (r"\bregardless of\b", "irrespective of"),
            (r"\bin addition\b", "furthermore"),
            (r"(?<!as )\bpromptly\b", "without delay"),
            (r"\bnot less than\b", "no fewer than"),
            (r"\bnot exceed\b", "not be more than"),
            (r"\bafter\b(?= the\b)", "following"),
            (r"\bincluding, without limitation,", "including"),
            (r"\bincluding but not limited to\b", "including"),
            (r"\bwith the exception of\b", "except for"),
            (r"\bsubject to\b", "conditional on"),
            (r"\ball\b(?= (?:applicable|such|of the)\b)", "any and all"),
            (r"\bwithin\b(?= (?:thirty|sixty|ten|\d+) )", "no later than"),
            (r"\butilize\b", "use"),
            (r"\bLLC\b", "L.L.C."),
        ]
    ),
    "heldout": table(
        [
            (r"\bIntellectual Property\b", "IP"),
            (r"\be\.g\.", "for example"),
            (r"\bi\.e\.", "that is"),
            (r"\bU\.S\.(?= [A-Z a-z])", "United States"),
            (r"\bInc\.", "Incorporated"),
            (r"\bLtd\.", "Limited"),
            (r"\bin the event of\b", "in case of"),
            (r"\bsubsequent to\b", "after"),
            (r"\bfollowing (?=receipt|termination|the)", "after "),
            (r"\b§ ?(?=\d)", "Section "),
            (r"\bin the event that\b", "should it happen that"),
            (r"\bsubject to\b", "on condition of"),
            (r"\bno later than\b", "at the latest"),
            (r"\bprior to\b(?! written)", "in advance of"),
            (r"\bnotwithstanding\b", "in spite of"),
            (r"\bat least\b", "no fewer than"),
            (r"\bnot less than\b", "at least"),
            (r"\bnot more than\b", "at most"),
            (r"\bup to\b(?= [\d$])", "at most"),
            (r"\bin excess of\b", "more than"),
            (r"\bother than\b", "except"),
            (r"\bunless\b", "except if"),
        ]
    ),
}
PASSIVE_VERBS = {
    "dev": "notify indemnify provide deliver maintain pay furnish reimburse perform prepare submit disclose",
    "heldout": (
        "supply inform defend obtain install supervise retain appoint sell approve establish follow promote market use"
        " conduct protect keep make give file"
    ),
}
PARTICIPLES = {
    "pay": "paid",
    "sell": "sold",
    "submit": "submitted",
    "notify": "notified",
    "indemnify": "indemnified",
    "supply": "supplied",
    "keep": "kept",
    "make": "made",
    "give": "given",
}
