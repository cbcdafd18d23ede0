"""Work that grows too fast is found, and work that is in proportion is let through."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.growth import require_linear


def test_growth_of_quadratic_work_is_found() -> None:
    """Sixteen times the work for four times the input fails."""

    def work(size: int) -> Callable[[], object]:
        numbers = list(range(size))
        return lambda: [number in numbers[::-1] for number in range(size // 8)]

    with pytest.raises(AssertionError, match="4 times the input took"):
        require_linear(work, 16_000)


def test_growth_of_linear_work_is_let_through() -> None:
    """Four times the work for four times the input is in proportion."""

    def work(size: int) -> Callable[[], object]:
        return lambda: [str(number) for number in range(size)]

    require_linear(work, 400_000)
