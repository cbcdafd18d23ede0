"""What a person says when deciding, whatever it is said of: the decision, who decides, why, and until when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from coditect.errors import UsageError
from coditect.schemas import Decision, Review
from coditect.schemas.day import require_day
from coditect.schemas.review import LONGEST_MEANING, LONGEST_NAME

__all__ = ["SaidDecision"]


@dataclass(frozen=True, slots=True)
class SaidDecision:
    """A decision before it is known of what; made by :meth:`of`, which refuses what does not go together."""

    decision: Decision
    by: str
    meaning: str
    changes: dict[str, JsonValue] | None
    until: str | None

    @classmethod
    def of(
        cls,
        decision: Decision,
        by: str,
        meaning: str,
        changes: Mapping[str, JsonValue] | None,
        until: str | None,
        *,
        at: str,
    ) -> SaidDecision:
        """What is said, without blanks around names.

        Args:
            decision: what is decided.
            by: who decides.
            meaning: why.
            changes: of a correction, and of nothing else: new values by field.
            until: of an accepted risk: the last day on which it is accepted, ``2026-12-31``.
            at: now, RFC 3339, UTC.

        Raises:
            UsageError: a name or a meaning is empty or too long, or the rest does not belong to the decision.
        """
        by, meaning = _names(by, meaning)
        _require_together(decision, changes, until, at)
        return cls(decision, by, meaning, dict(changes) if changes else None, until)

    def is_said_by(self, review: Review) -> bool:
        """Whether a review says the very same."""
        return self == SaidDecision(review.decision, review.by, review.meaning, review.changes, review.until)


def _names(by: str, meaning: str) -> tuple[str, str]:
    """Who signs and what the signature means, without blanks around.

    Raises:
        UsageError: one of both is empty, or too long.
    """
    by, meaning = " ".join(by.split()), meaning.strip()
    if not by or not meaning:
        raise UsageError("a review names who signs and what the signature means", by=by, meaning=meaning)
    if len(by) > LONGEST_NAME or len(meaning) > LONGEST_MEANING:
        raise UsageError(
            "a name or a meaning is too long",
            by=len(by),
            meaning=len(meaning),
            hint=f"A name has at most {LONGEST_NAME} characters, a meaning {LONGEST_MEANING:,}.",
        )
    return by, meaning


def _require_together(decision: Decision, changes: Mapping[str, JsonValue] | None, until: str | None, at: str) -> None:
    if (decision == "correct") != bool(changes):
        raise UsageError(
            "a correction, and nothing else, says what is changed",
            decision=decision,
            hint="Of an extraction, fields are named with --set field=value; of a row of a crosswalk its label.",
        )
    if until is None:
        return
    if decision != "accept_risk":
        raise UsageError("only an accepted risk has a last day", decision=decision, until=until)
    require_day("until", until)
    if until < at[:10]:
        raise UsageError("a risk is accepted until a day that is not over", until=until, hint="Give it as 2026-12-31.")
