"""Outline, sentences, locators and passages of documents with many forms of labels, written down.

``python -m tests.unit.documents.pinned_structures`` writes ``pinned_structures.json`` anew. Ids of sections and places of passages
stand in stored records, so whatever changes here changes with the version of the step that makes it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from coditect.documents.passages.structural import passages
from coditect.documents.structure.locators import find_locators
from coditect.schemas.passage import PassageSettings
from coditect.tiers.extractions.document import document_lists
from tests.unit.documents.passages.documents import levels_of, read_text

__all__ = ["DOCUMENTS", "PINNED", "pinned", "structure"]

PINNED = Path(__file__).parent / "pinned_structures.json"

AGREEMENT = """SUPPLY AGREEMENT

This Agreement is made on 1 March 2024 between Norwick Ltd and Halden AG.

WHEREAS:

A. The Buyer needs pumps; and

B. The Supplier makes them.

ARTICLE I
DEFINITIONS

1.1 Terms. In this Agreement "Pump" means a pump of Annex A, e.g. one of type No. 5.

1.2 Rules. Headings are for convenience. Sections 1.1 to 1.3 apply; see Art. II.

ARTICLE II
SUPPLY

2.1 Orders. The Buyer shall:

(a) order in writing;

(b) state in each order:

(i) the number of pumps;

(ii) the place of delivery; and

(iii) the date; and

(c) pay within 30 days. Interest of 5.5% is due thereafter.

2.2 Delivery. The Supplier delivers (a) within ten days, or (b) later, if agreed.

2.2.1 Risk. It passes on delivery.

2.2.2 Title. It passes on payment.

2.3. Defects must be notified within 14 days.

ARTICLE IV
FINAL PROVISIONS

Section 4.01 Law. English law applies. 4.02 is reserved.

Section 4.02 Notices. By letter or e-mail.

ANNEX A
Pumps

1. Small pumps
2. Large pumps
4. Spare parts

SCHEDULE 1 – PRICES

§ 1 General. Prices are net.

§ 2 Changes. None.
"""

POLICY = """# Access Policy

Version 2.1

## 1. Purpose

This policy protects systems. It applies to all staff, contractors, etc. and to Mr. Brown.

## 2. Rules

### 2.1 Accounts

Owners shall:

1. approve each account;
2. review accounts
   a) every quarter, and
   b) after each change; and
3. remove accounts of leavers.

* Guests
  * have no account
  * use the portal
* Others ask first.

### 2.2 Passwords

| Kind | Length |
|------|--------|
| User | 12     |
| Root | 20     |

Passwords are secret! Are they shared? Never. "Do not write them down." They expire after 1.5 years.

## Appendix A: Forms

Form 1 is used for requests. Form 2: exceptions.

#### Deep heading

Text below a deep heading that is
wrapped in the middle of a sentence.
"""

STATUTE = """PART 3
SECURITY

Division 1 – General

14A. Duties of operators

(1) An operator must—

(a) keep records; and

(b) if asked,

(i) produce them, or

(ii) explain why not.

(2) Subsection (1)(b) does not apply to records older than 7 years.

(2A) A person who fails to comply commits an offence.

15. Exemptions. (1) The Minister may exempt a class of operators. (2) An exemption lapses after 2 years.

16 Penalties

Penalty: 50 penalty units.

iv. A stray numeral.

x) Another one.

B.1 Control family

B.1.1 First control. Keys are rotated.

B.1.2 Second control. Logs are kept.

AC-2 ACCOUNT MANAGEMENT

Control: The organization manages accounts.

Q1: Who answers? A: The owner.

Step 1: Look. Step 2: Act.
"""

DOCUMENTS = {"agreement.txt": AGREEMENT, "policy.md": POLICY, "statute.txt": STATUTE}


def structure(name: str) -> dict[str, Any]:
    """What a document is cut into."""
    reading = read_text(DOCUMENTS[name], name)
    text, source = reading.source.text, reading.source
    locators = find_locators(text, reading.sections, reading.sentences, document_lists(reading))
    return {
        "outline": [
            f"{each.section_id} {each.label!r} {each.heading!r} {each.level} {each.start}-{each.body_start}-{each.end}"
            f" {each.parent} {list(each.parent_chain)}"
            for each in reading.sections
        ],
        "blocks": [f"{each.kind} {each.level} {each.start}-{each.end}" for each in source.blocks],
        "sentences": [
            f"{where or '-'} {text[each.start : each.end]!r}"
            for each, where in zip(reading.sentences, locators, strict=True)
        ],
        "structural": [
            str(each) for each in passages(source, reading.sections, target_chars=240, max_chars=500, min_chars=80)
        ],
        "passages": [
            " ".join(
                f"{each.start}-{each.end}:{each.tokens}:{each.parent}:{each.first_child}+{each.child_count}"
                for each in level.cuts
            )
            for boundaries in ("sentence", "semantic", "fixed")
            for level in levels_of(
                reading, PassageSettings.model_validate({"chunk_levels": (32, 64, 160), "boundaries": boundaries})
            )
        ],
    }


def pinned() -> dict[str, Any]:
    """What is written down, by document."""
    found: dict[str, Any] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    PINNED.write_text(
        json.dumps({name: structure(name) for name in DOCUMENTS}, separators=(",\n", ": ")) + "\n", encoding="utf-8"
    )
