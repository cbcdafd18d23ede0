"""``coditect knowledge verify PATH...``: many texts at once, for people, for programs, for code review and for build servers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.output import emit
from coditect.cli.progress import progress_bars
from coditect.cli.session import open_session
from coditect.errors import CoditectError, UsageError

if TYPE_CHECKING:
    from coditect.cli.checked_texts import TextCheck
    from coditect.knowledge.model_roles.on_request.examiner import Examiner
    from coditect.knowledge.service import Knowledge
    from coditect.reports.gateway.checked import CheckedFile

__all__ = ["verify_files"]

_MOST_BYTES = 100_000_000


def verify_files(ctx: click.Context, paths: Sequence[Path], check: TextCheck) -> ExitCode:
    """Check every file below some paths, and say how it ended.

    Args:
        ctx: of the command.
        paths: files and folders.
        check: how they are checked.
    Returns:
        FOUND where a sentence fails; else PARTIAL where a file could not be read, or a model did not answer; else OK.

    Raises:
        UsageError: a path is not there, nothing below them can be a text, or the format shows one text only.
    """
    from coditect.cli.examining import fails_otherwise, opened_examiner, tell_examined, tell_forecast
    from coditect.cli.verify_text import tell_unweighed
    from coditect.knowledge.ingest.files import find_files

    if check.output_format == "html":
        raise UsageError("a page shows one text", hint="Give it with --file; or choose --format json, sarif or junit.")
    if check.output_format == "text" and check.output is not None:
        raise UsageError("text goes to the standard output", hint="Choose --format json, sarif or junit for a file.")
    found = find_files(paths)
    if not found:
        raise UsageError(
            "there is no file to check", paths=[str(each) for each in paths], hint="Name files or folders."
        )
    names = {each.path: _name(each.path) for each in found}
    with (
        open_session(ctx) as knowledge,
        progress_bars() as progress,
        opened_examiner(knowledge, check.corpus_id, check.reads, dry_run=check.dry_run) as examiner,
    ):
        checked = []
        for number, file in enumerate(found):
            progress("verify", number, len(found))
            error = file.error
            checked.append(
                _checked(knowledge, check, file.path, names[file.path], examiner)
                if error is None
                else _unread(names[file.path], error)
            )
        progress("verify", len(found), len(found))
        tell_unweighed(knowledge)
    if examiner is not None and check.dry_run:
        tell_forecast(check.corpus_id, examiner, check.output_format)
        return ExitCode.OK
    tell_examined(examiner)
    _show(checked, check)
    if any(file.report is not None and fails_otherwise(file.report, check.fail_on) for file in checked):
        return ExitCode.FOUND
    partial = any(file.report is None or file.report.unanswered for file in checked)
    return ExitCode.PARTIAL if partial else ExitCode.OK


def _name(path: Path) -> str:
    """As code review knows it: relative to where the command runs, where it lies below."""
    here = Path.cwd()
    full = here / path
    return (full.relative_to(here) if full.is_relative_to(here) else full).as_posix()


def _checked(knowledge: Knowledge, check: TextCheck, path: Path, name: str, examiner: Examiner | None) -> CheckedFile:
    from coditect.errors import ReadError
    from coditect.knowledge.ingest.files import read_bytes
    from coditect.knowledge.progress import silent
    from coditect.reports.gateway.checked import CheckedFile

    try:
        content = read_bytes(path, _MOST_BYTES)
        report = check.report(knowledge, content, path.name, examiner, silent)
    except ReadError as error:
        return _unread(name, error)
    except UsageError as error:
        if "sentences" not in error.context:  # a wrong corpus or generation is wrong for every file
            raise
        return _unread(name, error)
    return CheckedFile(name, content, report)


def _unread(name: str, error: CoditectError) -> CheckedFile:
    from coditect.reports.gateway.checked import CheckedFile

    told = ". ".join(each.rstrip(".") for each in (error.message, error.hint) if each)
    return CheckedFile(name, b"", None, " ".join(told.split()))


def _show(files: Sequence[CheckedFile], check: TextCheck) -> None:
    if check.output_format == "text":
        _write_text(files)
        return
    if check.output_format == "sarif":
        from coditect import __version__
        from coditect.reports.gateway.sarif import render_sarif

        content = render_sarif(files, __version__)
    elif check.output_format == "junit":
        from coditect.reports.gateway.junit import render_junit

        content = render_junit(files, check.fail_on)
    else:
        content = _json(files, check.corpus_id)
    emit(content, check.output)


def _json(files: Sequence[CheckedFile], corpus_id: str) -> bytes:
    import orjson

    listed: list[dict[str, Any]] = [
        {
            "file": file.name,
            "error": file.error or None,
            "report": None if file.report is None else file.report.model_dump(mode="json"),
        }
        for file in files
    ]
    value = {"format": "text-reports/1", "corpus_id": corpus_id, "files": listed}
    return orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n"


def _write_text(files: Sequence[CheckedFile]) -> None:
    """Of each file the sentences that are not supported; then how many there were."""
    from coditect.cli.console import BAD, TITLE, Screen, counted
    from coditect.cli.verify_text import write_sentences

    page = Screen()
    totals: dict[str, int] = {}
    for file in files:
        page.line()
        if file.report is None:
            page.line((file.name, TITLE), ("  could not be read", BAD))
            page.block(2, file.error)
            continue
        counts = {name: number for name, number in file.report.counts().items() if number}
        for name, number in counts.items():
            totals[name] = totals.get(name, 0) + number
        page.line(
            (file.name, TITLE),
            "  " + ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in counts.items()),
        )
        write_sentences(page, [each for each in file.report.sentences if each.label not in (None, "supported")])
    page.line()
    said = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in totals.items())
    page.line((counted(len(files), "file"), TITLE), f": {said}" if said else "")
