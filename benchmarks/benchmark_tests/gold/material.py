"""A small document of our own and its units, for the tests of the gold's tools."""

from __future__ import annotations

from coditect_benchmarks.gold.checking import place_pack_unit
from coditect_benchmarks.gold.records import Label, PackUnit, Span, Unit
from coditect_benchmarks.gold.resolution import resolve

CUSTODIAN = PackUnit(
    id="u1",
    genre="rulebook",
    document="AB",
    path=("7\tCustody", "7.2\tThe custodian shall do this:"),
    before="7.2.(2)\tA key is a secret.",
    text="7.2.(3)\tThe custodian shall:\n(a)\tnot disclose a key; and\n"
    "(b)\treturn \u200ea key to the client,\nuntil the contract ends.",
    after="7.2.(4)\tSee Schedule 2.",
)


def norm(**parts: object) -> dict[str, object]:
    """A norm that is complete; ``parts`` replace what it says."""
    return {
        "kind": "prohibition",
        "force": "mandatory",
        "polarity": "negative",
        "text": ["The custodian shall", "not disclose a key", "until the contract ends"],
        "action": "disclose a key",
        "holder": "The custodian",
        **parts,
    }


def label(**parts: object) -> Label[str]:
    """A label of the custodian's unit as written."""
    return Label[str].model_validate({"id": "u1", **parts})


def placed() -> tuple[str, Unit]:
    """The text of the custodian's unit and where it lies."""
    return place_pack_unit(CUSTODIAN)


def quoted(text: str, spans: tuple[Span, ...]) -> list[str]:
    """The words of some spans."""
    return [text[start:end] for start, end in spans]


def resolved(**parts: object) -> Label[Span]:
    """A label of the custodian's unit with offsets."""
    text, unit = placed()
    return resolve(text, unit, label(**parts))
