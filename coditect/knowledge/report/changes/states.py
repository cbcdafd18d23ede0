"""Which generation is meant: by its number, or by a day."""

from __future__ import annotations

from coditect.errors import NotFound, UsageError
from coditect.schemas.day import is_day
from coditect.store.generations import generations
from coditect.store.store import Store

__all__ = ["generation_of"]


def generation_of(store: Store, corpus_id: str, given: int | str | None, name: str = "given") -> int:
    """The number of a generation.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        given: its number; or a day, YYYY-MM-DD, for the one that was current at its end; None for the current one.
        name: of the parameter, as errors name it.
    Raises:
        NotFound: no such corpus; no generation before that day; or nothing before the first one.
        UsageError: neither a number nor a day.
    """
    corpus = store.corpus(corpus_id)
    if given is None:
        return corpus.generation
    if isinstance(given, int):
        if given < 1:
            raise NotFound(
                "there is no earlier generation to compare with",
                corpus_id=corpus_id,
                hint="A corpus has changes from its second generation on: ingest again, build, and ask then; "
                "or hold two documents of one generation against each other with --between.",
            )
        return given
    if not is_day(given):
        raise UsageError(
            "neither a generation nor a day", hint="Give a number, or a day as 2026-01-31.", **{name: given}
        )
    there = [each.generation for each in generations(store, corpus_id) if each.created_at[:10] <= given]
    if not there:
        first = next((f": {each.created_at[:10]}" for each in generations(store, corpus_id)), "")
        hint = f"Give the day of its first generation or a later one{first}; 'status' lists them."
        raise NotFound("nothing was built by then", corpus_id=corpus_id, day=given, hint=hint)
    return max(there)
