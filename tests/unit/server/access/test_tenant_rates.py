"""How often all callers of a tenant together may ask."""

from __future__ import annotations

import pytest

from coditect.server.access.callers import Caller
from coditect.server.access.gatekeeper import Keeper
from coditect.server.access.sessions import Sessions
from coditect.server.problems import Problem


def test_all_callers_of_a_tenant_share_its_rate() -> None:
    """Each has a rate of its own as well; another tenant is not slowed."""
    keeper = Keeper({}, Sessions(), rate="3/hour", tenant_rates={"a": "4/hour"})
    anna, bert, other = (Caller(name, tenant, "reader") for name, tenant in (("anna", "a"), ("bert", "a"), ("cy", "b")))
    for _ in range(3):
        keeper.count(anna)
        keeper.count(other)
    with pytest.raises(Problem, match=r"too many requests$"):
        keeper.count(anna)
    keeper.count(bert)
    with pytest.raises(Problem, match="of the tenant") as caught:
        keeper.count(bert)
    assert caught.value.status == 429
