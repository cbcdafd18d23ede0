"""What says the same in other words is no contradiction."""

from __future__ import annotations

import pytest

from coditect.verify.contradictions.rules import find_contradictions

SAME = (
    ("Incidents must be reported within seventy-two hours.", "Incidents shall be reported within 3 days."),
    ("The licence runs for two (2) years.", "The licence runs for 24 months."),
    ("The licence expires on 3 March 2024.", "The licence expires on March 3, 2024."),
    ("The fee is USD 4,000 for each site.", "The fee is $4,000 for each site."),
    ("Late invoices bear interest at five percent.", "Late invoices bear interest at 5%."),
    ("The operator shall test the alarm every week.", "The operator is required to test the alarm every week."),
    ("The operator must test the alarm every week.", "The operator has to test the alarm every week."),
    ("Visitors may use the side entrance.", "Visitors are permitted to use the side entrance."),
    ("The vendor shall not share the data.", "The vendor may not share the data."),
    ("No visitor may enter the plant alone.", "A visitor must not enter the plant alone."),
    (
        "If the room is clean, the clerk shall refund the deposit.",
        "The clerk shall refund the deposit if the room is clean.",
    ),
    (
        "The clerk shall refund the deposit unless the room is damaged.",
        "The clerk shall refund the deposit except if the room is damaged.",
    ),
    (
        "The clerk shall refund the deposit if the room is clean.",
        "The clerk shall refund the deposit in the event that the room is clean.",
    ),
    ("Backups are kept for at least 30 days.", "Backups are kept for no less than 30 days."),
    ("Backups are kept for no more than 30 days.", "Backups are kept for at most 30 days."),
    ("The seal is checked prior to loading.", "The seal is checked before loading."),
    ("The Licensor shall indemnify the Licensee.", "The Licensee shall be indemnified by the Licensor."),
    ("Returns are handled under Section 4.2.", "Returns are handled under § 4.2."),
    ("The bank reports to the United States Treasury.", "The bank reports to the U.S. Treasury."),
    ("The Data Protection Officer shall keep the register.", "The DPO shall keep the register."),
    ("The clerk shall promptly notify the tenant.", "The clerk shall without delay notify the tenant."),
    ("The tenant is solely responsible for the keys.", "The tenant alone is responsible for the keys."),
    ("The guard (or a deputy) shall lock the gate.", "The guard shall lock the gate."),
    ("The guard shall not be restricted from leaving the post.", "The guard may leave the post."),
    ("The guard shall lock the gate.", "THE GUARD SHALL LOCK THE GATE."),
    ("The guard shall lock the gate, and the clerk shall keep the key.", "The guard shall lock the gate."),
    ("The guard shall lock the gate.", "Under this manual, the guard shall lock the gate."),
    ("The holder shall have the right to inspect the books.", "The holder may inspect the books."),
    (
        "The tenant may not sublet the flat without the owner's consent.",
        "Subletting the flat needs the owner's consent.",
    ),
    (
        "The bank shall charge visitors for all time spent by its clerks.",
        "Visitors are charged by the bank for all time of its clerks.",
    ),
    (
        "The bank shall answer within two business days of receipt of the complaint.",
        "The bank must answer within two business days after the complaint arrives.",
    ),
    (
        "The bank shall answer within two business days of receiving the complaint.",
        "The bank shall answer within two business days of the complaint's arrival.",
    ),
)


@pytest.mark.parametrize(("evidence", "claim"), SAME, ids=lambda value: value[:40])
def test_restatement_is_no_contradiction(evidence: str, claim: str) -> None:
    """Synonyms, other units and forms, other order, the passive, asides left out: nothing of weight is found."""
    assert [each for each in find_contradictions(claim, [evidence]) if each.severity >= 0.5] == []


@pytest.mark.parametrize(("evidence", "claim"), SAME, ids=lambda value: value[:40])
def test_sentence_does_not_contradict_itself(evidence: str, claim: str) -> None:
    """Word for word the same is never a contradiction, not even a remark."""
    assert find_contradictions(evidence, [evidence]) == ()
    assert find_contradictions(claim, [claim]) == ()


def test_figure_of_another_sentence_is_a_remark_where_the_claim_joins_both() -> None:
    """A claim may join two sentences of its evidence; a figure of the other one is none that no evidence has."""
    evidence = [
        "The first depot in the north of the country holds spare parts for pumps.",
        "It was built in 1994 with money from the state.",
    ]
    claim = "Built in 1994, the northern depot keeps parts for all kinds of pumps ready."
    assert [each for each in find_contradictions(claim, evidence) if each.severity >= 0.5] == []
