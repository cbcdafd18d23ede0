"""``coditect knowledge validate``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, as_of_option, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.progress import progress_bars
from coditect.cli.session import open_session

if TYPE_CHECKING:
    from coditect.knowledge.building.recomputation import RecomputationForecast
    from coditect.schemas import ValidationReport

__all__ = ["validate"]


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
    as_of: int | None,
    output_format: str,
) -> ExitCode:
    """Re-read a corpus and check everything that it promises.

    Every stored byte is compared with its hash, and every quotation with the document's text at its offsets, always. With
    neither --check option citations and synthesis ratios are checked, too; with one of them, only that one. Exit code 1
    if something is found.

    Who can write the store can change what it says together with every hash. With --deep each file is read again and the
    generation is built again from its bytes, beside the store, and what comes out is compared with what is stored.
    """
    everything = not (check_citations or check_synthesis_ratios)
    with open_session(ctx) as knowledge, progress_bars() as progress:
        report = knowledge.validate(
            corpus_id,
            citations=check_citations or everything,
            synthesis_ratios=check_synthesis_ratios or everything,
            as_of=as_of,
            deep=deep,
            announce=_announce,
            progress=progress,
        )
    if output_format == "json":
        write_json(report.model_dump(mode="json"))
    else:
        _write_text(report, check_citations or everything, check_synthesis_ratios or everything, deep)
    return ExitCode.OK if report.clean else ExitCode.FOUND


def _announce(expected: RecomputationForecast) -> None:
    """Before a deep validation begins, for people: what it is going to take."""
    click.echo(
        f"Computing again {expected.documents} documents, {expected.characters:,} characters: "
        f"about {max(1, round(expected.seconds))} s in one process.",
        err=True,
    )


def _write_text(report: ValidationReport, citations: bool, ratios: bool, deep: bool = False) -> None:
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
    if report.losses:
        page.line()
        page.line(("Not in the text as in the file", TITLE), "  (told by ingest; nothing is wrong)")
        for loss in report.losses:
            page.line("  ", (loss.name, WARN))
            page.block(6, loss.message)
    page.line()
    page.line(f"{report.seconds:.2f} s")
