"""Where acts and conditions begin and end: classes that were read wrongly in fresh texts; all sentences are invented."""

from __future__ import annotations

from itertools import pairwise

import pytest

from coditect.language.norms.binding import read_norms
from coditect.language.provisions.composed import ComposedText
from tests.unit.language.clauses import only_clause, read_clauses


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (
            "The clerk may enter the sum in the roll, and that entry is binding on the keeper.",
            "enter the sum in the roll",
        ),
        ("The keeper shall close the gate, but rights that were given before shall survive.", "close the gate"),
        ("The clerk may extend the list, among other remedies, if it is late.", "extend the list"),
        ("The clerk shall file the form, with the first one being due in May.", "file the form"),
        ("The clerk should share the licences (this will upgrade all accounts).", "share the licences"),
        ("The clerk should share the licences (for his own use).", "share the licences (for his own use)"),
        ("The clerk shall include, but is not limited to, the keys.", "include, but is not limited to, the keys"),
        ("The clerk may lend the key, such as by giving a copy.", "lend the key, such as by giving a copy"),
    ],
)
def test_act_ends_before_what_is_only_said_of_it(text: str, action: str) -> None:
    """A clause of its own, an absolute phrase and a remark are no part of an act; a list and an example are."""
    assert only_clause(text)["action"] == action


@pytest.mark.parametrize(
    ("text", "action", "condition"),
    [
        (
            "The keeper shall provide, if the goods have not been released, an invoice, a price list or a bill.",
            "provide an invoice, a price list or a bill",
            "if the goods have not been released",
        ),
        (
            "The clerk shall tell the keeper and, if he is ill, the deputy.",
            "tell the keeper and, if he is ill, the deputy",
            None,
        ),
        ("The board shall decide on the appeal, if not withdrawn.", "decide on the appeal", "if not withdrawn"),
        ("This deed may be amended only by written instrument.", "be amended", "only by written instrument"),
        ("The key shall be used only by the keeper.", "be used only by the keeper", None),
        (
            "Participate in making recommendations about the hall.",
            "Participate in making recommendations about the hall",
            None,
        ),
        ("In order for a vote to close, the list must be complete.", "be complete", "In order for a vote to close"),
        ("For involuntary terminations, access must be revoked.", "be revoked", "For involuntary terminations"),
        ("For a period of two years, access must be logged.", "be logged", None),
        (
            "Where the person to whom rooms are provided is a member, the keeper shall make a list.",
            "make a list",
            "Where the person to whom rooms are provided is a member",
        ),
    ],
)
def test_what_is_put_between_or_in_front_limits_the_act(text: str, action: str, condition: str | None) -> None:
    """What stands behind an inserted condition goes on with the act; what limits one of two objects stays with it."""
    data = only_clause(text)
    assert (data["action"], data.get("condition")) == (action, condition)


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        (
            "The lessor may end this Lease and take possession of the rooms.",
            ["end this Lease", "take possession of the rooms"],
        ),
        ("Members must tell the others and recuse themselves.", ["tell the others", "recuse themselves"]),
        ("The firm has the right to change the rates and to set new charges.", ["change the rates", "set new charges"]),
        ("We may remove it, hide it from others, or set limits.", ["remove it, hide it from others, or set limits"]),
        ("The clerk shall keep a list, which must include all names.", ["keep a list", "include all names"]),
    ],
)
def test_acts_under_one_cue_part_where_their_objects_differ(text: str, actions: list[str]) -> None:
    """Two acts with objects of their own are two norms; a choice of three is one."""
    assert [data["action"] for _, data in read_clauses(text)] == actions


def test_what_limits_one_item_of_examples_stays_in_the_act() -> None:
    """A condition inside of items that belong to their lead-in all together is no condition of the whole."""
    text = "The firm shall take measures, including\nsealing of rooms where appropriate\nkeeping a list"
    lines = [0, text.index("\n") + 1, text.rindex("\n") + 1, len(text) + 1]
    lead, *items = [(lo, hi - 1) for lo, hi in pairwise(lines)]
    composed = ComposedText(text, [lead], items)
    extent = composed.extent({lo for lo, _ in items})
    (reading,) = read_norms(composed.text, 0, len(composed.text), (), items=extent)
    assert "condition" not in reading.mark.data
    assert str(reading.mark.data["action"]).endswith("sealing of rooms where appropriate, keeping a list")
