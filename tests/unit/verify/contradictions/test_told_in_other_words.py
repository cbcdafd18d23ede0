"""What says the same by other words keeps no veto of a rule, and what differs by as little is not supported."""

from __future__ import annotations

import pytest

from coditect.language.reading.binding import find_stance
from coditect.language.reading.sentence import read_sentence
from coditect.verify.staged.stages import assess
from coditect.verify.staged.vetoes import QuotedPart, find_vetoes

SAME = {
    "a denied subject with a relative clause": (
        (
            "Employees who can open the vault must not count the cash.",
            "No employee who can open the vault may count the cash.",
        ),
        ("A driver who must carry fuel must not smoke.", "No driver who must carry fuel may smoke."),
        ("A person who will handle cash shall not work alone.", "Nobody who will handle cash shall work alone."),
    ),
    "only, behind what it limits": (
        ("The data may be used for authorised trials only.", "The data may only be used for authorised trials."),
        (
            "Clerks store the letters for authorised purposes only.",
            "Clerks only store the letters for authorised purposes.",
        ),
        (
            "Keys are given to staff only, and stored in the safe.",
            "Keys are only given to staff, and stored in the safe.",
        ),
        ("The form is sent to residents exclusively.", "The form is only sent to residents."),
    ),
    "what alone is taken out of a prohibition": (
        (
            "Only minor repairs may be made without telling the landlord beforehand.",
            "Changes must not be made without telling the landlord beforehand, unless the change is a minor repair.",
        ),
        ("Only residents may park without a permit.", "Nobody may park without a permit, unless they are residents."),
        (
            "Only gifts below 50 euros may be taken without a report.",
            "Gifts must not be taken without a report, unless the gift is below 50 euros.",
        ),
    ),
    "no … without": (
        (
            "No van or trailer may be rented out without a check of the brakes.",
            "All vans and trailers must have a check of the brakes before they are rented out.",
        ),
        ("No invoice may be paid without a purchase order.", "Every invoice must have a purchase order."),
    ),
    "nothing limits": (
        (
            "A lodger keeps the right to bring any claim for a defect of the flat, whatever this section says.",
            "Nothing in this section shall be construed to limit a lodger's right to bring any claim for a defect of the flat.",
        ),
    ),
    "to make somebody do something": (
        ("The club makes its members sign the register.", "The club requires its members to sign the register."),
    ),
    "a second clause with that": (
        (
            "It may be used to ensure that this data is current.",
            "Staff may use the list to ensure that systems are safe and that this data is current.",
        ),
    ),
    "not before is only after": (
        (
            "Guests may enter the cellar only after the owner has opened it.",
            "In no event shall guests enter the cellar prior to the opening of it by the owner.",
        ),
        ("Claims must not be filed after the hearing.", "Claims must be filed before the hearing."),
        (
            "Claims may not be filed after the hearing is closed.",
            "Claims must be filed no later than the time the hearing is closed.",
        ),
    ),
    "if, for whether": (
        (
            "Whether badges are valid is determined by checks of the register.",
            "Register checks determine if badges are valid.",
        ),
    ),
    "suspended is not done": (
        ("Payments must not be made while a dispute is open.", "Payments shall be suspended while a dispute is open."),
    ),
    "the head of a compound": (
        (
            "Records of a customer of the bank platform must be kept.",
            "Records belonging to the bank platform customer must be kept.",
        ),
    ),
    "who still is, for unless no longer": (
        (
            "A member who is still active must pay the fee.",
            "A member must pay the fee, unless the member is no longer active.",
        ),
    ),
    "what binds in a relative clause, or is a noun": (
        (
            "An ad that mentions pools must say what they can be used for.",
            "Ads which refer to pools must state the use to which such pools can be put.",
        ),
        (
            "It must not do anything that could harm the buyer.",
            "It shall not take any action that might harm the buyer.",
        ),
    ),
    "even if, for where … still": (
        (
            "Even if the valves are closed by trained staff, gas may still reach the hall.",
            "In cases where the valves are closed by trained staff, it is still possible that gas will reach the hall.",
        ),
    ),
    "does not replace": (
        (
            "The fee under rule 3 does not replace other fees that the statutes provide.",
            "The fee under rule 3 shall be in addition to any other fee provided by the statutes.",
        ),
    ),
    "questionable": (("Old keys may not be valid.", "If keys are old, their validity may be questionable."),),
    "optional is what may be": (
        ("Registration is voluntary for vendors.", "Vendors may register."),
        ("Registration is optional for vendors.", "Vendors need not register."),
    ),
}
OTHER = {
    "a denied subject with a relative clause": (
        (
            "Employees who can open the vault may count the cash.",
            "No employee who can open the vault may count the cash.",
        ),
        ("No tenant who may sublet shall repaint.", "No tenant who may repaint shall sublet."),
        ("A driver who must carry fuel must smoke.", "No driver who must carry fuel may smoke."),
        ("A driver who need not carry fuel must not smoke.", "No driver who must carry fuel may smoke."),
        ("No party shall claim that it may leave.", "No party may leave."),
    ),
    "only, before other words": (
        (
            "Only the safety officer may use the plant for trials.",
            "The safety officer may use the plant for trials only.",
        ),
        ("The report goes to members only.", "Only the report goes to members."),
        (
            "The plant may be used by the officer only for trials.",
            "The plant may only be used by the officer for trials.",
        ),
        ("The data may be used for authorised trials.", "The data may only be used for authorised trials."),
        (
            "Keys are stored in the safe and are only given to staff.",
            "Keys are only stored in the safe and are given to staff.",
        ),
    ),
    "what is not taken out of a prohibition": (
        (
            "Only major repairs may be made without telling the landlord beforehand.",
            "Changes must not be made without telling the landlord beforehand, unless the change is a minor repair.",
        ),
        ("Only visitors may park without a permit.", "Nobody may park without a permit, unless they are residents."),
        ("Only residents may park with a permit.", "Nobody may park without a permit, unless they are residents."),
        ("Residents must park without a permit.", "Nobody may park without a permit, unless they are residents."),
    ),
    "no … with": (
        ("No laptop may be issued with disk encryption.", "All laptops issued must have disk encryption."),
        ("Laptops may be issued without disk encryption.", "All laptops issued must have disk encryption."),
        ("No invoice may be paid without a purchase order.", "Every invoice may have a purchase order."),
        ("No purchase order may be made without an invoice.", "Every invoice must have a purchase order."),
    ),
    "nothing gives": (
        ("Workers keep the right to strike.", "Nothing in this law gives workers the right to strike."),
        ("Workers forfeit the right to strike.", "Nothing in this law shall restrict the workers' right to strike."),
        (
            "A tenant has no right to sue.",
            "Nothing in this section shall be construed to limit a tenant's right to sue.",
        ),
    ),
    "to encourage somebody to do something": (
        (
            "The club encourages its members to sign the register.",
            "The club requires its members to sign the register.",
        ),
        ("The club makes the members' register.", "The club requires its members to sign the register."),
    ),
    "another verb before that": (
        (
            "It may be used to sell that this data is current.",
            "Staff may use the list to ensure that systems are safe and that this data is current.",
        ),
    ),
    "before and after": (
        ("Guests may enter only before the bell has rung.", "Guests must not enter before the bell has rung."),
        ("Guests must enter after the bell has rung.", "Guests must not enter before the bell has rung."),
        ("Guests must not enter after the bell has rung.", "Guests must not enter before the bell has rung."),
        (
            "Claims may be filed after the hearing is closed.",
            "Claims must be filed no later than the time the hearing is closed.",
        ),
        (
            "Claims may not be filed after the appeal is closed.",
            "Claims must be filed no later than the time the hearing is closed.",
        ),
    ),
    "if, as a condition": (("The clerk pays the fee.", "The clerk pays the fee if badges are valid."),),
    "what is suspended": (
        (
            "Payments must not be suspended while a dispute is open.",
            "Payments shall be suspended while a dispute is open.",
        ),
        ("Payments must be made while a dispute is open.", "Payments shall be suspended while a dispute is open."),
    ),
    "who acts on whom": (
        ("Records of the bank must be kept by the customer.", "Records of the customer must be kept by the bank."),
    ),
    "who no longer is": (
        ("A member must pay the fee.", "A member must pay the fee, unless the member is no longer active."),
        (
            "A member who is no longer active must pay the fee.",
            "A member must pay the fee, unless the member is no longer active.",
        ),
    ),
    "what binds outside of a relative clause": (
        (
            "An ad that mentions pools may say what they are used for.",
            "Ads which refer to pools must state the use to which such pools are put.",
        ),
        ("It may do anything that could harm the buyer.", "It shall not take any action that might harm the buyer."),
    ),
    "even if, for if": (
        ("Even if a member is ill, the member pays the fee.", "If a member is ill, the member pays the fee."),
    ),
    "replaces": (
        (
            "The fee under rule 3 replaces other fees that the statutes provide.",
            "The fee under rule 3 shall be in addition to any other fee provided by the statutes.",
        ),
        (
            "The fee under rule 3 does not replace other fees.",
            "The fee under rule 3 shall replace any other fee.",
        ),
    ),
    "one of several places": (
        (
            "It is provided that §§ 1, 2, 3, and 5 of the act shall apply as of March 10, 2015.",
            "It is provided that §§ 1, 2, 3, and 4 of the act shall apply as of March 10, 2015.",
        ),
    ),
    "optional is no duty": (
        ("Wearing badges is optional for staff.", "Staff must wear badges."),
        ("Registration is not mandatory for vendors.", "Vendors must register."),
        ("Attendance is voluntary for members.", "Members must attend."),
    ),
    "any, of what is one of two kinds": (
        (
            "A nurse who breaks any rule of this chapter shall pay a fine of up to $500 for each breach.",
            "A nurse who breaks hygiene or safety rules of this chapter shall pay a fine of up to $500 for each breach.",
        ),
    ),
    "a condition that is not taken up": (
        ("The seller repays the price.", "If the goods are not delivered in time, the seller repays the price."),
    ),
}


def _vetoes(claim: str, evidence: str) -> list[str]:
    found = assess(claim, [evidence], 0.7)
    part = QuotedPart(0, len(claim), (evidence,))
    return [each.detail for each in find_vetoes(claim, [part], found.signals)]


@pytest.mark.parametrize(("claim", "evidence"), [pair for pairs in SAME.values() for pair in pairs])
def test_no_rule_refuses_what_says_the_same(claim: str, evidence: str) -> None:
    """A reader who quotes the statement may settle it, and it is not refused before anybody reads it."""
    assert assess(claim, [evidence], 0.7).label != "unsupported"
    assert _vetoes(claim, evidence) == []


@pytest.mark.parametrize(("claim", "evidence"), [pair for pairs in OTHER.values() for pair in pairs])
def test_what_differs_by_as_little_is_not_supported(claim: str, evidence: str) -> None:
    """Near misses of the same classes."""
    assert assess(claim, [evidence], 0.7).label != "supported"


def test_a_condition_taken_up_from_the_sentence_before_is_a_doubt() -> None:
    """ "In that case" stands for the condition; which one it is, the sentence before tells, so a person or a model decides."""
    evidence = "If the goods are not delivered in time, the seller repays the price."
    assert _vetoes("In that case the seller repays the price.", evidence) == []
    assert _vetoes("The seller repays the price.", evidence) != []


@pytest.mark.parametrize(
    ("sentence", "stances"),
    [
        ("No seller who will ship abroad may ask for cash.", ["shall", "shall not"]),
        ("No seller that must, by law, may pay in cash.", ["shall", "shall not"]),
        ("Nobody who works here may smoke.", ["shall not"]),
        ("No party shall claim that it may leave.", ["shall not", "may"]),
        ("Sellers who may ship abroad must ask for cash.", ["may", "shall"]),
    ],
)
def test_a_denied_subject_turns_its_own_verb(sentence: str, stances: list[str]) -> None:
    """What stands in a relative clause of the subject is not denied by it."""
    reading = read_sentence(sentence)
    modals = [n for n, token in enumerate(reading.tokens) if token.role == "modal"]
    assert [find_stance(reading, n).key for n in modals] == stances
