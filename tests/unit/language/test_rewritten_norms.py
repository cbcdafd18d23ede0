"""Sentences that say the same in other words are read alike; and those that say something else are not."""

from __future__ import annotations

import itertools
import re

import pytest

from tests.unit.language.clauses import read_clauses

Told = tuple[str, str, str, tuple[str, ...], tuple[str, ...]]

# Who must do what, if what, when: of invented sentences.
HOLDERS = ("The harbour master", "Each keeper", "The Guild", "A firm that stores ropes")
ACTS = (
    "keep the ledger in a dry room",
    "inform the members of the loss",
    "return the keys of the cellar to the clerk",
    "be told the reasons by the warden",
)
CONDITIONS = ("if the gate is broken", "where the tide has turned", "in the event that the bridge is closed")
TIMES = ("within 30 days of the request", "no later than 5 days after the storm", "promptly", "once a year")
PARTS = tuple(
    zip(itertools.cycle(HOLDERS), ACTS * 3, itertools.cycle(CONDITIONS), itertools.cycle(TIMES), strict=False)
)


def told(text: str) -> list[Told]:
    """What is read of a sentence: kind, holder, action, conditions with exceptions, times."""
    found = []
    for kind, data in read_clauses(text):
        limits = [data.get(name) for name in ("condition", "exception")]
        words = [each for limit in limits if limit for each in ([limit] if isinstance(limit, str) else limit)]
        times = [data[name]["text"] for name in ("deadline", "commencement", "frequency") if data.get(name)]
        found.append(
            (
                kind,
                _bare(data.get("actor")),
                _bare(data.get("action")),
                tuple(sorted(_bare(each) for each in words)),
                tuple(sorted(_bare(each) for each in times)),
            )
        )
    return found


def _bare(words: object) -> str:
    return re.sub(r"\W+", " ", str(words or "")).strip().lower()


def _small(words: str) -> str:
    return words[0].lower() + words[1:] if not words.startswith("The Guild") else "the Guild" + words[9:]


def _large(words: str) -> str:
    return words[0].upper() + words[1:]


@pytest.mark.parametrize(("holder", "act", "condition", "time"), PARTS)
def test_a_duty_is_read_alike_wherever_its_limits_stand(holder: str, act: str, condition: str, time: str) -> None:
    """Conditions and times in front and behind, other words of force, and what limits nothing, change nothing."""
    plain = f"{holder} must {act} {time} {condition}."
    own = "The warden" if act.endswith("by the warden") else holder
    expected = ("obligation", _bare(own), _bare(act), (_bare(condition),), (_bare(time),))
    rewritten = (
        f"{_large(condition)}, {_small(holder)} must {act} {time}.",
        f"{_large(time)}, {_small(holder)} must {act} {condition}.",
        f"{holder} must {act} {time}, {condition}.",
        f"{holder} must, {condition}, {act} {time}.",
        f"{holder}, at its own expense, must {act} {time} {condition}.",
        f"{holder} must, at its own expense, also {act} {time} {condition}.",
        f"{holder} shall {act} {time} {condition}.",
        f"{holder} is required to {act} {time} {condition}.",
        f"{holder} has an obligation to {act} {time} {condition}.",
        f"In any event, {_small(holder)} must {act} {time} {condition}.",
        f"{_large(condition)}, for each case, {_small(holder)} must {act} {time}.",
        f"3.2 {holder} must {act} {time} {condition}.",
        f"(a) {holder} must {act} {time} {condition}.",
        f"The fee is due on the first day; {_small(holder)} must {act} {time} {condition}.",
        f"The fee is due on the first day, and {_small(holder)} must {act} {time} {condition}.",
        f"The fee is owed and {_small(holder)} must {act} {time} {condition}.",
        f"Care of things {holder} must {act} {time} {condition}." if holder[:3] != "A f" else plain,
    )
    for text in (plain, *rewritten):
        assert told(text) == [expected], text


@pytest.mark.parametrize(("holder", "act", "condition", "time"), PARTS)
def test_an_exception_is_read_wherever_it_stands(holder: str, act: str, condition: str, time: str) -> None:
    """Behind a condition without a comma, in front of a promise, and before another adjunct."""
    own = "The warden" if act.endswith("by the warden") else holder
    unless = "unless the board agrees otherwise"
    both = tuple(sorted((_bare(condition), _bare(unless))))
    assert told(f"{holder} must {act} {condition} {unless}.") == [("obligation", _bare(own), _bare(act), both, ())]
    alone = ("obligation", _bare(own), _bare(act), (_bare(unless),), ())
    assert told(f"{_large(unless)}, as a rule, {_small(holder)} must {act}.") == [alone]
    promised = told(f"{_large(unless)}, the parties agree that {_small(holder)} must {act}.")
    assert promised == [alone]


@pytest.mark.parametrize(("holder", "act", "condition", "time"), PARTS)
def test_another_meaning_is_another_reading(holder: str, act: str, condition: str, time: str) -> None:
    """What forbids, frees, permits, or leaves out a limit, is not read as the duty."""
    duty = told(f"{holder} must {act} {time} {condition}.")
    others = {
        "not": (f"{holder} must not {act} {time} {condition}.", "prohibition"),
        "to not": (f"{holder} is required to not {act} {time} {condition}.", "prohibition"),
        "free": (f"{holder} no longer needs to {act} {time} {condition}.", "permission"),
        "may": (f"{holder} may {act} {time} {condition}.", "permission"),
    }
    for text, kind in others.values():
        readings = told(text)
        assert [reading[0] for reading in readings] == [kind], text
        assert readings != duty
    assert told(f"{holder} must {act} {time}.") != duty
    assert told(f"{holder} must {act} {condition}.") != duty


LISTS = (
    ("The keeper must", ("sign the ledger", "return the key to the clerk"), "obligation"),
    ("The keeper shall not", ("lend the key to anybody", "copy the ledger for a guest"), "prohibition"),
    ("A member may", ("inspect the ledger", "copy the rules of the house"), "permission"),
)


@pytest.mark.parametrize(("lead", "acts", "kind"), LISTS)
def test_acts_under_one_word_of_force_are_read_alike_however_they_are_joined(
    lead: str, acts: tuple[str, str], kind: str
) -> None:
    """Written as two sentences, and as a list in one."""
    holder = _bare(lead.rsplit(" must", 1)[0].rsplit(" shall", 1)[0].rsplit(" may", 1)[0])
    expected = [(kind, holder, _bare(act), (), ()) for act in acts]
    apart = [each for act in acts for each in told(f"{lead} {act}.")]
    listed = told(f"{lead}: (a) {acts[0]}; and (b) {acts[1]}.")
    assert apart == expected
    assert listed == expected
