"""``coditect audit``: who did what, when, what was before and is after, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from coditect.cli.exit_codes import ExitCode, exit_codes_epilog
from coditect.cli.lazy import LazyCommand, LazyGroup
from coditect.cli.options import (
    DAY_OR_TIME,
    GROUP_CONTEXT,
    TEXT,
    KnowledgeCommand,
    StorablePath,
    format_option,
    run_options,
)
from coditect.cli.output import write_json, write_json_line
from coditect.cli.session import check_output, open_session
from coditect.errors import NotFound, UsageError

if TYPE_CHECKING:
    from coditect.cli.console import Screen
    from coditect.knowledge.service import Knowledge
    from coditect.schemas import AuditEntry

__all__ = ["audit", "export", "list_", "show"]

F = TypeVar("F", bound=Callable[..., Any])

PAGE = 100
"""Entries that are listed where nobody says how many."""


@click.group(
    "audit",
    cls=LazyGroup,
    lazy={
        "list": LazyCommand("coditect.cli.audit", "list_", "List entries of the audit trail, page by page."),
        "show": LazyCommand("coditect.cli.audit", "show", "Show one entry with everything that is known of it."),
        "export": LazyCommand("coditect.cli.audit", "export", "Write the audit trail as CSV, JSON or JSON Lines."),
    },
    context_settings=GROUP_CONTEXT,
    epilog=exit_codes_epilog(),
)
@run_options
def audit() -> None:
    """Read the audit trail: who did what, when, what was before and is after, and why (21 CFR 11.10(e)).

    It is computed from the log's entries and the records that they tell of. Where a record is gone, or is not the one that was
    logged, its entry says so: nothing is left out. Names stand in records, and in the log as pseudonyms alone: set
    CODITECT_PRINCIPAL to say who runs a command.
    """


def _filters(function: F) -> F:
    options = (
        click.option(
            "--kind", "kinds", type=TEXT, multiple=True, metavar="KIND", help="Only of this kind. Repeatable."
        ),
        click.option(
            "--corpus-id", "corpora", type=TEXT, multiple=True, metavar="ID", help="Only of this corpus. Repeatable."
        ),
        click.option("--since", type=DAY_OR_TIME, metavar="TIME", help="Only from this day or time on: 2026-09-30."),
        click.option("--until", type=DAY_OR_TIME, metavar="TIME", help="Only up to this day, or before this time."),
        click.option("--subject", type=TEXT, metavar="ID", help="Only about this id, or ids that begin so."),
        click.option("--document", type=TEXT, metavar="NAME", help="Only about this document."),
        click.option("--person", type=TEXT, metavar="NAME", help="Only what this person did."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def _entries(knowledge: Knowledge, given: dict[str, Any], first: int = 0) -> Iterator[AuditEntry]:
    from coditect.knowledge.report.audit.trail import AuditFilters
    from coditect.schemas import LogEventKind

    known = get_args(LogEventKind)
    for kind in given["kinds"] or ():
        if kind not in known:
            raise UsageError("no kind of entries", kind=kind, hint=f"Kinds: {', '.join(sorted(known))}.")
    return knowledge.audit(AuditFilters(**{name: value or "" for name, value in given.items()}), first=first)


class _Worst:
    """Passes entries on, and remembers the worst that they say."""

    def __init__(self, entries: Iterable[AuditEntry]) -> None:
        self._entries = entries
        self.code = ExitCode.OK

    def __iter__(self) -> Iterator[AuditEntry]:
        for entry in self._entries:
            if entry.state == "differs":
                self.code = ExitCode.FOUND
            elif entry.state == "gone" and self.code == ExitCode.OK:
                self.code = ExitCode.PARTIAL
            yield entry


@click.command("list", cls=KnowledgeCommand)
@_filters
@click.option("--after", type=click.IntRange(min=0), metavar="INDEX", help="Only behind this entry: the next page.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=PAGE, show_default=True, metavar="N", help="Entries of a page."
)
@format_option(("text", "json", "jsonl"), note="Text for people, one JSON document, or a line of JSON for each entry.")
@run_options
@click.pass_context
def list_(ctx: click.Context, /, after: int | None, limit: int, output_format: str, **given: Any) -> ExitCode:  # noqa: ANN401 - the filters
    """List entries of the audit trail, in the order of the log.

    An entry whose record is gone is exit code 3, unless an erasure or retention took it ("erased"); one whose record is not the one
    that was logged is exit code 1.
    """
    with open_session(ctx) as knowledge:
        every = _entries(knowledge, given, 0 if after is None else after + 1)
        worst = _Worst(islice(every, limit))
        if output_format == "jsonl":
            for entry in worst:
                write_json_line(entry.model_dump(mode="json"))
            return worst.code
        page = list(worst)
        more = next(every, None) is not None
    if output_format == "json":
        from coditect.knowledge.report.shapes import audit_shape

        write_json(audit_shape(page, more))
        return worst.code
    from coditect.cli.console import FAINT, Screen

    screen = Screen()
    for entry in page:
        _write_entry(screen, entry)
    screen.line("1 entry" if len(page) == 1 else f"{len(page)} entries")
    if more:
        screen.line((f"There are more: the same command with --after {page[-1].index}", FAINT))
    if any(not entry.who for entry in page):
        screen.line(("Entries without a name: nobody had said who runs the command (CODITECT_PRINCIPAL)", FAINT))
    return worst.code


def _write_entry(screen: Screen, entry: AuditEntry) -> None:
    from coditect.cli.console import BAD, FAINT, TITLE, WARN

    who = f"{entry.who}, {entry.role}" if entry.role else entry.who
    screen.line(
        (f"{entry.index:>6}  {entry.at or 'time not logged'}  ", FAINT), (entry.what, TITLE), f"  {who}".rstrip()
    )
    about = "  ".join(each for each in (entry.corpus_id, entry.document, entry.subject) if each)
    if about:
        screen.block(8, (about, FAINT))
    if entry.reason:
        screen.block(8, entry.reason)
    if entry.state in ("gone", "differs"):
        screen.block(8, (f"{entry.state}: {entry.note}", BAD if entry.state == "differs" else WARN))
    elif entry.note:
        screen.block(8, (entry.note, FAINT))


@click.command("show", cls=KnowledgeCommand)
@click.option("--index", type=click.IntRange(min=0), required=True, help="Of the entry, as 'list' shows it.")
@format_option()
@run_options
@click.pass_context
def show(ctx: click.Context, index: int, output_format: str) -> ExitCode:
    """Show an entry: values before and after, the reason, the entry itself, and the checkpoint that proves it."""
    from coditect.knowledge.report.audit.trail import AuditFilters

    with open_session(ctx) as knowledge:
        worst = _Worst(knowledge.audit(AuditFilters(), first=index, last=index + 1))
        found = next(iter(worst), None)
        if found is None:
            raise NotFound(
                "the log has no entry of this index",
                index=index,
                hint="'coditect audit list' shows which entries there are.",
            )
        entry = next(knowledge.log_entries(index, index + 1))[1].decode()
        try:
            knowledge.log_proof(index)
            proven = True
        except NotFound:
            proven = False
    if output_format == "json":
        write_json({**found.model_dump(mode="json"), "entry": entry, "proven": proven})
        return worst.code
    import json

    from coditect.cli.console import FAINT, GOOD, WARN, Screen

    screen = Screen()
    _write_entry(screen, found)
    for title, values in (("before", found.before), ("after", found.after)):
        for name, value in (values or {}).items():
            shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
            screen.block(8, (f"{title}  ", FAINT), f"{name}: {shown}")
    screen.block(8, ("entry  ", FAINT), entry)
    what = (
        ("a signed checkpoint holds it", GOOD) if proven else ("no signed checkpoint holds it: nothing is proven", WARN)
    )
    screen.block(8, what)
    return worst.code


@click.command("export", cls=KnowledgeCommand)
@_filters
@click.option(
    "--output",
    type=StorablePath(),
    required=True,
    metavar="FILE",
    help="Where to write it; it has its name when it is whole.",
)
@format_option(
    ("csv", "json", "jsonl"), default="csv", note="A table without formulas, one JSON document, or lines of it."
)
@run_options
@click.pass_context
def export(ctx: click.Context, /, output: Path, output_format: str, **given: Any) -> ExitCode:  # noqa: ANN401 - the filters
    """Write the audit trail to a file, entry by entry, whatever its length. Exit codes as those of 'list'."""
    from coditect.cli.output_files import opened_output
    from coditect.reports.audit import write_audit

    check_output(ctx, output)
    with open_session(ctx) as knowledge, opened_output(output, "the audit trail cannot be written") as file:
        worst = _Worst(_entries(knowledge, given))
        count = write_audit(worst, file, output_format)  # type: ignore[arg-type]
    click.echo(f"{count:,} entries written to {output}", err=True)
    return worst.code
