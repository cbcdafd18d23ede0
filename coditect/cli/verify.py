"""``coditect knowledge verify``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from coditect.cli.agent_options import examiner_options
from coditect.cli.checked_texts import TextCheck
from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import (
    RATIO,
    KnowledgeCommand,
    StorablePath,
    as_of_option,
    corpus_option,
    format_option,
    run_options,
)
from coditect.cli.output import emit
from coditect.cli.progress import progress_bars
from coditect.cli.session import check_output, open_session
from coditect.errors import UsageError

if TYPE_CHECKING:
    from coditect.schemas import ExaminerReads, TextReport

__all__ = ["verify"]

STDIN = "-"


@click.command("verify", cls=KnowledgeCommand)
@corpus_option("The corpus that has to support it.")
@click.option("--claim", metavar="TEXT", help="A claim to check: one sentence or a few.")
@click.option(
    "--file",
    "path",
    type=StorablePath(dir_okay=False),
    metavar="FILE",
    help="A text to check, sentence by sentence: Markdown, HTML, PDF, Word, plain text; '-' is the standard input.",
)
@click.option(
    "--replay",
    is_flag=True,
    help="Give every stored verdict again, or those of the JSON reports at PATH, and list those that drifted.",
)
@click.option(
    "--minimum-support",
    type=RATIO,
    metavar="P",
    help="Probability from which a sentence is supported; default: as the corpus was built.",
)
@click.option("--output", type=StorablePath(), metavar="FILE", help="Where to write it; default: the standard output.")
@as_of_option()
@click.option(
    "--fail-on",
    type=click.Choice(("needs_review", "unsupported")),
    default="needs_review",
    show_default=True,
    help="The mildest verdict that ends in exit code 1.",
)
@examiner_options
@format_option(
    ("text", "json", "html", "sarif", "junit"),
    "text",
    "Text for people, one JSON document, an annotated page (of one text), SARIF for code review, or JUnit XML for build servers.",
)
@run_options
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=StorablePath())
@click.pass_context
def verify(
    ctx: click.Context,
    corpus_id: str,
    paths: tuple[Path, ...],
    claim: str | None,
    path: Path | None,
    replay: bool,
    minimum_support: float | None,
    output: Path | None,
    as_of: int | None,
    fail_on: str,
    llm: str | None,
    llm_reads: ExaminerReads,
    dry_run: bool,
    output_format: str,
) -> ExitCode:
    """Check claims, texts and folders of them against a corpus, or replay its stored verdicts.

    Each sentence is searched for in the corpus and compared with what is found there: what contradicts it, and how probable it is
    that the corpus says it. Only what the corpus says counts, not what is true. A sentence is supported, unsupported, or needs
    review; or its sources disagree: one document says it and another denies it. Exit code 1 unless all that claim something are
    supported. With --replay, exit code 3 where a stored verdict comes
    out differently today.

    With --llm claude a language model reads what waits for a person. It settles a sentence only with words of the documents, and
    never against a hard rule of the checker. Where it does not answer, the checker's verdict stands, and the exit code is 3 unless
    another sentence fails.

    PATH is a file or a folder whose files are all checked. One that cannot be read costs that file alone: it is named, and the exit
    code is 3, or 1 where a sentence of another fails.
    """
    _require_consistent(claim, path, replay=replay, paths=paths, llm=llm, llm_reads=llm_reads, dry_run=dry_run)
    if output is not None:
        check_output(ctx, output)
    if replay:
        from coditect.cli.replays import replay_verdicts

        if llm == "claude" or minimum_support is not None or output_format not in ("text", "json"):
            raise UsageError(
                "a replay asks no model, and has neither a page nor another minimum",
                hint="Use --format text or json, without --llm and --minimum-support.",
            )
        return replay_verdicts(ctx, corpus_id, paths, as_of=as_of, output_format=output_format, output=output)
    reads = llm_reads if llm == "claude" else None
    check = TextCheck(corpus_id, output_format, output, fail_on, minimum_support, as_of, reads, dry_run)
    if paths or output_format in ("sarif", "junit"):
        from coditect.cli.gateway import verify_files

        if claim is not None or str(path) == STDIN:
            raise UsageError(
                "this format needs a file to point at", format=output_format, hint="Name files or folders."
            )
        return verify_files(ctx, paths or [path for path in (path,) if path is not None], check)
    if output_format == "text" and output is not None:  # said before a model is paid
        raise UsageError("text goes to the standard output", hint="Choose --format json or html for a file.")
    return _verify_text(ctx, *_content(claim, path), check)


def _require_consistent(
    claim: str | None,
    path: Path | None,
    *,
    replay: bool,
    paths: tuple[Path, ...],
    llm: str | None,
    llm_reads: ExaminerReads,
    dry_run: bool,
) -> None:
    """Refuse options that say two things, or nothing, before a store is opened."""
    if sum((claim is not None, path is not None, replay or bool(paths))) != 1:
        raise UsageError(
            "there is one thing to verify", hint="Give files and folders, or one of --claim, --file and --replay."
        )
    if dry_run and llm != "claude":
        raise UsageError("a dry run tells what a language model would be asked", hint="Add --llm claude.")
    if llm_reads != "waiting" and llm != "claude":
        raise UsageError("without a language model nothing is read", hint="Add --llm claude, or leave --llm-reads out.")


def _verify_text(ctx: click.Context, content: bytes, name: str, check: TextCheck) -> ExitCode:
    """Check one text, and show it."""
    from coditect.cli.examining import opened_examiner, tell_examined, tell_forecast
    from coditect.cli.verify_text import tell_unweighed

    with (
        open_session(ctx) as knowledge,
        progress_bars() as progress,
        opened_examiner(knowledge, check.corpus_id, check.reads, dry_run=check.dry_run) as examiner,
    ):
        report = check.report(knowledge, content, name, examiner, progress)
        tell_unweighed(knowledge)
    if examiner is not None and check.dry_run:
        tell_forecast(check.corpus_id, examiner, check.output_format)
        return ExitCode.OK
    tell_examined(examiner)
    _write(report, check.output_format, check.output)
    return _ended(report, check.fail_on)


def _ended(report: TextReport, fail_on: str) -> ExitCode:
    """How a check ended: where all that fails was not answered, the checker's word is not the last."""
    from coditect.cli.examining import fails_otherwise

    if report.unanswered and not fails_otherwise(report, fail_on):
        return ExitCode.PARTIAL
    return ExitCode.OK if report.label == "supported" or _is_milder(report, fail_on) else ExitCode.FOUND


def _is_milder(report: TextReport, fail_on: str) -> bool:
    """Whether what is not supported may pass: where only what is unsupported fails, and nothing is."""
    return fail_on == "unsupported" and report.label == "needs_review"


def _content(claim: str | None, path: Path | None) -> tuple[bytes, str]:
    if claim is not None:
        if not claim.strip():
            raise UsageError("the claim is empty", hint="Say something that the corpus can support.")
        try:
            return claim.encode(), ""
        except UnicodeEncodeError as error:
            raise UsageError("the claim holds bytes that are not UTF-8", hint="Write it in UTF-8.") from error
    if path is None or str(path) == STDIN:
        with click.open_file(STDIN, "rb") as stream:
            return bytes(stream.read()), "stdin.md"
    try:
        return path.read_bytes(), path.name
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(
            "the file cannot be read", file=str(path), reason=reason, hint="Name a file that is there."
        ) from error


def _write(report: TextReport, output_format: str, output: Path | None) -> None:
    if output_format == "text":
        from coditect.cli.verify_text import write_report

        write_report(report)
        return
    if output_format == "html":
        from coditect.reports.verify import render_text_report

        content = render_text_report(report).encode()
    else:
        content = report.model_dump_json(indent=2).encode() + b"\n"
    emit(content, output)
