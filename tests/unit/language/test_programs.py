"""Lines of programs among the rules of a runbook."""

from __future__ import annotations

import pytest

from coditect.documents.readers import read_source
from coditect.language.norms.meanings.programs import is_program
from coditect.tiers.extractions.document import NORMATIVE, extraction_records, read_document
from tests.unit.tiers.corpora import version_of


@pytest.mark.parametrize(
    "text",
    [
        '"""Check security groups for violations"""\nec2 = boto3.client("ec2")',
        "# Get all security groups\nresponse = ec2.describe_security_groups()",
        "# Modify the instance\nec2.modify_instance_attribute(InstanceId=one)",
        "# Create a window for patching\naws ssm create-maintenance-window \\\n--name weekly",
        "Copy the file to $BACKUP_DIR/daily",
        "import json",
    ],
)
def test_lines_of_programs(text: str) -> None:
    """Docstrings, calls, commands that go on, variables."""
    assert is_program(text)


@pytest.mark.parametrize(
    "text",
    [
        "The bank shall report under Art.5(1) and reg.12(a), e.g. on paper.",
        "The fee is $5 a day, or US$ 10 (ten dollars).",
        'The "Agreement" means all terms; "Client" means you.',
        "Managers must import data from the register, and class it as secret.",
        "The ratio = assets (net) / liabilities shall not exceed 2.",
        "Either party and/or its agents must not use c:\\data for it.",
        "Employees' and clients' records must be kept.",
    ],
)
def test_sentences_are_no_programs(text: str) -> None:
    """Citations, prices, quotation marks and formulas of rules."""
    assert not is_program(text)


def test_a_program_asks_nothing_of_anybody() -> None:
    """What a script says of itself is no duty; the rule above it is one."""
    text = (
        "# Isolation Policy\n\nThe team must isolate hosts within one hour.\n\n```python\ndef isolate(host):\n"
        '    """Move the host to the isolation group"""\n    ec2 = boto3.client("ec2")\n```\n'
    )
    reading = read_document(read_source(text.encode(), "policy.md"))
    records = list(extraction_records(version_of("policy.md", text), reading, "tier1"))
    assert [each.source_text for each in records if each.extraction_kind in NORMATIVE] == [
        "The team must isolate hosts within one hour."
    ]
    assert any("isolation group" in each.source_text for each in records)
