"""Tables of words are read, checked and refused with their names."""

from __future__ import annotations

import pytest

from coditect.errors import SchemaError
from coditect.language.tables import parse_table, read_table, table_names

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


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("about = ", "is not TOML"),
        ('source = "A grammar."', "does not say what it is"),
        (_table('kind = "list"\nentries = "not"'), "has no kind and text"),
        (_table('kind = "words"\nentries = "not never not"'), "empty or repeats itself"),
        (_table('kind = "words"\nentries = " "'), "empty or repeats itself"),
        (_table('kind = "words"\nentries = "Not"'), "not in lower case"),
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
