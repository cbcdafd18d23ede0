"""Classes of clauses that were read wrongly in by-laws, policies, regulations and contracts; all sentences are invented."""

from __future__ import annotations

import pytest

from coditect.language.definitions.prose import find_definitions
from tests.unit.language.clauses import only_clause, read_clauses


@pytest.mark.parametrize(
    ("text", "about", "condition"),
    [
        ("If a leak is found, spare valves must be fitted.", "spare valves", "If a leak is found"),
        ("To be safe, unused lockers should be emptied.", "unused lockers", None),
        ("Where possible, data are to be copied.", "data", "Where possible"),
        ("Should the chair be ill, the meeting shall be moved.", "the meeting", "Should the chair be ill"),
        ("Per house rules, old keys must be melted.", "old keys", None),
    ],
)
def test_subject_without_a_determiner_is_found_behind_an_adjunct(text: str, about: str, condition: str | None) -> None:
    """A bare noun phrase behind a comma is what the clause is about, and no part of the adjunct before it."""
    data = only_clause(text)
    assert data["object"] == about
    assert data.get("condition") == condition


@pytest.mark.parametrize(
    ("text", "actor"),
    [
        ("After two weeks of training the apprentice officer shall sit the test.", "the apprentice officer"),
        ("For safety reasons, company managers may close the hall.", "company managers"),
        ("The Office, in granting any aid, loan or lease, shall keep a list.", "The Office"),
        ("If a Party moves, that Party shall tell the clerk.", "that Party"),
        ("Each data subject shall have the right to see the file.", "Each data subject"),
    ],
)
def test_holder_is_named_whatever_stands_before_it(text: str, actor: str) -> None:
    """Whom a clause binds is found without a comma, behind an aside, and with its determiner."""
    assert only_clause(text)["actor"] == actor


def test_negative_subject_behind_an_adjunct_without_a_comma_forbids() -> None:
    """ "Except as provided in section 9 no person shall": polarity comes from the subject."""
    ((kind, data),) = read_clauses("Except as provided in section 9 no tenant with a lease shall be denied the garden.")
    assert (kind, data["object"], data["modality"]) == ("prohibition", "tenant with a lease", "shall not")


@pytest.mark.parametrize(
    ("text", "actor"),
    [
        ("Appeals shall be heard and decided by the Registrar.", "the Registrar"),
        ("Records must be kept under rules set by the Registrar.", None),
        ("No lamp may be sold without approval by the Registrar.", None),
        ("All matters shall be settled by the vote of the members.", None),
        ("Exceptions must be signed by both the Registrar and Bursar.", "both the Registrar and Bursar"),
    ],
)
def test_agent_of_a_passive_is_that_of_its_own_participle(text: str, actor: str | None) -> None:
    """ "By" names who acts only behind the clause's own participle, and only where somebody can act."""
    assert only_clause(text).get("actor") == actor


@pytest.mark.parametrize(
    ("text", "kind", "position"),
    [
        ("This part does not require the bank to rebuild its vault.", "permission", "exemption"),
        ("A carrier shall be exempt from liability if it proves delay.", "permission", "exemption"),
        ("Lending should be prohibited, unless the owner agrees.", "prohibition", None),
        ("A member should therefore not lend keys.", "prohibition", None),
        ("Lamps are only allowed on the upper deck.", "permission", "permission"),
        ("It will be the duty of the Warden to Lock the gate.", "obligation", None),
    ],
)
def test_force_of_words_that_stand_apart(text: str, kind: str, position: str | None) -> None:
    """Freedom from a duty, prohibition and duty are told apart also where adverbs, objects or capitals stand between."""
    ((found, data),) = read_clauses(text)
    assert (found, data.get("position")) == (kind, position)


def test_office_that_there_shall_be_has_its_duty() -> None:
    """ "There shall be a Treasurer, who is responsible for": the relative clause is what is laid down."""
    data = only_clause("There shall be a Treasurer, who shall be responsible for the purse.")
    assert (data["actor"], data["action"]) == ("a Treasurer", "the purse")


@pytest.mark.parametrize(
    "text",
    [
        "Control gaps found as a result of a review are noted and kept.",
        "Exhibit C sets out the tools needed for each ship.",
        "The liability of the Agent shall be limited to ten euro.",
        "Her letter shall be referred to as the Offer.",
        "Such rules are useful and may obviate the need for more.",
    ],
)
def test_words_that_bind_nobody_give_no_norm(text: str) -> None:
    """Nouns that could be verbs, labels, limits of liability and names are no duties."""
    assert read_clauses(text) == []


def test_imperative_holds_the_words_of_force_of_its_own_clause() -> None:
    """ "Obtain a note, indicating that they agree to pay" tells to obtain a note."""
    data = only_clause("Obtain a signed note saying that members agree to pay, before lending a key;")
    assert data["modality"] == "imperative"


def test_passive_is_not_parted_at_a_noun_that_could_be_a_verb() -> None:
    """A list of nouns behind a passive is one act."""
    data = only_clause("The box must be secured using a code, pin, unlock pattern or key.")
    assert data["action"] == "be secured using a code, pin, unlock pattern or key"


@pytest.mark.parametrize(
    ("text", "deadline", "trigger"),
    [
        ("The clerk must answer immediately upon receipt.", "immediately upon receipt", "receipt"),
        (
            "Forms must be sent not later than 3 months after October 13, 2006.",
            "not later than 3 months after October 13, 2006",
            None,
        ),
        (
            "Within 9 days of the arrival of a full, signed form, the bank shall reply.",
            "Within 9 days of the arrival of a full, signed form",
            "the arrival of a full, signed form",
        ),
        (
            "The bank must act as soon as possible after a decision to trade has been made.",
            "as soon as possible after a decision to trade has been made",
            "a decision to trade has been made",
        ),
        ("The bank must act following the house procedures.", None, None),
        ("The bank must refund the fees incurred after the hearing.", None, None),
    ],
)
def test_deadline_is_its_whole_phrase_with_its_event(text: str, deadline: str | None, trigger: str | None) -> None:
    """A time goes on over the commas of a date and of its event; a manner, and a time of a noun, are none."""
    found = only_clause(text).get("deadline")
    assert (found and found["text"], found and found.get("trigger")) == (deadline, trigger)


def test_clause_with_several_time_limits_tells_all_of_them() -> None:
    """The first is the deadline, those behind it are further ones."""
    data = only_clause(
        "The bank shall, without undue delay and in no case later than 72 hours after a loss, tell the owner."
    )
    assert data["deadline"]["text"] == "without undue delay"
    assert [(each["text"], each["trigger"]) for each in data["further_deadlines"]] == [
        ("in no case later than 72 hours after a loss", "a loss")
    ]


def test_clause_says_from_when_on_it_holds() -> None:
    """ "After the review" is no limit by when."""
    data = only_clause("The bank may sell the lamps after the review.")
    assert data.get("deadline") is None
    assert data["commencement"]["text"] == "after the review"


def test_predicate_ends_before_a_clause_of_its_own_that_tells_an_effect() -> None:
    """What shall be deemed is no part of what must be done."""
    data = only_clause("Claims must be brought within one year, or the buyer will be deemed to waive them for good.")
    assert data["action"] == "be brought"


def test_single_capital_that_opens_is_a_name_where_the_document_has_it() -> None:
    """ "Venue shall" names nobody in a document that never writes it with a capital inside of a sentence."""
    names = frozenset(("Oakfield",))
    assert [data.get("actor") for _, data in read_clauses("Oakfield shall keep the file.", names)] == ["Oakfield"]
    assert [data.get("actor") for _, data in read_clauses("Tonnage shall stay below nine.", names)] == [None]


@pytest.mark.parametrize(
    ("text", "term", "definition"),
    [
        ("‘lamp data’ means any data about a lamp.", "lamp data", "any data about a lamp."),
        ("(4) 'wharf' means a place to land.", "wharf", "a place to land."),
        ("These sums are called “Royalties”.", "Royalties", "These sums"),
        ("For purposes of this part, “you” is limited to banks.", "you", "limited to banks."),
        ("Any reference to 'crowns' is a reference to money.", "crowns", "money."),
        (
            "A lamp record includes letters but does not include drafts.",
            "lamp record",
            "letters but does not include drafts.",
        ),
        (
            "For the purposes of (1), a first period is the period covering June.",
            "first period",
            "the period covering June.",
        ),
    ],
)
def test_definition_in_words_that_quote_or_limit_otherwise(text: str, term: str, definition: str) -> None:
    """Single quotation marks, names behind their meaning, limits, and terms for one purpose define as well."""
    (mark,) = find_definitions(text, 0, len(text))
    assert (mark.data["term"], mark.data["definition"]) == (term, definition)
    assert text[mark.start : mark.end] in text


def test_definitions_behind_their_meanings_each_have_words_of_the_text() -> None:
    """Two things that are called something in one sentence are two definitions, none of them empty."""
    text = "These sums are called “Royalties”, and such costs are called “Charges”."
    marks = find_definitions(text, 0, len(text))
    assert [mark.data["term"] for mark in marks] == ["Royalties", "Charges"]
    assert all(mark.start < mark.end for mark in marks)


def test_word_that_something_may_be_called_defines_nothing() -> None:
    """ "May also be called" tells how people speak."""
    assert find_definitions("This step may also be called “docking” elsewhere.", 0, 49) == []
