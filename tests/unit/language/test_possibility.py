"""What may fail to be so is not forbidden, and what may be required is not yet a duty."""

from __future__ import annotations

import pytest

from coditect.language.norms.binding import find_norms


@pytest.mark.parametrize(
    "text",
    [
        "We may not be able to find every weakness.",
        "The records of one department may not provide enough detail.",
        "The supplier may be required to deliver a plan.",
        "The bank might also be required to hold a reserve.",
    ],
)
def test_possibilities_bind_nobody(text: str) -> None:
    """No norm is read from a possibility."""
    assert find_norms(text, 0, len(text), []) == []


@pytest.mark.parametrize(
    "text",
    ["Employees may not share passwords.", "Passwords may not be shared.", "Suppliers are required to deliver a plan."],
)
def test_what_is_forbidden_or_required_still_binds(text: str) -> None:
    """The same words bind where somebody is forbidden or required something."""
    assert len(find_norms(text, 0, len(text), [])) == 1
