"""A claim is compared with the predicates that it speaks of; limits said from the other side; parties that are exchanged."""

from __future__ import annotations

import pytest

from coditect.language.reading.sentence import read_sentence
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.alignment.matching import find_pairs
from coditect.verify.alignment.predicates import predicates_of, shares_of, speaks_of
from coditect.verify.contradictions.limits import is_limit_kept
from coditect.verify.staged.stages import assess, ruled_label

EXPORTER = (
    "The data exporter shall inform the data importer of any request for access received from a data subject, and shall not"
    " respond to it itself unless authorised to do so."
)
SECRET = (
    "Except as required by law, neither party shall disclose the Confidential Information of the other party to any third"
    " party, other than to its employees who have a need to know."
)
LICENCE = (
    "Licensee shall not sublicense, assign or otherwise transfer its rights under this Agreement without the prior written"
    " consent of Licensor, which consent shall not be unreasonably withheld."
)
AUDITOR = (
    "A Fund Manager must appoint an independent auditor and must ensure that the auditor is not an Associate of the Fund"
    " Manager."
)
COMPLAINT = (
    "Where a complaint is not resolved within eight weeks, the firm must send the complainant a written explanation of why it"
    " is not yet in a position to resolve it."
)
SALES = (
    "Net sales for the third quarter were $841 million, down 4.1% from $876 million in the same quarter of the prior year,"
    " primarily because of lower volume in the residential segment."
)
RISK = (
    "The risk of loss shall pass to Buyer upon delivery of the Goods to the carrier, and title shall pass upon payment in"
    " full."
)
LATE = "Customer shall pay a late charge of one and one-half percent (1.5%) per month on any amount not paid when due."
MEETINGS = (
    "The Board of Directors shall meet at least quarterly, and may hold additional meetings at the request of any two"
    " directors."
)
ACCOUNT = "A bank must not open or maintain an anonymous account or an account in a fictitious name."

SAME = (
    ("The data importer must be informed by the data exporter of access requests from data subjects.", EXPORTER),
    ("An independent auditor must be appointed by the Fund Manager.", AUDITOR),
    ("The auditor must not be an Associate of the Fund Manager.", AUDITOR),
    ("Confidential Information of the other party may be disclosed where the law so requires.", SECRET),
    ("A party may disclose the other party's Confidential Information to employees with a need to know.", SECRET),
    ("The Licensee may transfer its rights under this Agreement only with the Licensor's prior written consent.", LICENCE),
    ("The complainant must be sent a written explanation by the firm if the complaint remains unresolved after eight weeks.",
     COMPLAINT),
    ("Third-quarter net sales fell by 4.1 percent to $841 million.", SALES),
    ("Amounts that are overdue bear a late charge of 1.5 % a month, to be paid by the Customer.", LATE),
    ("No account may be opened in a fictitious name.", ACCOUNT),
)  # fmt: skip

OTHER = (
    ("A party may disclose the other party's Confidential Information to all of its employees.", SECRET),
    ("The Licensee is free to assign its rights under this Agreement without the Licensor's consent.", LICENCE),
    (
        "The data importer shall inform the data exporter of any request for access received from a data subject.",
        EXPORTER,
    ),
    (
        "The complainant must send the firm a written explanation where a complaint is not resolved within eight weeks.",
        COMPLAINT,
    ),
    ("Net sales for the third quarter rose 4.1% to $841 million.", SALES),
    ("Title passes to the Buyer upon delivery of the Goods to the carrier.", RISK),
    ("Neither party may disclose the other's Confidential Information to anybody under any circumstances.", SECRET),
    ("Additional meetings may be held at the request of a single director.", MEETINGS),
    ("A bank may open an anonymous account.", ACCOUNT),
)


@pytest.mark.parametrize(("claim", "evidence"), SAME)
def test_claim_about_one_predicate_is_not_refuted_by_another(claim: str, evidence: str) -> None:
    """What the other predicates deny or limit, an exception told as what is allowed, and a passive refute nothing."""
    assert ruled_label(claim, [evidence], 0.7) == "supported"


@pytest.mark.parametrize(("claim", "evidence"), OTHER)
def test_claim_that_says_something_else_is_not_supported(claim: str, evidence: str) -> None:
    """Exchanged parties, subjects with another predicate, limits left out, directions and counts keep a claim back."""
    assert assess(claim, [evidence], 0.7).label != "supported"


def test_predicates_are_told_by_their_verbs() -> None:
    """Coordinated verbs and relatives behind a comma begin a predicate; coordinated subjects and conditions do not."""
    for text, count in (
        (EXPORTER, 2), (AUDITOR, 2), (LICENCE, 2), (RISK, 2), (ACCOUNT, 1),
        ("The seller and the buyer shall sign.", 1),
        ("If a party is in default and the other has given notice, the lease may be ended.", 1),
    ):  # fmt: skip
        found = predicates_of(read_sentence(text))
        assert len(found) == count, text
        assert [each.start for each in found[1:]] == [each.stop for each in found[:-1]]


def test_claim_speaks_of_the_predicates_that_it_takes_words_from() -> None:
    """The one with most of its words comes first; one whose words another has as well is not spoken of."""
    claim = read_sentence("An independent auditor must be appointed by the Fund Manager.")
    pair = find_pairs(claim, 0, EvidenceIndex([AUDITOR]))[0]
    assert [number for number, _ in shares_of(pair)] == [0]
    assert speaks_of(pair, 0)
    assert not speaks_of(pair, len(pair.evidence.tokens) - 1)


def test_limit_is_kept_where_the_excepted_case_alone_is_allowed() -> None:
    """Not where the claim denies the exception, or asserts a duty."""
    for claim, kept in (
        ("The Licensee may transfer its rights with the prior written consent of Licensor.", True),
        ("The Licensee may transfer its rights without the prior written consent of Licensor.", False),
        ("The Licensee must transfer its rights with the prior written consent of Licensor.", False),
    ):
        pair = find_pairs(read_sentence(claim), 0, EvidenceIndex([LICENCE]))[0]
        assert is_limit_kept(pair) is kept


@pytest.mark.parametrize("invisible", ["\u200e", "\u200b", "\u00ad", "\ufeff"])
def test_characters_that_print_nothing_decide_nothing(invisible: str) -> None:
    """A claim has the label and score that it has without them, on whichever side they stand."""
    for claim, evidence in (SAME[0], SAME[7], OTHER[3]):
        plain = assess(claim, [evidence], 0.7)
        for said, cited in (
            (claim.replace(" ", f" {invisible}"), evidence),
            (claim, evidence.replace("a", f"a{invisible}")),
        ):
            found = assess(said, [cited], 0.7)
            assert (found.label, found.score) == (plain.label, plain.score)
