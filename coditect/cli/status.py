"""``coditect knowledge status``."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import KnowledgeCommand, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.progress import progress_bars
from coditect.cli.session import load_settings, open_session
from coditect.errors import NotFound

if TYPE_CHECKING:
    from coditect.cli.console import Screen
    from coditect.knowledge.erasure.outlook import RemovalOutlook
    from coditect.knowledge.service import Knowledge
    from coditect.schemas import CorpusStatus
    from coditect.settings import Settings

__all__ = ["status"]

COUNTS = ("documents", "extractions", "chunks", "sections", "claims", "possible_claims", "filtered_claims")


@click.command("status", cls=KnowledgeCommand)
@corpus_option("Show this corpus with its settings, history and failures; default: all corpora.", required=False)
@click.option("--space", is_flag=True, help="Tell file, free, live and dead bytes as well; reads every row.")
@format_option()
@run_options
@click.pass_context
def status(ctx: click.Context, corpus_id: str | None, space: bool, output_format: str) -> ExitCode:
    """Show what is in the store; of one corpus also what goes next and what is on hold.

    With --space: file and free bytes are those of the store's file, for all tenants together; live and dead bytes those of
    the rows of the corpora shown. 'store sweep' removes what is dead, 'store compact' what is free.
    """
    settings = load_settings(ctx)
    used: dict[str, int] = {}
    outlooks: dict[str, RemovalOutlook] = {}
    is_there = True
    try:
        with open_session(ctx) as knowledge:
            found = knowledge.status(corpus_id)
            if corpus_id is not None:
                outlooks[corpus_id] = knowledge.removal_outlook(corpus_id)
            if space:
                used = _space(knowledge, settings, corpus_id)
    except NotFound as error:
        from coditect.compose import NO_STORE

        if corpus_id is not None or error.message != NO_STORE:
            raise
        found, is_there = [], False  # the first command of a new user; looking makes no store
    if output_format == "json":
        corpora = [
            {**each.model_dump(mode="json"), **({"outlook": _outlook(outlooks[each.corpus_id])} if outlooks else {})}
            for each in found
        ]
        named = {"store": settings.store, "tenant": settings.tenant, "exists": is_there}
        write_json({**named, "space": used or None, "corpora": corpora})
        return ExitCode.OK
    from coditect.cli.console import FAINT, WARN, Screen

    page = Screen()
    page.line((f"Store {settings.store}, tenant {settings.tenant}", FAINT))
    if not is_there:
        page.line(("There is no store there; what is taken in first makes it.", WARN))
    if used:
        told = ", ".join(f"{number:,} {name.partition('_')[0]}" for name, number in used.items())
        page.line((f"Bytes: {told}", FAINT))
    page.line()
    if corpus_id is not None:
        _write_one(page, found[0])
        _write_outlook(page, outlooks[corpus_id])
    else:
        _write_all(page, found, settings)
    return ExitCode.OK


def _space(knowledge: Knowledge, settings: Settings, corpus_id: str | None) -> dict[str, int]:
    """Bytes by what they are."""
    from coditect.compose import store_space

    with progress_bars() as progress:
        report = knowledge.sweep(corpus_id, progress=progress)
    file = store_space(settings.store)
    on_disk = {} if file is None else {"file_bytes": file.file_bytes, "free_bytes": file.free_bytes}
    return {**on_disk, "live_bytes": report.live_bytes, "dead_bytes": report.dead_bytes}


def _write_all(page: Screen, found: list[CorpusStatus], settings: Settings) -> None:
    if not found:
        page.line(f"No corpus yet for the tenant {settings.tenant!r}.")
        page.line("Next: coditect knowledge ingest --corpus-id ID FOLDER")
        return
    columns = (
        "corpus",
        "generation",
        "built",
        "documents",
        "extractions",
        "sections",
        "claims",
        "possible",
        "refused",
        "pending",
        "failed",
    )
    page.table(columns, [_row(each) for each in found], numbers=(1, *range(3, len(columns))))


def _row(status: CorpusStatus) -> tuple[str | tuple[str, str], ...]:
    from coditect.cli.console import BAD, WARN

    counts = status.counts
    possible = counts.get("possible_claims", 0)
    numbers = [str(counts.get(name, 0)) for name in ("documents", "extractions", "sections", "claims")]
    numbers += [str(possible), str(counts.get("filtered_claims", 0) - possible)]
    pending = (str(status.pending), WARN if status.pending else "")
    failed = (str(len(status.failures)), BAD if status.failures else "")
    return status.corpus_id, str(status.generation), status.built_at or "not yet", *numbers, pending, failed


def _write_one(page: Screen, status: CorpusStatus) -> None:
    from coditect.cli.console import BAD, TITLE, WARN, counted, failure_table
    from coditect.cli.findings_text import write_remarks

    title = f" – {status.name}" if status.name else ""
    page.line((f"Corpus {status.corpus_id}{title}", TITLE))
    page.line(f"  made        {status.created_at}")
    if status.generation:
        page.line(f"  generation  {status.generation}, built {status.built_at}")
        page.line(f"              {status.build_id}")
    else:
        page.line("  generation  none yet")
    if status.pending:
        verb = "has" if status.pending == 1 else "have"
        page.line(
            "  pending     ", (f"{counted(status.pending, 'document')} {verb} changed since the last build", WARN)
        )
        page.line(f"              Next: coditect knowledge build --corpus-id {shlex.quote(status.corpus_id)}")
    if status.counts:
        page.line()
        page.line(("Items", TITLE))
        page.table(("kind", "number"), [(_label(name), str(n)) for name, n in _in_order(status.counts)], numbers=(1,))
    if status.trivial or status.empty:
        page.line()
        write_remarks(page, status.trivial, status.empty)
    if status.settings is not None:
        page.line()
        page.line(("Settings of the last build", TITLE))
        page.table(("setting", "value"), [(_label(name), _value(value)) for name, value in status.settings])
    if status.history:
        page.line()
        page.line(("Generations", TITLE))
        rows = [
            (str(g.generation), g.created_at, str(sum(g.derived.values())), str(sum(g.reused.values())), g.build_id)
            for g in status.history
        ]
        page.table(("generation", "built", "derived", "reused", "build"), rows, numbers=(0, 2, 3))
    if status.failures:
        page.line()
        page.line(("Files that could not be taken in", BAD))
        failure_table(page, status.failures)


def _outlook(outlook: RemovalOutlook) -> dict[str, object]:
    """What goes next and what must stay, for programs."""
    goes = outlook.retention.goes if outlook.retention is not None else ()
    kept = outlook.retention.kept if outlook.retention is not None else {}
    return {
        "erasures": [each.model_dump(mode="json") for each in outlook.erasures],
        "begun": sorted(outlook.begun & {each.erasure_id for each in outlook.erasures}),
        "holds": [each.model_dump(mode="json") for each in outlook.holds],
        "policy": outlook.policy,
        "generations": [each.generation for each in goes],
        "kept": {str(number): why for number, why in kept.items()},
    }


def _write_outlook(page: Screen, outlook: RemovalOutlook) -> None:
    from coditect.cli.console import TITLE, WARN, counted

    if outlook.holds:
        page.line()
        page.line(("On hold", WARN))
    for hold in outlook.holds:
        what = counted(len(hold.document_ids), "document") if hold.document_ids else "the whole corpus"
        page.line(f"  {hold.matter}: {what}, by {hold.by} since {hold.at}; nothing of the corpus is swept meanwhile")
    if outlook.erasures:
        page.line()
        page.line(("Erasures that are not done", WARN))
    for each in outlook.erasures:
        if each.erasure_id in outlook.begun:
            state = "begun; the next command that writes goes on"
        elif any(not h.document_ids or set(h.document_ids) & set(each.document_ids) for h in outlook.holds):
            state = "waits for the end of a hold"
        else:
            state = "the next command that writes carries it out"
        page.line(f"  {counted(len(each.document_ids), 'document')}, asked by {each.by} at {each.at}: {state}")
    if outlook.retention is not None:
        goes, kept = outlook.retention.goes, outlook.retention.kept
        page.line()
        page.line(("Retention", TITLE), f": '{outlook.policy}', as it was applied last")
        page.line(f"  would go now: {', '.join(str(each.generation) for each in goes) or 'no generation'}")
        for number, why in sorted(kept.items()):
            page.line(f"  generation {number} stays: {why}")


def _in_order(counts: dict[str, int]) -> list[tuple[str, int]]:
    """Counts from the documents up; what is only possible is told apart from what was refused."""
    known = [name for name in COUNTS if name in counts]
    told = [(name, counts[name]) for name in (*known, *(name for name in counts if name not in COUNTS))]
    possible = counts.get("possible_claims", 0)
    return [
        ("refused_claims", n - possible) if possible and name == "filtered_claims" else (name, n) for name, n in told
    ]


def _label(name: str) -> str:
    """In words; what is kept of the day is the last one on which one of the documents' dates came or passed."""
    return "dates hold since" if name == "today" else name.replace("_", " ")


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "found by themselves"
    return str(value)
