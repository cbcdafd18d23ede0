"""Shares of the documents of a draft: read where they are kept, made where they are not, and compared in `validate --deep`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coditect.errors import Corrupt
from coditect.knowledge.building.gathered.corpus import Gathered
from coditect.knowledge.building.gathered.kept import SHARES_VERSION, ShareStore, Source
from coditect.knowledge.progress import Progress
from coditect.schemas import Chunk, sha256_hex
from coditect.store.view import View
from coditect.tiers.shares.kept import KeptShare, opened
from coditect.tiers.shares.packing import packed_share

__all__ = ["KEPT_FROM", "recompute_shares", "shares_made_again", "shares_of"]

KEPT_FROM = 40
"""Documents of a corpus from which on shares are kept; to read a smaller one anew costs less than its rows."""

AT_ONCE = 32
"""Shares that are read, or wait to be written, together."""


def shares_of(view: View, gathered: Gathered | None = None) -> list[KeptShare]:
    """The share of every document, in the order of the documents; what is not kept yet is made, and kept.

    A share that is damaged is made again, so that it costs a build its time and not its result; validation tells of it.

    Args:
        view: the draft, whose store is written through registered work.
        gathered: what was gathered at the last build, where shares are read first.
    """
    known = {} if gathered is None else {e: own for e in view.entries if (own := gathered.share(e, _source(view, e)))}
    read = _read(view, [each for each in view.entries if each not in known])
    return [known.get(each) or read[each] for each in view.entries]


def _read(view: View, documents: Sequence[str]) -> dict[str, KeptShare]:
    """The shares of some documents as they are stored, or made."""
    kept = _kept(view) if len(view.entries) >= KEPT_FROM else None
    shares: dict[str, KeptShare] = {}
    for begin in range(0, len(documents), AT_ONCE):
        sources = {each: _source(view, each) for each in documents[begin : begin + AT_ONCE]}
        known = {} if kept is None else kept.get(list(sources.values()))
        made: dict[Source, bytes] = {}
        for each, source in sources.items():
            share = _opened(known.get(source), each, source)
            if share is None:
                made[source] = _made(view, each, view.chunks(each))
                share = opened(made[source], each, source)
            shares[each] = share
        if kept is not None and made:
            kept.put(made)
    return shares


def recompute_shares(view: View, say: Callable[[str, str], None], progress: Progress) -> None:
    """Make the shares of a generation's documents again, of those that are kept, and compare.

    Args:
        view: the generation, whose Tiers 1 and 2 were found to be right.
        say: told (name of a row, what is wrong with it).
        progress: told as documents are read.
    """
    kept = _kept(view)
    steps = {kept.id_for(_source(view, each)): each for each in view.entries}
    stored = view.store.derivations(view.corpus_id, list(steps))
    for done, (own_id, step) in enumerate(stored.items(), 1):
        document_id = steps[own_id]
        data = _made(view, document_id, view.chunks(document_id))
        if step.outputs != (f"{sha256_hex(data)}:{len(data)}",):
            say(f"derivations/{view.corpus_id}/{own_id}", "made again, the share of its document is another")
        progress("reading shares again", done, len(stored))


def shares_made_again(view: View) -> list[KeptShare]:
    """The shares of a generation's documents in their order, made of Tiers 1 and 2; nothing is read of what is kept, or kept."""
    made = ((each, _made(view, each, view.chunks(each))) for each in view.entries)
    return [opened(data, each, _source(view, each)) for each, data in made]


def _kept(view: View) -> ShareStore:
    return ShareStore(view.store, view.corpus_id, SHARES_VERSION)


def _source(view: View, document_id: str) -> Source:
    entry = view.entries[document_id]
    return (*entry.extractions, *entry.chunks)


def _opened(data: bytes | None, document_id: str, source: Source) -> KeptShare | None:
    """The share in some bytes; None where there are none, or they are of no share of this document."""
    try:
        return None if data is None else opened(data, document_id, source)
    except Corrupt:
        return None


def _made(view: View, document_id: str, chunks: Sequence[Chunk]) -> bytes:
    references = view.each_extraction_of(document_id, ["cross_reference"])
    return packed_share(chunks, references, _source(view, document_id))
