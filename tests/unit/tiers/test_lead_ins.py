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


def below(lead: str, *items: str) -> list[tuple[str | None, str | None]]:
    """(who, act) of what a policy asks in a list."""
    text = "\n".join(("# Access Policy", "", "## 1 Rules", "", lead, "", *(f"- {item}" for item in items), ""))
    return [(who, act) for _, who, act in told(text, "access-policy.md")]


REQUESTS = ("Find the cause", "Notify the keeper")


@pytest.mark.parametrize("heading", ["First steps:", "Root Cause Analysis:", "Behaviour:"])
def test_requests_below_a_heading_are_told_without_it(heading: str) -> None:
    """A heading is no word of what is asked, whatever it seems to name."""
    assert below(heading, *REQUESTS) == [(None, each) for each in REQUESTS]


@pytest.mark.parametrize("heading", ["Data Protection Officer:", "System administrators:"])
def test_a_heading_that_names_a_role_names_who_acts(heading: str) -> None:
    """Of each request below it."""
    assert below(heading, *REQUESTS) == [(heading[:-1], each) for each in REQUESTS]


STEPS = {
    "Isolate the system from the network.": ("obligation", "Isolate the system from the network"),
    "Restore data from backups.": ("obligation", "Restore data from backups"),
    "Do not power off the machine.": ("prohibition", "power off the machine"),
    "Don’t answer the sender.": ("prohibition", "answer the sender"),
    "Never delete logs.": ("prohibition", "delete logs"),
    "Never discuss it": ("prohibition", "discuss it"),
}


def steps(lead: str, *items: str) -> list[tuple[str, str | None, str | None]]:
    """(kind, who, act) of what a plan asks in a list."""
    text = "\n".join(("# Incident Plan", "", "## 3. Steps", "", lead, "", *(f"- {item}" for item in items), ""))
    reading = read_document(read_source(text.encode(), "plan.md"))
    found = extraction_records(version_of("plan.md", text), reading, "derivation")
    norms = [(each.extraction_kind, each.tier1_data) for each in found]
    return [(kind, data.actor, data.action) for kind, data in norms if isinstance(data, NormData)]


@pytest.mark.parametrize("lead", ["", "Initial Response:", "Recovery:", "If you suspect a breach:", "When travelling:"])
@pytest.mark.parametrize(
    "items",
    [
        ("Isolate the system from the network.", "Restore data from backups."),
        ("Do not power off the machine.", "Don’t answer the sender.", "Never delete logs."),
        ("Isolate the system from the network.", "Do not power off the machine.", "Never delete logs."),
        ("Never discuss it", "Restore data from backups."),
        ("Never delete logs.",),
    ],
)
def test_requests_not_to_do_something_are_requests(lead: str, items: tuple[str, ...]) -> None:
    """What is asked to be left undone counts as what is asked, and is forbidden there as it is without a heading."""
    assert steps(lead, *items) == [(STEPS[each][0], None, STEPS[each][1]) for each in items]


@pytest.mark.parametrize("heading", ["Data Protection Officer:", "Staff responsibilities:", "System administrators:"])
def test_whom_a_heading_names_is_forbidden_what_stands_below(heading: str) -> None:
    """As well as asked; what has another subject is not his."""
    who = heading.removesuffix(" responsibilities:").removesuffix(":")
    items = ("Review the log and do not copy it.", "Never delete logs.", "Keys must not be copied.")
    assert steps(heading, *items) == [
        ("obligation", who, "Review the log"), ("prohibition", who, "copy it"), ("prohibition", who, "delete logs"),
        ("prohibition", None, "be copied"),
    ]  # fmt: skip


@pytest.mark.parametrize("heading", ["Prohibited actions:", "Don’ts:", "Unacceptable use:", "Never:"])
def test_a_heading_that_forbids_asks_for_nothing_below_it(heading: str) -> None:
    """It forbids what its items ask; what forbids by itself stays what it is."""
    items = ("Install any software", "Delete the logs", "Do not copy keys")
    assert steps(heading, *items) == [
        ("prohibition", None, "Install any software"),
        ("prohibition", None, "Delete the logs"),
        ("prohibition", None, "copy keys"),
    ]


@pytest.mark.parametrize("lead", ["", "Controls:", "Initial Response:"])
def test_names_of_things_are_no_requests(lead: str) -> None:
    """Also where "never" is a part of them."""
    assert steps(lead, "Account lockout after 5 attempts", "Never events", "Never events register", "Old keys") == []


def test_things_below_a_heading_are_no_requests() -> None:
    """Where most items ask for nothing, one that begins with a word that may be a verb asks for nothing either."""
    assert (
        below("Controls:", "Account lockout after 5 attempts", "Twelve characters", "Old passwords", "A clean desk")
        == []
    )


@pytest.mark.parametrize(
    ("lead", "act"),
    [
        ("The team reviews each incident:", "reviews each incident"),
        ("Vendors must undergo an evaluation of their security:", "undergo an evaluation of their security"),
    ],
)
def test_a_whole_act_takes_no_labelled_items(lead: str, act: str) -> None:
    """What is told below under names of its own is no part of the act, which is told at its own sentence."""
    assert [each for _, each in below(lead, "Timeline:", "Root cause: The keeper is asked", "Impact:")] == [act]


@pytest.mark.parametrize(
    "lead", ["The clerk must maintain in full force:", "The clerk must hold the following covers:"]
)
def test_an_open_act_takes_its_items(lead: str) -> None:
    """Also where they have names of their own: without them it would have no object."""
    act = lead.removeprefix("The clerk must ").removesuffix(":")
    items = ("Fire cover: the whole house.", "Theft: the store.")
    assert [each for _, each in below(lead, *items)] == [f"{act} {each[:-1]}" for each in items]


def test_an_aside_in_brackets_takes_no_items() -> None:
    """They go on behind the words of force; who is bound stays."""
    lead = "The client shall not (and shall not permit any third party to):"
    assert below(lead, "copy the platform;", "sell the platform.") == [
        ("The client", "copy the platform"), ("The client", "sell the platform"),
    ]  # fmt: skip
