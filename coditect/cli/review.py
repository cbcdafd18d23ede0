"""``coditect knowledge review``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from coditect.cli.exit_codes import ExitCode
from coditect.cli.options import TEXT, KnowledgeCommand, corpus_option, format_option, run_options
from coditect.cli.output import write_json
from coditect.cli.session import open_session
from coditect.errors import UsageError

if TYPE_CHECKING:
    from coditect.schemas import Decision, PendingReview, Review

__all__ = ["review"]


@click.command("review", cls=KnowledgeCommand)
@corpus_option("The corpus whose claims are reviewed.")
@click.option(
    "--claim",
    "claim_id",
    type=TEXT,
    metavar="ID",
    help="The claim to settle; without it, those that need review are listed.",
)
@click.option("--decision", type=click.Choice(("supported", "unsupported")), help="What the reviewer finds.")
@click.option("--by", type=TEXT, metavar="NAME", help="Who signs.")
@click.option(
    "--meaning", type=TEXT, metavar="TEXT", help="What the signature means: 'compared with the signed contract'."
)
@format_option()
@run_options
@click.pass_context
def review(
    ctx: click.Context,
    corpus_id: str,
    claim_id: str | None,
    decision: Decision | None,
    by: str | None,
    meaning: str | None,
    output_format: str,
) -> ExitCode:
    """Settle claims that need review, by name and for good reason.

    The checker and the judges leave open what they do not agree on; only a review settles it. It is stored with who, when and what
    it means, is never changed, and takes effect in the next build. It holds for these words and this evidence: where either
    changes, the claim needs another one.
    """
    if claim_id is None and (decision or by or meaning):
        raise UsageError(
            "a review is of one claim", hint="Name it with --claim; without options, what needs review is listed."
        )
    if claim_id is None:
        with open_session(ctx) as knowledge:
            found = knowledge.pending_reviews(corpus_id)
        if output_format == "json":
            write_json([each.model_dump(mode="json") for each in found])
        else:
            _write_pending(found)
        return ExitCode.OK
    if decision is None or by is None or meaning is None:
        raise UsageError("a review needs a decision, a name and a meaning", hint="Give --decision, --by and --meaning.")
    with open_session(ctx) as knowledge:
        signed = knowledge.review(corpus_id, claim_id, decision=decision, by=by, meaning=meaning)
    if output_format == "json":
        write_json(signed.model_dump(mode="json"))
    else:
        _write_signed(signed)
    return ExitCode.OK


def _write_pending(found: list[PendingReview]) -> None:
    from coditect.cli.console import FAINT, GOOD, TITLE, WARN, Screen, counted

    page = Screen()
    unsettled = [each for each in found if each.label == "needs_review" and not each.reviews]
    page.line((counted(len(unsettled), "claim"), TITLE), " to be settled" if found else "; nothing needs review")
    for each in found:
        page.line()
        page.line(
            "  ",
            (each.label.replace("_", " "), WARN if each in unsettled else GOOD),
            f"  {each.support_score:.2f}  ",
            (each.claim_id, FAINT),
        )
        page.block(2, each.text)
        page.block(4, (each.reason, FAINT))
        for quote in each.evidence:
            page.block(4, f"“{quote}”")
        for signed in each.reviews:
            page.block(4, (f"{signed.decision}, {signed.by}, {signed.at}: {signed.meaning}", GOOD))


def _write_signed(signed: Review) -> None:
    from coditect.cli.console import FAINT, GOOD, Screen

    page = Screen()
    page.line((signed.decision, GOOD), f"  {signed.by}, {signed.at}  ", (signed.review_id, FAINT))
    page.block(2, signed.claim_text)
    page.block(2, signed.meaning)
    page.line("It takes effect in the next build.")
