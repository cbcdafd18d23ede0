"""Reports on a store: what they say of themselves agrees."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from coditect.schemas import ValidationReport

REPORT = {"corpus_id": "c", "generation": 1, "build_id": "b", "checked": {}, "findings": [], "seconds": 0.0}
FINDING = {"check": "bytes", "record": "chunks/c", "message": "changed"}


def test_validation_report_without_a_verdict_gets_it_from_its_findings() -> None:
    """Reports inside audit reports of the first release are read."""
    assert ValidationReport.model_validate(REPORT).clean
    assert not ValidationReport.model_validate({**REPORT, "findings": [FINDING]}).clean


def test_validation_report_that_contradicts_itself_is_refused() -> None:
    """Findings in a clean report, and none in an unclean one, are somebody's mistake."""
    for clean, findings in ((True, [FINDING]), (False, [])):
        with pytest.raises(ValidationError, match="clean if, and only if"):
            ValidationReport.model_validate({**REPORT, "clean": clean, "findings": findings})
