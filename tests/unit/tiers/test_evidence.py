"""What a tier must prove of itself: verbatim, in its place, backed, and within its gate."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.errors import NotExtractive, SynthesisRatioExceeded, Unsupported
from coditect.schemas import Chunk, Section
from coditect.store.view import View
from coditect.tiers.evidence import require_chunk, require_ratio, require_section
from tests.unit.tiers.corpora import INCIDENTS, view_of


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    """The small corpus, built once."""
    return view_of(tmp_path_factory.mktemp("evidence"), INCIDENTS)


@pytest.fixture
def section(view: View) -> Section:
    """A section with a quote."""
    return next(each for each in view.sections if any(part.citation for part in each.content))


def _chunks(view: View, section: Section) -> dict[str, Chunk]:
    return {each.chunk_id: each for each in view.all_chunks() if each.chunk_id in section.source_chunks}


def _with_quote(section: Section, **fields: Any) -> Section:  # noqa: ANN401 - fields of a citation
    """A section whose first quote cites something else."""
    content = list(section.content)
    at = next(n for n, part in enumerate(content) if part.citation)
    citation = content[at].citation
    assert citation is not None
    content[at] = content[at].model_copy(update={"citation": citation.model_copy(update=fields)})
    return section.model_copy(update={"content": tuple(content)})


def test_section_of_a_build_proves_its_quotes(view: View, section: Section) -> None:
    """As it was built it passes."""
    require_section(section, _chunks(view, section))


@pytest.mark.parametrize(
    "fields",
    [
        {"char_start": 0, "char_end": 1},
        {"document_id": "document_" + "0" * 40},
        {"version_id": "version_" + "0" * 40},
        {"extraction_ids": ("extraction_" + "0" * 40,)},
        {"chunk_id": "chunk_" + "0" * 40},
    ],
)
def test_quote_that_cites_anything_else_is_refused(view: View, section: Section, fields: dict[str, Any]) -> None:
    """Another place, document, version, backing or chunk: each alone is enough."""
    with pytest.raises(NotExtractive):
        require_section(_with_quote(section, **fields), _chunks(view, section))


def test_quote_of_a_chunk_that_the_section_does_not_name_is_refused(view: View, section: Section) -> None:
    """The chunk is there, and says these words, but is none of the section's sources."""
    chunks = _chunks(view, section)
    with pytest.raises(NotExtractive):
        require_section(section.model_copy(update={"source_chunks": ()}), chunks)
    with pytest.raises(NotExtractive):
        require_section(section, {})


def test_quote_with_other_words_is_refused(view: View, section: Section) -> None:
    """One letter less is no quote."""
    content = tuple(
        part.model_copy(update={"content": part.content[:-1]}) if part.citation else part for part in section.content
    )
    with pytest.raises(NotExtractive):
        require_section(section.model_copy(update={"content": content}), _chunks(view, section))


def test_quotes_cite_and_transitions_do_not(view: View, section: Section) -> None:
    """A quote without a citation and a transition with one are both refused."""
    quote = next(part for part in section.content if part.citation)
    for wrong in (
        quote.model_copy(update={"citation": None}),
        quote.model_copy(update={"type": "synthetic"}),
    ):
        with pytest.raises(Unsupported):
            require_section(section.model_copy(update={"content": (wrong,)}), _chunks(view, section))


def test_ratio_passes_at_its_gate_and_is_what_is_stored(section: Section) -> None:
    """Exactly the maximum passes; less room than that, or another figure than the counted one, does not."""
    ratio = section.synthesized_content_ratio
    require_ratio(section.model_copy(update={"max_synthesis_ratio": ratio}))
    for fields in ({"max_synthesis_ratio": ratio - 0.001}, {"synthesized_content_ratio": ratio / 2 + 0.0001}):
        with pytest.raises(SynthesisRatioExceeded):
            require_ratio(section.model_copy(update=fields))


def _chunk_of(view: View, least: int) -> tuple[str, Chunk, dict[str, Any]]:
    """A chunk with so many sentences, its document's text, and the extractions of that document."""
    chunk = next(each for each in view.all_chunks() if len(each.selected_sentences) >= least)
    known = {each.extraction_id: each for each in view.extractions(chunk.document_id)}
    return view.text(chunk.document_id), chunk, known


def test_chunk_of_a_build_proves_its_sentences(view: View) -> None:
    """In order, inside the chunk, verbatim, and backed; each of these alone is needed."""
    text, chunk, known = _chunk_of(view, 2)
    require_chunk(text, chunk, known)
    first, second, *_ = chunk.selected_sentences
    for wrong in (
        (second, first),  # out of order
        (first.model_copy(update={"text": first.text[:-1]}),),
        (first.model_copy(update={"char_end": first.char_start}),),
        (first.model_copy(update={"extraction_ids": ()}),),
        (first.model_copy(update={"extraction_ids": second.extraction_ids}),),
    ):
        with pytest.raises(NotExtractive):
            require_chunk(text, chunk.model_copy(update={"selected_sentences": wrong}), known)
    with pytest.raises(NotExtractive):
        require_chunk(text, chunk, {each: found for each, found in known.items() if each not in first.extraction_ids})


def test_sentence_may_fill_its_chunk_and_not_leave_it(view: View) -> None:
    """A chunk that ends with its last sentence holds it; one that ends a code point earlier does not, nor one that begins later."""
    text, chunk, known = _chunk_of(view, 1)
    first, last = chunk.selected_sentences[0], chunk.selected_sentences[-1]
    exact = chunk.model_copy(update={"char_offset_start": first.char_start, "char_offset_end": last.char_end})
    require_chunk(text, exact, known)
    for fields in ({"char_offset_start": first.char_start + 1}, {"char_offset_end": last.char_end - 1}):
        with pytest.raises(NotExtractive):
            require_chunk(text, exact.model_copy(update=fields), known)
