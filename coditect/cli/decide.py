"""``coditect knowledge decide``."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from coditect.cli.crosswalk import framework_options, require_framework, tell_columns
from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import DAY, TEXT, Dashed, KnowledgeCommand, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.session import load_settings, open_session
from coditect.cli.sign import person_key, sign_key_option
from coditect.errors import NotFound, UsageError

if TYPE_CHECKING:
    from coditect.knowledge.service import Knowledge
    from coditect.schemas import Decision
    from coditect.schemas.crosswalk import Crosswalk, CrosswalkLabel, CrosswalkRow

__all__ = ["LABELS", "ROW_DECISIONS", "decide"]

# These repeat what the records declare, because their module loads pydantic; a test compares them.
ROW_DECISIONS = ("accept", "dismiss", "correct", "accept-risk", "withdraw")
LABELS = ("meets", "stricter", "partly", "looser", "contradicts", "mentions", "no evidence")


@click.command("decide", cls=KnowledgeCommand)
@corpus_option("The corpus whose documents are compared with the framework.")
@framework_options
@click.option(
    "--part",
    type=TEXT,
    metavar="ID",
    help="The part of a requirement to decide of, as 'crosswalk' prints it, or the number of a requirement that has one part; "
    "without it, those that wait for a person are listed.",
)
@click.option("--decision", type=Dashed(ROW_DECISIONS), help="What the reviewer decides of the row.")
@click.option("--label", type=click.Choice(LABELS), help="Of a correction: what the row is.")
@click.option("--by", type=TEXT, metavar="NAME", help="Who signs.")
@click.option("--meaning", "--reason", type=TEXT, metavar="TEXT", help="What the signature means: the reason.")
@click.option("--until", type=DAY, metavar="DATE", help="Of an accepted risk: the last day on which it is accepted.")
@sign_key_option()
@format_option()
@run_options
@click.pass_context
def decide(
    ctx: click.Context,
    corpus_id: str,
    frameworks: tuple[str, ...],
    framework_corpus: str | None,
    columns: str | None,
    part: str | None,
    decision: str | None,
    label: str | None,
    by: str | None,
    meaning: str | None,
    until: str | None,
    output_format: str,
) -> ExitCode:
    """Decide of a row of a crosswalk: whether its label is right, or what it should be.

    A decision is stored with who, when and what it means, is never changed, and counts from now on wherever the requirement and the
    sentences beside it say what they said; where one side changed, 'review' lists it again. With --sign-key it is signed with the
    person's key. 'review --list' lists these decisions, too, and 'review --item review_…' signs or withdraws one.
    """
    require_framework(frameworks, framework_corpus)
    key = person_key(ctx)
    if part is None and (decision or label or by or meaning or until):
        raise UsageError(
            "a decision is of one row", hint="Name its part with --part; without options, rows are listed."
        )
    if part is not None and (decision is None or (by is None and key is None) or meaning is None):
        raise UsageError(
            "a decision needs what is decided, a name and a meaning",
            hint="Give --decision, --by and --meaning; with --sign-key the name is that of the key's person.",
        )
    if (decision == "correct") != (label is not None):
        raise UsageError("a correction, and nothing else, gives a label", hint="Give --decision correct with --label.")
    with open_session(ctx) as knowledge:
        found = _crosswalk(ctx, knowledge, corpus_id, frameworks, framework_corpus, columns)
        tell_columns(found.columns)
        if part is None:
            _list(found, output_format)
            return ExitCode.OK
        signed = knowledge.review_row(
            corpus_id,
            found.framework_corpus,
            _row(found, part),
            decision=cast("Decision", str(decision).replace("-", "_")),
            by=by or "",
            meaning=str(meaning),
            label=cast("CrosswalkLabel | None", label),
            until=until,
            signer=key,
        )
        waits = knowledge.waits_for(signed)
    if output_format == "json":
        write_json(signed.model_dump(mode="json", exclude_none=True))
    else:
        click.echo(
            f"{signed.decision.replace('_', ' ')}: {part}, by {signed.by}: {signed.meaning} ({signed.review_id})"
        )
        click.echo(f"It is {waits}, and decides nothing until then." if waits else "It counts from now on.")
    return ExitCode.OK


def _crosswalk(
    ctx: click.Context,
    knowledge: Knowledge,
    corpus_id: str,
    frameworks: tuple[str, ...],
    framework_corpus: str | None,
    columns: str | None,
) -> Crosswalk:
    from coditect.knowledge.report.crosswalk.assembly import compare_with_framework, make_crosswalk
    from coditect.knowledge.report.crosswalk.framework.tables import read_columns

    told = None if columns is None else read_columns(columns)
    view = knowledge.view(corpus_id)
    beside = view if framework_corpus in (None, corpus_id) else knowledge.view(str(framework_corpus))
    compared = compare_with_framework(
        beside,
        view,
        knowledge.models.ranking(),
        frameworks=frameworks,
        columns=told,
        cache=load_settings(ctx).cache.expanduser(),
    )
    return make_crosswalk(compared, knowledge.clock()[:10])


def _row(found: Crosswalk, part: str) -> CrosswalkRow:
    # A regulation's parts have no ids of their own, so its printed numbers name them where that is clear.
    rows = [each for each in found.rows if each.part_id == part] or [
        each for each in found.rows if each.requirement_id == part
    ]
    if not rows:
        raise NotFound("no such part in the framework", part=part, hint="'coditect knowledge crosswalk' prints them.")
    if len(rows) > 1:
        raise UsageError(
            "several rows are called so",
            part=part,
            rows=", ".join(f"{each.document}: {each.part_id}" for each in rows),
            hint="Name one document with --framework, or the part by its id.",
        )
    return rows[0]


def _list(found: Crosswalk, output_format: str) -> None:
    from coditect.knowledge.review.rows import needs_person

    waiting = [each for each in found.rows if needs_person(each)]
    if output_format == "json":
        write_json([each.model_dump(mode="json", exclude_none=True) for each in waiting])
        return
    from coditect.cli.console import FAINT, TITLE, WARN, Screen, counted

    page = Screen()
    page.line((counted(len(waiting), "row"), TITLE), " that a person has to decide of")
    for row in waiting:
        page.line((row.part_id, TITLE), f"  {row.label}  ", (f"{row.requirement_id}, {row.document}", FAINT))
        page.block(2, row.text)
        if row.earlier is not None:
            page.block(4, (row.earlier.remark, WARN))
        for each in row.evidence:
            page.block(4, (f"{each.label}: ", FAINT), each.text, (f"  {each.document}: {each.reason}", FAINT))
