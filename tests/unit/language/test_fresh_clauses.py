"""Classes of clauses that were misread in samples of texts that nobody had tuned to; all sentences are invented."""

from __future__ import annotations

import pytest

from coditect.language.definitions.prose import find_definitions
from tests.unit.language.clauses import only_clause, read_clauses


@pytest.mark.parametrize(
    ("text", "kind", "action"),
    [
        ("The warden shall have power to grant leave to apprentices.", "permission", "grant leave to apprentices"),
        ("The keeper may only sell honey at the gate.", "permission", "sell honey at the gate"),
        ("Nothing in this rule prohibits a keeper from selling wax.", "permission", "selling wax"),
        ("Nothing in this rule shall limit the right of a keeper to appeal.", "permission", "appeal"),
        ("These firms do not have any independent right to share wax.", "prohibition", "share wax"),
        ("The toll ought to be lowered by the town.", "obligation", "be lowered by the town"),
        ("This Agreement may not be altered.", "prohibition", "be altered"),
        ("Card names may not suggest that a clerk speaks.", "prohibition", "suggest that a clerk speaks"),
    ],
)
def test_force_of_a_clause_that_seems_to_have_another(text: str, kind: str, action: str) -> None:
    """Power to act is a permission, "nothing prohibits" lets act, and words of content are forbidden to things."""
    ((found, data),) = read_clauses(text)
    assert (found, data["action"]) == (kind, action)


@pytest.mark.parametrize(
    "text",
    [
        "The guild uses your notes so that we may obtain payment.",
        "It may take up to ten days to answer your letter.",
        "You may continue to receive letters for ten weeks.",
        "You may also see notices on the wall.",
        "The groups of this chapter shall be known as Associated Groups.",
        "What we will do if this notice changes.",
        "We discussed what we should focus on at the fair.",
        "We trust that we will do so with care.",
        "The signing clerks of the account shall be the Warden and the Treasurer.",
        "The members of the panel shall be two persons who keep bees.",
        "The courts of Meadow shall have exclusive jurisdiction to settle any dispute.",
        "The term public place shall include streets and yards.",
        "The purposes of the guild shall include teaching.",
        "Refer to the manual for a list of hives.",
        "In relation to your visit you may be asked for data including your name, email addresses, and street.",
    ],
)
def test_purposes_possibilities_and_what_counts_as_what_bind_nobody(text: str) -> None:
    """Words of force in a purpose, a possibility, a title, a definition or what a list of nouns seems to ask make no norm."""
    assert read_clauses(text) == []


@pytest.mark.parametrize(
    ("text", "actor"),
    [
        ("The Assembly may set rules for the fair.", "The Assembly"),
        ("Should the deputy hold a seat, they shall not vote.", "the deputy"),
        ("Corporate members remain members for a year, and may renew their seat.", "Corporate members"),
        ("The board before granting such leave, shall require a bond.", "The board"),
        ("We also may hold your notes for a year.", "We"),
        ("If the Clerk denies an appeal, he or she will tell the keeper.", "the Clerk"),
        ("Sharing of notes We may share your notes with the desk.", "We"),
        ("Anything herein to the contrary notwithstanding, Orchard shall keep the mark.", "Orchard"),
        ("The mark may not be sold by Orchard without the consent of Meadow.", "Orchard"),
    ],
)
def test_holder_of_a_clause_is_whom_it_names(text: str, actor: str) -> None:
    """Neither a title, an absolute phrase, a clause before "and may", nor an inverted condition hides the holder."""
    assert only_clause(text)["actor"] == actor


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The terms of the lease must be agreed in writing.", "obligation"),
        ("The terms of this Agreement shall include a warranty of title.", "obligation"),
        ("The term sheet must be signed by both parties.", "obligation"),
        ("The term of office of each warden shall not exceed three years.", "prohibition"),
        ("The words spoken must be recorded by the clerk.", "obligation"),
        ("The inspector may see any map that the keeper holds.", "permission"),
        ("The keeper may continue the work after notice.", "permission"),
        ("The trustee may still act in such a case.", "permission"),
        ("The board may take several members into a committee.", "permission"),
        ("Leave may still be refused by the board.", "permission"),
    ],
)
def test_words_that_also_tell_of_definitions_and_possibilities_leave_norms_alone(text: str, kind: str) -> None:
    """ "The terms of the lease" define nothing, and who acts may see, continue or still do what nobody else may."""
    ((found, _),) = read_clauses(text)
    assert found == kind


def test_second_act_of_an_inspector_is_leave() -> None:
    """An act whose subject stands with the first one is no possibility either."""
    read = read_clauses("The inspector may enter the yard and may see any map.")
    assert [kind for kind, _ in read] == ["permission", "permission"]


def test_verbs_behind_semicolons_share_the_subject_of_the_first() -> None:
    """ "must return the key; must not copy it; and, if asked, may keep it": one holder, and each its own condition."""
    read = read_clauses("The keeper must return the key; must not copy the map; and, if asked, may keep the lamp.")
    assert [(kind, data["actor"], data.get("condition")) for kind, data in read] == [
        ("obligation", "The keeper", None),
        ("prohibition", "The keeper", None),
        ("permission", "The keeper", "if asked"),
    ]


def test_subject_outlives_a_noun_that_looks_like_words_of_force() -> None:
    """ "with a reasonable need to know" lays nothing down, and the verb behind it has the subject of the first."""
    read = read_clauses(
        "Each party shall show the map to clerks with a reasonable need to know it, and shall not copy the map."
    )
    assert [(kind, data["actor"]) for kind, data in read] == [
        ("obligation", "Each party"),
        ("prohibition", "Each party"),
    ]


def test_condition_in_front_limits_both_of_two_acts() -> None:
    """What opens a clause belongs to every act under its modal verb."""
    read = read_clauses("If a hive is lost, the keeper shall file a report and pay the fee.")
    assert [(data["action"], data["condition"]) for _, data in read] == [
        ("file a report", "If a hive is lost"),
        ("pay the fee", "If a hive is lost"),
    ]


def test_second_clause_with_a_pronoun_is_a_norm_of_its_own() -> None:
    """ "must have an end and it must be reviewed" are two."""
    read = read_clauses("A waiver must have an end and it must be reviewed on or before that day.")
    assert [data["action"] for _, data in read] == ["have an end", "be reviewed"]


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        (
            "Guests must work in our yard, accept and follow our rules, and leave the keys.",
            ["work in our yard", "accept and follow our rules", "leave the keys"],
        ),
        ("The clerk shall post a notice and link on the page.", ["post a notice and link on the page"]),
        ("The team must do the following: Build and maintain a wall.", ["do the following: Build and maintain a wall"]),
        ("The keeper shall use a federal (e.g. ROYAL) seal.", ["use a federal (e.g. ROYAL) seal"]),
    ],
)
def test_predicate_is_parted_where_an_act_begins(text: str, actions: list[str]) -> None:
    """Verbs that share an object are one act, a noun that could be a verb begins none, and an abbreviation ends none."""
    assert [data["action"] for _, data in read_clauses(text)] == actions


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("If you lose the card, please call the desk.", "condition", "If you lose the card"),
        ("When asking for a refund a receipt must be shown.", "condition", "When asking for a refund"),
        ("Wherever possible access logs should be kept.", "condition", "Wherever possible"),
        ("Staff should use shared keys as needed.", "condition", "as needed"),
        ("The guild shall give aid where necessary to open the gate.", "condition", "where necessary to open the gate"),
        (
            "Orchard may end the lease on thirty (30) days' written notice.",
            "condition",
            "on thirty (30) days' written notice",
        ),
        (
            "The tenant shall not sublet the flat without the landlord's consent.",
            "exception",
            "without the landlord's consent",
        ),
        ("The keeper shall not sell wax without first obtaining leave.", "exception", "without first obtaining leave"),
        (
            "The clerk shall not, without the leave of the Director for Trade, Mines, and Wharves, sell the map.",
            "exception",
            "without the leave of the Director for Trade, Mines, and Wharves",
        ),
    ],
)
def test_condition_or_exception_is_its_whole_phrase_and_no_more(text: str, name: str, words: str) -> None:
    """A phrase that limits a clause ends where the act begins, and holds what it is needed for."""
    assert only_clause(text)[name] == words


@pytest.mark.parametrize(
    ("text", "deadline"),
    [
        (
            "Staff should check the lamp before using the lift to leave the hall.",
            "before using the lift to leave the hall",
        ),
        ("Closures must be told to guests at least 48 hours in advance.", "at least 48 hours in advance"),
    ],
)
def test_deadline_holds_the_event_that_it_names(text: str, deadline: str) -> None:
    """ "before using the lift" is a time with its event, and "in advance" a time by itself."""
    assert only_clause(text)["deadline"]["text"] == deadline


def test_frequency_is_none_behind_a_preposition() -> None:
    """ "an audit for each year" says which audit, not how often."""
    assert "frequency" not in only_clause("All clubs must make an audit for each year in which they trade.")


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("For purposes of this part, the term “applicable sum” means-", "applicable sum"),
        ("‘yard’ means:", "yard"),
        ("Leave shall be defined as any stay outside of the yard.", "Leave"),
        ("For the purpose of this by-law, the term public place shall include streets and yards.", "public place"),
    ],
)
def test_definition_whose_meaning_follows_or_is_listed(text: str, term: str) -> None:
    """A term is defined where its meaning follows as a list, also in single quotation marks, and behind a purpose."""
    assert [mark.data["term"] for mark in find_definitions(text, 0, len(text))] == [term]


def test_word_that_points_on_is_no_term() -> None:
    """ "Also refer to the page" defines nothing."""
    assert find_definitions("Also refer to the notes of the page for tips.", 0, 45) == []


@pytest.mark.parametrize(
    ("text", "kind", "action", "actor"),
    [
        ("Night fishing will be permitted only for members.", "permission", "Night fishing", None),
        ("Visitors are requested not to feed the bees.", "prohibition", "feed the bees", "Visitors"),
        ("Visitors are requested to close the gate.", "obligation", "close the gate", "Visitors"),
        (
            "Wardens shall have all inspecting and sealing powers necessary for their work.",
            "permission",
            "all inspecting and sealing powers necessary for their work",
            "Wardens",
        ),
        (
            "The duties of the reeve shall include the following: care of all hives.",
            "obligation",
            "care of all hives",
            "the reeve",
        ),
    ],
)
def test_force_that_other_words_than_modal_verbs_carry(text: str, kind: str, action: str, actor: str | None) -> None:
    """What is permitted, asked not to be done, given as powers, or told as somebody's duties."""
    ((found, data),) = read_clauses(text)
    assert (found, data["action"], data.get("actor")) == (kind, action, actor)


def test_what_is_construed_behind_an_aside_binds_nobody() -> None:
    """An aside between "be" and its participle changes nothing about what the words do."""
    assert read_clauses("This rule shall be, unless the context differs, construed with the code.") == []


@pytest.mark.parametrize(
    "aside", ["unless otherwise agreed", "unless otherwise provided for", "unless already paid", "unless excused"]
)
def test_aside_without_a_verb_of_its_own_leaves_its_clause_the_words_of_force(aside: str) -> None:
    """ "Shall" is not the verb of "unless otherwise agreed"."""
    data = only_clause(f"The keeper, {aside}, shall trim the wick.")
    assert (data["actor"], data["action"], data["exception"]) == ("The keeper", "trim the wick", aside)


def test_object_of_two_verbs_behind_a_comma_is_not_who_is_bound_next() -> None:
    """ "Affixed to, or painted on, the barns": what stands behind the comma belongs to both verbs."""
    text = "The reeve may order signs to be fixed to, or painted on, the barns of a farm and any owner who fails shall pay a fine."
    (_, order), (_, fine) = sorted(read_clauses(text), reverse=True)
    assert order["action"] == "order signs to be fixed to, or painted on, the barns of a farm"
    assert fine["actor"] == "any owner who fails"


def test_pronoun_in_an_item_of_a_promise_is_who_promises() -> None:
    """ "Each keeper agrees: (i) that it will …": the sign between the verb and its clause changes nothing."""
    text = "Each keeper agrees: (i) that it will not sell wax; and (ii) that it will mend the hives."
    assert {data["actor"] for _, data in read_clauses(text)} == {"Each keeper"}
