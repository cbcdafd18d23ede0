"""With which force a document speaks, guessed from its title, from what it calls itself, and from the formulas of its kind.

Each sign has a weight: a title names the kind in the last noun before its complement ("Incident Response *Plan*", "*Report* on the
Access Policy"); a document calls itself by its kind ("this Agreement", "these Rules"); laws are enacted, contracts agreed, and
meetings recorded in words that nothing else uses. The weights are what a reader trusts first, not fitted to documents.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache

from coditect.documents.profile.guess import Guess
from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.places import label_matches
from coditect.language.tables import read_table

__all__ = ["guess_role", "kind_of", "title_line"]

_PROFILES = read_table("profiles")
_ROLES = ("law", "rule", "guidance", "standard", "policy", "procedure", "contract", "record")
_ROLE_OF = {noun: role for role in _ROLES for noun in _PROFILES.words(role)}
_NAMED = _PROFILES.pairs("phrases")
_COMPLEMENT = re.compile(rf"(?<=\w)[\s,]+(?:{_PROFILES.pattern('complements')})\s", re.IGNORECASE)
_AND = re.compile(r"(?<=\w)[\s,]+(?:and|&)\s", re.IGNORECASE)
_WEAK = frozenset(_PROFILES.words("weak_records"))
_ROW = re.compile(r"[^|\n]*\|[^|\n]*\||[^|:\n]{1,40}: [^|\n]*\| [^|:\n]{1,40}: ")
_TABLE = re.compile(r"\.(?:csv|tsv|xlsx?|ods)$", re.IGNORECASE)
_SEGMENT = re.compile(r"\s+[-–—|/]+\s+|[:;_(—/]|\.\s|\n|\s{2,}")
_BEHIND = frozenset(_PROFILES.words("behind_titles"))
_WORD = re.compile(r"[^\W\d_][\w-]*")
_VERBS = _PROFILES.pattern("no_part_of_a_name")
_CALLED = quick(
    rf"\b(?:{_PROFILES.pattern('deictic')})\s+"
    rf"(?:(?!(?:{_VERBS}|{_PROFILES.pattern('complements')})\b)[\w’'&-]+\s+){{0,5}}?"
    rf"(?P<noun>{'|'.join(_PROFILES.pattern(role) for role in _ROLES)})\b"
    rf"(?!\s*['’])(?!\s+(?:of|to)\s+(?:this|the)\b)",
    re.IGNORECASE,
)
_FORMULAS = {
    "law": re.compile(rf"\b(?:{_PROFILES.pattern('enacting')})\b", re.IGNORECASE),
    "contract": re.compile(rf"\b(?:{_PROFILES.pattern('contracting')})", re.IGNORECASE),
    "record": re.compile(rf"(?:^|(?<=\W))(?:{_PROFILES.pattern('recording')})", re.IGNORECASE),
    "procedure": re.compile(rf"\b(?:{_PROFILES.pattern('telling_how')})\b", re.IGNORECASE),
    "rule": re.compile(rf"\b(?:{_PROFILES.pattern('imposing')})\b", re.IGNORECASE),
}
_APPLIES = re.compile(
    rf"(?:^|(?<=[.\n])\s*)(?:The|This)\s+(?P<noun>{'|'.join(_PROFILES.pattern(role) for role in _ROLES)})\s+"
    rf"(?:{_PROFILES.pattern('verbs_of_scope')})\b",
    re.MULTILINE,
)
_LABELS = ("next_review", "owner", "edition", "approval", "effective_from")
_OWNED = re.compile(_PROFILES.pattern("owner"), re.IGNORECASE)
_BINDING = re.compile(rf"\b(?:{_PROFILES.pattern('binding_words')})\b", re.IGNORECASE)
_CONTROL = re.compile(
    rf"(?:^|\||(?<=[.;])\s)[ \t*_#>-]*(?P<label>{'|'.join(map(_PROFILES.pattern, _LABELS))})\b"
    r"(?=[*_]*\s*[:|\t：]|\s+[\dA-Z])",
    re.IGNORECASE | re.MULTILINE,
)
_DIVISION = re.compile(rf"\bthis (?:{_PROFILES.pattern('law_divisions')})\b", re.IGNORECASE)
_PART = re.compile(r"^\s*PART\s+\d{1,4}\b", re.MULTILINE)

OF_THE_TITLE = 4.0
OF_THE_FILE = 2.9
OF_THE_FOLDER = 2.5
OF_THE_FIRST_LINES = 3.0
OF_A_FORMULA = 2.0
OF_A_TABLE = 1.5
OF_WHAT_IT_CALLS_ITSELF = 3.0
"""What a sign is worth; what a document calls itself counts in full where it is a third or more of all it calls anything."""

FEWEST_TIMES = 2
"""Times that a document must call itself something before that is a sign."""

FEWEST_LABELS = 3
CONTROL_CHARS = 1_500
"""Labels of document control, within so many characters from the beginning, by which a document of no other sign is a procedure."""

FIRST_LINES = 12
"""Lines with words at the beginning of a document among which its printed title may stand."""

TITLE_CHARS = 4_000
LONGEST_TITLE = 160
"""Characters within which these lines stand; and of a line that may be a title."""

FORMULA_CHARS = 6_000
"""Characters from the beginning within which a formula counts."""


@lru_cache(maxsize=2)  # whoever reads a document asks, and whoever makes its profile
def guess_role(name: str, title: str, head: str) -> Guess | None:
    """The role that the signs of a document speak for, and the weightiest of these; None where there is no sign.

    Args:
        name: the document's name in the corpus.
        title: its title as its format gives it; "" for none.
        head: the beginning of its text.
    """
    signs: dict[str, list[tuple[float, Guess]]] = defaultdict(list)
    for weight, guess in (*_titles(name, title, head), *_formulas(head), *_calls_itself(head)):
        signs[guess.value].append((weight, guess))
    if not signs:
        return _division(head) or _controlled(head)
    role = max(signs, key=lambda each: (sum(weight for weight, _ in signs[each]), -_ROLES.index(each)))
    return max(signs[role], key=lambda sign: (sign[0], -sign[1].start))[1]


def _division(head: str) -> Guess | None:
    """Of a text that shows nothing else, that it calls itself a part of a code: "this part", "this subpart"."""
    found = list(_DIVISION.finditer(head))
    return Guess("law", "text", found[0][0], *found[0].span()) if len(found) >= FEWEST_TIMES else None


def _controlled(head: str) -> Guess | None:
    """Of a text that shows nothing else, that it is controlled as a house's procedures are: owner, version, next review.

    Of one that asks for something an owner and one label beside are enough.
    """
    labels = {match["label"].casefold(): match for match in label_matches(_CONTROL, head, CONTROL_CHARS)}
    owned = any(_OWNED.fullmatch(label) for label in labels) and _BINDING.search(head) is not None
    if len(labels) < FEWEST_LABELS - owned:
        return None
    first = min(labels.values(), key=lambda match: match.start("label"))
    return Guess("procedure", "text", first["label"], *first.span("label"))


def _titles(name: str, title: str, head: str) -> list[tuple[float, Guess]]:
    found: list[tuple[float, Guess]] = []
    if role := kind_of(title):
        found.append((OF_THE_TITLE, Guess(role, "title", title)))
    *folders, file = name.split("/")
    stem = re.sub(r"(?:\.[A-Za-z]\w{0,4})+$", "", file)
    if role := kind_of(stem if " " in stem else re.sub(r"[_-]+", " ", stem)):
        found.append((OF_THE_FILE, Guess(role, "file name", name)))
    for folder in folders[-1:]:
        if role := kind_of(folder):
            found.append((OF_THE_FOLDER, Guess(role, "file name", name)))
    if _TABLE.search(file):
        found.append((OF_A_TABLE, Guess("record", "file name", name)))
    line = title_line(head)
    if line is not None:
        found.append((OF_THE_FIRST_LINES, Guess(kind_of(line.quote), "text", line.quote, line.start, line.end)))
    return found


def title_line(head: str) -> Guess | None:
    """The line among the first of a text that names a kind of document as titles do; None where none does."""
    lines = 0
    for match in re.finditer(r"[^\n]+", head[:TITLE_CHARS]):
        line = match[0].strip()
        if not line:
            continue
        lines += 1
        # A heading has no full stop, and no finite verb that we would have to look for.
        is_heading = len(line) <= LONGEST_TITLE and not line.endswith((".", ";", ",")) and line[:1].isupper()
        if is_heading and not _ROW.match(line) and len(line.split()) > 1 and kind_of(line):
            start = match.start() + match[0].index(line)
            return Guess(" ".join(line.split()), "text", line, start, start + len(line))
        if lines == FIRST_LINES:
            break
    return None


def kind_of(title: str) -> str:
    """The role that a title names: the noun of a kind with which its first such part ends, before its complement; "" for none."""
    folded = title.casefold()
    for phrase, role in _NAMED:
        if re.search(rf"\b{re.escape(phrase)}\b", folded):
            return role
    for part in _SEGMENT.split(title):
        phrase = _COMPLEMENT.split(part or "", maxsplit=1)[0]
        first, last = (_kind_noun(each) for each in (_AND.split(phrase, maxsplit=1)[0], phrase))
        # "Certificates and Complaints Procedure" is a procedure, "Policy and Procedures" a policy, and "Tests and Results" neither.
        if last and last not in _WEAK and (not first or _ROLE_OF[first] == "record"):
            return _ROLE_OF[last]
        if first:
            return _ROLE_OF[first]
    return ""


def _kind_noun(phrase: str) -> str:
    """The noun of a kind with which a noun phrase ends, as it is printed; "" where it ends with another."""
    words = _words(phrase)
    while words and (words[-1] in _BEHIND or len(words[-1]) < 2):
        words.pop()
    return words[-1] if words and words[-1] in _ROLE_OF else ""


def _words(text: str) -> list[str]:
    return [match[0].casefold().rstrip("0123456789") for match in _WORD.finditer(text)]


def _formulas(head: str) -> list[tuple[float, Guess]]:
    found = []
    for role, pattern in _FORMULAS.items():
        match = pattern.search(head, 0, FORMULA_CHARS)
        if match is not None:
            found.append((OF_A_FORMULA, Guess(role, "text", match[0], *match.span())))
    scope = _APPLIES.search(head, 0, FORMULA_CHARS)
    if scope is not None:  # "The procedure applies to all employees."
        found.append((OF_A_FORMULA, Guess(_ROLE_OF[scope["noun"].casefold()], "text", scope[0].strip(), *scope.span())))
    part = _PART.search(head, 0, 500)
    if part is not None:  # a part of a code of regulations is headed by its number
        found.append(
            (OF_THE_FIRST_LINES, Guess("law", "text", part[0].strip(), part.end() - len(part[0].strip()), part.end()))
        )
    return found


def _calls_itself(head: str) -> list[tuple[float, Guess]]:
    """What a document calls itself, by the share of each kind among all that it points to with "this" and "these"."""
    times: dict[str, list[re.Match[str]]] = defaultdict(list)
    for match in _CALLED.finditer(head):
        role = _ROLE_OF[match["noun"].casefold()]
        if role != "record" or match[0][:4].casefold() == "this":  # "these reports" are those that a document speaks of
            times[role].append(match)
    every = sum(len(matches) for matches in times.values())
    return [
        (
            OF_WHAT_IT_CALLS_ITSELF * min(1.0, 3 * len(matches) / every),
            Guess(role, "text", matches[0][0], *matches[0].span()),
        )
        for role, matches in times.items()
        if len(matches) >= FEWEST_TIMES
    ]
