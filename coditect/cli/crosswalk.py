"""``coditect knowledge crosswalk``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from coditect.cli.agent_options import agent_table, asking_options, chosen, write_asking_forecast
from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import (
    TEXT,
    F,
    KnowledgeCommand,
    as_of_option,
    corpus_option,
    format_option,
    run_options,
)
from coditect.cli.output import write_json
from coditect.cli.session import check_output, load_settings, open_session
from coditect.cli.tables import TABLE_FORMATS, output_option, refuse_output, wrote_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from coditect.knowledge.report.crosswalk.assembly import FrameworkComparison
    from coditect.knowledge.service import Knowledge
    from coditect.schemas.crosswalk import Crosswalk, CrosswalkRow, FrameworkColumns, MappingCheck

__all__ = ["columns_option", "crosswalk", "framework_options", "require_framework", "tell_columns"]

FORMATS = ("text", "json", *TABLE_FORMATS, "oscal")


def columns_option(command: F) -> F:
    """``--columns``."""
    return click.option(
        "--columns",
        type=TEXT,
        metavar="MAP",
        help="Of a framework that is a table: which column holds what: id=HEAD,statement=HEAD and, where there are, "
        "title=HEAD,family=HEAD. Default: guessed from the heads, and told.",
    )(command)


def tell_columns(columns: Sequence[FrameworkColumns]) -> None:
    """Say on the error stream which columns were guessed, and which tables were left out, if any were."""
    for each in columns:
        if each.guessed or not each.columns:
            click.echo(each.remark, err=True)


def framework_options(command: F) -> F:
    """``--framework``, ``--framework-corpus`` and ``--columns``."""
    command = columns_option(command)
    command = click.option(
        "--framework-corpus",
        metavar="ID",
        type=TEXT,
        help="The corpus that holds the framework. Default: the corpus itself; then --framework is needed.",
    )(command)
    return click.option(
        "--framework",
        "frameworks",
        multiple=True,
        metavar="NAME",
        help="The framework's document, or those that a pattern with * names. Repeatable. Default: all of its corpus.",
    )(command)


def require_framework(frameworks: Sequence[str], framework_corpus: str | None) -> None:
    """Refuse a comparison of a corpus with itself.

    Raises:
        UsageError: neither a document nor another corpus is named.
    """
    from coditect.errors import UsageError

    if framework_corpus is None and not frameworks:
        raise UsageError(
            "which framework?", hint="Name its document with --framework, or its corpus with --framework-corpus."
        )


@click.command("crosswalk", cls=KnowledgeCommand)
@corpus_option("The corpus whose documents are compared with the framework.")
@framework_options
@click.option(
    "--document",
    "documents",
    multiple=True,
    metavar="NAME",
    help="Compare only this document, or those that a pattern with * names. Repeatable.",
)
@click.option(
    "--check-mapping",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A published mapping (OSCAL mapping collection, JSON of procedures, .csv, .tsv, .xlsx): each line of it gets a verdict.",
)
@click.option(
    "--standard", type=TEXT, metavar="NAME", help="Of a mapping of several standards, the one that the framework is."
)
@click.option(
    "--mapping-columns",
    type=TEXT,
    metavar="MAP",
    help="Of a mapping that is a table: document=HEAD,requirement=HEAD and, where there is such, relationship=HEAD.",
)
@click.option("--gaps", is_flag=True, help="List only parts that nothing speaks to.")
@click.option(
    "--llm",
    type=click.Choice(("none", "claude")),
    callback=chosen,
    help="A language model reads after the rules what they call met, or nearly, and is sent these sentences (claude: extra "
    "[claude], and a key in CODITECT_API_KEY). Only where it is said here: CODITECT_LLM speaks of builds.",
)
@asking_options
@format_option(
    FORMATS, note="Text for people, one JSON document, a row of JSON a line, a table, or an OSCAL mapping collection."
)
@output_option()
@as_of_option()
@run_options
@click.pass_context
def crosswalk(
    ctx: click.Context,
    /,
    corpus_id: str,
    frameworks: tuple[str, ...],
    framework_corpus: str | None,
    columns: str | None,
    documents: tuple[str, ...],
    check_mapping: Path | None,
    standard: str | None,
    mapping_columns: str | None,
    gaps: bool,
    llm: str | None,
    dry_run: bool,
    output_format: str,
    output: Path | None,
    as_of: int | None,
) -> ExitCode:
    """Lay requirements beside the sentences that speak to them, each with a label and a reason.

    Of an OSCAL catalogue each part of a control's statement is a requirement; of a workbook, .csv or .tsv each row, its columns
    named by --columns or guessed from their heads; of any other document each duty and prohibition.
    What nothing speaks to is listed as such. What was compared once is kept in the cache. With --check-mapping the lines of a
    mapping that others published are checked instead, each with a verdict and the sentence that it rests on. With --llm a model
    reads what rules call met, or nearly, and says by quotes of both sides whether it is.
    """
    from coditect.knowledge.report.crosswalk.assembly import compare_with_framework, make_crosswalk
    from coditect.knowledge.report.crosswalk.claimed.checking import check_claims
    from coditect.knowledge.report.crosswalk.claimed.files import read_claims
    from coditect.knowledge.report.crosswalk.framework.tables import read_columns

    require_framework(frameworks, framework_corpus)
    _require_consistent(check_mapping, standard or mapping_columns, llm, dry_run=dry_run)
    if output is not None:
        check_output(ctx, output)
    if output_format not in TABLE_FORMATS:
        refuse_output(output_format, output)  # before anything is compared, or a model paid
    # Read first: a file that cannot be read is said before anything is compared.
    claims = None
    if check_mapping is not None:
        raw = check_mapping.read_bytes()
        claims = read_claims(raw, check_mapping.name, standard=standard, columns=mapping_columns)
    told = read_columns(columns) if columns is not None else None
    with open_session(ctx, logs=False) as knowledge:
        view = knowledge.view(corpus_id, as_of)
        now = knowledge.clock()
        compared = compare_with_framework(
            view if framework_corpus in (None, corpus_id) else knowledge.view(str(framework_corpus)),
            view,
            knowledge.models.ranking(),
            frameworks=frameworks,
            documents=documents,
            columns=told,
            superseded=claims is not None,  # a mapping may name any of them
            cache=load_settings(ctx).cache.expanduser(),
        )
        if claims is not None and check_mapping is not None:
            tell_columns(compared.framework.columns)
            _write_checked(check_claims(compared, claims, check_mapping.name), output_format, output)
            return ExitCode.OK
        read = _read(knowledge, compared, output_format, dry_run=dry_run) if llm == "claude" else None
        if dry_run:
            return ExitCode.OK
        found = make_crosswalk(compared, now[:10], read)
    unread = _tell_unread(found.rows)
    if gaps:
        found = found.model_copy(update={"rows": tuple(each for each in found.rows if each.label == "no evidence")})
    _write(found, output_format, output, now)
    return ExitCode.PARTIAL if unread else ExitCode.OK


def _require_consistent(check_mapping: Path | None, of_mapping: str | None, llm: str | None, *, dry_run: bool) -> None:
    """Refuse options that say two things, or nothing, before anything is read."""
    from coditect.errors import UsageError

    if check_mapping is None and of_mapping:
        raise UsageError("which mapping?", hint="Name its file with --check-mapping.")
    if llm != "claude" and dry_run:
        raise UsageError(
            "without a language model nothing is asked", hint="Add --llm claude to see what it would cost."
        )
    if llm == "claude" and check_mapping is not None:
        raise UsageError("a mapping is checked by rules alone", hint="Leave out --llm, or --check-mapping.")


def _read(knowledge: Knowledge, compared: FrameworkComparison, output_format: str, *, dry_run: bool) -> Crosswalk:
    """The crosswalk as a model reads it, or what that would cost; what was asked is told beside the output."""
    from coditect.knowledge.cases.comparing import read_crosswalk

    read, account = read_crosswalk(knowledge, compared, forecast=dry_run)
    if dry_run:
        write_asking_forecast(compared.view.corpus_id, "what this crosswalk would ask", account, output_format)
    else:
        _tell(account)
    return read


def _tell(account: Mapping[str, Any]) -> None:
    """What the model was asked and what it cost, beside the output and not in it."""
    from coditect.cli.console import Screen

    agent_table(Screen(sys.stderr), account)


def _tell_unread(rows: Sequence[CrosswalkRow]) -> bool:
    """Whether rows were to be read by a model and are as rules left them; then how many and why, on the error stream."""
    from coditect.cli.console import counted

    why = [each.unread for each in rows if each.unread]
    if why:
        left = "it" if len(why) == 1 else "them"
        click.echo(f"{counted(len(why), 'row')} not read, as rules left {left}: {why[0]}.", err=True)
    return bool(why)


def _write_checked(checked: MappingCheck, form: str, output: Path | None) -> None:
    from coditect.errors import UsageError
    from coditect.reports.registers.claims import write_claims

    if form == "oscal":
        raise UsageError("verdicts on a mapping are no mapping", format=form, hint="Take json, jsonl, csv or xlsx.")
    if wrote_table(form, output, lambda file, kind: write_claims(checked, file, kind)):
        return
    if form == "json":
        write_json(checked.model_dump(mode="json"), output)
    else:
        _show_checked(checked)


def _show_checked(checked: MappingCheck) -> None:
    """Claim by claim: the verdict, why, and the words of both sides."""
    from coditect.cli.console import FAINT, TITLE, WARN, Screen

    page = Screen()
    page.line((f"{checked.source} against corpus {checked.corpus_id}, generation {checked.generation}", FAINT))
    for each in checked.claims:
        bad = each.verdict in ("no evidence", "contradicted", "cannot be checked")
        page.line()
        page.line((each.verdict, WARN if bad else TITLE), f"  {each.document} {each.relationship} {each.requirement}")
        page.block(2, each.reason)
        if each.evidence is not None:
            page.block(4, (each.part_id, TITLE), f"  “{each.part_text}”")
            page.block(
                4, (each.evidence.document, TITLE), f"  “{each.evidence.text}”", (f"  {each.evidence.item_id}", FAINT)
            )
    page.line()
    page.line(", ".join(f"{count:,} {verdict}" for verdict, count in checked.verdicts.items()))


def _write(found: Crosswalk, form: str, output: Path | None, now: str) -> None:
    from coditect.reports.registers.crosswalk import write_crosswalk

    if form not in ("text", "json"):  # those tell it themselves
        tell_columns(found.columns)
        if found.superseded:
            click.echo(_left_out(found), err=True)
    if wrote_table(form, output, lambda file, kind: write_crosswalk(found, file, kind)):
        return
    if form == "oscal":
        from coditect.reports.registers.mapping.writing import mapping_collection

        write_json(mapping_collection(found, now), output)
    elif form == "json":
        write_json(found.model_dump(mode="json"), output)
    else:
        _show(found)


def _show(found: Crosswalk) -> None:
    """Requirement by requirement, part by part, with the best sentence of each."""
    from coditect.cli.console import FAINT, GOOD, TITLE, WARN, Screen, counted
    from coditect.cli.review_text import said_of

    page = Screen()
    page.line((f"Framework {found.framework_corpus}, generation {found.framework_generation}", FAINT))
    page.line((f"corpus {found.corpus_id}, generation {found.generation}", FAINT))
    for columns in found.columns:
        page.line((columns.remark, WARN if columns.guessed or not columns.columns else FAINT))
    if found.superseded:
        page.line((_left_out(found), WARN))
    shown = ""
    for row in found.rows:
        if row.requirement_id != shown:
            page.line()
            page.line((_named(row), TITLE), (f"  {row.family}", FAINT))
            shown = row.requirement_id
        page.block(
            2, (row.label, WARN if row.label in ("no evidence", "contradicts", "looser") else TITLE), f"  {row.part_id}"
        )
        page.block(4, f"“{row.text}”")
        if row.against_it:
            page.block(4, (f"others say less or the opposite: {', '.join(row.against_it)}", WARN))
        if row.decided is not None:
            changed = "" if row.read_as is None else f"; the rules say: {row.read_as}"
            page.block(4, (f"{said_of(row.decided)}{changed}", GOOD))
        if row.look_again:
            held = (
                f"; until then no better than it was called, the rules say: {row.read_as}"
                if row.earlier and row.read_as
                else ""
            )
            page.block(4, (f"{row.look_again}{held}", WARN))
        if row.unread:
            page.block(4, (f"rules alone: {row.unread}", WARN))
        for each in row.evidence:
            page.block(6, (each.label, TITLE), f"  {each.document}: {each.reason}", (f"  {each.item_id}", FAINT))
            page.block(8, f"“{each.text}”")
            if each.assessed is not None:
                page.block(8, (each.told_by_model, FAINT))
    page.line()
    for family in found.coverage:
        told = ", ".join(f"{count} {label}" for label, count in sorted(family.labels.items()))
        page.line((f"{family.family or 'without a heading'}: ", TITLE), f"{counted(family.parts, 'part')}: {told}")
    if against := sum(1 for row in found.rows if row.against_it):
        page.line((counted(against, "part"), TITLE), " met by one document, and others say less or the opposite")
    page.line((counted(len(found.orphans), "binding statement"), TITLE), " answer no requirement")


def _left_out(found: Crosswalk) -> str:
    return f"not compared, superseded (name them with --document): {', '.join(found.superseded)}"


def _named(row: CrosswalkRow) -> str:
    """A requirement by its number and title; the number once, where the title prints it."""
    return (
        row.title
        if row.requirement_id.casefold() in row.title.casefold()
        else f"{row.requirement_id} {row.title}".rstrip()
    )
