"""The trial of erasure, small: it finds what is there, and nothing of it afterwards."""

from __future__ import annotations

import base64
import io
import re
import zipfile
from contextlib import closing
from importlib.resources import files
from pathlib import Path

import pytest
import zstandard
from coditect_benchmarks.erasure.documents import WRITERS, write_documents
from coditect_benchmarks.erasure.needles import Needles, fragments_of
from coditect_benchmarks.erasure.places import Places
from coditect_benchmarks.erasure.trial import run_trial

from coditect.documents.readers import SUPPORTED_SUFFIXES, read_source
from coditect.engine.port import Transaction
from coditect.keyspace.compression import DICTIONARIES
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine


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


LAMP = "the lamp of the pier shines"
OTHER = "the boat of the pier shines at noon"


@pytest.fixture
def needles() -> Needles:
    """Two runs of six words, of which another text has none."""
    return Needles([f"{LAMP} late"], [OTHER])


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        (LAMP, 1),
        (f"{LAMP.upper()}, late!", 2),
        (f"{LAMP} {LAMP}", 1),
        ("lamp of the pier shines late", 1),
        ("lamp of the pier shines", 0),
        (OTHER, 0),
        ("", 0),
    ],
)
def test_needles_count_each_run_once(needles: Needles, text: str, runs: int) -> None:
    """Six words in a row, however they are written; what other texts have, too, is none."""
    assert needles.in_text(text) == runs
    assert Needles([LAMP], [f"so {LAMP} again"]).in_text(LAMP) == 0


def test_needles_are_found_in_what_files_hold_packed(needles: Needles, tmp_path: Path) -> None:
    """Compressed anywhere in a file, with a dictionary or without, in base64, in a container; files without are not told."""
    frames = [zstandard.ZstdCompressor().compress(LAMP.encode())]
    for name in DICTIONARIES.values():
        trained = (files("coditect.keyspace") / "dictionaries" / f"{name}.zdict").read_bytes()
        frames.append(
            zstandard.ZstdCompressor(dict_data=zstandard.ZstdCompressionDict(trained)).compress(LAMP.encode())
        )
    held = {f"frame {n}": b"page\0" + OTHER.encode() + frame + b"rest" for n, frame in enumerate(frames)}
    held |= {
        "plain": LAMP.encode(),
        "sixty-four": base64.encodebytes(LAMP.encode() + b" " + b"." * 150),
        "short": base64.b64encode(LAMP.encode()),
        "none": OTHER.encode(),
    }
    for name, data in held.items():
        (tmp_path / name).write_bytes(data)
    with zipfile.ZipFile(tmp_path / "container", "w", zipfile.ZIP_DEFLATED) as container:
        container.writestr("inside", f"{LAMP} " * 9)
    found = {Path(path).name: count for path, count in needles.in_folder(tmp_path).items()}
    assert set(found) == set(held) - {"short", "none"} | {"container"}
    assert (found["plain"], found["container"]) == (1, 1)
    assert needles.in_folder(tmp_path / "plain") == {str(tmp_path / "plain"): 1}
    assert needles.in_folder(tmp_path / "nowhere") == {}


def test_needles_are_found_in_rows_by_table(needles: Needles) -> None:
    """In keys and in values, packed ones among them."""
    store = Store(MemoryEngine())
    with closing(store.engine):
        begin, _ = store.keys.bounds("log/pending")
        rows = {
            begin + b"1 " + LAMP.encode(): b"",
            begin + b"2": b"head" + zstandard.ZstdCompressor().compress(LAMP.encode()),
            begin + b"3": OTHER.encode(),
        }

        def write(transaction: Transaction) -> None:
            for key, value in rows.items():
                transaction.set(key, value)

        store.engine.run(write)
        assert needles.in_rows(store) == {"log/pending": 2}


def test_fragments_are_the_middlemost_bytes_that_no_other_file_has() -> None:
    """One of each file; none of a file whose bytes are all elsewhere."""
    own = bytes(range(128))
    assert list(fragments_of([own], [], size_bytes=16)) == [own[64:80]]
    assert list(fragments_of([own], [own[60:90]], size_bytes=16)) == [own[48:64]]
    assert list(fragments_of([own, b"x" * 128], [own[40:90], b"x" * 16], size_bytes=16)) == [own[80:96]]
    assert list(fragments_of([own], [own], size_bytes=16)) == []
    (default,) = fragments_of([own], [])
    assert len(default) == 48


def test_documents_of_every_format_say_their_sentences(tmp_path: Path) -> None:
    """All of a file's are read back in their order; the last is of a rule that others state otherwise."""
    written = write_documents(tmp_path / "a", len(WRITERS) + 1, seed=3, sentences=4)
    assert write_documents(tmp_path / "b", len(WRITERS) + 1, seed=3, sentences=4) == written
    assert len({sentence for each in written.values() for sentence in each}) == 4 * (len(WRITERS) + 1)
    assert [Path(name).suffix for name in written] == [*WRITERS, next(iter(WRITERS))]
    for number, (name, sentences) in enumerate(written.items()):
        assert len(sentences) == 4
        assert sentences[-1].endswith(f"shall review the access rights every {30 + number} days.")
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
        text = " ".join(read_source((tmp_path / "a" / name).read_bytes(), name).text.split())
        at = [text.find(sentence) for sentence in sentences]
        assert -1 not in at, name
        assert at == sorted(at), name


def test_workbooks_have_no_time_of_writing() -> None:
    """Beside each member stands one day, and in the properties no clock's."""
    with zipfile.ZipFile(io.BytesIO(WRITERS[".xlsx"](["The clerk shall sign."]))) as book:
        assert {each.date_time for each in book.infolist()} == {(2026, 1, 1, 0, 0, 0)}
        properties = book.read("docProps/core.xml").decode()
    assert set(re.findall(r"\d{4}-\d\d-\d\dT[\d:]*", properties)) == {"2026-01-01T00:00:00"}


def test_places_of_a_trial_are_folders_that_are_copied_and_cleared_by_name(tmp_path: Path) -> None:
    """A copy has the key of its source; what is cleared leaves nothing, and the others stay."""
    places = Places(tmp_path, "", "trial")
    settings = places.settings("one", jobs=2)
    assert (settings.store, settings.jobs) == (f"lmdb://{tmp_path / 'stores' / 'one'}", 2)
    assert settings.cache == tmp_path / "caches" / "one"
    assert settings.log_key == places.log_key("one")
    key = places.log_key("one").read_bytes()
    assert places.settings("one").log_key.read_bytes() == key  # type: ignore[union-attr]
    places.folder("one").mkdir(parents=True)
    (places.folder("one") / "data").write_text("rows", encoding="utf-8")
    places.settings("two")
    places.copy("one", "two")
    assert places.log_key("two").read_bytes() == key
    places.clear("one")
    places.clear_all()
    assert [each.name for each in sorted((tmp_path / "stores").iterdir())] == ["two"]
    assert (places.folder("two") / "data").read_text(encoding="utf-8") == "rows"
    assert not places.log_key("one").exists()


@pytest.mark.slow  # three formats of a small corpus, with a fake model's answers, a killed process and 20 bundles
def test_trial_of_a_small_corpus_finds_nothing_wrong(tmp_path: Path) -> None:
    """Words are everywhere before the erasure and nowhere after it, killed or not, and what is left verifies."""
    report = run_trial(tmp_path, "", documents=6, erase=2, kills=1, seed=7)
    assert report["wrong"] == []
    assert report["found before"] > 3
    assert report["kills"]["finished"] == 1
    assert report["proofs"]["bundles"]["document"] == 4
