"""Rows of tables of duties, and the role that a manifest states."""

from __future__ import annotations

import pytest

from coditect.documents.readers import read_source
from coditect.knowledge.derivation.plan import ChunkPlan, practising_role
from coditect.schemas import DeclaredProfile, Extraction, NormData
from coditect.tiers.extractions.document import extraction_records, read_document
from tests.unit.tiers.corpora import version_of


def _norms(name: str, text: str, stated_role: str = "") -> list[tuple[Extraction, NormData]]:
    reading = read_document(read_source(text.encode(), name))
    found = extraction_records(version_of(name, text), reading, "tier1", stated_role=stated_role)
    return [(each, each.tier1_data) for each in found if isinstance(each.tier1_data, NormData)]


def _told(name: str, text: str) -> list[tuple[str | None, str | None, str]]:
    return [
        (d.actor, d.action, d.deadline.text if d.deadline and not isinstance(d.deadline, str) else "")
        for _, d in _norms(name, text)
    ]


def test_columns_give_holder_act_and_time() -> None:
    """The head of the table says which column is which."""
    text = (
        "# Kitchen Procedure\n"
        "\n"
        "| Step | Who | By when |\n"
        "|---|---|---|\n"
        "| Form K-2 filled in | Head cook | Within 48 hours |\n"
        "| Stock count | Storeman | 3 working days |\n"
    )
    assert _told("kitchen.md", text) == [
        ("Head cook", "Form K-2 filled in", "Within 48 hours"),
        ("Storeman", "Stock count", "3 working days"),
    ]


def test_letters_of_responsibility_name_the_holder() -> None:
    """R is whose duty it is; the letters are no part of how long it lasts."""
    text = (
        "# Stable Procedure\n"
        "\n"
        "| Task | Groom | Yard manager |\n"
        "|---|---|---|\n"
        "| Keep the feed book for 5 years | I | R |\n"
        "| Clean the boxes every 2 days | R | A |\n"
    )
    (_, kept), (_, cleaned) = _norms("stable.md", text)
    assert (kept.actor, kept.action, kept.duration) == ("Yard manager", "Keep the feed book", "for 5 years")
    assert cleaned.actor == "Groom"
    assert cleaned.frequency is not None
    assert cleaned.frequency.text == "every 2 days"


def test_frequency_has_a_column() -> None:
    """ "Role | Duty | Frequency"."""
    text = (
        "# Museum Procedure\n\n| Role | Duty | Frequency |\n|---|---|---|\n| Registrar | Count the loans | weekly |\n"
    )
    ((_, norm),) = _norms("museum.md", text)
    assert norm.actor == "Registrar"
    assert norm.frequency is not None
    assert round(norm.frequency.per_year or 0) == 52


def test_actions_of_minutes_are_duties() -> None:
    """Who does what by when binds in minutes, too; a number and a state are no part of it."""
    text = (
        "# Minutes of the parish council\n"
        "\n"
        "Present: the rector.\n"
        "\n"
        "| No | Action | Owner | Due | Status |\n"
        "|---|---|---|---|---|\n"
        "| 1 | Order 40 chairs | Sexton | 3 May 2027 | Open |\n"
    )
    assert _told("minutes.md", text) == [("Sexton", "Order 40 chairs", "3 May 2027")]


def test_rows_of_workbooks_name_their_columns() -> None:
    """A cell that repeats the name of its column has a value behind it."""
    text = (
        "Risk,Action,Owner,Due date,Status\n"
        "Flood,The warden must close the sluice by 2026-12-31,Warden,2026-12-31,Open\n"
    )
    (told,) = _told("register.csv", text)
    assert told == ("Warden", "close the sluice", "2026-12-31")


def test_other_rows_are_read_cell_by_cell() -> None:
    """A norm ends where its cell ends."""
    text = (
        "# Notes\n"
        "\n"
        "| Point | Rule | State |\n"
        "|---|---|---|\n"
        "| Keys | The clerk must return the key by 3 May 2027 | Open |\n"
    )
    assert _told("notes.md", text) == [("The clerk", "return the key", "by 3 May 2027")]


def test_table_of_limits_is_no_table_of_duties() -> None:
    """Without a column for who acts nothing is a duty."""
    text = (
        "# Works Procedure\n\n| Substance | Limit | Measured |\n|---|---|---|\n| Ammonia | 25 ppm | every 3 months |\n"
    )
    assert _norms("works.md", text) == []


@pytest.mark.parametrize("role", ["policy", "procedure", "standard"])
def test_stated_role_opens_the_present_tense(role: str) -> None:
    """Where a manifest says what a document is, its present tense tells duties, whatever its title hides."""
    text = "# KP-03 Looking after the kiln\n\nThe potter checks the flue every week.\n"
    assert _norms("kp03.md", text) == []
    ((_, norm),) = _norms("kp03.md", text, role)
    assert norm.action == "checks the flue"


@pytest.mark.parametrize("role", ["record", "contract", "law", "guidance", ""])
def test_other_roles_open_nothing(role: str) -> None:
    """A letter, a contract or a report tells facts in the present."""
    assert _norms("letter.md", "# To our friends\n\nThe potter checks the flue every week.\n", role) == []


@pytest.mark.parametrize(
    "head",
    [
        "# KP-03 Looking after the kiln\n\nEdition 4. Owner: Head Potter. Effective date: 1 March 2026.\n",
        "# Looking after the kiln\n\nProcedure No. KP-03\n",
        "# Method statement for the kiln\n",
        "# The kiln\n\nThis document sets out how we fire the kiln.\n",
    ],
)
def test_own_words_make_a_procedure(head: str) -> None:
    """Owner and edition, a number, a method statement, and how we do it tell what a paper is."""
    ((_, norm),) = [
        each for each in _norms("kp03.md", f"{head}\nThe potter checks the flue every week.\n") if each[1].frequency
    ]
    assert (norm.actor, norm.modality) == ("The potter", "present")


def test_initial_of_a_name_is_no_label() -> None:
    """ "R. Ivers shall" is cited by the number in front, "A. Tenant shall" by its letter."""
    ((record, norm),) = _norms("plan.md", "# Plan\n\n4. Action: R. Ivers shall submit the plan by 1 May 2027.\n")
    assert (record.locator, norm.actor) == ("4", "R. Ivers")
    labels = [
        each.locator
        for each, _ in _norms(
            "lease.md", "# Lease\n\nA. Tenant shall pay rent.\n\nB. Landlord shall repair the roof.\n"
        )
    ]
    assert labels == ["A", "B"]


def test_stated_role_is_a_parameter_of_tier_1() -> None:
    """Another manifest derives a document again only where its stated role opens, or opened, the present tense."""
    version = version_of("kp03.md", "# Looking after the kiln\n")
    plain = ChunkPlan("textrank").tier1_id(version)
    for role in ("record", "contract", "law"):
        assert practising_role(DeclaredProfile(role=role)) == ""
    assert practising_role(None) == ""
    opened = practising_role(DeclaredProfile(role="procedure"))
    step = ChunkPlan("textrank", stated_role=opened).tier1_step(version)
    assert step.derivation_id != plain
    assert step.parameters == {"stated_role": "procedure"}
    assert ChunkPlan("textrank", stated_role="").tier1_id(version) == plain


def test_tables_that_follow_each_other_have_columns_of_their_own() -> None:
    """A row that names columns begins another table, whatever separates the two in the text."""
    text = (
        "# Boathouse Procedure\n\n"
        "| Role | Duty | Frequency |\n|---|---|---|\n| Boatman | must check the oars | weekly |\n\n"
        "| No | Action | Owner | Due |\n|---|---|---|---|\n| 1 | Varnish the hulls | Head carpenter | 30 April 2027 |\n\n"
        "| Task | Cox | Bosun |\n|---|---|---|\n| Lock the slipway | I | R |\n"
    )
    rows = [d for _, d in _norms("boathouse.md", text)]
    assert [(d.actor, d.action) for d in rows] == [
        ("Boatman", "check the oars"),
        ("Head carpenter", "Varnish the hulls"),
        ("Bosun", "Lock the slipway"),
    ]
    assert rows[0].frequency is not None
    assert rows[0].frequency.text == "weekly"
    assert not isinstance(rows[1].deadline, str)
    assert rows[1].deadline is not None
    assert rows[1].deadline.iso == "2027-04-30"


def test_settled_rows_ask_for_nothing() -> None:
    """What is done or accepted nobody has to do any more; the cell of an act may name who acts itself."""
    text = (
        "Risk,Treatment,Owner,Due date,Status\n"
        "Fire,Fit a sprinkler in the loft,R. Marrow,2027-02-01,Open\n"
        "Theft,Accepted until 2027-12-31,R. Marrow,2027-12-31,Accepted\n"
        "Flood,The lock keeper must raise the sill,R. Marrow,2027-03-01,Open\n"
    )
    assert _told("risks.csv", text) == [
        ("R. Marrow", "Fit a sprinkler in the loft", "2027-02-01"),
        ("The lock keeper", "raise the sill", "2027-03-01"),
    ]


def test_infinitive_of_an_action_belongs_to_its_owner() -> None:
    """ "Stores to order" beside an owner is the owner's act."""
    text = "Action,Owner,Due\nStores to order new ropes,Head of Stores,2027-05-01\n"
    assert _told("actions.csv", text) == [("Head of Stores", "order new ropes", "2027-05-01")]


def test_time_of_another_kind_is_told_as_what_it_is() -> None:
    """ "Monthly" in a column for the due day says how often."""
    text = "# Mill Procedure\n\n| Step | Who | Due |\n|---|---|---|\n| Grease the axle | Miller | monthly |\n"
    ((_, told),) = _norms("mill.md", text)
    assert told.frequency is not None
    assert told.frequency.per_year == 12
    assert told.deadline is None
