"""``coditect knowledge changes``."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coditect.cli.agent_options import agent_table, asking_options, chosen, write_asking_forecast
from coditect.cli.duty_history import write_history_as
from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import STATE, KnowledgeCommand, corpus_option, format_option, run_options, today_option
from coditect.cli.output import write_json
from coditect.cli.session import check_output, open_session
from coditect.cli.tables import TABLE_FORMATS, output_option, refuse_output, wrote_table

if TYPE_CHECKING:
    from coditect.cli.console import Screen
    from coditect.knowledge.report.changes.report import ComparedStates
    from coditect.knowledge.service import Knowledge
    from coditect.schemas import AffectedItem, CorpusChanges, DocumentChanges, ProvisionChange

__all__ = ["changes"]

MOST_WORDS = 160
"""Code points of replaced words that the text shows; the JSON has all."""

WORDS_BEFORE = 6
"""Words that are shown in front of the first one that differs, of two that are too long to be shown whole."""


@click.command("changes", cls=KnowledgeCommand)
@corpus_option("The corpus whose changes are listed.")
@click.option(
    "--from",
    "--before",
    "before",
    type=STATE,
    metavar="GENERATION|DAY",
    help="The earlier state: a generation, or the one that was current at the end of a day (2026-01-31). "
    "Default: the one before --to.",
)
@click.option(
    "--to",
    "--after",
    "after",
    type=STATE,
    metavar="GENERATION|DAY",
    help="The later state. Default: the current generation.",
)
@click.option(
    "--between",
    nargs=2,
    metavar="OLD NEW",
    help="Instead of two generations: two documents of one, such as two editions of a framework.",
)
@click.option(
    "--document",
    "documents",
    multiple=True,
    metavar="NAME",
    help="Only this document, or those that a pattern with * names. Repeatable.",
)
@click.option(
    "--over-time",
    "over_time",
    is_flag=True,
    help="Instead: how many duties came, went, or became stricter, looser or other, from each generation to the next; by default "
    "of all generations.",
)
@click.option(
    "--edition",
    "editions",
    multiple=True,
    metavar="NAME",
    help="With --over-time, instead of generations: documents of one generation that are editions of one, or a pattern with *; in "
    "the order of the days from which they bind. Repeatable.",
)
@click.option("--duties", is_flag=True, help="Only changes of what is asked or allowed.")
@click.option("--affected", is_flag=True, help="Only the work list: what rests on the changes.")
@click.option(
    "--llm",
    type=click.Choice(("none", "claude")),
    callback=chosen,
    help="A language model reads statements of the other documents beside what was amended or removed, and says by quotes of both "
    "which rest on it; it is sent both (claude: extra [claude], and a key in CODITECT_API_KEY). Only where it is said here: "
    "CODITECT_LLM speaks of builds.",
)
@asking_options
@today_option("Decisions count that are in force on this day.")
@format_option(
    ("text", "json", "html", *TABLE_FORMATS),
    note="Text for people, one JSON document, a changed document a line, or a table of provisions; with --affected of the work "
    "list. A workbook has both. With --over-time a table of states and documents, or a page with a plot (html).",
)
@output_option("html, json, csv, xlsx and jsonl")
@run_options
@click.pass_context
def changes(
    ctx: click.Context,
    corpus_id: str,
    before: str | None,
    after: str | None,
    between: tuple[str, str] | None,
    documents: tuple[str, ...],
    over_time: bool,
    editions: tuple[str, ...],
    duties: bool,
    affected: bool,
    llm: str | None,
    dry_run: bool,
    today: str | None,
    output_format: str,
    output: Path | None,
) -> ExitCode:
    """List what changed, provision by provision, whether the duty changed, and what rests on it.

    Provisions are paired by their words and their place: what was only moved or renumbered is told as that, with the number of
    provisions that went with it. Of what was amended the words are shown that were replaced, and the fields of the duty that
    differ. The work list names signed decisions, claims, references and sentences of other documents that rest on what changed.
    With --llm a model reads these sentences, too, and the list says who named each line.
    """
    from coditect.errors import UsageError

    if over_time:
        if between is not None or duties or affected or llm == "claude" or dry_run:
            raise UsageError(
                "--over-time is a list of its own",
                hint="Leave --between, --duties, --affected and --llm out; --edition names editions.",
            )
        with open_session(ctx, logs=False) as knowledge:
            history = knowledge.duty_history(
                corpus_id, before=_state(before), after=_state(after), documents=documents, editions=editions
            )
        write_history_as(history, output_format, output)
        return ExitCode.OK
    if editions or output_format == "html":
        raise UsageError("editions and pages are of changes over time", hint="Add --over-time.")
    if llm != "claude" and dry_run:
        raise UsageError(
            "without a language model nothing is asked", hint="Add --llm claude to see what it would cost."
        )
    if llm == "claude":  # before anything is compared, or a model paid
        if output is not None:
            check_output(ctx, output)
        if output_format not in TABLE_FORMATS:
            refuse_output(output_format, output)
    with open_session(ctx, logs=False) as knowledge:
        if llm == "claude":
            states = _compared(knowledge, corpus_id, before, after, between, documents, today)
            found = _read(knowledge, states, output_format, dry_run=dry_run)
            if dry_run:
                return ExitCode.OK
        else:
            found = _found(knowledge, corpus_id, before, after, between, documents, today)
    _write(found, output_format, output, duties=duties, affected=affected)
    return ExitCode.PARTIAL if found.unread else ExitCode.OK


def _write(found: CorpusChanges, form: str, output: Path | None, *, duties: bool, affected: bool) -> None:
    from coditect.reports.registers.changes import write_affected, write_changes

    if duties:
        found = _of_duties(found)
    if affected:
        found = found.model_copy(update={"documents": ()})
    write = write_affected if affected else write_changes
    if wrote_table(form, output, lambda file, kind: write(found, file, kind)):
        return
    if form == "json":
        write_json(found.model_dump(mode="json"), output)
    else:
        _write_text(found, only_affected=affected)


def _read(knowledge: Knowledge, states: ComparedStates, output_format: str, *, dry_run: bool) -> CorpusChanges:
    """The changes as a model reads their work list, or what that would cost; what was asked is told beside the output."""
    from coditect.cli.console import Screen
    from coditect.knowledge.cases.comparing import read_work_list

    found, account = read_work_list(knowledge, states, forecast=dry_run)
    if dry_run:
        write_asking_forecast(states.after.corpus_id, "what this work list would ask", account, output_format)
        return found
    agent_table(Screen(sys.stderr), account)
    for each in found.unread:
        click.echo(f"Not read: {each}.", err=True)
    return found


def _found(
    knowledge: Knowledge,
    corpus_id: str,
    before: str | None,
    after: str | None,
    between: tuple[str, str] | None,
    documents: tuple[str, ...],
    today: str | None,
) -> CorpusChanges:
    if between is not None:
        _require_alone(before, documents)
        return knowledge.changes_between(corpus_id, *between, as_of=_generation(after), today=today)
    return knowledge.changes(corpus_id, before=_state(before), after=_state(after), documents=documents, today=today)


def _compared(
    knowledge: Knowledge,
    corpus_id: str,
    before: str | None,
    after: str | None,
    between: tuple[str, str] | None,
    documents: tuple[str, ...],
    today: str | None,
) -> ComparedStates:
    """The same, with what a model reads of it."""
    from coditect.knowledge.cases.comparing import documents_compared, states_compared

    if between is not None:
        _require_alone(before, documents)
        return documents_compared(knowledge, corpus_id, *between, as_of=_generation(after), today=today)
    return states_compared(
        knowledge, corpus_id, before=_state(before), after=_state(after), documents=documents, today=today
    )


def _require_alone(before: str | None, documents: tuple[str, ...]) -> None:
    from coditect.errors import UsageError

    if documents or before is not None:
        raise UsageError("--between names the documents itself", hint="Leave --from and --document out.")


def _state(given: str | None) -> int | str | None:
    return int(given) if given is not None and given.isdecimal() else given


def _generation(given: str | None) -> int | None:
    from coditect.errors import UsageError

    if given is None or given.isdecimal():
        return int(given) if given else None
    raise UsageError("--between is of one generation", given=given, hint="Give its number with --to, or leave it out.")


def _of_duties(found: CorpusChanges) -> CorpusChanges:
    """Without what changed no duty; documents that came or went stay."""
    kept = []
    for document in found.documents:
        changed = tuple(each for each in document.changes if each.duty == "changed")
        if changed or document.status != "changed":
            kept.append(document.model_copy(update={"changes": changed}))
    return found.model_copy(update={"documents": tuple(kept), "affected": tuple(a for a in found.affected if a.weight)})


def _write_text(found: CorpusChanges, *, only_affected: bool) -> None:
    from coditect.cli.console import FAINT, TITLE, Screen, counted

    page = Screen()
    states = (
        f"generation {found.before}" if found.before == found.after else f"generations {found.before} and {found.after}"
    )
    if not only_affected:
        page.line(
            (counted(len(found.documents), "document"), TITLE),
            f" of corpus {found.corpus_id} changed ({states}); {counted(found.unchanged_documents, 'document')} did not",
        )
        write_erased(page, found.erased_documents)
        for document in found.documents:
            _write_document(page, document)
        page.line()
    page.line((counted(len(found.affected), "item"), TITLE), " to look at again")
    for each in found.affected:
        _write_affected(page, each)
    if not found.affected:
        page.block(2, ("Nothing that is known rests on what changed.", FAINT))
    if found.set_aside:
        page.line()
        page.line(
            (counted(len(found.set_aside), "statement"), TITLE),
            " near what changed that the model reads as resting on none of it",
        )
        for each in found.set_aside:
            _write_affected(page, each)


def write_erased(page: Screen, count: int) -> None:
    """Say that documents were erased since, which no figure counts; nothing where none was."""
    from coditect.cli.console import WARN, counted

    if count:
        page.line((f"{counted(count, 'document')} of these generations erased since: no figure here counts it", WARN))


def _write_document(page: Screen, document: DocumentChanges) -> None:
    from coditect.cli.console import FAINT, TITLE

    page.line()
    renamed = f" (was {document.former})" if document.former else ""
    if document.status != "changed":
        page.line((document.document, TITLE), f": the document was {document.status}")
        return
    kinds = Counter(each.kind for each in document.changes)
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    page.line((document.document, TITLE), renamed, (f": {told or 'renamed'}; {document.unchanged} unchanged", FAINT))
    for each in document.changes:
        _write_change(page, each)


def _write_change(page: Screen, change: ProvisionChange) -> None:
    from coditect.cli.console import FAINT
    from coditect.reports.plots import duties_told

    side = change.after or change.before
    place = (side.named or side.heading or "unnumbered") if side is not None else ""
    if change.before and change.after and change.before.place != change.after.place:
        place = f"{change.before.named or 'unnumbered'} -> {place}"
    became = f" ({duties_told(change.duties)})" if change.duties else ""
    duty = {"changed": f"; the duty changed{became}", "same": "; the duty is read the same", "none": ""}[change.duty]
    carried = f"; {len(change.carried)} below it went with it" if change.carried else ""
    page.numbered(2, f"{change.number:>4}  ", f"{change.kind} {place}", (duty + carried, FAINT))
    if change.kind in ("added", "removed"):
        page.block(8, _cut(side.text if side is not None else ""))
    for words in change.words:
        for sign, said in (("-", words.before), ("+", words.after)):
            if said:
                page.block(8, f"{sign} {_cut(said)}")
    for each in change.fields:
        before, after = _from_where_they_differ(each.before, each.after)
        page.block(8, (f"{each.field}: {_cut(before) or 'nothing'} -> {_cut(after) or 'nothing'}", FAINT))


def _write_affected(page: Screen, item: AffectedItem) -> None:
    from coditect.cli.console import FAINT

    numbers = ", ".join(f"#{number}" for number in item.changes[:6])
    owner = f", owner {item.owner}" if item.owner else ""
    page.line()
    page.block(2, f"{item.kind}  {item.document} {item.place}".rstrip(), (f"  {item.item_id}{owner}", FAINT))
    page.block(4, _cut(item.text, 3 * MOST_WORDS))
    by = f"; named by {' and '.join(item.named_by)}" if item.traced else ""
    page.block(4, (f"{item.reason} ({item.changed_document}, {numbers}{by})", FAINT))
    for each in item.traced:
        page.block(6, (f"#{each.change} was: “{_cut(each.before_words)}”", FAINT))


def _from_where_they_differ(before: str, after: str) -> tuple[str, str]:
    """Two texts; where both begin alike and are too long to be shown whole, from a few words before what differs."""
    ours, theirs = before.split(), after.split()
    same = next((n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    begin = same - WORDS_BEFORE
    if begin <= 0 or max(len(before), len(after)) <= MOST_WORDS:
        return before, after
    return f"… {' '.join(ours[begin:])}", f"… {' '.join(theirs[begin:])}"


def _cut(text: str, most: int = MOST_WORDS) -> str:
    whole = " ".join(text.split())
    return whole if len(whole) <= most else f"{whole[:most].rsplit(' ', 1)[0]} …"
