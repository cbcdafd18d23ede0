"""Prices: by model, by length of the prompt, by what the cache does."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from coditect.agents.asking.prices import Prices
from coditect.agents.roles.role import ROLES
from coditect.errors import UsageError
from coditect.models.llm import Usage

MILLION = 1_000_000


def test_prices_of_the_package_know_every_role_and_their_day() -> None:
    """Each role's model has a price, and the table says of when and from where."""
    prices = Prices.load()
    assert all(prices.knows(role.model) for role in ROLES.values())
    assert date.fromisoformat(prices.as_of) > date(2026, 1, 1)
    assert prices.source


@pytest.mark.parametrize(
    ("usage", "cache", "expected"),
    [
        (Usage(MILLION, 0, 0, 0), "5m", 4.0),
        (Usage(0, MILLION, 0, 0), "5m", 5.0),
        (Usage(0, MILLION, 0, 0), "1h", 8.0),
        (Usage(0, 0, MILLION, 0), "5m", 0.2),
        (Usage(0, 0, 0, MILLION), "5m", 20.0),
    ],
)
def test_prices_each_kind_of_token_has_its_own(usage: Usage, cache: str, expected: float) -> None:
    """Input, writes for five minutes and an hour, reads and output are priced apart; a batch is half of each."""
    prices = Prices.load()
    assert prices.usd("claude-opus-5-5", usage, batched=False, cache=cache) == pytest.approx(expected)  # type: ignore[arg-type]
    assert prices.usd("claude-opus-5-5", usage, batched=True, cache=cache) == pytest.approx(expected / 2)  # type: ignore[arg-type]


def test_prices_long_prompts_cost_more_in_every_part() -> None:
    """Whether a prompt is long counts what the cache has of it, and decides about the answer's price, too."""
    prices = Prices.load()
    at_limit = prices.usd("claude-haiku-5-5", Usage(40_000, 30_000, 30_000, 1_000), batched=False)
    over = prices.usd("claude-haiku-5-5", Usage(40_000, 30_000, 30_001, 1_000), batched=False)
    assert at_limit == pytest.approx((40_000 * 0.1 + 30_000 * 0.125 + 30_000 * 0.01 + 1_000 * 0.5) / MILLION)
    assert over == pytest.approx(5 * at_limit, rel=1e-4)


def test_prices_unknown_model_names_the_way_out() -> None:
    """A model without a price is the caller's matter: the error says what to give."""
    with pytest.raises(UsageError, match="price file"):
        Prices.load().usd("some-other-model", Usage(1), batched=False)


def test_prices_file_of_the_user_replaces_the_table(tmp_path: Path) -> None:
    """What a file leaves out about the cache follows from its input price."""
    path = tmp_path / "prices.json"
    path.write_text('{"as_of": "2026-11-01", "source": "a contract", "models": {"m": [{"input": 1, "output": 2}]}}')
    prices = Prices.load(path)
    assert (prices.as_of, prices.source) == ("2026-11-01", "a contract")
    assert prices.usd("m", Usage(MILLION, MILLION, MILLION, MILLION), batched=False) == pytest.approx(
        1 + 1.25 + 0.1 + 2
    )
    assert prices.usd("m", Usage(0, MILLION), batched=False, cache="1h") == pytest.approx(2)
    assert not prices.knows("claude-opus-5-5")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"as_of": "soon", "source": "x", "models": {}}',
        '{"as_of": "2026-11-01", "source": "x", "models": {"m": []}}',
        '{"as_of": "2026-11-01", "source": "x", "models": {"m": [{"input": -1, "output": 2}]}}',
        '{"as_of": "2026-11-01", "source": "x", "models": {"m": [{"input": 1, "ouput": 2}]}}',
    ],
)
def test_prices_file_of_another_shape_is_refused(tmp_path: Path, text: str) -> None:
    """A file that is not a price table is named, and never half read."""
    path = tmp_path / "prices.json"
    path.write_text(text)
    with pytest.raises(UsageError):
        Prices.load(path)
    with pytest.raises(UsageError):
        Prices.load(tmp_path / "missing.json")
