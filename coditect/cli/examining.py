"""A language model that reads what ``verify`` leaves to a person: opened for a command, and what it says of its work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from coditect.knowledge.model_roles.on_request.examiner import Examiner
    from coditect.knowledge.service import Knowledge
    from coditect.schemas import ExaminerReads, TextReport

__all__ = ["fails_otherwise", "opened_examiner", "tell_examined", "tell_forecast"]


@contextmanager
def opened_examiner(
    knowledge: Knowledge, corpus_id: str, reads: ExaminerReads | None, *, dry_run: bool
) -> Iterator[Examiner | None]:
    """The model, for as long as texts are verified; None where none was asked for.

    Args:
        knowledge: the services.
        corpus_id: that the texts are checked against.
        reads: which sentences are read; None: no model was asked for.
        dry_run: nothing is asked.
    """
    if reads is None:
        yield None
        return
    with knowledge.examiner(corpus_id, reads=reads, forecast=dry_run) as examiner:
        yield examiner


def tell_forecast(corpus_id: str, examiner: Examiner, output_format: str) -> None:
    """Show what it would be asked, and what that would cost."""
    from coditect.cli.agent_options import write_asking_forecast

    told = "what a model would be asked about these texts"
    write_asking_forecast(corpus_id, told, examiner.account(), output_format)


def tell_examined(examiner: Examiner | None) -> None:
    """Say on the error stream what was asked and paid, and what was not answered."""
    if examiner is None:
        return
    from coditect.cli.console import counted

    total = examiner.account()["total"]
    paid = total["paid"]
    tokens = paid["input_tokens"] + paid["cache_creation_input_tokens"] + paid["cache_read_input_tokens"]
    dollars = "" if total["unpriced"] else f", US$ {total['usd']:.4f}"
    click.echo(
        f"The model ({examiner.version}): {counted(total['sent'], 'call')}, {total['reused']:,} from the store; "
        f"{tokens:,} tokens in, {paid['output_tokens']:,} out{dollars}.",
        err=True,
    )
    if examiner.failures:
        first = examiner.failures[0]
        told = ". ".join(each.rstrip(".") for each in (first.message, first.hint) if each)
        left = "it" if len(examiner.failures) == 1 else "them"
        click.echo(
            f"{counted(len(examiner.failures), 'sentence')} not answered, as the checker left {left}: {told}.", err=True
        )


def fails_otherwise(report: TextReport, fail_on: str) -> bool:
    """Whether a sentence fails that the model was not asked about in vain."""
    from coditect.reports.gateway.checked import FAILING

    return any(
        each.label in FAILING[fail_on] and (each.examination is None or each.examination.said is not None)
        for each in report.sentences
    )
