"""``coditect knowledge verify --replay``: stored verdicts of a generation, or those of kept reports, given again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.output import emit, write_json
from coditect.cli.progress import progress_bars
from coditect.cli.session import open_session
from coditect.errors import UsageError

if TYPE_CHECKING:
    from coditect.schemas import ReplayReport, TextReport

__all__ = ["replay_verdicts"]


def replay_verdicts(
    ctx: click.Context,
    corpus_id: str,
    paths: Sequence[Path],
    *,
    as_of: int | None,
    output_format: str,
    output: Path | None,
) -> ExitCode:
    """Give verdicts again, and list those that drifted.

    Args:
        ctx: of the command.
        corpus_id: the corpus.
        paths: reports that ``verify --format json`` wrote; none: the verdicts that the store has.
        as_of: the generation whose stored verdicts are given again.
        output_format: "text" or "json".
        output: a file for the JSON; None: the standard output.

    Raises:
        UsageError: a file is no report of this corpus, or they are of several generations.
    """
    if paths and as_of is not None:
        raise UsageError("a report names its generation", hint="Leave --as-of out.")
    kept = [report for path in paths for report in _reports(path, corpus_id)]
    with open_session(ctx) as knowledge, progress_bars() as progress:
        if paths:
            found = _together([knowledge.replay_report(each, progress=progress) for each in kept])
        else:
            found = knowledge.replay(corpus_id, as_of=as_of, progress=progress)
    if output_format == "json" and output is not None:
        emit(found.model_dump_json(indent=2).encode() + b"\n", output)
    elif output_format == "json":
        write_json(found.model_dump(mode="json"))
    else:
        from coditect.cli.verify_text import write_replay

        write_replay(found)
    return ExitCode.PARTIAL if found.drift else ExitCode.OK


def _reports(path: Path, corpus_id: str) -> Iterator[TextReport]:
    """The reports in a file: one, or those of the files of a folder."""
    import orjson
    from pydantic import ValidationError

    from coditect.schemas import TextReport

    refused = UsageError(
        "the file is no report of checked texts",
        file=str(path),
        hint="Give what 'verify --format json' wrote.",
    )
    try:
        value = orjson.loads(path.read_bytes())
        listed = [each["report"] for each in value["files"]] if "files" in value else [value]
        found = [TextReport.model_validate_json(orjson.dumps(each)) for each in listed if each is not None]
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(
            "the file cannot be read", file=str(path), reason=reason, hint="Name a file that is there."
        ) from error
    except (ValidationError, ValueError, KeyError, TypeError) as error:
        raise refused from error
    if not found:
        raise refused
    if any(each.corpus_id != corpus_id for each in found):
        raise UsageError(
            "the report is of another corpus",
            file=str(path),
            corpus_id=found[0].corpus_id,
            hint="Name that corpus with --corpus-id.",
        )
    yield from found


def _together(replays: Sequence[ReplayReport]) -> ReplayReport:
    """Several replays as one."""
    first = replays[0]
    if any((each.generation, each.build_id) != (first.generation, first.build_id) for each in replays):
        raise UsageError("the reports are of several generations", hint="Replay those of one generation at a time.")
    return first.model_copy(
        update={
            "replayed": sum(each.replayed for each in replays),
            "identical": sum(each.identical for each in replays),
            "drift": tuple(drift for each in replays for drift in each.drift),
            "seconds": round(sum(each.seconds for each in replays), 3),
        }
    )
