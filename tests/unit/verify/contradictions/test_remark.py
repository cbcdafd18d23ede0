"""A difference of form is a remark where the claim has too few words of its evidence for it to prove anything."""

from __future__ import annotations

import pytest

from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.staged.calibration import SERIOUS

CLAIM = "The vendor may share records with the tax office."
NEAR = "The vendor shall share its records with the tax office each year."
FAR = "The vendor shall share the yearly inventory of chemical goods with a port authority."


@pytest.mark.parametrize(("evidence", "serious"), [(NEAR, True), (FAR, False)])
def test_difference_of_form_is_serious_only_where_the_evidence_is_near(evidence: str, serious: bool) -> None:
    """ "May" for "shall" refutes a claim about the same thing, and is only noted where the words are about another one."""
    (found,) = find_contradictions(CLAIM, [evidence])
    assert found.kind == "modality"
    assert (found.severity >= SERIOUS) == serious
    assert found.severity > 0.0
