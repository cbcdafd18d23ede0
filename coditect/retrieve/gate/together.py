"""How much of a question stands close together in a text: what is said in one breath is rarely there by chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["WITHIN", "nats_together"]

WITHIN = 8
"""Words of a text, function words aside, that are one breath: a clause's length. With 5 to 12 the gate refuses about as much."""


def nats_together(in_order: Sequence[str], worth: Mapping[str, float], said_by: Mapping[str, str]) -> float:
    """The information in the words of a question that stand nearest together in a text.

    Args:
        in_order: stems of the text without function words.
        worth: nats of each stem that counts, >= 0.
        said_by: stems that say the same thing, by the name of that thing, which counts once; others speak for themselves.

    Returns:
        the nats of different things within :data:`WITHIN` words, where they are most; >= 0.
    """
    places = [(at, stem) for at, stem in enumerate(in_order) if stem in worth]
    most = 0.0
    for first, (start, _) in enumerate(places):
        found: dict[str, float] = {}
        for at, stem in places[first:]:
            if at - start >= WITHIN:
                break
            name = said_by.get(stem, stem)
            found[name] = max(worth[stem], found.get(name, 0.0))
        most = max(most, sum(found.values()))
    return most
