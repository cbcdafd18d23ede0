"""Tables of words are read, checked and refused with their names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import coditect.language
from coditect.errors import SchemaError
from coditect.language.tables import parse_table, read_table, table_names, worded

_HEAD = 'about = "Signs."\nsource = "A grammar."\n'


def _table(entry: str) -> str:
    return f"{_HEAD}[signs]\n{entry}\n"


def test_every_table_of_the_package_is_read() -> None:
    """What ships passes its own checks."""
    for name in table_names():
        assert read_table(name).entries, name


def test_entries_are_read_by_their_kind() -> None:
    """Words keep their order; pairs, axes and mappings come apart at their mark; a phrase may run over white space."""
    text = _HEAD + (
        '[w]\nkind = "words"\nentries = "not  never\\nno"\n[p]\nkind = "phrases"\nentries = "in  no case; at no time"\n'
        '[g]\nkind = "groups"\nentries = "red green\\nmay june"\n[x]\nkind = "axes"\nentries = "up rise | down fall"\n'
        '[q]\nkind = "pairs"\nentries = "may not | may"\n[m]\nkind = "mapping"\nentries = "hrs = hour"\n'
    )
    table = parse_table(text, "signs")
    assert table.words("w") == ("not", "never", "no")
    assert table.phrases("p") == ("in no case", "at no time")
    assert table.groups("g") == (("red", "green"), ("may", "june"))
    assert table.axes("x") == ((("up", "rise"), ("down", "fall")),)
    assert table.pairs("q") == (("may not", "may"),)
    assert table.mapping("m") == {"hrs": "hour"}


def test_endings_in_parentheses_are_spelled_out() -> None:
    """A word stands for all its forms, without the ending first; a phrase may be longer."""
    text = _HEAD + (
        "[w]\nkind = 'words'\nentries = 'employee(s) part(y|ies) (S|s)ec.'\n"
        "[p]\nkind = 'phrases'\nentries = 'in case( of|)'\n"
    )
    table = parse_table(text.replace("[w]", "[w]\ncased = true"), "signs")
    assert table.words("w") == ("employee", "employees", "party", "parties", "Sec.", "sec.")
    assert table.phrases("p") == ("in case of", "in case")


def test_a_pattern_matches_what_the_words_are_and_nothing_else() -> None:
    """Every spelled form matches as a whole, signs stand for themselves, and a phrase runs over line ends."""
    text = _HEAD + (
        "[w]\nkind = 'words'\nentries = 'employee(s) part(y|ies) authori(s|z)ed u.s.(a.) (sub-|sub)clause'\n"
        "[p]\nkind = 'phrases'\nentries = 'in case( of); at no time'\n"
    )
    table = parse_table(text, "signs")
    for word in table.words("w"):
        assert re.fullmatch(table.pattern("w"), word), word
    for other in ("parties(", "uxsx", "authorised authorized", "party(y|ies)", "Employee"):
        assert re.fullmatch(table.pattern("w"), other) is None, other
    assert re.fullmatch(table.pattern("p"), "in\n case\tof")
    assert re.fullmatch(table.pattern("p", space=" "), "in\n case") is None


def test_a_form_has_the_words_of_entries_where_it_names_them() -> None:
    """Of its own table and of others, in any case; the same pattern is given whenever it is asked for."""
    found = worded("negation", r"\b(?:«negators»|«time.units»)\b(?P<n>x?){0,1}")
    assert found() is found()
    assert [found().search(each) is not None for each in ("NOT it", "two days", "notable", "nothere")] == [
        True,
        True,
        False,
        False,
    ]
    with pytest.raises(SchemaError):
        worded("negation", "«no_such_entry»")()


def test_every_pattern_of_the_package_compiles_and_matches_its_own_words() -> None:
    """What ships can be used as it is meant: whatever an entry spells out is matched by its pattern."""
    for name in table_names():
        table = read_table(name)
        for entry, (kind, _) in table.entries.items():
            if kind in ("words", "phrases"):
                pattern = re.compile(table.pattern(entry))
                said = table.words(entry) if kind == "words" else table.phrases(entry)
                assert all(pattern.fullmatch(each) for each in said), (name, entry)


def test_no_table_of_the_package_goes_unread() -> None:
    """Every entry is asked for by its name somewhere in the package, so that no list outlives its use."""
    package = Path(coditect.language.__file__).parent.parent
    code = "\n".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    named = set(re.findall(r"[\"'](?=([^\"'\n]+)[\"'])", code)) | set(re.findall(r"«(?:\w+\.)?(\w+)»", code))
    for name in table_names():
        entries = set(read_table(name).entries) if name != "negation" else set()  # verify's and retrieve's own
        assert entries <= named, (name, entries - named)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("about = ", "is not TOML"),
        ('source = "A grammar."', "does not say what it is"),
        (_table('kind = "list"\nentries = "not"'), "has no kind and text"),
        (_table('kind = "words"\nentries = "not never not"'), "empty or repeats itself"),
        (_table('kind = "words"\nentries = " "'), "empty or repeats itself"),
        (_table('kind = "words"\nentries = "Not"'), "not in lower case"),
        (_table('kind = "words"\nentries = "part(y|ies"'), "empty or repeats itself"),
        (_table('kind = "words"\nentries = "part|ies"'), "empty or repeats itself"),
        (_table('kind = "words"\nentries = "employee(s) employees"'), "empty or repeats itself"),
        (_table('kind = "pairs"\nentries = "may not"'), "empty or repeats itself"),
        (_table('kind = "mapping"\nentries = "hrs = hour\\nhrs = day"'), "empty or repeats itself"),
        (_table('kind = "words"\nentries = "not"\nweight = 2'), "unknown fields"),
    ],
)
def test_a_table_that_is_wrong_is_refused(text: str, why: str) -> None:
    """Each mistake that a hand makes is named."""
    with pytest.raises(SchemaError, match=why):
        parse_table(text, "signs")


def test_a_table_that_is_not_there_is_refused() -> None:
    """Neither a table nor an entry nor a kind is guessed."""
    with pytest.raises(SchemaError, match="no such table"):
        read_table("nothing")
    with pytest.raises(SchemaError, match="no such table"):
        read_table("negation", "xx")
    with pytest.raises(SchemaError, match="no such entry"):
        read_table("negation").words("nothing")
    with pytest.raises(SchemaError, match="no such entry"):
        read_table("negation").phrases("negators")
