"""What commands say of erasures, holds and retention: to the letter, as JSON, and by exit code."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from coditect.cli import erase, freed_space, hold, retain
from coditect.cli.console import Screen
from coditect.cli.exit_codes import ExitCode
from coditect.cli.status import _outlook, _write_outlook
from coditect.knowledge.erasure.execution import ErasureOutcome
from coditect.knowledge.erasure.outlook import RemovalOutlook
from coditect.knowledge.erasure.request import ErasureForecast
from coditect.knowledge.erasure.retention import RetentionForecast
from coditect.schemas import Generation, LegalHold, RowCount
from coditect.schemas.erasure import Erasure, ErasureCertificate, ErasureScan
from tests.unit.cli.commands import Desk, noting

AT = "2026-01-02T03:04:05Z"
OF: dict[str, Any] = {"corpus_id": "c", "by": "L. Counsel", "at": AT}
HOLD = LegalHold(hold_id="hold_1", matter="Doe v. X", reason="litigation", **OF)
HOLD_2 = LegalHold(
    hold_id="hold_2", matter="Audit", reason="asked for", document_ids=("document_1", "document_2"), **OF
)
ERASURE = Erasure(erasure_id="erasure_1", document_ids=("document_1",), reason="Art. 17", salt="0" * 32, files=(), **OF)
SCAN = ErasureScan(words=6, runs=1200, rows=34_567, size_bytes=890_123, files=4, elsewhere=("other",), found=())
REMOVED = {"chunks": RowCount(rows=1200, size_bytes=34_567), "blobs": RowCount(rows=2, size_bytes=30)}
CERTIFICATE = ErasureCertificate(
    corpus_id="c", certificate_id="certificate_1", erasure_id="erasure_1", tombstone_id="t", at=AT, removed=REMOVED,
    stays=("hashes",), scan=SCAN, release="1",
)  # fmt: skip
DONE = ErasureOutcome(ERASURE, "done", CERTIFICATE)
LEFT = ErasureOutcome(ERASURE, "words left", reason="the search found some", found=("chunks/1", "cache/x"))
HELD = ErasureOutcome(ERASURE, "held", holds=(HOLD,), reason="a hold")
TABLE = ["  table    rows   bytes", "  chunks  1,200  34,567", "  blobs       2      30"]


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Commands on an object that knows nothing yet."""
    for place in (erase, freed_space):
        monkeypatch.setattr(place, "give_back", lambda store: "compacted")
    return Desk(monkeypatch, SimpleNamespace(clock=lambda: AT, searched_places=()))


ERASE = ("--corpus-id", "c", "--document", "doe.pdf", "--reason", "Art. 17", "--by", "L. Counsel")


@pytest.mark.parametrize(
    ("outcome", "code", "space", "told"),
    [
        (
            DONE, ExitCode.OK, "compacted",
            [
                "Erasure erasure_1: done", "  certificate certificate_1", *TABLE,
                "  searched: 34,567 rows, 890,123 bytes and 4 files for 1,200 runs of ", "  6 words: none found", "  stays: hashes",
                "  stays: words of it in corpus other", "Space: compacted",
            ],
        ),
        (
            LEFT, ExitCode.FOUND, "",
            ["Erasure erasure_1: words left", "  the search found some", "  words left in chunks/1", "  words left in cache/x"],
        ),
        (HELD, ExitCode.PARTIAL, "", ["Erasure erasure_1: held", "  a hold"]),
    ],
    ids=["done", "words left", "held"],
)  # fmt: skip
def test_erasure_says_what_went_and_what_is_left(
    desk: Desk, outcome: ErasureOutcome, code: ExitCode, space: str, told: list[str]
) -> None:
    """Space is given back only where it is done; a certificate is told only where there is one."""
    desk.knowledge.erase = lambda *given, **more: outcome
    ran = desk.run(erase.erase, *ERASE, "--yes")
    assert (ran.lines, ran.code) == (told, code)
    ran = desk.run(erase.erase, *ERASE, "--yes", "--format", "json")
    found = json.loads(ran.out)
    assert (found["state"], found["space"], ran.code) == (outcome.state, space, code)
    assert (found["certificate"] or {}).get("certificate_id") == ("certificate_1" if space else None)
    assert [each["hold_id"] for each in found["holds"]] == [each.hold_id for each in outcome.holds]


@pytest.mark.parametrize(("holds", "code"), [((), ExitCode.OK), ((HOLD,), ExitCode.PARTIAL)])
def test_erasure_is_only_forecast_until_it_is_confirmed(
    desk: Desk, holds: tuple[LegalHold, ...], code: ExitCode
) -> None:
    """Nothing is written; a hold that refuses is named."""
    forecast = ErasureForecast({"document_1": "doe.pdf", "document_2": "x.md"}, REMOVED, ("hashes",), 7, holds)
    desk.knowledge.forecast_erasure = lambda *given, **more: forecast
    refused = ["refused by legal hold Doe v. X, by L. Counsel since 2026-01-02T03:04:05Z: litigation"]
    ran = desk.run(erase.erase, *ERASE)
    assert ran.lines == [
        "Would be erased: doe.pdf, x.md", "", *TABLE, "  stays: hashes", *(refused if holds else []), "",
        "Nothing was written. While the hold stands nothing is erased: the same command with --yes leaves a request that "
        "'coditect knowledge release' carries out."
        if holds
        else "Nothing was written. Next: the same command with --yes",
    ]  # fmt: skip
    assert ran.code == code
    found = json.loads(desk.run(erase.erase, *ERASE, "--format", "json").out)
    assert (found["state"], found["runs"], len(found["holds"])) == ("forecast", 7, len(holds))
    assert found["removed"]["chunks"]["rows"] == 1200


@pytest.mark.parametrize(
    ("outcomes", "code", "space"),
    [
        ([], ExitCode.OK, ""),
        ([DONE], ExitCode.OK, "compacted"),
        ([DONE, HELD], ExitCode.PARTIAL, "compacted"),
        ([HELD], ExitCode.PARTIAL, ""),
        ([DONE, LEFT], ExitCode.FOUND, "compacted"),
    ],
)
def test_end_of_a_hold_carries_out_what_waited(
    desk: Desk, outcomes: list[ErasureOutcome], code: ExitCode, space: str
) -> None:
    """Space is given back where anything was erased; the worst outcome is the exit code."""
    made = SimpleNamespace(model_dump=lambda mode: {"hold_id": "hold_1"})
    desk.knowledge.release = lambda *given, **more: (made, outcomes)
    words = ("--corpus-id", "c", "--hold", "hold_1", "--reason", "settled", "--by", "L. Counsel")
    ran = desk.run(hold.release, *words)
    assert ran.code == code
    assert ran.lines[0] == "hold_1 ended."
    assert ("Space: compacted" in ran.lines) == bool(space)
    ran = desk.run(hold.release, *words, "--format", "json")
    found = json.loads(ran.out)
    assert (found["space"], len(found["erasures"]), ran.code) == (space, len(outcomes), code)


def test_holds_are_listed_with_what_they_hold(desk: Desk) -> None:
    """Documents are counted; no document is the whole corpus."""
    desk.knowledge.holds = lambda corpus_id: [HOLD, HOLD_2]
    assert desk.run(hold.holds).lines == [
        "Doe v. X  c, the whole corpus  hold_1", f"  by L. Counsel since {AT}: litigation",
        "Audit  c, 2 documents  hold_2", f"  by L. Counsel since {AT}: asked for",
    ]  # fmt: skip
    assert [each["hold_id"] for each in json.loads(desk.run(hold.holds, "--format", "json").out)] == [
        "hold_1",
        "hold_2",
    ]
    desk.knowledge.holds = lambda corpus_id: []
    assert desk.run(hold.holds).lines == ["No hold is in force."]


def generation(number: int) -> Generation:
    """One that may go."""
    return Generation(
        corpus_id="c",
        generation=number,
        build_id=f"build_{number}",
        created_at=AT,
        tool_version="1",
        derived={},
        reused={},
    )


STAYS = ["generation 2 stays: reported", "generation 3 stays: signed"]
NOTHING = "Nothing was removed. Next: the same command with --apply"
WOULD, GONE = (f"generation 1 of {AT}: {each}" for each in ("would go", "gone"))
REFUSED = f"refused by legal hold Doe v. X, by L. Counsel since {AT}: litigation"
REMOVED_NOW = "5,000 bytes removed; 'coditect store compact' gives them back."
FORECASTS: dict[str, RetentionForecast] = {
    "goes": RetentionForecast((generation(1),), {3: "signed", 2: "reported"}),
    "held": RetentionForecast((generation(1),), {}, (HOLD,)),
    "kept": RetentionForecast((), {2: "signed"}),
    "nothing": RetentionForecast((), {}),
}


@pytest.mark.parametrize(
    ("name", "apply", "complete", "code", "told"),
    [
        ("goes", False, True, ExitCode.OK, [WOULD, *STAYS, NOTHING]),
        ("goes", True, True, ExitCode.OK, [GONE, *STAYS, REMOVED_NOW]),
        ("goes", True, False, ExitCode.PARTIAL, [GONE, *STAYS, REMOVED_NOW]),
        ("held", True, True, ExitCode.PARTIAL, [WOULD, REFUSED, NOTHING]),
        ("held", False, True, ExitCode.PARTIAL, [WOULD, REFUSED, NOTHING]),
        ("kept", False, True, ExitCode.OK, ["generation 2 stays: signed"]),
        ("nothing", False, True, ExitCode.OK, ["Nothing is older than that."]),
    ],
)  # fmt: skip
def test_retention_says_what_goes_and_why_the_rest_stays(
    desk: Desk, name: str, apply: bool, complete: bool, code: ExitCode, told: list[str]
) -> None:
    """Nothing goes unless it is asked for and no hold is in force."""
    swept = SimpleNamespace(dead_bytes=5000, complete=complete, model_dump=lambda mode: {"dead_bytes": 5000})
    calls: list[object] = []
    desk.knowledge.forecast_retention = lambda *given, **more: FORECASTS[name]
    desk.knowledge.retain = lambda *given, **more: noting(calls, given, (1, swept))
    words = ("--corpus-id", "c", "--keep", "12m", *(["--apply"] if apply else []))
    ran = desk.run(retain.retain, *words)
    assert ran.code == code
    assert ran.lines == told
    found = json.loads(desk.run(retain.retain, *words, "--format", "json").out)
    done = apply and name != "held"
    assert len(calls) == 2 * done
    assert (found["gone"], found["swept"]) == ((1, {"dead_bytes": 5000}) if done else (0, None))
    assert found["kept"] == {str(number): why for number, why in FORECASTS[name].kept.items()}


@pytest.mark.parametrize(
    ("outlook", "told"),
    [
        (RemovalOutlook(), []),
        (
            RemovalOutlook(holds=(HOLD, HOLD_2)),
            [
                "", "On hold",
                f"  Doe v. X: the whole corpus, by L. Counsel since {AT}; nothing of the corpus is swept meanwhile",
                f"  Audit: 2 documents, by L. Counsel since {AT}; nothing of the corpus is swept meanwhile",
            ],
        ),
        (
            RemovalOutlook(
                erasures=(
                    ERASURE, ERASURE.model_copy(update={"erasure_id": "e2", "document_ids": ("x", "y")}),
                    ERASURE.model_copy(update={"erasure_id": "e3"}),
                ),
                begun=frozenset({"e3", "e9"}), holds=(HOLD_2,),
            ),
            [
                "", "On hold", f"  Audit: 2 documents, by L. Counsel since {AT}; nothing of the corpus is swept meanwhile",
                "", "Erasures that are not done",
                f"  1 document, asked by L. Counsel at {AT}: waits for the end of a hold",
                f"  2 documents, asked by L. Counsel at {AT}: the next command that writes carries it out",
                f"  1 document, asked by L. Counsel at {AT}: begun; the next command that writes goes on",
            ],
        ),
        (
            RemovalOutlook(erasures=(ERASURE.model_copy(update={"document_ids": ("x",)}),), holds=(HOLD,)),
            [
                "", "On hold",
                f"  Doe v. X: the whole corpus, by L. Counsel since {AT}; nothing of the corpus is swept meanwhile",
                "", "Erasures that are not done", f"  1 document, asked by L. Counsel at {AT}: waits for the end of a hold",
            ],
        ),
        (
            RemovalOutlook(policy="keep 12m", retention=FORECASTS["goes"]),
            ["", "Retention: 'keep 12m', as it was applied last", "  would go now: 1", "  generation 2 stays: reported",
             "  generation 3 stays: signed"],
        ),
        (
            RemovalOutlook(policy="keep 1m", retention=FORECASTS["nothing"]),
            ["", "Retention: 'keep 1m', as it was applied last", "  would go now: no generation"],
        ),
    ],
    ids=["nothing", "holds", "erasures", "a hold of all", "retention", "nothing goes"],
)  # fmt: skip
def test_status_says_what_goes_next_and_what_must_stay(
    outlook: RemovalOutlook, told: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The same for programs."""
    _write_outlook(Screen(), outlook)
    assert capsys.readouterr().out.splitlines() == told
    found = _outlook(outlook)
    assert found["generations"] == ([] if outlook.retention is None else [g.generation for g in outlook.retention.goes])
    assert found["kept"] == (
        {} if outlook.retention is None else {str(n): w for n, w in outlook.retention.kept.items()}
    )
    assert found["begun"] == (["e3"] if outlook.begun else [])
