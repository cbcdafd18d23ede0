"""How far a sentence that is called met is: the draw, the blind file, and the counting."""

from __future__ import annotations

from itertools import count as count_up
from typing import Any

from coditect_benchmarks.crosswalk.assessed import MET, blind, count, drawn

NUMBERS = count_up()


def _line(house: str, *labels: str) -> dict[str, Any]:
    return {"corpus": house, "n": next(NUMBERS), "evidence": [{"label": each} for each in labels]}


def _pair(house: str, rules: str, both: str, weight: float = 1.0) -> dict[str, Any]:
    return {
        "corpus": house,
        "rules": rules,
        "both": both,
        "weight": weight,
        "requirement": "Reviews",
        "part": "Review.",
        "sentence": {"text": f"{house} {rules} {both}"},
    }


def test_draw_takes_what_is_met_first_and_weighs_what_it_leaves() -> None:
    """Of each house some of each kind; the weights of a house and kind add up to what there is."""
    lines = [_line(house, label) for house in "ab" for label in ("meets", "partly") for _ in range(20)]
    lines += [_line("c", "mentions")]
    some = drawn(lines, 24, 8, seed=1)
    assert some == drawn(lines, 24, 8, seed=1) != drawn(lines, 24, 8, seed=2)
    assert len(some) == 24
    assert sum(each["met"] for each in some) == 16
    assert sum(each["weight"] for each in some if each["met"]) == 40
    assert {each["corpus"] for each in some} == {"a", "b"}


def test_blind_file_does_not_say_who_called_it_met() -> None:
    """What is called met by either is in it, mixed with others, and the key has the same numbers."""
    pairs = [_pair("a", "meets", "partly"), _pair("a", "partly", "meets"), _pair("b", "partly", "partly")]
    shown, keyed = blind(pairs, 10, seed=1)
    assert [each["n"] for each in shown] == [each["n"] for each in keyed] == [1, 2, 3]
    assert all(set(each) == {"n", "requirement", "part", "sentence"} for each in shown)
    assert len(blind(pairs, 1, seed=1)[0]) == 2
    assert sum(each["rules"] in MET or each["both"] in MET for each in blind(pairs, 1, seed=1)[1]) == 1


def test_count_tells_precision_of_both_and_what_the_model_loses() -> None:
    """Of what nobody read nothing is told."""
    keyed = [
        {"n": 1, **_pair("a", "meets", "meets")},
        {"n": 2, **_pair("a", "meets", "partly")},
        {"n": 3, **_pair("a", "meets", "partly")},
        {"n": 4, **_pair("b", "partly", "meets", 3.0)},
        {"n": 5, **_pair("b", "partly", "partly")},
        {"n": 6, **_pair("b", "meets", "meets")},
    ]
    read = [
        {"n": n, "verdict": word} for n, word in ((1, "met"), (2, "met"), (3, "mentioned"), (4, "partly"), (5, "met"))
    ]
    told = count(keyed, read)
    assert "read: 5 pairs of 2 houses" in told
    assert "rules: 2 of 3 called met are met (0.667" in told
    assert "both: 1 of 2 called met are met (0.500" in told
    assert "weighted by how requests were drawn 0.250" in told
    assert "takes back 2, of which the reader calls met 1; it adds 1, of which met 0" in told
    assert "of 1 that neither calls met the reader calls met 1" in told
    assert "without a (3 that rules call met):" in told
