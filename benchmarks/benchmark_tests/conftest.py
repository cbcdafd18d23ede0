"""How long an example takes is a matter of what else the machine does."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# The profile of the package's own tests, which run in the same process: few examples, always the same, but in ``make soak``.
FULL = os.environ.get("TEST_EFFORT", "") == "full"
settings.register_profile(
    "any machine",
    deadline=None,
    max_examples=100 if FULL else 33,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not FULL,
)
settings.load_profile("any machine")
