"""Archives of every wording of claims, and the corpus that they hold."""

from __future__ import annotations

from pathlib import Path

from tests.unit.tiers.corpora import EXCEPTIONS, REGISTER

__all__ = ["AT_ODDS", "DOCUMENTS", "WORDINGS"]

WORDINGS = Path(__file__).resolve().parent

DOCUMENTS = {
    "badges.md": """# Badge Policy

Next review: 2026-03-31

The badge office shall keep a register of all badges. A badge is worn where everybody sees it.

A lost badge shall be reported to the porter within four hours. Visitors must not enter the archive.

## 2 Tours

The guide shall count all guests. Visitors shall enter the archive.
""",
    "guards.md": """# Guard Procedure

The night guard goes home at the end of the shift. Lamps are lit at dusk.

The loss of an entry card shall be told to the guard on duty within two days. The canteen opens at noon.
""",
    "letters.md": """# Letter Policy

A letter of a guest is filed for 90 days. The doorman greets each guest.
""",
    "post.md": """# Post Procedure

Whatever guests write is put aside for 30 days. The lamp is lit at dusk.
""",
    "register.csv": REGISTER,
    "exceptions.csv": EXCEPTIONS,
    "suppliers.csv": (
        "Supplier,Trade,Last visited,Evidence\n"
        "Alder,Laundry,2024-02-01,Note\n"
        "Beech,Cleaning,2026-02-01,Note\n"
        "Cedar,Catering,2026-02-02,Note\n"
        "Elm,Garden,2026-02-03,Note\n"
        "Fir,Lifts,2026-02-04,Note\n"
    ),
}
AT_ODDS = {
    "within four hours": "within two days",
    "for 90 days": "for 30 days",
    "must not enter the archive": "shall enter the archive",
}
"""Words of the statements that the model finds at odds."""
