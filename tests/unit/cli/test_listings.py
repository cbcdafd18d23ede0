"""What the commands print for people, to the letter: each listing against the file of its name in ``listings``."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner

from coditect.cli import calibrate_text, check, documents, output, review_text, status, sweep, validate, verify_text
from coditect.cli import review as review_command
from coditect.cli.answers import write_answers, write_chain, write_tier_below
from coditect.cli.console import Screen
from coditect.cli.exit_codes import ExitCode
from coditect.errors import UsageError
from coditect.schemas import (
    BuildSettings,
    Calibration,
    CalibrationReport,
    CalibrationState,
    CalibrationSwitch,
    CheckedSentence,
    CorpusStatus,
    CorpusSweep,
    DecisionStatus,
    Failure,
    Finding,
    FittedPart,
    Generation,
    Hit,
    Interval,
    ItemDecision,
    MarkChange,
    PartScore,
    PendingReview,
    Profile,
    ProfileFact,
    ProfileParty,
    QueryResult,
    ReadingLoss,
    Reference,
    Review,
    ReviewedExtraction,
    RowCount,
    Signal,
    Source,
    SweepReport,
    TextEvidence,
    TextReport,
    ValidationReport,
    VerdictChange,
)
from coditect.schemas.verdict import EvidenceSpan
from tests.unit.cli.test_console import Terminal

LISTINGS = Path(__file__).parent / "listings"
AT = "2026-01-02T03:04:05Z"
FILE = {"document_id": "document_1", "document_name": "rules.md", "version_id": "version_1", "raw_sha256": "ab" * 32}


def review(**more: object) -> Review:
    """A signed decision on a claim."""
    fields: dict[str, Any] = {
        "corpus_id": "c",
        "fingerprint": "ab" * 32,
        "claim_text": "Logs are kept for a year.",
        "evidence": ("Logs are kept.",),
        "decision": "accept_risk",
        "by": "the CISO",
        "at": AT,
        "meaning": "agreed with the auditor",
        "until": "2026-12-31",
    }
    return Review(**{"review_id": "review_1", **fields, **more})


def pending(item_id: str, text: str, **more: object) -> PendingReview:
    """A claim that waits for a person."""
    fields: dict[str, Any] = {
        "item_id": item_id,
        "claim_id": item_id,
        "text": text,
        "label": "needs_review",
        "support_score": 0.456,
        "reason": "a number is missing",
        "evidence": (),
        "reviews": (),
    }
    return PendingReview(**{**fields, **more})


def _pending() -> None:
    review_text.write_pending(
        [
            pending("claim_1", "Logs are kept for a year.", evidence=("Logs are kept.", "For a year.")),
            pending("claim_2", "Keys are kept.", reopened=review()),
            pending("", "", claim_id="", reopened=review(review_id="review_2", until=None), reason="it is gone"),
            pending("claim_3", "Doors close.", label="supported", reviews=(review(decision="supported", until=None),)),
            pending("claim_4", "Doors open.", reviews=(review(review_id="review_3"),)),
            pending(
                "claim_5", "Logs stay.", hint="every word of it stands for one of the evidence: “stay” for “are kept”"
            ),
        ]
    )


def _nothing_pending() -> None:
    review_text.write_pending([])


def _decisions() -> None:
    of_extraction = ReviewedExtraction(
        document="rules.md", sentence="Staff shall report.", quote="shall", quote_start=6, kind="obligation", data={}
    )
    corrected = review(
        review_id="review_2",
        decision="correct",
        until=None,
        extraction=of_extraction,
        changes={"actor": "staff", "deadline": None},
    )
    review_text.write_decisions(
        [
            DecisionStatus(review=review(), state="in force", item_id="claim_1"),
            DecisionStatus(review=corrected, state="next build", detail="the next build heeds it"),
            DecisionStatus(review=review(review_id="review_3"), state="expired", detail="its date has passed"),
        ]
    )


def _signed() -> None:
    review_text.write_signed(review(changes={"actor": None, "action": "report"}))


def interval(value: float) -> Interval:
    """A narrow one."""
    return Interval(value=value, low=value - 0.05, high=value + 0.05)


def calibration_report(**more: object) -> CalibrationReport:
    """A checker that improves, a gate with too few marks, a fusion that does not improve."""
    fitted = {"before": interval(0.59), "after": interval(0.86), "difference": interval(0.27)}
    fields: dict[str, Any] = {
        "corpus_id": "c",
        "generation": 3,
        "build_id": "build_1",
        "in_force": "",
        "proposal": "calibration_1",
        "parts": (
            FittedPart(
                part="checker", cases=178, positive=99, documents=37, left_out={"of rules": 22}, improves=True, **fitted
            ),
            FittedPart(part="gate", cases=1, positive=1, documents=1, needs="60 marks (1 so far)"),
            FittedPart(part="fusion", cases=70, positive=35, documents=9, before=interval(0.5)),
        ),
        "judged_again": 200,
        "directions": {"needs_review -> supported": 21, "supported -> needs_review": 1},
        "changes": tuple(
            VerdictChange(
                claim_id=f"claim_{n}",
                text=f"Rule {n}.",
                old_label="needs_review",
                new_label="supported",
                old_score=0.55,
                new_score=0.91,
            )
            for n in range(1, 23)
        ),
        "mark_changes": tuple(
            MarkChange(
                query="q",
                item_id="extraction_1",
                relevant=True,
                old_probability=0.1,
                new_probability=0.4,
                old_shown=not shown,
                new_shown=shown,
            )
            for shown in (True, True, False)
        ),
    }
    return CalibrationReport(**{**fields, **more})


def _calibration() -> None:
    calibrate_text.write_report(calibration_report(), Path("page.html"))


def _calibration_at_the_limit() -> None:
    report = calibration_report()
    calibrate_text.write_report(
        report.model_copy(update={"parts": (), "changes": report.changes[:20], "mark_changes": ()}), None
    )


def _calibrations_without_a_proposal() -> None:
    calibrate_text.write_report(calibration_report(proposal="", parts=()), None)
    calibrate_text.write_report(calibration_report(in_force="calibration_1", parts=()), None)


def _calibration_state() -> None:
    proposal = Calibration(
        corpus_id="c",
        calibration_id="calibration_1",
        fitted=calibration_report().parts,
        reviews=("review_1",),
        marks=("mark_1", "mark_2"),
        generation=3,
        build_id="build_1",
        code_version="1",
        seed=0,
    )
    switched = [
        CalibrationSwitch(
            corpus_id="c", switch_id=f"switch_{n}", calibration_id=to, by="the CISO", at=AT, meaning="agreed"
        )
        for n, to in enumerate(("calibration_1", ""))
    ]
    calibrate_text.write_state(
        CalibrationState(corpus_id="c", in_force="calibration_1", proposals=(proposal,), switches=tuple(switched))
    )
    calibrate_text.write_state(CalibrationState(corpus_id="c", in_force="", proposals=(), switches=()))
    for made in switched:
        calibrate_text.write_switch(made)


def _checked_text() -> None:
    evidence = tuple(
        TextEvidence(
            item_id=f"extraction_{n}",
            document_name="rules.md",
            char_start=n,
            char_end=n + len(text),
            text=text,
            page=page,
            **{name: FILE[name] for name in ("document_id", "version_id", "raw_sha256")},
        )
        for n, (text, page) in enumerate((("Nothing.", None), ("Logs are kept.", 3), ("One year.", 4), ("Logs.", None)))
    )

    def signal(name: str, *quotes: int, passed: bool) -> Signal:
        spans = tuple(EvidenceSpan(quote=quote, char_start=0, char_end=1) for quote in quotes)
        return Signal(name=name, passed=passed, evidence=spans)

    sentences = (
        CheckedSentence(text="Duties", char_start=0, char_end=6, support_score=0.0),
        CheckedSentence(
            text="Logs are kept for two years.",
            char_start=8,
            char_end=36,
            label="unsupported",
            support_score=0.126,
            reason="it says one year",
            signals=(
                signal("support", 1, 1, 3, 3, 3, passed=True),
                signal("contradiction_number", 2, passed=False),
            ),
            evidence=evidence,
        ),
        CheckedSentence(
            text="Logs are kept.",
            char_start=40,
            char_end=54,
            label="needs_review",
            support_score=0.5,
            signals=(
                signal("rewrite", 3, passed=True).model_copy(update={"detail": "every word of it stands for one"}),
                signal("support", 3, 0, 1, 0, passed=False),
            ),
            evidence=evidence,
        ),
    )
    fields: dict[str, Any] = {
        "corpus_id": "c",
        "generation": 2,
        "build_id": "build_1",
        "text": "x",
        "label": "unsupported",
        "minimum_support": 0.5,
        "checker": "staged/1",
        "weights_version": "words/1",
        "weights_sha256": "0123456789abcdef",
    }
    verify_text.write_report(TextReport(name="draft.txt", sentences=sentences, **fields))
    verify_text.write_report(TextReport(name="", sentences=(), **fields))


def _corpora() -> None:
    page, settings = Screen(), SimpleNamespace(tenant="default")
    failure = Failure(corpus_id="c", name="b.pdf", error="ReadError", message="no PDF", hint="Save it again.")
    counts = {
        "documents": 3,
        "extractions": 40,
        "sections": 2,
        "claims": 7,
        "filtered_claims": 1,
        "chunks": 5,
        "other": 9,
    }
    whole: dict[str, Any] = {"created_at": AT, "generation": 2, "build_id": "build_2", "built_at": AT, "counts": counts}
    history = (
        Generation(
            corpus_id="c",
            generation=2,
            build_id="build_2",
            created_at=AT,
            tool_version="0.2.0",
            derived={"chunks": 1, "section": 2},
            reused={"chunks": 4, "section": 6},
        ),
    )
    built = CorpusStatus(
        corpus_id="c", name="Rules", settings=BuildSettings(), pending=2, failures=(failure,), history=history, **whole
    )
    young = CorpusStatus(
        corpus_id="my rules", name="", created_at=AT, generation=0, build_id="", built_at="", pending=1
    )
    status._write_all(page, [built, young], settings)  # type: ignore[arg-type]
    status._write_all(page, [], settings)  # type: ignore[arg-type]
    status._write_one(page, built)
    status._write_one(page, young)


def counts(rows: int, size: int) -> RowCount:
    """Rows of a table."""
    return RowCount(rows=rows, size_bytes=size)


def _sweeps() -> None:
    found = CorpusSweep(
        corpus_id="c",
        state="found",
        live={"chunks": counts(1000, 20000), "blobs": counts(2, 30)},
        dead={"chunks": counts(4, 500), "claims": counts(1, 60)},
        removed={},
    )
    swept = CorpusSweep(
        corpus_id="d", state="swept", live={"chunks": counts(1, 2)}, dead={}, removed={"chunks": counts(3, 4)}
    )
    nothing: dict[str, Any] = {"live": {}, "dead": {}, "removed": {}}
    clean = CorpusSweep(corpus_id="e", state="swept", **nothing)
    busy = CorpusSweep(corpus_id="f", state="at work", reason="a build", **nothing)
    damaged = CorpusSweep(corpus_id="g", state="damaged", reason="rows", **nothing)
    sweep._write_text(SweepReport(applied=False, corpora=(found, clean), seconds=0.256))
    sweep._write_text(SweepReport(applied=True, corpora=(swept, busy, damaged), seconds=1.0))
    sweep._write_text(SweepReport(applied=True, corpora=(found,), seconds=1.0))
    sweep._write_text(SweepReport(applied=False, corpora=(), seconds=0.0))


FINDINGS = (
    Finding(check="offsets", record="extractions/c/x", message="the text differs"),
    Finding(check="index", record="idx/term/c/y", message="an entry\nwithout a record"),
)


def _validations() -> None:
    fields: dict[str, Any] = {"corpus_id": "c", "generation": 2, "checked": {"chunks": 7, "characters": 1200}}
    found = ValidationReport(
        clean=False,
        build_id="build_1",
        findings=FINDINGS,
        losses=(ReadingLoss(name="a.pdf", message="2 pictures"),),
        seconds=0.126,
        **fields,
    )
    validate._write_text(found, True, False)
    validate._write_text(
        ValidationReport(clean=True, build_id="", findings=(), seconds=0.0, **fields), citations=False, ratios=True
    )


def _documents() -> None:
    guess = ProfileFact(value="policy", basis="title", quote="Access\n Policy")
    profile = Profile(
        corpus_id="c",
        document_id="document_2",
        profile_id="profile_1",
        version_id="v",
        derivation_id="d",
        role=guess,
        effective_from=ProfileFact(value="2026-01-01", basis="text", quote="from 1 January 2026"),
        owner=ProfileFact(value="The CISO", basis="manifest"),
        parties=(
            ProfileParty(value="Acme", basis="manifest", called="Supplier"),
            ProfileParty(value="Us", basis="manifest"),
        ),
    )
    versions = {
        key: SimpleNamespace(name=name, document_id=key)
        for key, name in (("document_2", "b.md"), ("document_1", "a.md"))
    }
    view: Any = SimpleNamespace(
        documents=versions, profiles={"document_2": profile}, corpus_id="c", generation=4, erased_entries={}
    )
    documents._write_text(view, {"document_2": ("expired",)}, "2026-03-04")


def source(start: int, text: str, **more: object) -> Source:
    """A statement."""
    fields: dict[str, Any] = {
        "item_id": f"extraction_{start}",
        "tier": 1,
        "kind": "obligation",
        "text": text,
        "heading": "Logs",
        "locator": "4.2",
        "char_offset_start": start,
        "char_offset_end": start + len(text),
        "confidence": 0.876,
        **FILE,
    }
    return Source(**{**fields, **more})


def _answers() -> None:
    long = " ".join(["word"] * 79) + " tail."  # 400 characters
    decided = ItemDecision(
        review_id="review_1",
        decision="accept_risk",
        by="the CISO",
        at=AT,
        meaning="agreed",
        until="2026-12-31",
        original_kind="permission",
        original_data={"actor": "staff", "action": "go"},
    )
    references = (
        Reference(kind="cross_reference", text="section 5", resolved=False, reason="there is none"),
        Reference(
            kind="definition", text="Log", resolved=True, target=source(200, "A log is a record.", heading="1 Terms")
        ),
        Reference(kind="cross_reference", text="section 1", resolved=True, target=source(200, "x " * 201, locator="")),
    )
    first = Hit(
        rank=1,
        score=1.236,
        matched_by="hybrid",
        item=source(5, "Logs are kept.", decided=decided, page=2),
        parts=(
            PartScore(part="lexical", rank=3, score=4.56789, contribution=0.5),
            PartScore(part="dense", score=0.25, contribution=0.0),
        ),
        context=(
            source(0, long, kind="passage", tier=0, locator=""),
            source(0, long + " more", kind="passage", tier=0),
        ),
        references=references,
    )
    plain_decision = decided.model_copy(update={"until": None, "original_kind": None, "decision": "accept"})
    second = Hit(
        rank=2,
        score=1.0,
        matched_by="exact",
        item=source(7, "Keys.", decided=plain_decision, locator="4.2", heading="4.2 Logs"),
    )
    found: dict[str, Any] = {"corpus_id": "c", "generation": 2, "build_id": "b", "query": "logs", "tier": "extraction"}
    write_answers(
        Screen(),
        QueryResult(hits=(first, second), standing={"rules.md": ("expired", "past its review")}, **found),
        with_sources=True,
    )


def _focus() -> None:
    whole = source(100, "Doors close. Staff report. All.", kind="passage", tier=0, item_id="passage_1", confidence=None)
    unplaced = whole.model_copy(update={"char_offset_start": None, "char_offset_end": None})
    hits = (
        Hit(rank=1, score=2.0, matched_by="dense", item=whole, focus=source(100, "Doors close.", kind="focus")),
        Hit(rank=2, score=2.0, matched_by="dense", item=whole, focus=source(127, "All.", kind="focus")),
        Hit(rank=3, score=2.0, matched_by="dense", item=unplaced, focus=source(127, "All.", kind="focus")),
        Hit(rank=4, score=2.0, matched_by="dense", item=whole),
    )
    found: dict[str, Any] = {"corpus_id": "c", "generation": 2, "build_id": "b", "query": "q", "tier": "passage"}
    write_answers(Screen(), QueryResult(hits=hits, **found), with_sources=False)
    write_answers(Screen(), QueryResult(hits=hits[3:], **found), with_sources=False)


def _chains() -> None:
    inner = source(4, "are", kind="quantity", item_id="extraction_4")
    quotes = (
        source(
            0,
            "Logs are kept.",
            tier=2,
            kind="chunk",
            item_id="chunk_1",
            sources=(source(0, "Logs are kept."), inner, source(5, "re k")),
        ),
        source(90, "Keys\nare kept.", tier=2, kind="chunk", item_id="chunk_2", heading="rules.md", locator=""),
    )
    section = Source(
        item_id="section_1",
        tier=3,
        kind="topic",
        text="They say:\nLogs are kept.\nAnd:\nKeys\nare kept.\nThe end.",
        heading="",
        sources=quotes,
    )
    claim = Source(
        item_id="claim_1", tier=4, kind="theme", text="A.", support_score=1.0, confidence=0.5, sources=(section,)
    )
    summary = Source(item_id="summary_1", tier=4, kind="summary", text="All.", sources=())
    write_chain(Screen(), claim)
    write_chain(Screen(), quotes[0])
    write_tier_below(Screen(), claim, [section, section])
    write_tier_below(Screen(), summary, [])
    write_tier_below(Screen(), claim.model_copy(update={"sources": ()}), [])
    write_tier_below(Screen(), quotes[1], [])
    write_tier_below(Screen(), section, quotes)


def _table_and_blocks() -> None:
    page = Screen()
    page.table(("name", "number"), [("a", "1"), ("longer", "22")], numbers=(1,))
    page.numbered(3, "12. ", "first\n\nthird")
    page.block(2, "one\ntwo")
    page.line()


LISTED: dict[str, Callable[[], None]] = {
    each.__name__.strip("_"): each
    for each in (
        _answers,
        _calibration,
        _calibration_at_the_limit,
        _calibration_state,
        _calibrations_without_a_proposal,
        _chains,
        _checked_text,
        _corpora,
        _decisions,
        _documents,
        _focus,
        _nothing_pending,
        _pending,
        _signed,
        _sweeps,
        _table_and_blocks,
        _validations,
    )
}


@pytest.mark.parametrize("name", LISTED)
def test_listing_is_printed_to_the_letter(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Figures, indents, what is shown of many, and what is left out; a change of a listing is a change of its file."""
    LISTED[name]()
    assert capsys.readouterr().out == (LISTINGS / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(("findings", "code"), [((), ExitCode.OK), (FINDINGS, ExitCode.FOUND)], ids=["clean", "found"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_check_of_the_store_says_what_it_found_by_its_exit_code(
    findings: tuple[Finding, ...], code: ExitCode, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Zero only where nothing was found, in either format; the rows of all tables are one figure."""
    report = ValidationReport(
        clean=not findings,
        corpus_id="c",
        generation=1,
        build_id="",
        checked={"chunks": 1200, "claims": 34},
        findings=findings,
        seconds=0.0,
    )

    @contextmanager
    def opened(ctx: click.Context) -> Iterator[SimpleNamespace]:
        yield SimpleNamespace(check_rows=lambda progress: [report], owed_compactions=lambda: ())

    monkeypatch.setattr(check, "open_session", opened)
    result = CliRunner().invoke(check.check, ["--format", form], standalone_mode=False)
    assert result.return_value is code, result.exception
    if form == "text":
        name = "check_found" if findings else "check_clean"
        assert result.stdout == (LISTINGS / f"{name}.txt").read_text(encoding="utf-8")
    else:
        assert f'"clean": {"false" if findings else "true"}' in result.stdout


def test_screen_outside_a_terminal_writes_to_its_own_stream() -> None:
    """Also with a width, which only a terminal heeds."""
    stream = io.StringIO()
    Screen(stream, width=10).line("word " * 5 + "end")
    assert stream.getvalue() == "word word word word word end\n"


def test_json_for_programs_is_indented_but_for_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """A document over several lines, a line of a stream in one; both are the same value."""
    output.write_json({"a": [1]})
    output.write_json_line({"a": [1]})
    assert capsys.readouterr().out == '{\n  "a": [\n    1\n  ]\n}\n{"a":[1]}\n'


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("actor=staff", ("actor", "staff")),
        (" actor =staff", ("actor", "staff")),
        ("actor=", ("actor", None)),
        ("hours=72", ("hours", 72)),
        ("about=a=b", ("about", "a=b")),
        ("same=true", ("same", True)),
    ],
)
def test_change_of_a_review_is_a_field_and_its_value(text: str, change: tuple[str, object]) -> None:
    """JSON where it is JSON, else words; an empty value empties the field."""
    assert review_command._change(text) == change


@pytest.mark.parametrize("text", ["actor", "=staff", " =x", ""])
def test_change_of_a_review_without_a_field_is_refused(text: str) -> None:
    """Both the name and the sign are needed."""
    with pytest.raises(UsageError, match="names a field"):
        review_command._change(text)


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({}, True),
        ({"decision": "accept-risk"}, True),
        ({"decision": "dismiss"}, False),
        ({"by": " the   CISO "}, True),
        ({"by": "somebody"}, False),
        ({"states": ("in-force", "expired")}, True),
        ({"states": ("expired",)}, False),
        ({"document": "rules.md"}, False),
    ],
)
def test_decisions_are_chosen_by_every_word_that_is_given(asked: dict[str, Any], wanted: bool) -> None:
    """Nothing asked is everything; a decision on a claim is of no document."""
    words: dict[str, Any] = {"decision": None, "by": None, "states": (), "document": None, **asked}
    found = DecisionStatus(review=review(), state="in force")
    assert review_command._is_wanted(found, **words) is wanted


def test_decisions_on_extractions_are_chosen_by_their_document() -> None:
    """The document's whole name."""
    seen = ReviewedExtraction(
        document="rules.md", sentence="Staff shall report.", quote="shall", quote_start=6, kind="obligation", data={}
    )
    found = DecisionStatus(review=review(extraction=seen), state="in force")
    assert review_command._is_wanted(found, None, None, (), "rules.md")
    assert not review_command._is_wanted(found, None, None, (), "other.md")


def test_claims_that_wait_are_told_from_settled_ones_by_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal: what a person has to decide is a warning, what somebody decided is good."""
    stream = Terminal()
    monkeypatch.setattr("sys.stdout", stream)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    settled = pending("claim_2", "Doors close.", label="supported", reviews=(review(),))
    review_text.write_pending([pending("claim_1", "Logs."), settled])
    lines = stream.getvalue().splitlines()
    before = {
        name: line.partition(name)[0][-6:] for line in lines for name in ("needs review", "supported") if name in line
    }
    assert before["needs review"].endswith("[33m")
    assert before["supported"].endswith("[32m")
