"""What lead-ins make of their items: elements of one offence, and titles and whole sentences to which items belong or do not."""

from __future__ import annotations

import pytest

from coditect.documents.readers import read_source
from coditect.schemas import NormData
from coditect.tiers.extractions.document import extraction_records, read_document
from tests.unit.tiers.corpora import version_of

Told = tuple[str, str | None, str | None]


def told(text: str, name: str = "act.md") -> list[Told]:
    """(locator, who, act) of each duty, prohibition and leave of a document."""
    reading = read_document(read_source(text.encode(), name))
    found = extraction_records(version_of(name, text), reading, "derivation")
    norms = [(each, each.tier1_data) for each in found]
    return [(each.locator, data.actor, data.action) for each, data in norms if isinstance(data, NormData)]


ELEMENTS = """# Health Act

**15 Confidentiality**

(1) A person commits an offence if:

(a) information was disclosed to the person; and

(b) the person:

(i) uses the information; or

(ii) discloses it.

(2) A person commits an offence if the person:

(a) drives a vehicle; and

(b) does not hold a licence.

(3) A person commits an offence if the person:

(a) drives a horse; or

(b) rides a mule.
"""


def test_elements_of_an_offence_are_one_prohibition() -> None:
    """Nothing is forbidden that one element tells alone; acts of which each is an offence are told each."""
    assert told(ELEMENTS) == [
        ("(1)", "A person",
         "information was disclosed to the person and the person uses the information or discloses it"),
        ("(2)", "A person", "drives a vehicle and does not hold a licence"),
        ("(3)(a)", "A person", "drives a horse"),
        ("(3)(b)", "A person", "rides a mule"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "act"),
    [
        ("if information was disclosed to him and he uses it", "information was disclosed to him and he uses it"),
        ("if he keeps a dog and the dog is not licensed", "keeps a dog and the dog is not licensed"),
        ("where a notice was served and the person ignores it", "a notice was served and the person ignores it"),
    ],
)
def test_an_offence_in_one_sentence_has_all_of_its_elements(sentence: str, act: str) -> None:
    """Also where the first of them is nothing that the person does."""
    assert told(f"# Dog Act\n\n1 Dogs\n\nA person commits an offence {sentence}.") == [("1", "A person", act)]
