"""Rows of a corpus against what its log tells of each, one kind after the other, in stores of nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import JsonValue

from coditect.integrity.logged.belongings import CHANGED, GONE, PLANTED, check_acts, check_principals, check_tokens
from coditect.integrity.logged.history import CorpusHistory
from coditect.integrity.logged.published import check_generations
from coditect.integrity.logged.records import check_records
from coditect.integrity.logged.rows import LoggedRows
from coditect.integrity.logged.settings import check_settings
from coditect.keyspace import seal, seal_compressed
from coditect.schemas import (
    BuildSettings,
    Corpus,
    Failure,
    Generation,
    Intake,
    LogAct,
    LogPrincipal,
    Manifest,
    Record,
    Review,
    document_id_for,
    sha256_hex,
    tag_of,
)
from coditect.schemas.log import LogEventKind
from coditect.store.store import Store

CORPUS = "c"
BEGUN = {"kind": "corpus", "$record": "log_event/2"}
NAME = "a.md"
DOCUMENT = document_id_for(CORPUS, NAME)

Said = list[tuple[str, str]]


def _event(kind: str, record: Record | None = None, **more: object) -> dict[str, Any]:
    """What the log tells of a record."""
    sha256 = "" if record is None else sha256_hex(record.payload())
    return {"kind": kind, "corpus": tag_of(CORPUS), "sha256": sha256, **more}


def _run(store: Store, *events: dict[str, Any]) -> tuple[LoggedRows, Said]:
    """Rows of a store, and what is said of them where the log tells this."""
    history, said = CorpusHistory(CORPUS), Said()
    for each in events:
        history.take({"corpus": tag_of(CORPUS), **each})
    return LoggedRows(store, CORPUS, history, lambda *told: said.append(told), lambda table: None), said


def _checked(check: Callable[[LoggedRows], None], store: Store, *events: dict[str, Any]) -> Said:
    run, said = _run(store, *events)
    check(run)
    assert not run.unknown
    return said


@pytest.mark.parametrize(
    ("begun", "told", "bound", "said", "unknown"),
    [
        ("corpus", "1", None, [], 0),
        ("corpus", "2", None, [CHANGED], 0),
        ("corpus", None, None, [PLANTED], 0),
        ("corpus", None, False, [], 1),
        ("corpus", "2", False, [CHANGED], 0),
        ("import", None, None, [], 1),
        ("import", None, True, [PLANTED], 0),
        ("import", "2", None, [CHANGED], 0),
        ("", None, None, [], 1),
    ],
)
def test_a_row_is_what_is_told_of_it(
    memory: Store, begun: str, told: str | None, bound: bool | None, said: list[str], unknown: int
) -> None:
    """Of what came about before the log, or elsewhere, it need not tell."""
    run, found = _run(memory, *([{"kind": begun}] if begun else []))
    run.compare("row", told, "1", "rows", bound=bound)
    assert found == [("row", each) for each in said]
    assert run.unknown["rows"] == unknown


INTAKE = Intake(corpus_id=CORPUS, document_id=DOCUMENT, name=NAME, version_id="version_1", raw_sha256="ab" * 32)
FAILURE = Failure(corpus_id=CORPUS, name=NAME, error="ReadError", message="it is empty")
REVIEW = Review.create(
    corpus_id=CORPUS, fingerprint="0" * 64, claim_text="Logs are kept.", evidence=(), decision="accept", by="Ada",
    at="2026-01-01T00:00:00Z", meaning="seen",
)  # fmt: skip
ROWS: list[tuple[str, Record, tuple[str, ...], str, str]] = [
    ("intake", INTAKE, (CORPUS, DOCUMENT), "document", DOCUMENT),
    ("failures", FAILURE, (CORPUS, NAME), "failure", DOCUMENT),
    ("reviews", REVIEW, (CORPUS, REVIEW.review_id), "review", REVIEW.review_id),
]


@pytest.mark.parametrize(("table", "record", "place", "kind", "subject"), ROWS)
def test_records_are_those_that_the_log_tells_of(
    memory: Store, table: str, record: Record, place: tuple[str, ...], kind: str, subject: str
) -> None:
    """There, unchanged, and no others."""
    told = _event(kind, record, subject=subject)
    ((_, message),) = _checked(check_records, memory, BEGUN, told)
    assert message == GONE
    memory.update(lambda t: memory.write_record(t, table, record, *place))
    assert _checked(check_records, memory, BEGUN, told) == []
    ((name, message),) = _checked(check_records, memory, BEGUN)
    assert (name.partition("/")[0], message) == (table, PLANTED)
    assert [each for _, each in _checked(check_records, memory, BEGUN, {**told, "sha256": "0" * 64})] == [CHANGED]


@pytest.mark.parametrize(
    ("status", "kind", "said"),
    [("present", "withdrawal", 1), ("withdrawn", "document", 1), ("withdrawn", "withdrawal", 0)],
)
def test_a_document_is_taken_in_or_withdrawn_as_the_log_tells(memory: Store, status: Any, kind: str, said: int) -> None:  # noqa: ANN401 - a literal
    """Also where the record is the one that it names."""
    intake = INTAKE.model_copy(update={"status": status})
    memory.update(lambda t: memory.write_record(t, "intake", intake, CORPUS, DOCUMENT))
    found = _checked(check_records, memory, BEGUN, _event(kind, intake, subject=DOCUMENT))
    assert [message for _, message in found] == [f"the log tells of it as a {kind}"] * said


def _act(store: Store, act: LogAct, place: str = "") -> str:
    """Store what only the log tells of."""
    digest = sha256_hex(act.payload())
    key = store.keys.key("log/acts", place or digest)
    store.update(lambda t: t.set(key, seal_compressed(store.keys.relative(key), act.payload())))
    return digest


def test_acts_stand_under_their_hash_and_in_the_log(memory: Store) -> None:
    """Those that are told and gone are told in order."""
    digest = _act(memory, LogAct(kind="export", corpus_id=CORPUS, at=""))
    said: Said = []

    def found(*told: str) -> Said:
        said.clear()
        assert not check_acts(memory, CORPUS, set(told), lambda *each: said.append(each))
        return list(said)

    assert found(digest) == []
    assert found() == [(f"log/acts/{digest}", PLANTED)]
    assert found(digest, "b", "a") == [("log/acts/a", GONE), ("log/acts/b", GONE)]
    _act(memory, LogAct(kind="export", corpus_id="other", at=""), digest)
    ((name, message), gone) = found(digest)
    assert (name, "was changed" in message, gone) == (f"log/acts/{digest}", True, (f"log/acts/{digest}", GONE))


@pytest.mark.parametrize(
    ("kind", "corpora", "older"),
    [
        ("upgrade", [tag_of(CORPUS)], True),
        ("upgrade", ["x", tag_of(CORPUS)], True),
        ("upgrade", ["x"], False),
        ("upgrade", tag_of(CORPUS), False),
        ("upgrade", None, False),
        ("export", [tag_of(CORPUS)], False),
    ],
)
def test_an_upgrade_says_which_corpora_are_older_than_the_log(
    memory: Store, kind: LogEventKind, corpora: JsonValue, older: bool
) -> None:
    """And other acts after it take nothing back."""
    acts = [
        LogAct(kind=kind, at="", details={"corpora": corpora}),
        LogAct(kind="sweep", at=""),
        LogAct(kind="index", at=""),
    ]
    told = {_act(memory, each) for each in acts}
    assert check_acts(memory, CORPUS, told, lambda *each: pytest.fail(str(each))) is older


def test_a_pseudonym_is_that_of_its_name(memory: Store) -> None:
    """Under its own place."""
    good = LogPrincipal(pseudonym=LogPrincipal.pseudonym_for("Ada", "0" * 32), name="Ada", salt="0" * 32)
    for record, place, wrong in (
        (good, good.pseudonym, False),
        (good.model_copy(update={"name": "Ben"}), good.pseudonym, True),
        (good, "f" * len(good.pseudonym), True),
    ):
        key = memory.keys.key("log/principals", place)
        memory.update(lambda t, key=key, record=record: t.set(key, seal(memory.keys.relative(key), record.payload())))  # type: ignore[misc]
        said: Said = []
        check_principals(memory, lambda *each, said=said: said.append(each))
        assert [message for _, message in said] == ["the pseudonym is not that of this name: it was changed"] * wrong
        memory.update(lambda t, key=key: t.clear(key))  # type: ignore[misc]


def test_tokens_are_those_of_which_acts_tell(memory: Store) -> None:
    """Each change under its own token; one that is gone would hold again."""
    said: Said = []

    def found() -> Said:
        said.clear()
        check_tokens(memory, lambda *each: said.append(each))
        return list(said)

    _act(memory, LogAct(kind="export", at=""))
    digest = _act(memory, LogAct(kind="token", at="", details={"public_id": "p", "change": "made"}))
    assert found() == [("tokens/p/made", GONE)]
    for place, wanted in (
        (("p", "made"), []),
        (("p", "revoked"), ["it is not that of the token of which its act tells: it was changed"]),
    ):
        key = memory.keys.key("tokens", *place)
        memory.update(lambda t, key=key: t.set(key, seal(memory.keys.relative(key), digest.encode())))  # type: ignore[misc]
        assert [message for _, message in found()] == wanted
        memory.update(lambda t, key=key: t.clear(key))  # type: ignore[misc]
    key = memory.keys.key("tokens", "q", "made")
    memory.update(lambda t: t.set(key, seal(memory.keys.relative(key), b"0" * 64)))
    assert [message for _, message in found()] == [PLANTED, GONE]


def _manifest(number: int, **settings: Any) -> Manifest:  # noqa: ANN401 - of a build
    return Manifest.create(
        corpus_id=CORPUS, settings=BuildSettings(**settings), code_versions={}, trees={}, sections=(),
        summary_derivation="", summary_id=f"summary_{number}", counts={"documents": number},
    )  # fmt: skip


def _generation(number: int, build: Manifest) -> Generation:
    return Generation(
        corpus_id=CORPUS, generation=number, build_id=build.build_id, created_at=f"2026-01-0{number}", tool_version="",
        derived={}, reused={},
    )  # fmt: skip


def _published(store: Store, *builds: Manifest, stored: int = 9) -> list[dict[str, Any]]:
    """Generations of these builds, the first so many of them stored, and their events."""
    made = [_generation(number, each) for number, each in enumerate(builds, 1)]
    store.put_items(builds)
    for each in made[:stored]:
        store.update(lambda t, each=each: store.write_record(t, "generations", each, CORPUS, each.generation))  # type: ignore[misc]
    return [_event("generation", each, subject=each.build_id, generation=each.generation) for each in made]


def test_generations_are_those_that_the_log_tells_of(memory: Store) -> None:
    """There, unchanged and no others; the corpus points to the last."""
    events = _published(memory, _manifest(1), _manifest(2), _manifest(3), stored=2)
    corpus = Corpus(corpus_id=CORPUS, name="C", created_at="2026", generation=2, build_id="x")
    fresh = Corpus(corpus_id=CORPUS, name="C", created_at="2026")
    begun = {**BEGUN, "sha256": sha256_hex(fresh.payload())}
    assert _checked(check_generations, memory, begun, *events[:2]) == [(f"corpus/{CORPUS}", GONE)]
    assert _checked(check_generations, memory, *events[:2]) == []
    memory.update(lambda t: memory.write_record(t, "corpus", corpus, CORPUS))
    assert _checked(check_generations, memory, begun, *events[:2]) == []
    assert _checked(check_generations, memory, begun, *events) == [
        (f"generations/{CORPUS}/3", GONE),
        (f"corpus/{CORPUS}", "it points to generation 2; the last one that the log tells of is 3"),
    ]
    assert [each for _, each in _checked(check_generations, memory, begun, events[0])] == [
        PLANTED,
        "it points to generation 2; the last one that the log tells of is 1",
    ]
    ((name, message),) = _checked(check_generations, memory, BEGUN, *events[:2])
    assert (name, message.startswith("its name, the time when it was made")) == (f"corpus/{CORPUS}", True)


@pytest.mark.parametrize("imported", [0, 1, 2])
def test_a_corpus_may_be_imported_at_any_of_its_generations(memory: Store, imported: int) -> None:
    """It was then what its archive said, with the documents and the summary of that build; one that nobody had is told."""
    builds = [_manifest(1), _manifest(2)]
    events = _published(memory, *builds)
    now = Corpus(corpus_id=CORPUS, name="C", created_at="2026", generation=2, build_id=builds[1].build_id)
    memory.update(lambda t: memory.write_record(t, "corpus", now, CORPUS))
    then = Corpus(corpus_id=CORPUS, name="C", created_at="2026")
    if imported:
        then = then.model_copy(
            update={
                "generation": imported, "build_id": builds[imported - 1].build_id, "document_count": imported,
                "tier4_summary": f"summary_{imported}", "tier4_generated_at": f"2026-01-0{imported}",
            }
        )  # fmt: skip
    assert _checked(check_generations, memory, _event("import", then), *events) == []
    other = then.model_copy(update={"document_count": 7})
    assert len(_checked(check_generations, memory, _event("import", other), *events)) == 1


def test_a_change_of_settings_is_told_as_the_manifests_have_it(memory: Store) -> None:
    """And every one of them, where the log tells of all."""
    wider = {"max_synthesis_ratio": 0.1}
    builds = [_manifest(1), _manifest(2), _manifest(3, **wider), _manifest(4, **wider)]
    events = _published(memory, *builds)
    untold = [(f"generations/{CORPUS}/3", "its settings are not those of the one before, and no act tells so")]
    assert _checked(check_settings, memory, BEGUN, *events) == untold
    assert _checked(check_settings, memory, {"kind": "corpus"}, *events) == []
    memory.update(lambda t: t.clear(memory.keys.key("manifests", CORPUS, builds[1].build_id)))
    assert _checked(check_settings, memory, BEGUN, *events) == []
    memory.put_items([builds[1]])
    after = {
        name: value for name, value in builds[2].configuration.items() if builds[1].configuration.get(name) != value
    }
    for details, wrong in (({"after": after}, False), ({"after": {**after, "x": 1}}, True), ({}, True)):
        for corpus_id in (CORPUS, "other"):
            told = {"build_id": builds[2].build_id, **details}
            digest = _act(memory, LogAct(kind="settings", corpus_id=corpus_id, at="", details=told))
            found = _checked(check_settings, memory, BEGUN, *events)
            if corpus_id == "other":
                assert found == untold
            else:
                assert [name for name, _ in found] == [f"log/acts/{digest}"] * wrong
            memory.update(lambda t, digest=digest: t.clear(memory.keys.key("log/acts", digest)))  # type: ignore[misc]
