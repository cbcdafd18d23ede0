"""Terms on lines of their own above what they mean, and several terms with meanings elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.documents.readers import read_source
from coditect.schemas import DocumentVersion
from coditect.tiers.extractions.document import extraction_records, read_document

_VERSION: dict[str, Any] = {"corpus_id": "c", "document_id": "d", "version_id": "v"}


def _terms(text: str, name: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """What each term means, with its other names."""
    version = DocumentVersion.model_construct(**_VERSION, name=name)
    found = {}
    for each in extraction_records(version, read_document(read_source(text.encode(), name)), "derivation"):
        if each.extraction_kind == "definition":
            data: dict[str, Any] = each.tier1_data.fields()
            found[str(data["term"])] = (str(data["definition"]), tuple(data.get("aliases", ())))
    return found


KEEPER = "person who holds keys for others"
TRAIL = "chronological record of who did what with a key"
STANDARD = {
    "lines": ("a.txt", f"3 Terms and definitions\n\n3.1\nkeeper\n{KEEPER}\n\n3.2\naudit trail\n{TRAIL}\n"),
    "paragraphs": ("a.txt", f"3 Terms and definitions\n\n3.1\n\nkeeper\n\n{KEEPER}\n\n3.2\n\naudit trail\n\n{TRAIL}\n"),
    "term behind": (
        "a.md",
        f"## 3 Terms and definitions\n\n### 3.1 keeper\n\n{KEEPER}\n\n### 3.2 audit trail\n\n{TRAIL}\n",
    ),
}


@pytest.mark.parametrize("style", STANDARD)
def test_entries_of_a_standard_define_the_term_below_their_number(style: str) -> None:
    """ISO/IEC Directives, Part 2, clause 16: number, term and definition are printed below each other."""
    name, text = STANDARD[style]
    assert _terms(text, name) == {"keeper": (KEEPER, ()), "audit trail": (TRAIL, ())}


def test_entries_end_with_their_section() -> None:
    """A heading of the next section and its sentence define nothing."""
    text = f"3 Terms and definitions\n\n3.1\nkeeper\n{KEEPER}\n\n4 Locks\n\n4.1\nOil\nlocks that are dry are oiled by hand\n"
    assert _terms(text, "a.txt") == {"keeper": (KEEPER, ())}


GLOSSARY = (
    "<h2>Glossary</h2><dl><dt>Keeper</dt><dd>a person who holds keys for others</dd>"
    "<dt>Vault</dt><dt>Strong room</dt><dd>a locked room without any window</dd></dl>"
)


def test_list_of_terms_of_a_page_defines_them() -> None:
    """A second name above the meaning is another name of the term."""
    assert _terms(f"<html><body>{GLOSSARY}</body></html>", "a.html") == {
        "Keeper": ("a person who holds keys for others", ()),
        "Vault": ("a locked room without any window", ("Strong room",)),
    }


def test_titles_above_provisions_are_no_terms() -> None:
    """Notes in the margin take turns with provisions, which bind or have numbers."""
    text = "Definitions\n\nOil\n\nA keeper must oil the locks of the house.\n\nLamps\n\nA warden must dim the lamps of the house.\n"
    assert _terms(text, "a.txt") == {}


@pytest.mark.parametrize(
    "sentence",
    [
        "“Keeper”, “Vault” and “Register” have the meanings given in section 4 of the Keys Act.",
        "In this Order, Keeper, Vault and Register have the same meanings as in the Keys Act.",
    ],
)
def test_several_terms_are_defined_each_by_itself(sentence: str) -> None:
    """They are not names of one thing."""
    found = _terms(f"1. Definitions\n\n{sentence}\n", "a.txt")
    assert list(found) == ["Keeper", "Vault", "Register"]
    assert all(not names for _, names in found.values())
