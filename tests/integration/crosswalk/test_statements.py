"""Statements of a document as they are compared with requirements."""

from __future__ import annotations

from pathlib import Path

from coditect import Settings, open_knowledge
from coditect.cli.exit_codes import ExitCode
from coditect.knowledge.report.crosswalk.statements import statements_of
from tests.integration.crosswalk.house import run

POLICY = (
    "# Access Policy\n\nUser access rights must be reviewed quarterly.\n\n"
    "If a contractor leaves, access rights must be reviewed within a week.\n"
)


def test_a_condition_that_tier_1_read_reaches_the_comparison(corpora: Path) -> None:
    """It says that the statement holds in some cases only; how probable the document is, is not told by it."""
    (corpora / "policies" / "access.md").write_text(POLICY)
    assert run("ingest", "--corpus-id", "policies", str(corpora / "policies")) == ExitCode.OK
    assert run("build", "--corpus-id", "policies") == ExitCode.OK
    with open_knowledge(Settings()) as knowledge:
        view = knowledge.view("policies", None)
        said = [each.said for document in view.documents for each in statements_of(view, document)]
    assert [(each.conditional, each.likely) for each in said] == [(False, 1.0), (True, 1.0)]
