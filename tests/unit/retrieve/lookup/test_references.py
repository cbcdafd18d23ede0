"""Cross-references and definitions, followed through a built corpus."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from coditect.documents.profile.citations import documents_called
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.ingest.intake import ingest
from coditect.retrieve.lookup.definitions import defined, variants
from coditect.retrieve.lookup.live import LiveIndex
from coditect.retrieve.lookup.references import ResolvedReference, Resolver
from coditect.schemas import BuildSettings, Extraction
from coditect.store.store import Store
from coditect.store.view import View, open_view
from tests.places import open_at
from tests.unit.retrieve.lookup.built import RULES, built_at

LONG = 60
"""Paragraphs of the section that is longer than what a reference gives back."""

FILES = {
    "access-control-policy.md": """# Access Control Policy

## 1 Definitions

1.1 "Privileged User" means a person who may change the configuration of a system.

1.2 Every system shall have an owner.

## 2 Reviews

2.1 Access shall be reviewed every quarter as section 1.2 says.

2.2 Exceptions follow section 2.1 of the Vendor Policy, and section 7.7 of the Mobile Device Policy.
""",
    "vendor-policy.md": """# Vendor Policy

## 1 Definitions

1.1 "Vendor" means a company that supplies services to us.

1.2 "Privileged User" means an employee of a vendor with a key.

## 2 Duties

2.1 Each vendor shall sign an agreement before work begins.

2.2 The Access Control Policy applies to vendors. A vendor shall meet 12 CFR 1003.4(a) and control AC-2.
""",
    "1003.xml": """<regulation xmlns="eregs"><fdsys><title>Reports</title></fdsys><part label="1003"><content>
<subpart label="1003-Subpart"><title>Rules</title><content>
<section label="1003-4" sectionNum="4"><subject>§ 1003.4 Records.</subject>
<paragraph label="1003-4-a" marker="(a)"><content>A lender shall keep a record of every loan.</content></paragraph>
<paragraph label="1003-4-b" marker="(b)"><content>The record in paragraph (a) of this section shall be kept.</content></paragraph>
</section></content></subpart></content></part></regulation>""",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built corpus of three documents."""
    return built_at(tmp_path_factory.mktemp("resolve") / "store", FILES)


@pytest.fixture
def view(place: Path) -> Iterator[View]:
    """The corpus, opened anew for each test, as after a restart."""
    with closing(open_at(place)) as engine:
        yield open_view(Store(engine), RULES)


def test_reference_to_a_long_section_gives_its_first_forty_chunks(tmp_path: Path) -> None:
    """The rest is reached by the section's id."""
    source = tmp_path / "source"
    source.mkdir()
    duties = "\n\n".join(
        f"The custodian of register {n} shall enter each movement of item {n} before the end of the day, shall sign the entry, and "
        f"shall keep what {'the clerk of the archive handed over ' * 30}for year {n}."
        for n in range(LONG)
    )
    (source / "stock.md").write_text(
        f"# Stock Policy\n\n## 1 Records\n\n{duties}\n\n## 2 Scope\n\nSection 1 applies to all.\n"
    )
    with closing(open_at(tmp_path / "store")) as engine:
        store = Store(engine)
        ingest(store, "rules", [source], jobs=1)
        build(store, "rules", BuildSettings(), jobs=1)
        view = open_view(store, "rules")
        found = Resolver(view, LiveIndex(view)).resolve(_reference(view, "stock.md", "Section 1"))
        there = [chunk.chunk_id for chunk in view.chunks(found.document_id) if found.section_id in chunk.section_ids]
    assert len(there) > 40
    assert found.chunk_ids == tuple(there[:40])


def _document(view: View, name: str) -> str:
    return next(each.document_id for each in view.documents.values() if each.name.endswith(name))


def _reference(view: View, name: str, words: str) -> Extraction:
    items = view.extractions(_document(view, name))
    return next(e for e in items if e.extraction_kind == "cross_reference" and e.source_text == words)


def _said(view: View, found: ResolvedReference) -> list[str]:
    items = LiveIndex(view).extractions(found.document_id, list(found.extraction_ids))
    return [item.source_text for item in items]


def test_reference_in_the_same_document_has_its_items(view: View) -> None:
    """A number of the document itself leads to the chunk and the extractions there."""
    found = Resolver(view, LiveIndex(view)).resolve(_reference(view, "access-control-policy.md", "section 1.2"))
    assert (found.how, found.section_id) == ("same document", "sec_1_2")
    assert any("Every system shall have an owner" in text for text in _said(view, found))
    chunks = {chunk.chunk_id: chunk for chunk in view.chunks(found.document_id)}
    assert found.chunk_ids
    assert all("sec_1_2" in chunks[each].section_ids for each in found.chunk_ids)


def test_relative_reference_is_read_from_where_it_stands(view: View) -> None:
    """ "paragraph (a) of this section" is the paragraph beside it."""
    found = Resolver(view, LiveIndex(view)).resolve(_reference(view, "1003.xml", "paragraph (a)"))
    assert found.section_id == "sec_1003_4_a"
    assert any("keep a record" in text for text in _said(view, found))


def test_reference_into_a_named_document_is_followed_there(view: View) -> None:
    """The place is looked up in the document that is called by name."""
    found = Resolver(view, LiveIndex(view)).resolve(_reference(view, "access-control-policy.md", "section 2.1"))
    assert (found.how, found.document_id) == ("named document", _document(view, "vendor-policy.md"))
    assert any("sign an agreement" in text for text in _said(view, found))


def test_reference_to_a_whole_document_names_it(view: View) -> None:
    """A document by its title alone has no section."""
    found = Resolver(view, LiveIndex(view)).resolve(_reference(view, "vendor-policy.md", "Access Control Policy"))
    assert (found.how, found.section_id) == ("whole document", "")
    assert found.document_id == _document(view, "access-control-policy.md")


def test_reference_by_a_regulations_number_finds_the_document_that_has_it(view: View) -> None:
    """ "12 CFR 1003.4(a)" is in the one document with that section."""
    found = Resolver(view, LiveIndex(view)).resolve(_reference(view, "vendor-policy.md", "12 CFR 1003.4(a)"))
    assert (found.how, found.section_id) == ("number", "sec_1003_4_a")
    assert found.document_id == _document(view, "1003.xml")


@pytest.mark.parametrize(("name", "words"), [("access-control-policy.md", "section 7.7"), ("vendor-policy.md", "AC-2")])
def test_reference_to_what_the_corpus_lacks_is_unresolved_with_a_reason(view: View, name: str, words: str) -> None:
    """Nothing is guessed."""
    found = Resolver(view, LiveIndex(view)).resolve(_reference(view, name, words))
    assert not found.is_resolved
    assert found.reason


def test_resolver_answers_every_extraction_and_agrees_with_itself(view: View) -> None:
    """Other kinds are no references; one resolver for many gives what a new one for each gives."""
    resolver = Resolver(view, LiveIndex(view))
    for document_id in view.documents:
        for item in view.extractions(document_id):
            found = resolver.resolve(item)
            assert found == Resolver(view, LiveIndex(view)).resolve(item)
            assert item.extraction_kind == "cross_reference" or found.reason == "not a cross-reference"


def test_defined_term_of_the_asking_document_comes_first(view: View) -> None:
    """A term that two documents define is answered by the one that asks, then by the other."""
    index = LiveIndex(view)
    for name in ("access-control-policy.md", "vendor-policy.md"):
        found = defined(index, "the Privileged User", _document(view, name))
        assert [each.document_id == _document(view, name) for each in found] == [True, False]


def test_defined_term_is_found_in_the_plural(view: View) -> None:
    """Where the very term is not defined, its other number is looked for."""
    assert [each.tier1_data.fields()["term"] for each in defined(LiveIndex(view), "vendors")] == ["Vendor"]
    assert defined(LiveIndex(view), "lease") == []
    assert defined(LiveIndex(view), " ") == []


@pytest.mark.parametrize(
    ("term", "form"),
    [
        ("policies", "policy"),
        ("policy", "policies"),
        ("processes", "process"),
        ("data-subject", "data subject"),
        ("box", "boxes"),
    ],
)
def test_variants_of_a_term(term: str, form: str) -> None:
    """English plurals and hyphens."""
    exact, others = variants(term)
    assert exact == [term]
    assert form in others


def test_documents_called_by_name(view: View) -> None:
    """A whole title wins over a part of one; one word in common is no name; acts are not the documents under them."""
    versions = list(view.documents.values())
    assert documents_called("Vendor Policy", versions) == [_document(view, "vendor-policy.md")]
    assert documents_called("Policy", versions) == []
    assert documents_called("Access Policy", versions) == [_document(view, "access-control-policy.md")]
    assert documents_called("Access Policy", versions, exactly=True) == []
    assert documents_called("Regulation B", versions) == []
