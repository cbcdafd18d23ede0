"""Sentences of many clauses beside edits of themselves, and the contradictions that are found, written down.

``python -m tests.unit.verify.pinned_clauses`` writes the file anew. Conditions, exceptions, limits and actors stand here at many
distances from what they govern; :mod:`tests.unit.verify.pinned_differences` has the plain sentences, and says when it changes.
"""

# ruff: noqa: E501 - a sentence that is read stands on one line

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.unit.verify.pinned_differences import EDITS, compared

__all__ = ["PINNED", "clauses", "pinned"]

PINNED = Path(__file__).parent / "pinned_clauses.json"

SENTENCES = (
    "If the seal of a container is broken and the carrier cannot name the cause, the depot shall, before anything is unloaded, inform"
    " the customs office and the owner.",
    "Unless the tenant has paid the deposit in full, the landlord may keep the spare keys and need not, until then, repair the lift.",
    "The laboratory must not release a batch, even where the buyer insists on it, unless two chemists have signed the record.",
    "Or, if sent by courier, a notice counts as received on the second working day, or, if sent by e-mail, when it is opened.",
    "Where a patient is a minor, the physician may treat the patient only with the consent of a parent, except in an emergency.",
    "Regardless of its cause, any spill of more than 20 litres must be reported to the port within one hour, and cleaned within a day.",
    "The board, and not the chair alone, decides whether a loan above 2 million euros is granted, provided that no member has an interest"
    " in it.",
    "After the last guest has left, the night porter locks all doors except the side entrance, which stays open until midnight.",
    "An apprentice may drive the fork-lift truck if, and only if, a licensed driver stands beside the truck and the yard is empty.",
    "No supplier is paid before its invoice has been matched with an order, although the treasurer can allow an advance of at most 10%.",
    "The archive keeps contracts for ten years, payrolls for six years and, so far as the law allows it, applications for six months.",
    "Either the pilot or the harbour master may, without giving reasons, stop a manoeuvre when the wind is stronger than 30 knots.",
)
MORE_EDITS = (
    (r", even where [^,]*,", ""),
    (r", and not the chair alone,", ""),
    (r" only with the consent of a parent", ""),
    (r" and need not, until then, repair", " and must repair"),
    (r"\bUnless\b", "If"),
    (r"\bRegardless of its cause, any\b", "If it is caused by the crew, any"),
    (r"\bif, and only if,", "whenever"),
    (r" and the yard is empty", ""),
    (r"\balthough the treasurer can allow\b", "and nobody can allow"),
    (r"\bsix years\b", "sixteen years"),
    (r"\bEither the pilot or the harbour master\b", "Only the pilot"),
    (r"\bstronger than\b", "weaker than"),
    (r"\bmay keep\b", "must return"),
    (r"\btwo chemists\b", "one chemist"),
    (r"\bbefore anything is unloaded\b", "after everything is unloaded"),
    (r", except the side entrance| except the side entrance", " including the side entrance"),
    (r"\bstays open until midnight\b", "is closed at noon"),
    (r"\bsecond\b", "first"),
    (r"^Where [^,]*, the", "The"),
    (r"\ba minor\b", "an adult"),
)


def clauses() -> dict[str, list[str]]:
    """By edited sentence its probability, and kind, severity and spans of each contradiction."""
    found = {}
    for number, sentence in enumerate(SENTENCES):
        evidence = [SENTENCES[number - 1], sentence, SENTENCES[number - 2]]
        for pattern, instead in (*MORE_EDITS, *EDITS):
            claim = re.sub(pattern, instead, sentence, count=1)
            if claim != sentence:
                claim = claim[0].upper() + claim[1:]
                found[claim] = compared(claim, evidence)
    return found


def pinned() -> dict[str, list[str]]:
    """What is written down, by edited sentence."""
    found: dict[str, list[str]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    PINNED.write_text(json.dumps(clauses(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
