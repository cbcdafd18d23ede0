"""``coditect knowledge review``."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, get_args

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import DAY, TEXT, Dashed, KnowledgeCommand, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.session import open_session
from coditect.cli.sign import person_key, sign_key_option
from coditect.errors import UsageError

if TYPE_CHECKING:
    from pydantic import JsonValue

    from coditect.schemas import Decision, DecisionStatus

__all__ = ["DECISIONS", "STATES", "review"]

# These repeat what the records declare, because their module loads pydantic; a test compares them.
DECISIONS = ("supported", "unsupported", "accept", "dismiss", "correct", "accept-risk", "withdraw")
STATES = ("in-force", "next-build", "reopened", "expired", "replaced", "withdrawn", "waiting")


@click.command("review", cls=KnowledgeCommand)
@corpus_option("The corpus whose claims and extractions are reviewed.")
@click.option(
    "--claim",
    "--item",
    "item_id",
    type=TEXT,
    metavar="ID",
    help="The claim or extraction to decide of; without it, those that wait for a person are listed.",
)
@click.option(
    "--decision",
    type=Dashed(DECISIONS),
    help="What the reviewer decides: supported or unsupported of a claim that needs review; accept, dismiss or accept-risk of any "
    "claim or extraction; correct of an extraction; withdraw takes a decision back. With --list, only such decisions.",
)
@click.option("--by", type=TEXT, metavar="NAME", help="Who signs. With --list, only decisions of that person.")
@click.option(
    "--meaning",
    "--reason",
    type=TEXT,
    metavar="TEXT",
    help="What the signature means: 'compared with the signed contract'.",
)
@click.option(
    "--set",
    "changes",
    type=TEXT,
    multiple=True,
    metavar="FIELD=VALUE",
    help="Of a correction: a field of what was read, or kind, and its new value, in the document's words where the field holds "
    "those; empty: nothing is said. Numbers, true, false, lists and objects are JSON. May be repeated.",
)
@click.option("--until", type=DAY, metavar="DATE", help="Of an accepted risk: the last day on which it is accepted.")
@sign_key_option()
@click.option("--approve", is_flag=True, help="Sign another person's decision, which --item names: review_….")
@click.option(
    "--show", is_flag=True, help="Print the text that a signature would be bound to, and its digest; store nothing."
)
@click.option(
    "--shown", type=TEXT, metavar="SHA256", help="The digest of what was looked at: something else is not signed."
)
@click.option("--list", "listed", is_flag=True, help="List every decision that was ever signed, and how it stands.")
@click.option("--state", type=click.Choice(STATES), multiple=True, help="With --list, only these. May be repeated.")
@click.option(
    "--document",
    type=TEXT,
    metavar="NAME",
    help="With --list, only of extractions of this document, or of those that a pattern with * names.",
)
@format_option()
@run_options
@click.pass_context
def review(
    ctx: click.Context,
    corpus_id: str,
    item_id: str | None,
    decision: str | None,
    by: str | None,
    meaning: str | None,
    changes: tuple[str, ...],
    until: str | None,
    approve: bool,
    show: bool,
    shown: str | None,
    listed: bool,
    state: tuple[str, ...],
    document: str | None,
    output_format: str,
) -> ExitCode:
    """Decide of claims and extractions, by name and for good reason.

    A decision is stored with who, when and what it means, is never changed, and takes effect in the next build. It holds for these
    words, this evidence and this reading: where they change, it is listed again, with both wordings. With --sign-key it is signed
    with the person's key; without, it is a name alone. Where the corpus' manifest asks for two persons, it waits for the second.
    """
    if (approve or show or shown) and (listed or item_id is None):
        raise UsageError("--approve, --show and --shown are of one decision", hint="Name it with --item.")
    if approve and item_id is not None:
        return _approve(ctx, corpus_id, item_id, decision, by, meaning, show, shown, output_format)
    if listed:
        if item_id or meaning or changes or until:
            raise UsageError("--list decides nothing", hint="Leave out --item, --meaning, --set and --until.")
        return _list_decisions(ctx, corpus_id, decision, by, state, document, output_format)
    if state or document:
        raise UsageError("--state and --document choose among decisions", hint="Give them with --list.")
    if item_id is None:
        if decision or by or meaning or changes or until:
            raise UsageError(
                "a review is of one claim or extraction",
                hint="Name it with --item; without options, what needs review is listed.",
            )
        return _list_pending(ctx, corpus_id, output_format)
    return _decide(ctx, corpus_id, item_id, decision, by, meaning, changes, until, show, shown, output_format)


def _list_decisions(
    ctx: click.Context,
    corpus_id: str,
    decision: str | None,
    by: str | None,
    state: tuple[str, ...],
    document: str | None,
    output_format: str,
) -> ExitCode:
    """List what was ever signed, as far as it is asked for, and how it stands."""
    from coditect.cli.review_text import write_decisions
    from coditect.knowledge.query.filters import matching_documents
    from coditect.store.view import open_view

    with open_session(ctx) as knowledge:
        every = knowledge.decisions(corpus_id)
        if document is not None and not any(_is_wanted(each, None, None, (), document) for each in every):
            # NotFound: there is none of this name.
            matching_documents(open_view(knowledge.store, corpus_id), [document])
    kept = [each for each in every if _is_wanted(each, decision, by, state, document)]
    if output_format == "json":
        write_json([each.model_dump(mode="json", exclude_none=True) for each in kept])
    else:
        write_decisions(kept)
    return ExitCode.OK


def _list_pending(ctx: click.Context, corpus_id: str, output_format: str) -> ExitCode:
    """List what waits for a person."""
    from coditect.cli.review_text import write_pending

    with open_session(ctx) as knowledge:
        found = knowledge.pending_reviews(corpus_id)
    if output_format == "json":
        write_json([each.model_dump(mode="json") for each in found])
    else:
        write_pending(found)
    return ExitCode.OK


def _decide(
    ctx: click.Context,
    corpus_id: str,
    item_id: str,
    decision: str | None,
    by: str | None,
    meaning: str | None,
    changes: tuple[str, ...],
    until: str | None,
    show: bool,
    shown: str | None,
    output_format: str,
) -> ExitCode:
    """Sign a decision of one item, or show what a signature would be bound to."""
    key = person_key(ctx)
    if decision is None or (by is None and key is None) or meaning is None:
        raise UsageError(
            "a review needs a decision, a name and a meaning",
            hint="Give --decision, --by and --meaning; with --sign-key the name is that of the key's person.",
        )
    from coditect.cli.review_text import write_shown, write_signed

    with open_session(ctx) as knowledge:
        changed = dict(map(_change, changes))
        if show:
            name = by or next(
                (each.person for each in knowledge.registered_keys() if key and each.key == str(key.key)), ""
            )
            text = knowledge.shown(
                corpus_id, item_id, decision=_decision(decision), by=name, meaning=meaning, changes=changed, until=until
            )
            write_shown(text, output_format)
            return ExitCode.OK
        signed = knowledge.review(
            corpus_id,
            item_id,
            decision=_decision(decision),
            by=by or "",
            meaning=meaning,
            changes=changed,
            until=until,
            signer=key,
            shown_sha256=shown,
        )
        waits = knowledge.waits_for(signed)
    if output_format == "json":
        write_json(signed.model_dump(mode="json"))
    else:
        write_signed(signed, waits)
    return ExitCode.OK


def _approve(
    ctx: click.Context,
    corpus_id: str,
    review_id: str,
    decision: str | None,
    by: str | None,
    meaning: str | None,
    show: bool,
    shown: str | None,
    output_format: str,
) -> ExitCode:
    """Sign another person's decision, or show what would be signed."""
    from coditect.cli.review_text import write_shown, write_signed

    key = person_key(ctx)
    if decision or by:
        raise UsageError("who approves decides nothing else", hint="Leave out --decision and --by.")
    if not show and (key is None or meaning is None):
        raise UsageError("an approval needs a key and a meaning", hint="Give --sign-key and --meaning.")
    with open_session(ctx) as knowledge:
        if show or key is None or meaning is None:
            write_shown(knowledge.shown_review(corpus_id, review_id), output_format)
            return ExitCode.OK
        signed = knowledge.approve(corpus_id, review_id, key, meaning=meaning, shown_sha256=shown)
        waits = knowledge.waits_for(signed)
    if output_format == "json":
        write_json(signed.model_dump(mode="json"))
    else:
        write_signed(signed, waits)
    return ExitCode.OK


def _decision(name: str) -> Decision:
    from coditect.schemas import Decision

    wanted: dict[str, Decision] = {each.replace("_", "-"): each for each in get_args(Decision)}
    return wanted[name]


def _change(text: str) -> tuple[str, JsonValue]:
    """``field=value`` as (field, value).

    Raises:
        UsageError: no field is named.
    """
    name, equals, value = text.partition("=")
    if not name.strip() or not equals:
        raise UsageError("a change names a field and its value", given=text, hint="Give --set actor='The Bank'.")
    if not value:
        return name.strip(), None
    try:
        said: JsonValue = json.loads(value)
    except ValueError:
        return name.strip(), value
    return name.strip(), said


def _is_wanted(
    status: DecisionStatus, decision: str | None, by: str | None, states: tuple[str, ...], document: str | None
) -> bool:
    signed = status.review
    return (
        (decision is None or signed.decision == _decision(decision))
        and (by is None or signed.by == " ".join(by.split()))
        and (not states or status.state.replace(" ", "-") in states)
        and (document is None or (signed.extraction is not None and fnmatchcase(signed.extraction.document, document)))
    )
