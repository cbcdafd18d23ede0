"""``coditect knowledge verify``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

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
from coditect.cli.output import write_json
from coditect.cli.progress import progress_bars
from coditect.cli.session import check_output, open_session
from coditect.errors import UsageError

if TYPE_CHECKING:
    from coditect.schemas import ReplayReport, TextReport

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
@click.option("--replay", is_flag=True, help="Give every stored verdict again, and list those that drifted.")
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
    output_format: str,
) -> ExitCode:
    """Check claims, texts and folders of them against a corpus, or replay its stored verdicts.

    Each sentence is searched for in the corpus and compared with what is found there: what contradicts it, and how probable it is
    that the corpus says it. Only what the corpus says counts, not what is true. A sentence is supported, unsupported, or needs
    review; or its sources disagree: one document says it and another denies it. Exit code 1 unless all that claim something are
    supported. With --replay, exit code 3 where a stored verdict comes
    out differently today.

    PATH is a file or a folder whose files are all checked. One that cannot be read costs that file alone: it is named, and the exit
    code is 3, or 1 where a sentence of another fails.
    """
    if sum((claim is not None, path is not None, replay, bool(paths))) != 1:
        raise UsageError(
            "there is one thing to verify", hint="Give files and folders, or one of --claim, --file and --replay."
        )
    if output is not None:
        check_output(ctx, output)
    if replay:
        return _replay(ctx, corpus_id, as_of, output_format, output, minimum_support)
    if paths or output_format in ("sarif", "junit"):
        from coditect.cli.gateway import verify_files

        if claim is not None or str(path) == STDIN:
            raise UsageError(
                "this format needs a file to point at", format=output_format, hint="Name files or folders."
            )
        return verify_files(
            ctx,
            corpus_id,
            paths or [path for path in (path,) if path is not None],
            output_format=output_format,
            output=output,
            fail_on=fail_on,
            minimum_support=minimum_support,
            as_of=as_of,
        )
    from coditect.cli.verify_text import tell_unweighed

    content, name = _content(claim, path)
    with open_session(ctx) as knowledge, progress_bars() as progress:
        report = knowledge.verify(
            corpus_id, content, name, minimum_support=minimum_support, as_of=as_of, progress=progress
        )
        tell_unweighed(knowledge)
    _write(report, output_format, output)
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
    if output_format == "text" and output is None:
        from coditect.cli.verify_text import write_report

        write_report(report)
        return
    if output_format == "html":
        from coditect.reports.verify import render_text_report

        content = render_text_report(report).encode()
    elif output_format == "json":
        content = report.model_dump_json(indent=2).encode() + b"\n"
    else:
        raise UsageError("text goes to the standard output", hint="Choose --format json or html for a file.")
    _emit(content, output)


def _emit(content: bytes, output: Path | None) -> None:
    if output is None or str(output) == STDIN:
        click.echo(content, nl=False)
        return
    from coditect.cli.output_files import write_output

    write_output(output, content)
    click.echo(str(output))


def _replay(
    ctx: click.Context,
    corpus_id: str,
    as_of: int | None,
    output_format: str,
    output: Path | None,
    minimum: float | None,
) -> ExitCode:
    if output_format not in ("text", "json") or minimum is not None:
        raise UsageError("a replay has neither a page nor another minimum", hint="Use --format text or json alone.")
    with open_session(ctx) as knowledge, progress_bars() as progress:
        report: ReplayReport = knowledge.replay(corpus_id, as_of=as_of, progress=progress)
    if output_format == "json" and output is not None:
        _emit(report.model_dump_json(indent=2).encode() + b"\n", output)
    elif output_format == "json":
        write_json(report.model_dump(mode="json"))
    else:
        from coditect.cli.verify_text import write_replay

        write_replay(report)
    return ExitCode.PARTIAL if report.drift else ExitCode.OK
