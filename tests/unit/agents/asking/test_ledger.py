"""Counting what was paid and what the store saved."""

from __future__ import annotations

import orjson
import pytest

from coditect.agents.asking.ledger import Ledger
from coditect.agents.asking.prices import Prices
from tests.unit.agents.asking.service import USAGE


def test_ledger_report_is_sorted_json_and_adds_up() -> None:
    """The report is plain JSON in the same order whatever came first, and the total is the sum of the roles."""
    one, other = Ledger(Prices.load()), Ledger(Prices.load())
    for ledger, roles in ((one, ("validator", "mapper")), (other, ("mapper", "validator"))):
        for role in roles:
            ledger.count(role, "sent")
            ledger.paid(role, "claude-sonnet-5-5", USAGE)
            for reason in roles:
                ledger.rejected(role, reason, 2)
            ledger.reused(role, USAGE)
            ledger.count(role, "failed")
    assert orjson.dumps(one.report()) == orjson.dumps(other.report())
    report = one.report()
    assert list(report["roles"]) == ["mapper", "validator"]
    assert report["total"]["sent"] == report["total"]["reused"] == report["total"]["failed"] == 2
    assert report["total"]["rejected"] == {"mapper": 4, "validator": 4}
    assert report["total"]["paid"]["input_tokens"] == 2 * USAGE.input_tokens
    assert report["total"]["usd"] == pytest.approx(sum(role["usd"] for role in report["roles"].values()), abs=2e-6)
    assert report["prices_as_of"] == Prices.load().as_of


def test_ledger_call_without_a_price_is_counted_as_such() -> None:
    """A model that the price table does not have costs no made-up amount."""
    ledger = Ledger(Prices.load())
    ledger.paid("mapper", "some-other-model", USAGE)
    assert ledger.report()["total"]["unpriced"] == 1
    assert ledger.report()["total"]["usd"] == 0
