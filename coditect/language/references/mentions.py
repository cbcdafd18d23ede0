"""Cross-references: to places in the same document, to laws and standards, to control ids and to named documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from coditect.language.marks import JsonValue, Mark, sort_data
from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.deferred import deferred
from coditect.language.patterns.places import begun_matches
from coditect.language.tables import read_table

__all__ = ["find_references"]

_I = re.IGNORECASE
_DIVISIONS, _TITLES = read_table("divisions"), read_table("laws")
_NOT_IN_PARENTHESES, _CITED_BY_WORD, _CITED_BY_NUMERAL = (
    frozenset(_DIVISIONS.words(entry)) for entry in ("not_in_parentheses", "cited_by_word", "cited_by_numeral")
)
_KINDS = _DIVISIONS.mapping("kinds")

_PARENS = r"(?:\s?\((?:[a-z]{1,5}|[A-Z]{1,4}|\d{1,3})\)){1,7}"
_LABEL = (
    rf"(?:\d{{1,5}}[A-Za-z]?(?:\.\d{{1,4}}[A-Za-z]?){{0,4}}(?:-\d{{1,3}}(?!\d))?(?:{_PARENS})?(?:-\d{{1,3}}(?:\.[ivx]+)?)?(?![\w%])"
    rf"|{_PARENS}|[IVXLC]{{1,7}}(?:\.\d{{1,3}}|\([A-Za-z0-9]{{1,3}}\)){{0,2}}(?![\w’'])"
    rf"|[A-Z]{{2}}-?\d{{1,2}}(?![\w.-]*\w)|[A-Z](?:[-.]?\d{{1,3}})?(?:-[IVX]+)?(?:{_PARENS})?(?![\w.’'-]*[\w’]))"
)
_HEAD = rf"(?:(?<![\w§])§{{1,2}}|\b(?:{_DIVISIONS.pattern('cited')})(?!\w))"
_INTERNAL = quick(rf"(?P<head>{_HEAD})\s*(?P<label>{_LABEL})")
_ALSO = deferred(
    rf"(?:\s*\([A-Z][^()\d]{{2,60}}\))?"
    rf"\s*(?:,\s*(?:and|or)?|and|or|through|to|[-–])\s*(?:§{{1,2}}\s*)?(?P<label>{_LABEL})"
)
_RANGE = deferred(r"(?:through|to|[-–])\s*§{0,2}\s*$")
_COMMENTARY = deferred(r"\bcommentary\s+(?:to|on)\s+$", _I)
_PARENTHESISED = deferred(r"\(([A-Za-z0-9]+)\)")
# Numbers, letters that are no numerals, capitals, numerals; last "(i)", which is a letter after "(h)" and a numeral before "(ii)".
_ALIKE = tuple(map(re.compile, (r"\d+", r"([a-hj-uwyz])\1?", r"([A-Z])\1?", r"[ivx]+", r"[a-z]{1,2}")))
# What follows a place and says whose it is. "of this Agreement" keeps it at home.
_OWNER = deferred(
    r",?\s*(?:of|to|in|under)\s+(?:(?P<here>this|these|the\s+foregoing|hereof)\b(?:\s+(?P<within>[A-Za-z]+))?"
    r"|(?:the\s+)?(?P<nearby>(?:[Aa]ppendix|[Aa]nnex|[Ss]chedule|[Ee]xhibit)\b(?:\s+(?:[A-Z]{1,2}|\d{1,2})(?:-?\d{1,2})?(?![\w.]*\w))?)"
    r"|(?:§|[Ss]ection)\s*(?P<above>\d{1,5}(?:\.\d{1,4}){0,3})(?![\d(]|\.\d)"
    r"|(?:the\s+)?(?P<doc>(?:(?:[A-Z][\w.&'’/-]*|\d{4}|Reg\.)(?:\s+(?:of|and|for|the|in|to|on|[&])(?=\s+[A-Z\d]))*\s*){1,9}))"
)
_DOC_HEAD = deferred(
    rf"(?:{_TITLES.pattern('document_heads')}|HIPAA|{_TITLES.pattern('acts')}|Regulation\s+[A-Z]{{1,2}})(?:\s+(?:of\s+)?\d{{4}})?$"
)

# Rulebooks and regulations are cited by a code: "section 19 of FSMR", "COBS Chapter 14", "under GEN 2.4.1".
_CODE = r"[A-Z]{2,7}"
_CODED = deferred(rf"(?P<code>{_CODE})(?:\s+(?:Rulebook|Rules?|Module|Sourcebook|Handbook|Guidelines?))?(?![\w&-])")
_CODE_BEFORE = deferred(rf"(?:[^\W\d_A-Z][\w’'-]*|[()\[\"“\t])\s*(?P<code>{_CODE})\s+\Z")
_CODED_NUMBER = deferred(
    rf"(?<![\w.])(?:{_TITLES.pattern('before_codes')})\s+(?P<place>(?P<code>[A-Z]{{3,7}})\s+(?:APP\s+)?"
    rf"(?P<label>\d{{1,3}}[A-Z]?(?:\.\d{{1,3}}[A-Z]?){{1,4}}(?:{_PARENS})?))(?![\w%])(?!\.\d)"
)
_NO_CODES = frozenset(
    word.upper()
    for word in (
        *_KINDS,
        *(each for entry in ("documents", "kinds", "parts") for each in read_table("documents").words(entry)),
        *_TITLES.words("no_codes"),
        *read_table("versions").words("named"),
        *read_table("money").words("codes"),
    )
)
# "Schedule 1, Chapter 9, Section 54 of FSMR": the owner stands behind the last of them.
_INSIDE = deferred(r"(?:,?\s+(?:of|in|to|under)\s+|,\s*)(?=\S)")
_MOST_NESTED = 3

_CFR = (
    r"(?P<cfr>\b\d{1,2}\s+C\.?\s?F\.?\s?R\.?(?:\s+(?:[Pp]arts?|§{1,2}|[Ss]ections?))?\s*\d{1,4}(?:-\d{1,3}(?=\.))?(?:\.\d{1,4}[a-z]?(?:-\d+)?)?"
    r"(?:\([A-Za-z0-9]{1,4}\))*)"
)
_USC = (
    r"(?P<usc>\b\d{1,2}\s+U\.?\s?S\.?\s?C\.?(?:\s?A\.)?(?:\s+(?:§{1,2}|[Ss]ec(?:tion|\.)))?\s*\d{1,5}[a-z]{0,2}(?:-\d{1,5}[a-z]?)?"
    r"(?:\([A-Za-z0-9]{1,4}\))*(?:\s+et\s+seq\.?)?)"
)
_LAWS = (
    r"(?P<law>\b(?:Public\s+Law|Pub\.\s?L\.|P\.L\.)\s+(?:No\.\s+)?\d{2,3}-\d{1,3}|\b\d{1,3}\s+Stat\.\s+\d{1,4}"
    r"|\b\d{2}\s+(?:FR|Fed\.\s?Reg\.)\s+\d{3,6}"
    r"|\bRegulation\s+\(E[UC]\)\s+(?:No\.?\s+)?\d{1,4}/\d{2,4}|\bDirective\s+(?:\(EU\)\s+)?\d{2,4}/\d{1,4}(?:/E[CU])?"
    r"|\bRegulation\s+[A-Z]{1,2}\b(?!\.\w)|\b(?:Executive\s+Order|E\.O\.)\s+\d{4,5})"
)
_STANDARDS = (
    r"(?P<std>\b(?:NIST\s+)?(?:SP|Special\s+Publication)\s+(?:800|1800)-\d{1,3}[A-C]?(?:\s?(?:[Rr]ev(?:ision|\.)?|r)\s?\d)?"
    r"|\bNIST\s+(?:CSF|Cybersecurity\s+Framework|RMF)(?:\s+\d\.\d)?|\bFIPS\s+(?:PUB\s+)?\d{2,3}(?:-\d)?"
    r"|\bISO(?:/IEC)?\s+\d{4,5}(?:-\d{1,2})?(?::\d{4})?|\bPCI[\s-]DSS(?:\s+v?\d(?:\.\d)*)?|\bSOC\s?[123](?:\s+Type\s+(?:I{1,2}|[12]))?\b"
    r"|\bSSAE\s?(?:No\.\s)?\d{2}|\bHITRUST(?:\s+CSF)?|\bCOBIT(?:\s+\d+)?|\bCIS\s+(?:Critical\s+Security\s+)?(?:Controls?|Benchmarks?)(?:\s+v\d)?"
    r"|\bFedRAMP\b|\bOWASP\s+Top\s+(?:10|Ten)\b|\bCMMC\b|\bCOSO\b|\bGAAP\b|\bIFRS\b)"
)
_CONTROLS = (
    rf"(?P<ctl>(?<![\w-])(?:{_TITLES.pattern('control_families')})-\d{{1,2}}(?:\s?\(\d{{1,2}}\))*(?![\w-])"
    rf"|(?<![\w.])(?:{_TITLES.pattern('framework_functions')})\.[A-Z]{{2}}-\d{{1,2}}\b"
    r"|(?<![\w.])(?:CC\d|A1|PI1|C1|P[1-8])\.\d{1,2}(?![\w.%])"
    r"|(?<![\w.])A\.\d{1,2}\.\d{1,2}(?:\.\d{1,2})?(?![\w%])|§\s?164\.\d{3}(?:\([A-Za-z0-9]{1,4}\))*)"
)
_CODES = "|".join(rf"(?<={code}\s)Code" for code in _TITLES.words("codes"))
_ACTS = (
    r"(?P<act>\b(?:HIPAA(?:\s+(?:Security|Privacy|Breach\s+Notification)\s+Rules?)?|HITECH(?:\s+Act)?"
    rf"|{_TITLES.pattern('acts')}|Sarbanes[-\s]Oxley(?:\s+Act(?:\s+of\s+\d{{4}})?)?|Dodd-Frank(?:\s+Act)?"
    r"|Gramm[-\s]Leach[-\s]Bliley(?:\s+Act)?)\b"
    rf"|(?<![^\W_])(?:[A-Z][\w'’-]+(?:\s+(?:of|and|for|in|to|the)(?=\s+[A-Z]))*,?\s+){{1,9}}(?:Act|{_CODES})\b"
    r"(?:\s+of\s+\d{4})?(?:,\s+as\s+amended)?)"
)
_NAMED = (
    rf"(?P<doc>(?<![^\W_])(?:(?!(?:{_TITLES.pattern('no_titles')})\b)"
    r"[A-Z][\w&'’/-]+(?:\s+(?:and|of|for|&)(?=\s+[A-Z]))?\s+){1,6}"
    rf"(?:{_TITLES.pattern('company_documents')}|Protocol)\b(?!\s+[A-Z][a-z])"
    r"|\bCode\s+of\s+(?:Business\s+)?(?:Conduct|Ethics)(?:\s+and\s+(?:Business\s+)?Ethics)?\b)"
)
_LEADER = deferred(rf"\b({_TITLES.pattern('acts_beside_a_place')}),?\s+$")
_FOLLOWER = deferred(rf"\s+(?:(?:EU|UK)\s+)?({_TITLES.pattern('acts_beside_a_place')})\b")
_LEAD_IN = deferred(rf"(?:(?:{_TITLES.pattern('title_lead_ins')})\s+)+")
_EXTERNAL = quick("|".join((_CFR, _USC, _LAWS, _STANDARDS, _CONTROLS)))
_TITLED = deferred(f"{_ACTS}|{_NAMED}")
_CAPITAL = deferred(r"[A-Z](?<![^\W_][A-Z])")  # a title begins with one, behind no letter
_EXTERNAL_KIND = {
    "cfr": "regulation", "usc": "statute", "law": "statute", "std": "standard", "ctl": "control", "act": "statute",
}  # fmt: skip

_HINT_INTERNAL = deferred(
    r"§|ection|ECTION|[Ss]ec\.|rticle|RTICLE|Art\.|xhibit|XHIBIT|chedule|CHEDULE|lause|[Pp]ara|ppendi|PPENDIX|nnex|NNEX|orm[s ]"
    r"|ttachment|TTACHMENT|Addendum|[Pp]art|hapter|[Tt]itle|Rule|Item|omment|Supplement"
)
# Every alternative begins with a literal: only then does the engine skip ahead to where one can begin.
_HINT_EXTERNAL = deferred(
    r"CFR|C\.F|C\. F|C F R|U\.S|U\. S|USC|U S C|Law|Pub\.|P\.L\.|Stat\.|FR(?<= FR) |Fed\."
    r"|Regulation|Directive|Order|E\.O\.|NIST|SP |Special"
    r"|FIPS|ISO|PCI|SOC|SSAE|HITRUST|COBIT|CIS|FedRAMP|OWASP|CMMC|COSO|GAAP|IFRS|CC[1-9]\.|A\.\d|A1\.|PI1\.|C1\.|P[1-8]\.|164\."
)
_HINT_CODED = deferred(r"[A-Z]{3} (?:APP )?\d{1,3}[A-Z]?\.\d")
_HINT_CONTROL = deferred(r"[A-Z][A-Z]-\d")
_HINT_TITLED = deferred(
    rf"Act\b|Code\b|{_TITLES.pattern('company_documents')}|Protocol|HIPAA|HITECH|{_TITLES.pattern('acts')}|Sarbanes|Dodd|Gramm"
)


def find_references(text: str, start: int, end: int) -> list[Mark]:
    """Every cross-reference in ``text[start:end]``, in order, not overlapping.

    A section number that opens the span and is followed by a title ("Section 6.13. Patent Licence") is that section's
    own label and no reference. "this Agreement" points nowhere and is left out.

    Args:
        text: the canonical text.
        start: first code point to read.
        end: one past the last; at most a few thousand beyond ``start``.

    Returns:
        Marks of kind "cross_reference". Confidence: 0.95 for citations with a fixed form (CFR, U.S.C., NIST, control
        ids), 0.9 for numbered places and well-known acts, 0.75 for documents recognised by their title alone.
    """
    found: list[Mark] = []
    if _HINT_EXTERNAL.search(text, start, end) or _HINT_CONTROL.search(text, start, end):
        found += _external(text, start, end)
    if _HINT_INTERNAL.search(text, start, end):
        found += _internal(text, start, end)
    if _HINT_TITLED.search(text, start, end):
        found += _titled(text, start, end)
    if _HINT_CODED.search(text, start, end):
        found += _coded(text, start, end)
    kept: list[Mark] = []
    # Fixed forms win over numbered places, and those over titles, when they overlap.
    for mark in sorted(found, key=lambda m: (-m.confidence, m.start, -m.end)):
        if all(mark.end <= other.start or mark.start >= other.end for other in kept):
            kept.append(mark)
    return sorted(kept, key=lambda m: m.start)


def _external(text: str, start: int, end: int) -> Iterator[Mark]:
    """Citations of laws, standards and controls that have a fixed form."""
    for match in _EXTERNAL.finditer(text, start, end):
        kind = _EXTERNAL_KIND[match.lastgroup or "law"]
        name = _tidy(match[0])
        if match.lastgroup == "law" and name.startswith(("Regulation", "Directive")):
            kind = "regulation"
        yield _mark(match.start(), match.end(), match[0], kind, name, name, 0.95)


def _titled(text: str, start: int, end: int) -> Iterator[Mark]:
    """Acts and documents called by their title."""
    for match in begun_matches(_TITLED, _CAPITAL, text, start, end):
        at = match.start()
        if match["act"]:
            lead = _LEAD_IN.match(match["act"])
            at += lead.end() if lead else 0
            name = _tidy(text[at : match.end()]).removesuffix(", as amended")
            if name in ("Act", "Code") or name.lower().endswith(
                ("zip code", "source code", "object code", "of the code")
            ):
                continue
            yield _mark(at, match.end(), text[at : match.end()], "statute", name, name, 0.9)
            continue
        if not text[start:at].strip(" \t\n*#_-") and not text[match.end() : end].strip(" \t\n*#_.:-"):
            continue  # the line is that document's own title
        name = _tidy(match["doc"])
        kind = (
            "policy"
            if name.endswith(("Policy", "Policies"))
            else "standard"
            if name.endswith("Standard")
            else "document"
        )
        yield _mark(at, match.end(), match["doc"], kind, name, name, 0.75)


def _internal(text: str, start: int, end: int) -> Iterator[Mark]:
    """Numbered places, each of a list on its own, with the document that owns them when it is another."""
    for match in _INTERNAL.finditer(text, start, end):
        head = " ".join(match["head"].rstrip(".").lower().split())
        first = _strip_label(match["label"])
        if not _is_place(head, first) or _is_own_label(text, start, end, match):
            continue
        places = [(match.start(), match.start("label") + len(first), first)]
        at = places[0][1]
        while True:
            also = _ALSO.match(text, at, min(end, at + 120))
            label = _strip_label(also["label"]) if also else ""
            if also is None or not _continues(first, label):
                break
            places.append((also.start("label"), also.start("label") + len(label), label))
            at = also.start("label") + len(label)
        owner = _OWNER.match(text, at, min(end, at + 160))
        document = _document(owner) or _outer_document(text, at, end)
        within = " ".join(((owner["within"] or owner["nearby"] or "") if owner else "").lower().split())
        if not document:
            # "GDPR Article 33": the owner stands before the place.
            leader = _LEADER.search(text, max(start, match.start() - 40), match.start())
            document = leader[1] if leader else _code_before(text, start, match.start())
        if not document and (follower := _FOLLOWER.match(text, at, min(end, at + 24))) is not None:
            document = follower[1]  # "Article 6(1)(f) GDPR"
        kind = _KINDS.get(head, "section")
        about = "comment" if head.startswith("comment") else ""
        if not about and _COMMENTARY.search(text, max(start, match.start() - 20), match.start()):
            about = "commentary"
        # "(b) and (c) of § 4.2": the places are in it.
        printed = owner["above"] if owner and owner["above"] and first[0] == "(" else ""
        for number, (lo, hi, spaced) in enumerate(places):
            before, label = printed, re.sub(r"\s", "", spaced)
            printed = _continued(printed, label) if number or not printed else printed + label
            is_range = number > 0 and _RANGE.search(text, max(start, lo - 12), lo) is not None
            more = {"within": within, "about": about, "range_from": before if is_range else ""}
            yield _mark(lo, hi, text[lo:hi], kind, printed, document, 0.9, more)


def _continued(before: str, label: str) -> str:
    """What a short label in a list stands for: "(3)" after "1005.3(b)(2)" is 1005.3(b)(3).

    It takes the place of the last part before it that is of its kind, number, letter, capital or roman numeral; what stands
    before that place is theirs in common.
    """
    if not before or label[0] != "(":
        return label
    own = _PARENTHESISED.findall(label)
    parts = list(_PARENTHESISED.finditer(before))
    for alike in _ALIKE:
        if alike.fullmatch(own[0]) is None:
            continue
        places = [at for at, part in enumerate(parts) if alike.fullmatch(part[1])]
        # "(i)(1)(iv)" after "(i)(1)(i)" begins where more of it has a counterpart.
        best = max(places, key=lambda at: (min(len(own), len(parts) - at), at), default=None)
        if best is not None:
            return before[: parts[best].start()] + label
    return label


def _document(owner: re.Match[str] | None) -> str:
    """The other document that a place belongs to; "" when it is this one."""
    if owner is None or owner["doc"] is None:
        return ""
    name = _tidy(owner["doc"])
    if _DOC_HEAD.search(name):
        return name
    coded = _CODED.match(name)
    return "" if coded is None or coded["code"] in _NO_CODES else coded[0]


def _outer_document(text: str, at: int, end: int) -> str:
    """The document that owns a place because it owns the place around it: "Chapter 3 of Part 8 of FSMR"; "" for none."""
    for _ in range(_MOST_NESTED):
        joint = _INSIDE.match(text, at, min(end, at + 16))
        around = _INTERNAL.match(text, joint.end(), min(end, at + 80)) if joint else None
        if around is None:
            return ""
        at = around.start("label") + len(_strip_label(around["label"]))
        owner = _OWNER.match(text, at, min(end, at + 160))
        if owner is not None:
            return _document(owner)
    return ""


def _code_before(text: str, start: int, at: int) -> str:
    """The code of the document that stands before a place: "in accordance with COBS Chapter 14"; behind a label as well."""
    found = _CODE_BEFORE.search(text, max(start, at - 40), at)
    return "" if found is None or len(found["code"]) < 3 or found["code"] in _NO_CODES else found["code"]


def _coded(text: str, start: int, end: int) -> Iterator[Mark]:
    """Numbers behind the code of a rulebook, behind a word that leads to a place: "under GEN 2.4.1"."""
    for match in _CODED_NUMBER.finditer(text, start, end):
        if match["code"] not in _NO_CODES:
            label = re.sub(r"\s", "", match["label"])
            yield _mark(*match.span("place"), match["place"], "regulation", label, match["code"], 0.75)


def _strip_label(label: str) -> str:
    """A label without white space at its edges."""
    return label.rstrip()


def _is_place(head: str, label: str) -> bool:
    """Whether head and label can be a place: "part 2" yes, "item I" or "title A" no."""
    if label[:1] == "(":
        return head not in _NOT_IN_PARENTHESES
    if head in _CITED_BY_WORD and not label[0].isdigit():
        return len(label) > 1 or (head in ("part", "title", "chapter") and label in "IVX")
    if head in _CITED_BY_NUMERAL:
        return label[0].isdigit() or len(label) > 1 or label in "IVX" or label.isupper()
    return True


def _continues(first: str, label: str) -> bool:
    """Whether ``label`` looks like the next of a list that began with ``first``."""
    if not label:
        return False
    if label[0].isdigit():
        # "Section 3 and 30 days" is no list; a list keeps the first label's form.
        alike = first.count(".") == label.count(".") > 0 or len(label) <= len(first) + 4
        return first[0].isdigit() and (("." in label) == ("." in first) or "(" in label) and alike
    return label[0] == "(" or (not first[0].isdigit() and first[0] != "(" and label[0].isupper() and len(label) <= 4)


def _is_own_label(text: str, start: int, end: int, match: re.Match[str]) -> bool:
    """Whether a place opens its sentence as that sentence's own number."""
    before = text[start : match.start()]
    if before.strip(" \t\n*#_-•"):
        return False
    rest = text[match.end() : min(end, match.end() + 40)].lstrip()
    return not rest or rest[0] in ".:–—-)" or rest[0].isupper() or rest[0] == "*"


def _tidy(name: str) -> str:
    """A name with single spaces and without punctuation at its end."""
    return re.sub(r"\s+", " ", name).strip(" ,;")


def _mark(
    start: int, end: int, target: str, kind: str, label: str, document: str, confidence: float,
    more: Mapping[str, str] = MappingProxyType({}),
) -> Mark:  # fmt: skip
    """A cross-reference as a mark; ``document`` is "" for a place in this document."""
    data: dict[str, JsonValue | None] = {
        "target": target,
        "target_kind": kind,
        "label": label,
        "document": document,
        "internal": not document,
        **more,
    }
    return Mark("cross_reference", start, end, sort_data(data), confidence)
