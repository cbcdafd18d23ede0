"""A generation as it is read when documents of it were erased since, or are on their way out."""

from __future__ import annotations

import pytest

from coditect.errors import Corrupt, NotFound
from coditect.keyspace import key_part
from coditect.retrieve.units import upper_units
from coditect.schemas import ErasedSummary, Section
from coditect.store.generations import create_corpus
from coditect.store.intake.erasures import NOTHING_GONE, GoneRows
from coditect.store.item_ids import locate
from coditect.store.store import Store
from coditect.store.view import ERASED_TEXT, View, gone_from, open_view
from tests.corpora import CORPUS, clock
from tests.unit.store.items import section, version


def _view(store: Store, gone: GoneRows) -> View:
    """The current generation, with some of it gone."""
    view = open_view(store, CORPUS)
    view.__dict__["_gone"] = gone
    return view


def _quoted(found: Section) -> set[str]:
    return {part.citation.document_id for part in found.content if part.citation is not None}


def test_view_of_a_corpus_where_nothing_went_is_named_by_its_build(built: Store) -> None:
    """Everything of it is there, and nothing that was erased."""
    view = open_view(built, CORPUS)
    assert view.shown_as == view.manifest.build_id
    assert gone_from(view) is NOTHING_GONE
    assert view.erased_entries == {}
    assert list(view.entries) == sorted(view.entries)
    assert [each.section_id for each in view.sections] == [each for _, each in view.manifest.sections]
    assert view.section_by_id == {each.section_id: each for each in view.sections}
    assert view.live_derivations >= {view.manifest.summary_derivation, *(step for step, _ in view.manifest.sections)}
    assert {each.document_id for each in view.all_chunks()} == set(view.entries)


def test_document_on_its_way_out_is_in_nothing_that_is_shown(built: Store) -> None:
    """Neither it, nor what quotes it; what quotes others alone stays."""
    whole = open_view(built, CORPUS)
    for gone in whole.entries:
        view = _view(built, GoneRows(documents=frozenset((gone,))))
        assert list(view.erased_entries) == [gone]
        assert list(view.entries) == [each for each in whole.entries if each != gone]
        assert gone not in view.documents
        assert view.sections == tuple(each for each in whole.sections if gone not in _quoted(each))
        with pytest.raises(NotFound, match="unknown document"):
            view.extractions(gone)
        assert not view.holds(whole.document(gone))
    quoted = [_quoted(each) for each in whole.sections]
    assert any(quoted)
    assert any(each < set(whole.entries) for each in quoted)


def test_claims_that_rest_on_a_document_on_its_way_out_are_told_to_nobody(built: Store) -> None:
    """From when it is asked for, not only from the tombstone on: else its words stand in Tier 4, without a source."""
    whole = open_view(built, CORPUS)
    rests = {
        each.claim_id: {d for c in each.citations for d in _quoted(whole.section_by_id[c.section_id])}
        for each in whole.claims.values()
    }
    for gone in whole.entries:
        view = _view(built, GoneRows(documents=frozenset((gone,))))
        left = [each for each, documents in rests.items() if gone not in documents]
        assert [*view.claims] == left
        assert (view.summary.summary_text == ERASED_TEXT) == (len(left) < len(rests))
        assert view.verdicts == {each: whole.verdicts[each] for each in left}
        assert [each.item_id for each in upper_units(view, "corpus")] == [*view.summary.claims]
        assert set(view.summary.source_sections) <= set(view.section_by_id)
        for each in whole.sections:
            assert view.holds(each) == (gone not in _quoted(each))
    assert set().union(*rests.values()) & set(whole.entries)
    assert _view(built, GoneRows(documents=frozenset(("doc_other",)))).summary == whole.summary


def test_claims_of_a_second_erasure_go_from_what_the_first_left(built: Store) -> None:
    """Its tombstone names them, and no summary: that went with the first."""
    whole = open_view(built, CORPUS)
    first, second, *rest = whole.summary.claims
    left = ErasedSummary(
        claims=(second, *rest),
        filtered=(),
        verdicts={each: whole.summary.verdicts[each] for each in (second, *rest)},
        source_sections=(),
        erased_claims=1,
        erased_filtered=0,
    )
    rows = {"claims": frozenset((first, second))}
    view = _view(built, GoneRows(rows=rows, summaries={whole.summary.summary_id: left}))
    assert view.summary.claims == tuple(rest) == tuple(view.claims)
    assert view.summary.verdicts == {each: whole.summary.verdicts[each] for each in rest}


def test_version_that_went_hides_its_document(built: Store) -> None:
    """Of the tombstone's rows the version says so; sections that are in none of them stay."""
    whole = open_view(built, CORPUS)
    document_id, entry = next(iter(whole.entries.items()))
    rows = {"documents": frozenset((entry.version_id,)), "sections": frozenset((whole.sections[0].section_id,))}
    view = _view(built, GoneRows(rows=rows))
    assert list(view.erased_entries) == [document_id]
    assert view.sections == whole.sections[1:]


def test_summary_that_went_tells_what_is_left_of_it(built: Store) -> None:
    """Its claims that still stand, with their verdicts, and that its text was erased; those of others do not matter."""
    whole = open_view(built, CORPUS)
    claims = whole.summary.claims[1:]
    left = ErasedSummary(
        claims=claims,
        filtered=(),
        verdicts={each: whole.summary.verdicts[each] for each in claims},
        source_sections=whole.summary.source_sections[:1],
        erased_claims=1,
        erased_filtered=0,
    )
    view = _view(built, GoneRows(summaries={whole.summary.summary_id: left}))
    assert view.summary.summary_text == ERASED_TEXT
    assert (view.summary.claims, view.summary.filtered) == (claims, ())
    assert [*view.claims] == [*claims]
    assert view.verdicts == {each: whole.verdicts[each] for each in claims}
    assert not view.holds(whole.claims[whole.summary.claims[0]])
    assert view.holds(whole.claims[claims[0]])
    assert _view(built, GoneRows(summaries={"summary_other": left})).summary == whole.summary


def test_record_in_the_place_of_another_document_is_damage(built: Store) -> None:
    """A version that says that it is another document's is not given for it."""
    view = open_view(built, CORPUS)
    first, second = list(view.entries)[:2]
    view.__dict__["documents"] = {first: view.document(first)}
    assert view.document(first).document_id == first
    with pytest.raises(Corrupt, match="another document's record"):
        view.document(second)


def test_findings_are_known_by_their_ids_where_they_have_one(built: Store) -> None:
    """Claims of release 0.1.0 have none."""
    view = open_view(built, CORPUS)
    named = [each for each in view.claims.values() if each.finding_id]
    assert named
    assert view.claim_by_finding == {each.finding_id: each for each in named}
    view = open_view(built, CORPUS)
    first = next(iter(view.claims.values())).model_copy(update={"finding_id": ""})
    view.__dict__["claims"] = {first.claim_id: first}
    assert view.claim_by_finding == {}


def test_item_is_found_in_its_own_corpus_alone(built: Store) -> None:
    """Another corpus with the same document has items of its own; one that was swept is in none."""
    view = open_view(built, CORPUS)
    other = section("access", "another")
    create_corpus(built, "another", "", clock())
    built.put_items([other])
    with pytest.raises(NotFound, match="unknown item"):
        view.find(other.section_id)
    stray = section("access", CORPUS)
    built.put_items([stray])
    with pytest.raises(NotFound, match="unknown item"):
        view.find(stray.section_id)


def test_item_of_a_corpus_that_was_cut_in_keys_is_located_while_the_corpus_is_there(memory: Store) -> None:
    """Without its record nobody knows what the corpus is called."""
    name = "c" * 200
    create_corpus(memory, name, "", clock())
    made = version(corpus_id=name)
    memory.put_items([made])
    assert locate(memory, made.version_id) == [(name, made.document_id)]
    assert isinstance(key_part(name), bytes)
    memory.remove("corpus", name)
    assert locate(memory, made.version_id) == []
