"""What else a role is asked, beside what its own prompt asks: further prompts of the same model and limits."""

from __future__ import annotations

from coditect.agents.roles.at_odds.pairs import pairs_role
from coditect.agents.roles.at_odds.statements import statements_role
from coditect.agents.roles.missing.findings import findings_role
from coditect.agents.roles.missing.gaps import gaps_role
from coditect.agents.roles.role import Role

__all__ = ["further_prompts"]


def further_prompts(role: Role) -> tuple[Role, ...]:
    """A role as it is asked by its further prompts, in the order in which they stand in its version; none of most roles."""
    if role.name == "reducer":
        return pairs_role(role), statements_role(role), gaps_role(role)
    return (findings_role(role),) if role.name == "validator" else ()
