"""How much of a question stands close together in a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from coditect.retrieve.gate.together import WITHIN, nats_together

WORTH = {"audit": 4.0, "log": 5.0, "retent": 6.0, "terminat": 3.0, "withdraw": 5.0}
SAID_BY = {"terminat": "leave", "withdraw": "leave"}
TEXTS = st.lists(st.sampled_from([*WORTH, "visitor", "badge"]), max_size=40)


def test_words_count_where_most_of_them_stand_together() -> None:
    """The best place counts, each word there once; a text without any has nothing."""
    far = ["visitor"] * WITHIN
    assert nats_together(["audit", "log", *far, "retent", "log", "log"], WORTH, {}) == 11.0
    assert nats_together(["audit", *far, "log"], WORTH, {}) == 5.0
    assert nats_together(far, WORTH, {}) == nats_together([], WORTH, {}) == 0.0


def test_distance_is_counted_to_the_last_word() -> None:
    """The eighth word belongs to the first, the ninth does not."""
    between = ["visitor"] * (WITHIN - 2)
    assert nats_together(["audit", *between, "log"], WORTH, {}) == 9.0
    assert nats_together(["audit", "visitor", *between, "log"], WORTH, {}) == 5.0


def test_terms_for_one_thing_count_once() -> None:
    """As the rarest of them that is there."""
    assert nats_together(["terminat", "withdraw", "audit"], WORTH, SAID_BY) == 9.0
    assert nats_together(["terminat", "audit"], WORTH, SAID_BY) == 7.0


@given(TEXTS)
def test_every_place_is_looked_at(text: list[str]) -> None:
    """The most of all stretches of so many words, each looked at by itself."""
    most = 0.0
    for start in range(len(text)):
        things: dict[str, float] = {}
        for stem in text[start : start + WITHIN]:
            name = SAID_BY.get(stem, stem)
            things[name] = max(things.get(name, 0.0), WORTH.get(stem, 0.0))
        most = max(most, sum(things.values()))
    assert nats_together(text, WORTH, SAID_BY) == most
