"""Tables, samples and small parts of measurements whose whole runs take hours: growth, log, crosswalk, planted texts, pages."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from coditect_benchmarks import pages, readers
from coditect_benchmarks.crosswalk.absences import _left, _name, _rows, _with_policies, _with_siblings, _written
from coditect_benchmarks.crosswalk.candidates import _interval, _samples, pairs
from coditect_benchmarks.crosswalk.material import STANDARDS, Mapping, corpus_of, is_development, read_mapping, rows_of
from coditect_benchmarks.growth.__main__ import table
from coditect_benchmarks.log.__main__ import KEY, _documents, _text
from coditect_benchmarks.log.corpora import Costs, Turn
from coditect_benchmarks.log.long_log import LongLog, middle
from coditect_benchmarks.planted import Report, _brings_to_light, _says

from coditect.engine.lmdb.engine import LmdbEngine


def _size(documents: int, full: float, changed: float) -> dict[str, Any]:
    phases = {"read": full / 4, "claims": full / 2}
    return {
        "documents": documents,
        "full": {"phases_s": phases, "cpu_s": full, "peak_mib": {"read": 100, "claims": 200 + documents}},
        "changed": {"phases_s": {"read": changed}, "cpu_s": changed, "peak_mib": {"read": 90}},
    }


def test_growth_is_a_table_of_phases_with_exponents() -> None:
    """Of whole builds and of changes; one size has no exponent."""
    lines = table([_size(10, 4.0, 1.0), _size(40, 16.0, 2.0)])
    assert lines == [
        "", "full: processor seconds (peak MiB)", "| phase | 10 | 40 | exponent |", "|---|---|---|---|",
        "| read | 1.00 (100) | 4.00 (100) | 1.00 |", "| claims | 2.00 (210) | 8.00 (240) | 1.00 |",
        "| **all** | 4.00 (210) | 16.00 (240) | 1.00 |",
        "", "changed: processor seconds (peak MiB)", "| phase | 10 | 40 | exponent |", "|---|---|---|---|",
        "| read | 1.00 (90) | 2.00 (90) | 0.50 |", "| **all** | 1.00 (90) | 2.00 (90) | 0.50 |",
        "", "one change of the full build: 25.0%, 12.5%",
    ]  # fmt: skip
    assert "| **all** | 4.00 (210) |  |" in table([_size(10, 4.0, 1.0)])


def test_growth_tells_memory_of_its_own_where_it_was_measured() -> None:
    """Beside the peak, which counts pages of files; files of before do not have it."""
    rows = [_size(10, 4.0, 1.0), _size(40, 16.0, 2.0)]
    for row, own in zip(rows, (50, 100), strict=True):
        row["full"]["own_mib"] = {"read": own - 10, "claims": own}
    assert [line for line in table(rows) if line.startswith("| own memory")] == [
        "| own memory, MiB | 50 | 100 | 0.50 |"
    ]


def test_growth_tells_of_questions_where_they_were_asked() -> None:
    """By tier and share, with the exponent."""
    rows = [_size(10, 4.0, 1.0), _size(40, 16.0, 2.0)]
    for row, p99 in zip(rows, (5.0, 10.0), strict=True):
        row["asked"] = {"documents": row["documents"], "passage": {"p50": 2.0, "p99": p99}}
    assert [line for line in table(rows) if line.startswith("| passage")] == [
        "| passage, p50 | 2.0 | 2.0 | 0.00 |",
        "| passage, p99 | 5.0 | 10.0 | 0.50 |",
    ]


def test_costs_of_a_log_are_told_beside_their_goals() -> None:
    """The best turn of each counts for the ratio."""
    costs = Costs([Turn(2.2, 3.0, 10, 99), Turn(2.1, 9.0)], [Turn(2.0, 1.0), Turn(2.4, 1.0)])
    assert costs.ratio == pytest.approx(1.05)
    turns = [{"cpu_s": 2.0}, {"cpu_s": 2.4}], [{"cpu_s": 2.2}, {"cpu_s": 2.1}]
    proofs = {"entries": 12_345, **dict.fromkeys(("made", "together", "verified", "signed"), (0.1234, 5.6789))}
    told = {
        "proofs": proofs,
        "ingest and build": {"ratio": 1.05, "unlogged": turns[0], "logged": turns[1]},
        "bytes an event": 512.4,
        "questions": {"ratio": 1.01, "rounds": [0.99, 1.25, 1.01]},
    }
    assert _text({"lmdb": told}).split("\n") == [
        "lmdb, 12,345 entries",
        "  made      median    0.123 ms  p99    5.679 ms  goal 1 ms",
        "  together  median    0.123 ms  p99    5.679 ms  goal 1 ms",
        "  verified  median    0.123 ms  p99    5.679 ms  goal 1 ms",
        "  signed    median    0.123 ms  p99    5.679 ms  goal 20 ms",
        "  ingest and build with a log 1.050 x without (goal 1.05); s of processor: 2.0 -> 2.2; 2.4 -> 2.1",
        "  log 512 bytes an event (goal 1024)",
        "  questions with a log of reads 1.010 x without (goal 1.05); rounds 0.990 to 1.250",
    ]


@pytest.mark.parametrize(
    ("count", "names"), [(1, "a"), (2, "ad"), (3, "ace"), (4, "abcd"), (6, "abcdef"), (9, "abcdef")]
)
def test_documents_of_a_log_are_taken_from_all_over(tmp_path: Path, count: int, names: str) -> None:
    """As many as asked for, as far as there are so many."""
    source = tmp_path / "source"
    source.mkdir()
    for name in "abcdef":
        (source / f"{name}.txt").write_text(name, encoding="utf-8")
    folder = _documents(source, tmp_path / "to", count)
    assert "".join(sorted(each.stem for each in folder.iterdir())) == names


@pytest.mark.parametrize(
    ("values", "share", "value"),
    [([3.0, 1.0, 2.0], 0.5, 2.0), ([4.0, 1.0, 2.0, 3.0], 0.5, 3.0), ([1.0], 0.99, 1.0), ([1.0, 2.0], 1.0, 2.0)],
)
def test_value_below_which_a_share_lies(values: list[float], share: float, value: float) -> None:
    """Of all of them the last."""
    assert middle(values, share) == value


def test_long_log_proves_its_entries(tmp_path: Path) -> None:
    """Written as the sequencer writes it: proofs hold, and it can be appended to."""
    engine = LmdbEngine(tmp_path / "store", durable=False)
    log = LongLog(engine, "default", 300, KEY)
    assert log.log.head().size == 300
    times = log.times(31, 5)
    assert times.entries == 300
    assert log.log.head().size == 331
    assert all(0 <= low <= high for low, high in (times.made, times.together, times.verified, times.signed))
    engine.close()


def _templates(root: Path) -> None:
    for folder in ("standards/nist-csf", "standards/cis-controls", "procedures"):
        (root / folder).mkdir(parents=True)
    listed = [
        {"ref": "A", "title": "First", "summary": "One.", "parts": [{"ref": "B", "title": "Inner", "summary": "Two."}]},
        {"title": "Group", "parts": [{"ref": "A", "title": "Again", "summary": "Three."}, {"ref": "C"}]},
    ]
    for file in STANDARDS.values():
        (root / "standards" / file).write_text(json.dumps({"title": "All", "list": listed}), encoding="utf-8")
    told = [
        {
            "id": f"cp-{n}",
            "implements": [
                {"standard": "HIPAA", "requirements": ["A"], "controls": ["X"]}, {"standard": "no", "requirements": ["A"]},
            ],
        }
        for n in range(6)
    ]  # fmt: skip
    (root / "standards" / "controls-mapping.json").write_text(json.dumps({"procedures": told}), encoding="utf-8")
    policies = [{"id": "p", "procedures": ["cp-0", "cp-1"]}, {"id": "q", "procedures": ["cp-1"]}, {"id": "r"}]
    (root / "config.json").write_text(json.dumps({"policies": policies}), encoding="utf-8")
    for n in range(5):
        text = "{{companyShortName}} locks {{{door}}} and {{gates}}."
        (root / "procedures" / f"cp-{n}.md.tmpl").write_text(text, encoding="utf-8")


def test_material_of_the_crosswalk_is_read_as_it_lies(tmp_path: Path) -> None:
    """Requirements with what stands above them; those of one id are one; who implements what, and which policy has whom."""
    _templates(tmp_path)
    assert rows_of(tmp_path, "HIPAA") == [
        ("A", "First", "One. Three.", "All / Group"), ("B", "Inner", "Two.", "All / First"), ("C", "", "", "All / Group"),
    ]  # fmt: skip
    mapping = read_mapping(tmp_path)
    assert mapping.implements["cp-3", "HIPAA"] == {"A", "X"}
    assert mapping.policies == {"cp-0": {"p"}, "cp-1": {"p", "q"}}
    assert mapping.procedures == {"p": {"cp-0", "cp-1"}, "q": {"cp-1"}, "r": frozenset()}
    assert corpus_of("ISO/IEC 27002:2013") == "iso-iec-27002-2013"
    halves = {side: pairs(tmp_path, development=side) for side in (True, False)}
    assert all(is_development(pair.procedure) is side for side, found in halves.items() for pair in found)
    found = halves[True] + halves[False]
    assert sorted(pair.procedure for pair in found) == [f"cp-{n}" for n in range(5)]  # of the sixth there is no text
    assert {(pair.standard, pair.mapped, pair.text) for pair in found} == {
        ("HIPAA", frozenset({"A"}), "The organization locks  and .")
    }


def test_rows_without_some_documents_are_those_of_a_corpus_without_them() -> None:
    """First what implements a requirement and its policies goes, then all that these policies have."""
    mapping = Mapping(
        {("cp-0", "S"): frozenset({"a", "b"}), ("cp-1", "S"): frozenset({"b"}), ("cp-2", "T"): frozenset({"c"})},
        {"cp-0": frozenset({"p"})},
        {"p": frozenset({"cp-0", "cp-9"})},
    )
    parts = [SimpleNamespace(requirement_id=each, title="T", text="Do.") for each in "abc"]
    found = [SimpleNamespace(document=f"x/{name}.md.tmpl", label="met") for name in ("cp-0", "cp-9", "p", "z")]
    compared: Any = SimpleNamespace(framework=SimpleNamespace(parts=parts), evidence={1: found})
    rows = {side: _rows(compared, "S", mapping, development=side) for side in (True, False)}
    names = [row.names for side in (True, False) for row in rows[side]]
    assert sorted(map(sorted, names)) == [["cp-0"], ["cp-0", "cp-1"]]
    assert all(len(rows[is_development(each)]) >= 1 for each in "ab")
    assert [_name(each) for each in found] == ["cp-0", "cp-9", "p", "z"]  # type: ignore[arg-type]
    written = json.loads(_written("all", rows[False][0], []))
    assert written["removed"] == "all"
    assert written["standard"] == "S"
    own = frozenset({"cp-0"})
    assert _with_policies(own, mapping) == {"cp-0", "p"}
    assert _with_siblings(own, mapping) == {"cp-0", "p", "cp-9"}
    assert [_name(each) for each in _left(found, _with_siblings(own, mapping))] == ["z"]  # type: ignore[arg-type]


def test_recall_of_a_crosswalk_is_resampled_by_procedure() -> None:
    """The pairs of one procedure are drawn together, a thousand times."""
    samples = _samples(["b", "a", "b"])
    assert len(samples) == 1000
    assert {tuple(sample.tolist()) for sample in samples} == {(0, 2, 0, 2), (0, 2, 1), (1, 0, 2), (1, 1)}
    assert _interval(np.array([0.0, 1.0, 0.0]), samples) == "[0.000, 1.000]"
    assert _interval(np.array([0.5, 0.5, 0.5]), samples) == "[0.500, 0.500]"


def _claim(kind: str, text: str, *quotes: tuple[str, str], without: tuple[str, ...] = ()) -> Any:  # noqa: ANN401
    parts = [SimpleNamespace(citation=SimpleNamespace(document_name=name), content=said) for name, said in quotes]
    section = SimpleNamespace(section_id="s", content=[SimpleNamespace(citation=None, content="x"), *parts])
    citations = [SimpleNamespace(section_id="s", part=n) for n in range(len(parts) + 1)]
    claim = SimpleNamespace(claim_kind=kind, text=text, citations=citations, recipe={"result": {"without": without}})
    return claim, SimpleNamespace(sections=[section])


BOTH = (("a.md", "Access is reviewed every 90 days."), ("b.md", "Access is  reviewed every 30 days."))


@pytest.mark.parametrize(
    ("kind", "quotes", "found"),
    [
        ("conflict", BOTH, True), ("stricter", BOTH, True), ("gap", BOTH, False), ("conflict", BOTH[:1], False),
        ("conflict", (), False),
    ],
)  # fmt: skip
def test_contradiction_is_brought_to_light_with_both_texts(kind: str, quotes: Any, found: bool) -> None:  # noqa: ANN401
    """White space aside; one of them alone is none."""
    anchors = [{"file": "a.md", "text": "every 90 days"}, {"file": "b.md", "text": "is reviewed every 30"}]
    item = {"kind": "contradiction", "anchors": anchors, "topic": "review", "files": ["a.md"]}
    claim, view = _claim(kind, "They differ.", *quotes)
    assert _brings_to_light(claim, item, view) is found


@pytest.mark.parametrize(
    ("topic", "kind", "text", "without", "found"),
    [
        ("No review interval in a policy", "gap", "x", ("a.md",), True),
        ("No review interval in a policy", "gap", "x", ("b.md",), False),
        ("No review interval in a policy", "conflict", "x", ("a.md",), False),
        ("Document that is missing", "gap", "It is not in the corpus.", (), True),
        ("Document that is missing", "gap", "It is the last one.", (), False),
        ("Section that is missing", "gap", "It is the last one.", (), True),
        ("Contract deadline", "gap", "The deadline is over.", (), True),
        ("Contract deadline", "gap", "It is over.", (), False),
        ("Open point", "gap", "It is left open.", (), True),
        ("Open point", "gap", "It is not in the corpus.", (), False),
        ("Open point", "standing", "It is left open.", (), False),
    ],
)
def test_gap_is_brought_to_light_by_its_words(
    topic: str, kind: str, text: str, without: tuple[str, ...], found: bool
) -> None:
    """A quoted row holds many things: the claim has to speak of this one."""
    item = {"kind": "gap", "topic": topic, "files": ["a.md"], "anchors": [{"file": "a.md", "text": "90 days"}]}
    claim, view = _claim(kind, text, *BOTH, without=without)
    assert _brings_to_light(claim, item, view) is found
    claim, view = _claim(kind, text, *BOTH[1:])
    assert not _brings_to_light(claim, {**item, "topic": "Open point"}, view)


def test_planted_texts_are_counted_by_their_letter() -> None:
    """Found and planted."""
    report = Report({"C1": "x", "C2": "", "G1": "y"}, (), 3, ())
    assert (report.count("C"), report.count("G")) == ((1, 2), (1, 1))
    assert _says(SimpleNamespace(text="a deadline"), {"topic": "Contract deadline"})  # type: ignore[arg-type]


def test_spans_of_whole_words_are_drawn() -> None:
    """The same for the same seed, at most sixty words, with something to compare in each."""
    texts = ["one two | three", "| | four five " + "word " * 200]
    found = pages.spans(texts, 200, 3)
    assert found == pages.spans(texts, 200, 3) != pages.spans(texts, 200, 4)
    assert len(found) == 200
    for which, start, end in found:
        words = texts[which][start:end]
        assert words == words.strip()
        assert 1 <= len(words.split()) <= 60
        assert pages.compared(words)
    assert max(len(texts[which][a:b].split()) for which, a, b in found) > 50
    assert min(len(texts[which][a:b].split()) for which, a, b in found) == 1
    assert {which for which, _, _ in found} == {0, 1}
    assert pages.compared("soft\u00adware | ﬁle-\nname") == "softwarefilename"


def test_files_are_counted_by_reader(tmp_path: Path) -> None:
    """Files, bytes, seconds and characters; what is refused is told with its reason."""
    (tmp_path / "in").mkdir()
    for name, raw in (("a.txt", b"One."), ("in/b.txt", b"Two three."), ("c.docx", b"none"), ("d.md", b"# T")):
        (tmp_path / name).write_bytes(raw)
    found = readers.measure(tmp_path)
    plain = next(value for name, value in found.items() if name.startswith(("text", "plain")))
    assert (plain[0], plain[1], plain[3]) == (2, 14, 14)
    refused = next(value for name, value in found.items() if name.startswith("refused: "))
    assert (refused[0], refused[1], refused[3]) == (1, 4, 0)
    assert all(0 <= each[2] < 60 for each in found.values())
