"""The trial of erasure, small: it finds what is there, and nothing of it afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from coditect_benchmarks.erasure.documents import WRITERS
from coditect_benchmarks.erasure.needles import Needles
from coditect_benchmarks.erasure.trial import run_trial

from coditect.documents.readers import SUPPORTED_SUFFIXES


def test_every_format_that_is_read_is_written() -> None:
    """A reader of another format must be tried as well."""
    assert set(WRITERS) == SUPPORTED_SUFFIXES


def test_needles_are_found_in_rows_of_bytes_and_not_in_other_words(tmp_path: Path) -> None:
    """In plain bytes, in UTF-16 and across an escaped line end; five words of six are none."""
    needles = Needles(["the lamp of the pier is lit at dusk by two men"], ["the lamp of the pier is lit"])
    run = "is lit at dusk by two"
    for data in (
        run.encode(),
        run.upper().encode("utf-16-le"),
        b"x" + run.encode("utf-16-le"),
        b"is lit\\nat dusk by two",
    ):
        assert needles.in_bytes(data)
    assert not needles.in_bytes(b"the lamp of the pier is lit; lit at dusk by two")


@pytest.mark.slow  # three formats of a small corpus, with a fake model's answers, a killed process and 20 bundles
def test_trial_of_a_small_corpus_finds_nothing_wrong(tmp_path: Path) -> None:
    """Words are everywhere before the erasure and nowhere after it, killed or not, and what is left verifies."""
    report = run_trial(tmp_path, "", documents=8, erase=3, kills=1, seed=7)
    assert report["wrong"] == []
    assert report["found before"] > 3
    assert report["kills"]["finished"] == 1
    assert report["proofs"]["bundles"]["document"] == 5
