"""``coditect knowledge validate``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from coditect.cli.checkpoints import read_checkpoint
from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, as_of_option, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.progress import progress_bars
from coditect.cli.session import open_session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from coditect.cli.console import Screen
    from coditect.knowledge.building.recomputation import RecomputationForecast
    from coditect.schemas import ValidationReport

__all__ = ["validate", "write_owed"]


@click.command("validate", cls=KnowledgeCommand)
@corpus_option("The corpus to check.")
@click.option("--check-citations", is_flag=True, help="Check citations, verdicts and figures.")
@click.option(
    "--check-synthesis-ratios", is_flag=True, help="Check each section's synthetic characters against its limit."
)
@click.option(
    "--deep",
    is_flag=True,
    help="Compute again from the files' bytes what rules can, and compare; says how long it takes.",
)
@click.option("--log", "with_log", is_flag=True, help="Hold every row against the log and its newest own checkpoint.")
@click.option(
    "--checkpoint",
    "kept",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A checkpoint that somebody kept: hold the log against it, then every row against the log.",
)
@click.option(
    "--log-key",
    "log_keys",
    multiple=True,
    metavar="KEY",
    help="Of the log: name+id+key; default: the configured key's.",
)
@as_of_option()
@format_option()
@run_options
@click.pass_context
def validate(
    ctx: click.Context,
    corpus_id: str,
    check_citations: bool,
    check_synthesis_ratios: bool,
    deep: bool,
    with_log: bool,
    kept: Path | None,
    log_keys: tuple[str, ...],
    as_of: int | None,
    output_format: str,
) -> ExitCode:
    """Re-read a corpus and check everything that it promises.

    Every stored byte is compared with its hash, and every quotation with the document's text at its offsets, always. With
    neither --check option citations and synthesis ratios are checked, too; with one of them, only that one. Exit code 1
    if something is found.

    Who can write the store can change what it says together with every hash. With --deep each file is read again and the
    generation is built again from its bytes, beside the store, and what comes out is compared with what is stored. With
    --checkpoint the store has to agree with what was signed then: rows that were deleted, changed, put there or rolled back since
    are found.
    """
    note = None if kept is None else read_checkpoint(kept)
    everything = not (check_citations or check_synthesis_ratios)
    with open_session(ctx) as knowledge, progress_bars() as progress:
        report = knowledge.validate(
            corpus_id,
            citations=check_citations or everything,
            synthesis_ratios=check_synthesis_ratios or everything,
            as_of=as_of,
            deep=deep,
            log=with_log,
            kept=note,
            log_keys=log_keys,
            announce=_announce,
            progress=progress,
        )
    if output_format == "json":
        write_json(report.model_dump(mode="json"))
    else:
        against_log = with_log or kept is not None
        _write_text(report, check_citations or everything, check_synthesis_ratios or everything, deep, against_log)
    return ExitCode.OK if report.clean else ExitCode.FOUND


def write_owed(page: Screen, owed: Sequence[str]) -> None:
    """Erasures after which the store's file is still to be compacted, if there are any, and the way on."""
    from coditect.cli.console import TITLE, WARN

    if owed:
        page.line()
        page.line(("Compaction owed", TITLE))
        for sentence in owed:
            page.block(2, (sentence, WARN))
        page.block(
            2,
            "Next: 'coditect store compact', when no other program has the store open; commands that write do it, too",
        )


def _announce(expected: RecomputationForecast) -> None:
    """Before a deep validation begins, for people: what it is going to take."""
    click.echo(
        f"Computing again {expected.documents} documents, {expected.characters:,} characters: "
        f"about {max(1, round(expected.seconds))} s in one process.",
        err=True,
    )


def _write_text(report: ValidationReport, citations: bool, ratios: bool, deep: bool = False, log: bool = False) -> None:
    from coditect.cli.console import BAD, GOOD, TITLE, WARN, Screen, counted

    page = Screen()
    verdict = ("nothing found", GOOD) if report.clean else (counted(len(report.findings), "finding"), BAD)
    page.line((f"Corpus {report.corpus_id}", TITLE), f", generation {report.generation}: ", verdict)
    if report.build_id:
        page.line(f"  {report.build_id}")
    page.line()
    scope = {
        "bytes, hashes, offsets, indexes": True,
        "citations, verdicts, figures": citations,
        "synthesis ratios": ratios,
        "everything that rules compute, from the files": deep,
        "every row against the log": log,
    }
    for name, done in scope.items():
        page.line("  ", ("checked    ", GOOD) if done else ("left out   ", WARN), name)
    page.line()
    page.table(("read", "number"), [(name, str(number)) for name, number in report.checked.items()], numbers=(1,))
    if not report.clean:
        page.line()
        page.line(("Findings", TITLE))
        for number, finding in enumerate(report.findings, 1):
            page.line(f"{number:>4}. ", (finding.check, BAD), f"  {finding.record}")
            page.block(6, finding.message)
    if report.not_recomputed:
        page.line()
        page.line(("Not computed again", TITLE))
        for sentence in report.not_recomputed:
            page.block(2, sentence)
    if report.not_logged:
        page.line()
        page.line(("Not told by the log", TITLE))
        for sentence in report.not_logged:
            page.block(2, sentence)
    write_owed(page, report.compaction_owed)
    if report.losses:
        page.line()
        page.line(("Not in the text as in the file", TITLE), "  (told by ingest; nothing is wrong)")
        for loss in report.losses:
            page.line("  ", (loss.name, WARN))
            page.block(6, loss.message)
    page.line()
    page.line(f"{report.seconds:.2f} s")
