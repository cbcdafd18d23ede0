"""How many persons a decision asks for, who of them has signed, and what waits meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from coditect.integrity.signing.approvals import Approvals
from coditect.integrity.signing.policies import asked_approvals, set_policy, stored_policies
from coditect.schemas import CorpusPolicy, Decision, Review
from coditect.store.store import Store
from tests.unit.integrity.signing.people import ADA, BEN, CORPUS, SPARE, at, decided, registered, signed


def _policy(approvals: int, day: int, *decisions: Decision, follows: Sequence[CorpusPolicy] = ()) -> CorpusPolicy:
    ids = tuple(each.policy_id for each in follows)
    return CorpusPolicy.create(corpus_id=CORPUS, approvals=approvals, decisions=decisions, at=at(day), follows=ids)


POLICIES = [_policy(2, 3), _policy(1, 5, "dismiss"), _policy(0, 7)]


@pytest.mark.parametrize(
    ("decision", "day", "asked"),
    [
        ("accept", 2, 0),
        ("accept", 3, 2),
        ("dismiss", 4, 2),
        ("accept", 5, 0),
        ("dismiss", 5, 1),
        ("dismiss", 6, 1),
        ("dismiss", 7, 0),
        ("accept", 9, 0),
    ],
)
def test_a_decision_is_asked_for_what_was_asked_when_it_was_made(decision: Decision, day: int, asked: int) -> None:
    """From the time of each policy on, and for the decisions that it names; without any nobody."""
    assert asked_approvals(POLICIES, decision, at(day)) == asked
    assert asked_approvals([], decision, at(day)) == 0


def test_policies_are_in_the_order_in_which_they_followed_each_other(memory: Store) -> None:
    """Whatever their times say: a clock may have been wrong. Of two that follow each other, by time."""
    first = _policy(2, 5)
    then = _policy(1, 3, follows=[first])
    last = _policy(0, 4, follows=[then])
    memory.put_items([last, then, first])
    assert stored_policies(memory, CORPUS) == [first, then, last]
    beside = _policy(1, 1, "accept")
    memory.put_items([beside])
    assert stored_policies(memory, CORPUS) == [beside, first, then, last]


def test_policies_that_say_to_follow_each_other_are_all_there(memory: Store) -> None:
    """Nobody can make such, and nothing waits for them without end."""
    lost = CorpusPolicy.create(corpus_id=CORPUS, approvals=1, at=at(1), follows=("policy_lost",))
    memory.put_items([lost])
    assert stored_policies(memory, CORPUS) == [lost]


def test_only_what_changes_is_a_policy(memory: Store) -> None:
    """None asked for, where none was, is none; nor is the same again, in whatever order its decisions are named."""
    assert set_policy(memory, CORPUS, 0, (), at(1)) is None
    made = set_policy(memory, CORPUS, 2, ("dismiss", "accept", "dismiss"), at(2))
    assert made is not None
    assert (made.approvals, made.decisions, made.follows) == (2, ("accept", "dismiss"), ())
    assert set_policy(memory, CORPUS, 2, ("accept", "dismiss"), at(3)) is None
    fewer = set_policy(memory, CORPUS, 1, ("accept", "dismiss"), at(4))
    other = set_policy(memory, CORPUS, 1, ("accept",), at(5))
    off = set_policy(memory, CORPUS, 0, ("accept",), at(6))
    every = [made, fewer, other, off]
    assert stored_policies(memory, CORPUS) == every
    assert [each.follows for each in every[1:] if each] == [(each.policy_id,) for each in every[:-1] if each]


@pytest.fixture
def asking(memory: Store) -> Store:
    """A corpus that asks for two persons from the second day on, and two of them."""
    registered(memory, ADA)
    registered(memory, BEN)
    memory.put_items([_policy(2, 2)])
    return memory


def test_persons_are_counted_once_each(asking: Store) -> None:
    """One with two keys is one; a key in two names is one; a signature that is not valid is none."""
    review = decided(asking)
    registered(asking, SPARE, "Ada")

    def left() -> tuple[int, str]:
        return Approvals(asking, CORPUS).missing(review), Approvals(asking, CORPUS).said(review)

    assert left() == (2, "waiting for two persons to sign")
    signed(asking, review, ADA)
    assert left() == (1, "waiting for a second person")
    signed(asking, review, SPARE, by="Ada")
    signed(asking, review, ADA, 3)
    signed(asking, review, BEN, 1, at="2025-12-31T00:00:00Z")
    signed(asking, review, BEN, subject_sha256="0" * 64)
    assert left()[0] == 1
    signed(asking, review, BEN, 4)
    assert left()[0] == 0
    signed(asking, review, BEN, 5)
    assert left()[0] == 0


def test_one_person_is_waited_for_where_one_is_asked_for(asking: Store) -> None:
    """And none where nobody is."""
    set_policy(asking, CORPUS, 1, (), at(3))
    early, late = decided(asking, "accept", 1), decided(asking, "accept", 3)
    approvals = Approvals(asking, CORPUS)
    assert [approvals.missing(each) for each in (early, late)] == [0, 1]
    assert approvals.said(late) == "waiting for a signature"


def test_signatures_are_told_by_time_with_what_is_wrong_with_each(asking: Store) -> None:
    """Of a decision that nobody signed there are none."""
    review, other = decided(asking), decided(asking, "dismiss")
    for day, key, more in ((5, BEN, {}), (3, ADA, {"subject_sha256": "0" * 64}), (4, ADA, {"role": "clerk"})):
        signed(asking, review, key, day, **more)
    told = Approvals(asking, CORPUS).signatures(review)
    assert [(each.at, each.by, each.problems) for each in told] == [
        (at(3), "Ada", ("it is under another record",)),
        (at(4), "Ada", ("its key is that of Ada, officer",)),
        (at(5), "Ben", ()),
    ]
    assert Approvals(asking, CORPUS).signatures(other) == ()


def test_what_waits_is_sorted_out_and_what_was_withdrawn_waits_no_more(asking: Store) -> None:
    """A withdrawal of what only waits counts without a second person; of what is in force it waits as any other."""
    early = decided(asking, "accept", 1)
    waits = decided(asking, "dismiss", 3)
    taken = decided(asking, "dismiss", 4)
    withdrawn = decided(asking, "withdraw", 5, taken)
    back = decided(asking, "withdraw", 6, early)
    approvals = Approvals(asking, CORPUS)
    counting, waiting = approvals.sorted_out([back, withdrawn, taken, waits, early])
    assert (counting, waiting) == ([early, withdrawn], [waits, back])
    signed(asking, waits, ADA, 7)
    signed(asking, waits, BEN, 7)
    assert Approvals(asking, CORPUS).sorted_out([waits, early]) == ([early, waits], [])


def test_a_withdrawal_comes_behind_what_it_takes_back_whatever_the_times_say(asking: Store) -> None:
    """Else one of a decision in force would need nobody."""
    early = decided(asking, "accept", 1)
    signed(asking, later := decided(asking, "dismiss", 9, early), ADA, 9)
    signed(asking, later, BEN, 9)
    back = decided(asking, "withdraw", 5, later)
    assert Approvals(asking, CORPUS).sorted_out([early, back, later]) == ([early, later], [back])


def test_without_any_policy_all_count_by_time(memory: Store) -> None:
    """Also where one was made that asks for nobody."""
    reviews = [decided(memory, "accept", day) for day in (3, 1, 2)]
    wanted: tuple[list[Review], list[Review]] = ([reviews[1], reviews[2], reviews[0]], [])
    assert Approvals(memory, CORPUS).sorted_out(reviews) == wanted
    memory.put_items([_policy(0, 1)])
    assert Approvals(memory, CORPUS).sorted_out(reviews) == wanted
