"""Families whose questions are what a second text says of the first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from coditect_benchmarks.retrieval.adapters_guidance import cfpb, find_families, first_sentence, nist, policies

from coditect.errors import SchemaError, UsageError

ASKED = "Keys are kept apart from the data that they protect at all times."


def catalogue(folder: Path) -> None:
    """One control, and one that was withdrawn."""
    parts = [
        {"name": "statement", "parts": [{"name": "item", "prose": "Keep {{ prm_1 }} keys."}]},
        {"name": "guidance", "prose": f"{ASKED} See [SC-13](#sc-13)."},
    ]
    kept = {"id": "sc-12", "title": "Keys", "parts": parts}
    groups = [{"controls": [kept, {"id": "sc-99", "title": "Gone", "parts": []}]}]
    (folder / "NIST_SP-800-53_rev5_catalog.json").write_text(json.dumps({"catalog": {"groups": groups}}), "utf-8")


def test_discussion_of_a_control_asks_for_the_control(tmp_path: Path) -> None:
    """Parameters are printed as words; a withdrawn control is no document."""
    catalogue(tmp_path)
    found = nist(tmp_path)
    assert [(each.id, "Keep as defined by the organization keys." in each.text) for each in found.documents] == [
        ("SC-12", True)
    ]
    assert [(each.text, each.gold[0].document) for each in found.queries] == [(ASKED, "SC-12")]


def test_comment_asks_for_the_paragraph_that_it_interprets(tmp_path: Path) -> None:
    """The comment itself is not in the document, and the gold is the paragraph with those below it."""
    (tmp_path / "1099-x.xml").write_text(
        f"""<regulation xmlns="eregs"><section label="1099-1"><subject>1. Keys</subject>
        <paragraph label="1099-1-a" marker="(a)"><content>A bank keeps <ref target="x">keys</ref>.</content>
        <paragraph label="1099-1-a-1" marker="(1)"><content>Apart.</content></paragraph></paragraph></section>
        <interpretations><interpParagraph label="1099-1-a-Interp" target="1099-1-a"><content/>
        <interpParagraph label="1099-1-a-Interp-1"><content>{ASKED}</content></interpParagraph>
        <interpParagraph label="1099-1-a-Interp-2"><content>None.</content></interpParagraph>
        </interpParagraph></interpretations></regulation>""",
        "utf-8",
    )
    found = cfpb(tmp_path)
    (document,), (query,) = found.documents, found.queries
    assert document.text[query.gold[0].start : query.gold[0].end] == "(a) A bank keeps keys.\n\n(1) Apart.\n\n"
    assert (query.text, found.unscored) == (ASKED, 1)
    assert ASKED not in document.text


def test_summary_asks_for_the_procedure_unless_it_stands_in_it(tmp_path: Path) -> None:
    """What stands in the text verbatim is no question."""
    (tmp_path / "procedures").mkdir()
    rows = [{"id": name, "file": f"procedures/{name}.md", "summary": ASKED} for name in ("a", "b", "gone")]
    (tmp_path / "config.json").write_text(json.dumps({"procedures": rows}), "utf-8")
    (tmp_path / "procedures" / "a.md.tmpl").write_text("Keys lie in a vault.", "utf-8")
    (tmp_path / "procedures" / "b.md.tmpl").write_text(ASKED, "utf-8")
    found = policies(tmp_path)
    assert [each.gold[0].document for each in found.queries] == ["a"]
    assert (len(found.documents), found.unscored) == (2, 1)


def test_families_are_found_where_there_is_no_other_set(tmp_path: Path) -> None:
    """And an empty folder is still an error."""
    with pytest.raises(UsageError):
        find_families(tmp_path)
    catalogue(tmp_path)
    assert list(find_families(tmp_path)) == ["nist"]


def test_broken_files_are_named(tmp_path: Path) -> None:
    """Not a traceback of a parser."""
    (tmp_path / "NIST_SP-800-53_rev5_catalog.json").write_text("{", "utf-8")
    (tmp_path / "1099-x.xml").write_text("<regulation", "utf-8")
    for read in (nist, cfpb):
        with pytest.raises(SchemaError):
            read(tmp_path)


def test_first_sentence_ends_at_its_stop_and_says_something() -> None:
    """Links are printed as their words."""
    assert first_sentence("As [AU-2](#au-2) says, audit events are kept for a year. More.") == (
        "As AU-2 says, audit events are kept for a year."
    )
    assert first_sentence("None. Nothing more.") == ""
