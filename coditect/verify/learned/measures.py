"""All that the second reader looks at: what the rules found, how much of the claim is held, and what the readings share."""

from __future__ import annotations

import math
from collections.abc import Sequence

from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.contradictions.kinds import Contradiction
from coditect.verify.learned import readings
from coditect.verify.learned.readings import measure_readings
from coditect.verify.support.assessment import Support

__all__ = ["FREE", "SIGNS", "measure_claim", "worse_of"]

_QUANTITIES = frozenset(("number", "unit", "date", "duration", "percentage", "currency"))
_KINDS = (
    "quantity", "reference", "entity", "negation", "modality", "quantifier", "condition", "comparative", "role",
    "substitution",
)  # fmt: skip
_DOUBT, _GRAVE, _HARD = 0.5, 0.7, 1.0
_MOST = 4.0

_RULES = (*(f"rule_{kind}" for kind in _KINDS), "rule_worst", "rule_doubts", "rule_graves", "rule_hard", "rule_subject")
_HELD = ("held", "held_least", "covered_related", "covered_best", "log_odds")
_ORDER = ("common_sequence", "near_min", "near_mean", "two", "three", "pairs_known")
_MISSING = (
    "named_strange", "novel_share", "novel_words", "novel_function", "novel_names", "poles_clash", "family_clash",
    "negation_added", "negation_dropped", "away_words",
)  # fmt: skip
_EITHER = frozenset(
    (
        *_ORDER, "kept", "together", "left", "left_run", "left_inside", "left_names", "left_numbers", "crossed",
        "crossed_same_voice", "lead_moved", "voice_changed", "conditions_lost", "conditions_met", "denials_lost",
        "force_lost", "quantifiers_lost",
    )
)  # fmt: skip
"""Measures of what a claim leaves out of its evidence, or says in another order: both faithful summaries and falsehoods do."""

SIGNS = (
    dict.fromkeys((*_HELD, *readings.SPEAKS_FOR, *_ORDER), 1)
    | dict.fromkeys((*_RULES, *_MISSING, *readings.AGAINST), -1)
    | {"rule_remarks": -1}
)
"""Of every measure which way is the better: of several sentences the worse value counts."""


FREE = _EITHER | {"rule_remarks"}
"""Measures whose weight may have either sign; of all others it may only have that of :data:`SIGNS`."""


def measure_claim(
    claim: str, index: EvidenceIndex, found: Sequence[Contradiction], supported: Support, *, foreign: bool
) -> dict[str, float]:
    """The measures of a claim, by name; those of :data:`SIGNS`.

    Args:
        claim: one or a few sentences, as they are matched.
        index: the evidence.
        found: what contradicts the claim.
        supported: what the statistics say of it; it must be readable.
        foreign: whether its subject has somebody else's predicate.
    """
    odds = min(0.999, max(0.001, supported.probability))
    measured = supported.features
    return {
        **_ruled(found, foreign=foreign),
        "log_odds": math.log(odds / (1.0 - odds)),
        "named_strange": measured["strange_names"],
        **{name: measured[name] for name in (*_HELD, *_ORDER, *_MISSING) if name not in ("log_odds", "named_strange")},
        **measure_readings(claim, index),
    }


def _ruled(found: Sequence[Contradiction], *, foreign: bool) -> dict[str, float]:
    """What the rules found, by kind and by severity."""
    severities = [each.severity for each in found]
    kinds = dict.fromkeys(_KINDS, 0.0)
    for each in found:
        kind = "quantity" if each.kind in _QUANTITIES else each.kind
        kinds[kind] = max(kinds[kind], each.severity)
    worst = max(severities, default=0.0)
    return {
        **{f"rule_{kind}": severity for kind, severity in kinds.items()},
        "rule_worst": worst,
        "rule_remarks": min(_MOST, sum(each < _DOUBT for each in severities)),
        "rule_doubts": min(_MOST, sum(_DOUBT <= each < _GRAVE for each in severities)),
        "rule_graves": min(_MOST, sum(each >= _GRAVE for each in severities)),
        "rule_hard": float(worst >= _HARD),
        "rule_subject": float(foreign),
    }


def worse_of(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    """Of every measure the value that speaks most against a text of several sentences.

    Args:
        rows: of each sentence, at least one.
    """
    return {name: (min if SIGNS[name] > 0 else max)(row[name] for row in rows) for name in rows[0]}
