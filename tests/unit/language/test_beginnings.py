"""Patterns that look at the next letters first match what they match without that."""

from __future__ import annotations

import copy
import re
import string
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import coditect.sample
from coditect.language.patterns.beginnings import beginnings, quick
from coditect.language.patterns.deferred import is_pattern
from coditect.language.tables import read_table, table_names
from tests.effort import times

AHEAD = "(?-i:(?="
MODULES = (
    "coditect.documents.profile.labels",
    "coditect.documents.profile.other_names",
    "coditect.documents.profile.role",
    "coditect.documents.sentences",
    "coditect.documents.structure.headings",
    "coditect.language.definitions.glossary",
    "coditect.language.definitions.verbs",
    "coditect.language.entities.mentions",
    "coditect.language.norms.before.segments",
    "coditect.language.norms.before.subordinates",
    "coditect.language.norms.binding",
    "coditect.language.norms.force",
    "coditect.language.norms.limits.openings",
    "coditect.language.norms.limits.times",
    "coditect.language.norms.meanings.denials",
    "coditect.language.norms.modality",
    "coditect.language.norms.parts",
    "coditect.language.norms.subjects",
    "coditect.language.provisions.apart",
    "coditect.language.quantities.comparators",
    "coditect.language.quantities.dates",
    "coditect.language.quantities.meaning",
    "coditect.language.quantities.money",
    "coditect.language.references.mentions",
    "coditect.tiers.chunks.facts",
    "coditect.tiers.extractions.rules",
    "coditect.tiers.findings.conflicts.approvals",
    "coditect.tiers.findings.conflicts.assertions.definitions",
    "coditect.tiers.findings.conflicts.assertions.limits",
    "coditect.tiers.findings.conflicts.assertions.places",
    "coditect.tiers.findings.conflicts.assertions.tallies",
    "coditect.tiers.findings.conflicts.entries",
    "coditect.tiers.findings.conflicts.figures",
    "coditect.tiers.findings.conflicts.lines",
    "coditect.tiers.findings.conflicts.stances",
    "coditect.tiers.findings.missing",
    "coditect.tiers.findings.tables",
    "coditect.tiers.findings.telling",
)


def _found(pattern: re.Pattern[str], text: str) -> list[tuple[tuple[int, int], dict[str, str | None], str | None]]:
    return [(match.span(), match.groupdict(), match.lastgroup) for match in pattern.finditer(text)]


def _sample() -> str:
    folder = Path(coditect.sample.__file__).parent / "corpus"
    files = [each for each in sorted(folder.rglob("*")) if each.suffix in (".md", ".txt")]
    return "\n".join(each.read_text(encoding="utf-8") for each in files)[:80_000]


letters = st.sampled_from(
    [
        "a",
        "b",
        "ab",
        "s",
        "K",
        "i",
        "é",
        r"\.",
        r"\d",
        r"\w",
        "[ab]",
        "[^a]",
        r"\s",
        r"\s+",
        " ",
        "’",
        ":",
        r"\[",
        r"[\"\]é]",
    ]
)
ahead = st.sampled_from([r"\b", r"(?<!\w)", r"(?<=a)", "(?=b)", "(?!ab)", "^", "$"])


def _grown(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(parts, min_size=1, max_size=3)
    repeats = st.sampled_from(["*", "+", "?", "{2}", "{1}", "{0,1}", "{1,2}", "??", "+?"])
    return st.one_of(
        several.map("".join),
        several.map(lambda each: f"(?:{'|'.join(each)})"),
        several.map(lambda each: f"({'|'.join(each)})"),
        parts.map(lambda each: f"(?i:{each})"),
        parts.map(lambda each: f"(?-i:{each})"),
        st.tuples(parts, repeats).map(lambda both: f"(?:{both[0]}){both[1]}"),
        st.tuples(ahead, parts).map("".join),
    )


patterns = st.recursive(letters, _grown, max_leaves=8)
texts = st.text(alphabet='abABsSſkK\u212aiIıİéÉ. 1\n’:[]"', max_size=24)


@given(patterns, texts, st.sampled_from([0, re.IGNORECASE]))
def test_quick_pattern_matches_the_same(pattern: str, text: str, flags: int) -> None:
    """Whatever the pattern, its matches and their groups are those of the pattern as it stands, in every stretch of the text."""
    plain, fast = re.compile(pattern, flags), quick(pattern, flags)
    assert [(m.span(), m.groups()) for m in fast.finditer(text)] == [
        (m.span(), m.groups()) for m in plain.finditer(text)
    ]
    for start, end in ((1, len(text)), (0, len(text) // 2), (len(text) // 3, len(text))):
        one, other = fast.search(text, start, end), plain.search(text, start, end)
        assert (one and (one.span(), one.groups())) == (other and (other.span(), other.groups()))


@given(patterns, patterns, patterns, texts, st.sampled_from([0, re.IGNORECASE]))
def test_parts_are_tried_where_they_can_begin(one: str, part: str, other: str, text: str, flags: int) -> None:
    """A look ahead before an alternative changes nothing of what is found."""
    pattern = rf"(?:(?P<one>{one})|{part}|(?P<other>{other}))"
    assert _found(quick(pattern, flags, (part,)), text) == _found(re.compile(pattern, flags), text)


@given(patterns, texts, st.sampled_from([0, re.IGNORECASE]))
def test_methods_of_a_quick_pattern_are_those_of_the_plain_one(pattern: str, text: str, flags: int) -> None:
    """Wherever a match is looked for and whatever is done with it, also where the pattern is sought by letters."""
    plain, fast = re.compile(pattern, flags), quick(pattern, flags)
    assert fast.findall(text) == plain.findall(text)
    assert fast.sub("_", text) == plain.sub("_", text)
    assert fast.split(text) == plain.split(text)
    assert bool(fast.match(text, 1)) == bool(plain.match(text, 1))
    assert [m.span() for m in fast.finditer(text, 1, 7)] == [m.span() for m in plain.finditer(text, 1, 7)]
    assert fast.groups == plain.groups
    assert _found(copy.copy(fast), text) == _found(plain, text)


def test_letter_in_any_case_begins_with_all_that_equal_it() -> None:
    """What the engine takes for a letter where case does not matter may begin a match: also the long s and the sign of Kelvin."""
    characters = "".join(map(chr, range(0x10000)))
    for letter in string.ascii_letters:
        ((begins,),) = beginnings(letter, re.IGNORECASE)
        assert re.findall(letter, characters, re.IGNORECASE) == re.findall(begins, characters)


def test_quick_pattern_of_a_table_finds_the_same_in_the_sample() -> None:
    """The words of every table are found where they are found without a look ahead, in whatever case they stand."""
    text = _sample()[: times(80_000)]
    for name in table_names():
        table = read_table(name)
        for entry, (kind, _) in table.entries.items():
            if kind in ("words", "phrases") and len(table.entries[entry][1]) < 400:
                source = rf"\b(?:{table.pattern(entry)})\b"
                for flags in (0, re.IGNORECASE):
                    assert _found(quick(source, flags), text) == _found(re.compile(source, flags), text), (name, entry)


@pytest.mark.parametrize("module", MODULES)
def test_quick_patterns_in_use_find_the_same_in_the_sample(module: str) -> None:
    """Each pattern of the product that looks ahead finds in the sample's documents what it finds without."""
    text = _sample()
    used = [each for each in vars(import_module(module)).values() if is_pattern(each) and AHEAD in each.pattern]
    assert used
    for pattern in used:
        assert _found(pattern, text) == _found(re.compile(_without_look_ahead(pattern.pattern), pattern.flags), text)


def _without_look_ahead(pattern: str) -> str:
    """The pattern without what :func:`quick` puts in front of it."""
    start = pattern.index(AHEAD)
    depth = 0
    for found in re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()]", re.DOTALL).finditer(pattern, start):
        depth += (found[0] == "(") - (found[0] == ")")
        if not depth:
            return pattern[:start] + pattern[found.end() :]
    raise AssertionError(pattern)


@pytest.mark.parametrize("pattern", [r"\s+and", "(?P<a>x)(?P=a)", "(?x) a b", ".a", "a*", r"(a)?b\1|c{", "(?i)one"])
def test_pattern_that_may_begin_with_anything_stays_as_it_is(pattern: str) -> None:
    """Where nothing is known of how a match begins, or white space may begin it, nothing is put in front or nothing is lost."""
    assert [m.span() for m in quick(pattern).finditer("x x xx and one ab ba ccb c{")] == [
        m.span() for m in re.finditer(pattern, "x x xx and one ab ba ccb c{")
    ]
