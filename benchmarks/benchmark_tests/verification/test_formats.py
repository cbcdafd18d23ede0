"""Sets in the plain format, and those that others published."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from coditect_benchmarks.verification.adapters import ADAPTERS, load, split
from coditect_benchmarks.verification.formats import Case, read, write
from hypothesis import given
from hypothesis import strategies as st

from coditect.errors import UsageError

DATA = Path(__file__).parents[4] / "shared" / "data"

TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x85\u2028\u2029\x1c\x1d\x1e\x0b\x0c"), max_size=30
)


@given(
    st.lists(st.builds(Case, TEXT, st.lists(TEXT, max_size=3).map(tuple), st.booleans(), TEXT.filter(bool), TEXT, TEXT))
)
def test_read_gives_back_what_was_written(tmp_path_factory: pytest.TempPathFactory, cases: list[Case]) -> None:
    """Cases survive being written and read."""
    path = tmp_path_factory.mktemp("set") / "own.jsonl"
    write(cases, path)
    assert read(path) == cases


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"claim": "a", "evidence": ["b"]}',
        '{"claim": "a", "evidence": ["b"], "label": "maybe"}',
        '{"claim": "a", "evidence": "b", "label": "supported"}',
        '{"claim": 1, "evidence": ["b"], "label": "supported"}',
        '{"claim": "a", "evidence": [1], "label": "supported"}',
        '{"claim": "a", "evidence": ["b"], "label": []}',
    ],
)
def test_read_names_the_line_that_is_no_case(tmp_path: Path, line: str) -> None:
    """A line that is not in the format is an error with its number and the format."""
    path = tmp_path / "own.jsonl"
    path.write_text('{"claim": "a", "evidence": ["b"], "label": "supported"}\n' + line + "\n", "utf-8")
    with pytest.raises(UsageError) as caught:
        read(path)
    assert "line=2" in str(caught.value) or "2" in str(caught.value)


def test_load_takes_jsonl_files_beside_known_folders(tmp_path: Path) -> None:
    """Every JSONL file in the folder is a set by its name."""
    row = {"claim": "a", "evidence": ["b"], "label": "unsupported", "kind": "number"}
    (tmp_path / "mine.jsonl").write_text(json.dumps(row) + "\n\n", "utf-8")
    assert load(tmp_path) == {"mine": [Case("a", ("b",), False, "1", "number")]}
    assert load(tmp_path, ["other"]) == {}


def test_split_cuts_at_sentences_and_lines() -> None:
    """Sentences end at end marks before a capital, and at line breaks."""
    assert split("One is here. Two, e.g. this, is there!\nThree") == (
        "One is here.",
        "Two, e.g. this, is there!",
        "Three",
    )


@pytest.mark.parametrize("name", sorted(ADAPTERS))
def test_adapter_reads_the_published_set(name: str) -> None:
    """Every case has a claim, evidence and a group, and both labels occur."""
    if not (DATA / name).is_dir():
        pytest.skip("the set is not here")
    cases = ADAPTERS[name](DATA / name)
    assert len(cases) > 300
    assert {case.supported for case in cases} == {True, False}
    assert all(case.claim and case.evidence and case.group and case.kind for case in cases)
