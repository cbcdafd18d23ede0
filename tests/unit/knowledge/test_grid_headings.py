"""Headings of clauses: what they name, without their numbers."""

from __future__ import annotations

import pytest

from coditect.knowledge.report.changes.grid import matter_of


@pytest.mark.parametrize(
    ("heading", "matter"),
    [
        ("Article IV. Confidentiality", "Confidentiality"),
        ("Section IV Payment", "Payment"),
        ("3.2 Term of the lease", "Term of the lease"),
        ("(iv) Term", "Term"),
        ("Schedule 2 Prices", "Prices"),
        ("3. Civil liability", "Civil liability"),
        ("Section 12 – Mixed use", "Mixed use"),
        ("Indemnity", "Indemnity"),
        ("Mixture of goods", "Mixture of goods"),
        ("ARTICLE VII", ""),
        ("Section 5", ""),
        ("Article 5", ""),
        ("12.", ""),
    ],
)
def test_a_heading_names_what_stands_behind_its_number(heading: str, matter: str) -> None:
    """Numbers are no words of a matter: "Article IV. Fees" and "Article 9. Fees" are of one."""
    assert matter_of(heading) == matter
