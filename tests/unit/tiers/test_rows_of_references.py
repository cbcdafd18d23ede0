"""What is no requirement that others could rule out: rows that map standards, codes, what has changed since, and notes."""

from __future__ import annotations

import pytest

from coditect.documents.profile.role import guess_role
from coditect.tiers.findings.conflicts.assertions.limits import limits_of
from coditect.tiers.findings.conflicts.assertions.rows import maps_standards
from coditect.tiers.findings.conflicts.entries import is_version


@pytest.mark.parametrize(
    ("row", "maps"),
    [
        ("Emergency access | A.5.17 | AC-2(2) | DSS05.04 | IAM-03 | N/A", True),
        ("ISO 37301:2021 | §9.1 Monitoring and measurement | Quarterly metrics and control testing", True),
        ("Patch management | A.8.8 | SP 800-40 §3 | DSS05.07 | TVM-06", True),
        ("Control ID: AC-2 | Title: Access review | Frequency: Quarterly | Owner: IT | Reference: 4.2", False),
        ("Visitor book | twelve months | Office Manager", False),
        ("Access is reviewed under A.5.17 and AC-2(2).", False),
        ("Connections | TLS 1.2 | required", False),
    ],
)
def test_rows_that_map_standards(row: str, maps: bool) -> None:
    """Half of their cells say where something stands, or that it stands nowhere."""
    assert maps_standards(row) is maps


@pytest.mark.parametrize(
    ("text", "printed", "version"),
    [
        ("Connections use TLS 1.2 or later.", "TLS 1.2", True),
        ("Card data is kept by PCI DSS 4.0 alone.", "DSS 4.0", True),
        ("Emergency access | DSS05.04 | required", "DSS05.04", False),
    ],
)
def test_codes_of_frameworks_are_no_versions(text: str, printed: str, version: bool) -> None:
    """A number that begins with a nought is where something stands."""
    assert is_version(text, printed) is version


def test_what_has_changed_since_limits_nothing() -> None:
    """It is told of a day that is over; a limit that runs since something is one."""
    assert limits_of("Branch coverage has since passed its target: the floor sits at 72%.") == ()
    assert [each.says for each in limits_of("Logs are kept for five years since their last entry.")] == ["five years"]


def test_numbers_behind_labels_count_nothing() -> None:
    """Nor do those before a word that stands for something; what is counted is."""
    assert limits_of("Failover of Tier 2 systems is begun by the operators.") == ()
    assert limits_of("16 Use this table for the members of the team.") == ()
    assert [(each.says, each.value) for each in limits_of("A password has at least 14 characters.")] == [
        ("14 characters", 14.0)
    ]


@pytest.mark.parametrize("name", ["docs_implementation-notes_2026-07-02-policy-template.md", "release-notes-policy.md"])
def test_notes_on_what_was_built_are_records(name: str) -> None:
    """Whatever else their name says."""
    found = guess_role(name, "", "")
    assert found is not None
    assert found.value == "record"
