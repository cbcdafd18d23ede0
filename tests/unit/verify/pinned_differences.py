"""Sentences beside edits of themselves, and the contradictions that are found, written down.

``python -m tests.unit.verify.pinned_differences`` writes the file anew. A rule that finds more, less or something
else is measured before it ships; the file shows for which edits.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.support.assessment import support

__all__ = ["EDITS", "PINNED", "compared", "differences", "pinned"]

PINNED = Path(__file__).parent / "pinned_differences.json"

SENTENCES = (
    "The supplier shall notify the customer of a breach within 72 hours, unless the authority forbids it.",
    "All employees must complete the security training before 31 March 2025 and at least once a year.",
    "The Data Protection Officer may approve an exception only if the risk is documented in the register.",
    "Passwords must have at least 12 characters and must not be shared with other users.",
    "Backups are kept for 30 days in Frankfurt and are tested every 6 months by the operator.",
    "No contractor shall enter the server room without an escort, except in an emergency.",
    "Norwick pays Halden a fee of $4,000 for each site by the fifth business day of the month.",
    "Either party may terminate this agreement by giving 90 days' written notice to the other party.",
    "If an account is not used for 60 days, the administrator shall disable it within 24 hours.",
    "The auditor is not required to inspect more than 10% of the records under Section 4.2.",
    "Encryption is required for personal data at rest and in transit, including backups and logs.",
    "Access rights are reviewed quarterly by the system owner, who reports the results to the board.",
    "Customers should be informed in writing after the incident has been resolved.",
    "The register includes the name, the role and the date of each approval, but no personal opinions.",
    "Neither the bank nor its agents shall disclose confidential information to third parties.",
    "Visitors are allowed to use the guest network, provided that they accept the terms of use.",
    "The committee meets twice a year and decides by a majority of at least two thirds.",
    "Only managers of the finance department are authorized to release payments above 5 million euros.",
)
EDITS = (
    (r"\bshall not\b|\bmust not\b", "may"),
    (r"\bshall\b(?! not)", "shall not"),
    (r"\bshall\b(?! not)", "may"),
    (r"\bmust\b(?! not)", "should"),
    (r"\bmust\b(?! not)", "need not"),
    (r"\bmay\b", "must"),
    (r"\bmay\b", "may not"),
    (r"\bshould\b", "must"),
    (r"\bis not required\b", "is required"),
    (r"\bare\b", "are not"),
    (r"\bare\b", "are never"),
    (r"\bis\b(?! not)", "fails to be"),
    (r"\ball\b", "some"),
    (r"\b[Nn]o\b", "every"),
    (r"\b[Nn]either\b(.*)\bnor\b", r"both\1and"),
    (r"\beach\b", "no"),
    (r"\bonly if\b", "if"),
    (r"\bOnly managers\b", "Managers"),
    (r"\bonly\b", ""),
    (r"\bat least\b", "at most"),
    (r"\bmore than\b", "less than"),
    (r"\bwithin\b", "after"),
    (r"\bbefore\b", "after"),
    (r"\bafter\b", "before"),
    (r"\bincluding\b", "excluding"),
    (r"\bexcept in\b", "including in"),
    (r"\bwithout\b", "with"),
    (r", unless [^.]*", ""),
    (r" unless ", " if "),
    (r", provided that [^.]*", ""),
    (r"^If [^,]*, (\w)", r"\1"),
    (r"\.$", ", provided that the board agrees."),
    (r"\.$", " unless a court orders otherwise."),
    (r"\b72 hours\b", "3 days"),
    (r"\b72 hours\b", "7 days"),
    (r"\b(?:30|60|90) days\b", "45 business days"),
    (r"\b12\b", "8"),
    (r"\b6 months\b", "half a year"),
    (r"\b10%", "15%"),
    (r"\$4,000", "€4,000"),
    (r"\$4,000", "$40,000"),
    (r"\bfifth\b", "fifteenth"),
    (r"\b31 March 2025\b", "March 2025"),
    (r"\b31 March 2025\b", "31 May 2025"),
    (r"\bSection 4\.2\b", "Section 4.3"),
    (r"\b5 million\b", "50 million"),
    (r"\btwo thirds\b", "one half"),
    (r"\btwice\b", "once"),
    (r"\bquarterly\b", "annually"),
    (r"\bonce a year\b", "every month"),
    (r"\bFrankfurt\b", "Singapore"),
    (r"\bNorwick pays Halden\b", "Halden pays Norwick"),
    (r"\bThe supplier\b(.*)the customer\b", r"The customer\1the supplier"),
    (r"\breviewed quarterly by the system owner\b", "ignored quarterly by the intern"),
    (r"\ballowed\b", "forbidden"),
    (r"\brequired\b", "optional"),
    (r"\bauthorized\b", "unauthorized"),
    (r"\bconfidential\b", "public"),
    (r"\bapprove\b", "reject"),
    (r" and ", " or "),
    (r"\.$", " as soon as possible."),
)


def differences() -> dict[str, list[str]]:
    """By edited sentence its probability, and kind, severity and spans of each contradiction."""
    found = {}
    for number, sentence in enumerate(SENTENCES):
        evidence = [SENTENCES[number - 1], sentence, SENTENCES[number - 2]]
        for pattern, instead in EDITS:
            claim = re.sub(pattern, instead, sentence, count=1)
            if claim == sentence:
                continue
            claim = claim[0].upper() + claim[1:]
            found[claim] = compared(claim, evidence)
    return found


def compared(claim: str, evidence: list[str]) -> list[str]:
    """A claim beside evidence: its probability, and kind, severity and spans of each contradiction."""
    contradictions = find_contradictions(claim, evidence)
    return [
        f"{support(claim, evidence, contradictions=contradictions).probability:.4f}",
        *(
            f"{each.kind} {each.severity:.3f} {each.claim_span[0]}-{each.claim_span[1]}"
            f" {each.evidence_index}:{each.evidence_span[0]}-{each.evidence_span[1]}"
            for each in contradictions
        ),
    ]


def pinned() -> dict[str, list[str]]:
    """What is written down."""
    found: dict[str, list[str]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    lines = ",\n".join(f"{json.dumps(claim)}: {json.dumps(each)}" for claim, each in differences().items())
    PINNED.write_text("{\n" + lines + "\n}\n", encoding="utf-8")
