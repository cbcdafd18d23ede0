"""What is gathered, held against what the documents of its generation give: for `validate --deep`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from coditect.knowledge.building.gathered.corpus import Gathered
from coditect.knowledge.building.gathered.families import facts_of
from coditect.knowledge.building.tier2 import Tier2
from coditect.store.view import View
from coditect.tiers.findings.standing import Standings
from coditect.tiers.shares.families import conflicts_between
from coditect.tiers.shares.joined.columns import are_as_packed
from coditect.tiers.shares.kept import KeptShare
from coditect.tiers.shares.meeting.pairs import KeptPairs
from coditect.tiers.shares.sums import Sums
from coditect.tiers.shares.times import Times

__all__ = ["check_gathered"]


def check_gathered(
    gathered: Gathered, view: View, shares: Sequence[KeptShare], say: Callable[[str, str], None]
) -> None:
    """Compare shares, sums and conflicts of families; nothing where what is gathered is of other documents than these.

    Args:
        gathered: what was gathered at the last build of the corpus.
        view: a generation.
        shares: of its documents, made again, in the order of the documents.
        say: told (what it is about, what is wrong with it).
    """
    sums, families = gathered.sums, gathered.kept_families
    lying = {share.document_id: share for share in gathered.shares}
    if sums is None or {each: _source(own) for each, own in lying.items()} != {
        e.document_id: _source(e) for e in shares
    }:
        return
    for share in shares:
        if bytes(lying[share.document_id].container.data) != share.container.data:
            say(f"gathered/{view.corpus_id}/{share.document_id}", "made again, the share of its document is another")
        if not are_as_packed(lying[share.document_id]):
            say(f"gathered/{view.corpus_id}/{share.document_id}", "the columns of its document say something else")
    counted = Sums.of(shares)
    if _told(counted) != _told(sums):
        say(f"gathered/{view.corpus_id}", "counted again, the sums of its entries are others")
    standings = Standings(view.documents, view.profiles, view.manifest.settings.today or "")
    found = conflicts_between(shares, standings, Tier2(view, shares).statements, counted)
    same = {each for each, (facts, _) in families.items() if facts == facts_of(view, standings, each)}
    for each in same:
        own = found.known.get(each)
        if own is None or own.told != families[each][1].told:
            say(f"gathered/{view.corpus_id}/{min(each)[0]}", "looked for again, its conflicts are others")
    if len(same) == len(families) and _pairs(gathered.pairs) != _pairs(found.pairs):
        say(f"gathered/{view.corpus_id}", "looked for again, other entries are to be compared")


def _pairs(pairs: KeptPairs) -> object:
    """What pairs tell, as it may be compared."""
    arrays = (pairs.groups, pairs.ends, pairs.ours, pairs.theirs)
    return pairs.documents, *(each.tolist() for each in arrays)


def _source(share: KeptShare) -> list[str]:
    return list(share.container.value("source"))


def _told(sums: Sums) -> object:
    """What sums tell, in whatever runs their times lie."""
    times = [_whole(own) for own in (sums.said, sums.words, sums.found)]
    return times, sums.statements, sums.requirements, sums.documents


def _whole(times: Times) -> list[tuple[int, int]]:
    codes = np.unique(np.concatenate([run.codes for run in times.runs]))
    return [(code, count) for code, count in zip(codes.tolist(), times.of_each(codes).tolist(), strict=True) if count]
