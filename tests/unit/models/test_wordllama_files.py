"""What the light embedder works on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.models.rows import encodable
from coditect.models.wordllama.embedder import WordLlamaEmbedder
from coditect.models.wordllama.files import ReducedTokenizer, map_tensor
from tests.effort import times
from tests.unit.models.tokens import PAYLOAD, texts, tokenizer_of

MANY = WordLlamaEmbedder()
WHOLE = tokenizer_of(PAYLOAD)
REDUCED = ReducedTokenizer(PAYLOAD)


def expected(text: str) -> list[int]:
    """The library's own tokens."""
    return list(WHOLE.encode(encodable(text), add_special_tokens=False).ids)


@settings(max_examples=times(60, least=10), deadline=None)
@given(st.lists(texts, max_size=3))
def test_reduced_tokenizer_gives_the_same_tokens(some: list[str]) -> None:
    """A tokenizer with what some texts can need of the vocabulary says the same of them as the whole one."""
    clean = [encodable(text) for text in some]
    smaller = REDUCED.of(clean)
    assert smaller is not None
    assert len(smaller) < len(PAYLOAD) / 4
    tokenizer = tokenizer_of(smaller)
    for text in clean:
        assert tokenizer.encode(text, add_special_tokens=False).ids == expected(text)


@pytest.mark.parametrize("change", [{"pre_tokenizer": {"type": "Whitespace"}}, {"normalizer": None}, {"model": {}}])
def test_reduced_is_refused_for_another_kind_of_tokenizer(change: dict[str, object]) -> None:
    """A file that works otherwise is used whole."""
    assert ReducedTokenizer(orjson.dumps(orjson.loads(PAYLOAD) | change)).of(["text"]) is None


@settings(max_examples=times(20, least=10), deadline=None)
@given(texts)
def test_first_question_has_the_vector_that_documents_have(text: str) -> None:
    """A process' first text, each of the next and one of many give the same bytes."""
    fresh = WordLlamaEmbedder()
    asked = {fresh.embed([text]).tobytes() for _ in range(6)}
    assert asked == {MANY.embed([text] * 9)[4].tobytes()}


@pytest.mark.parametrize("kind", [np.float16, np.float32])
def test_mapped_tensor_is_the_stored_one(tmp_path: Path, kind: type[np.floating]) -> None:
    """Either precision is read as the library wrote it, wherever it stands in the file."""
    from safetensors.numpy import save_file

    rows = np.random.default_rng(1).normal(size=(700, 3)).astype(kind)
    for other in ({}, {"a": np.ones(1, np.int8)}, {"z": np.ones(3, np.float64)}):
        save_file({"rows": rows, **other}, tmp_path / "file")
        _, found = map_tensor(tmp_path / "file", "rows")
        assert found.dtype == kind
        assert np.array_equal(found, rows)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("kind", [np.float16, np.float32])
def test_tensor_with_what_is_no_number_is_refused(tmp_path: Path, kind: type[np.floating], bad: float) -> None:
    """Not a number, or infinite, anywhere."""
    from safetensors.numpy import save_file

    rows = np.full((1_000, 2), np.finfo(kind).max, kind)
    save_file({"rows": rows}, tmp_path / "file")
    assert map_tensor(tmp_path / "file", "rows")[1].shape == (1_000, 2)
    rows[999, 1] = bad
    save_file({"rows": rows}, tmp_path / "file")
    with pytest.raises(ValueError, match="no number"):
        map_tensor(tmp_path / "file", "rows")


@given(
    st.dictionaries(
        st.sampled_from(["dtype", "shape", "data_offsets"]), st.sampled_from([None, "F16", -1, [], [0, 9], [2, 2]])
    )
)
def test_file_that_lies_about_its_tensor_is_refused(
    tmp_path_factory: pytest.TempPathFactory, change: dict[str, object]
) -> None:
    """Whatever a header says, a wrong one is told, and nothing outside the file is read."""
    path = tmp_path_factory.mktemp("lies") / "file"
    entry = {"dtype": "F16", "shape": [2, 2], "data_offsets": [0, 8]} | change
    header = orjson.dumps({"rows": entry})
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(8))
    try:
        _, found = map_tensor(path, "rows")
    except ValueError:
        return
    assert found.size * 2 <= 8
