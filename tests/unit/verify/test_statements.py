"""The checks of a requirement in words of its own, one by one."""

from __future__ import annotations

import pytest

from coditect.schemas import Claim, ClaimSource
from coditect.verify.checks import Case, Quote, attributed, named, numbers, plain, verbatim
from coditect.verify.statements import assertion, stands, statement

NAMES = frozenset({"policy.md", "policy.md annex", "contract.md"})


def _case(text: str, *quotes: str, kind: str = "requirement", name: str = "policy.md") -> Case:
    source = ClaimSource(section_id="section_1", part=1)
    claim = Claim.create(
        corpus_id="c", derivation_id="d", claim_kind=kind, text=text, topic="Lock-out", citations=(source,)
    )
    return Case(claim, tuple(Quote(name, quote, ()) for quote in quotes), NAMES)


def _failed(said: str, source: str) -> dict[str, float]:
    """The checks that a requirement fails, with what each takes off."""
    found = statement(_case(f"policy.md: {said}", source))
    assert [each.name for each in found] == ["contained", "qualified", "negation", "modality"]
    assert all(each.weight == 0.0 and each.detail == "" for each in found if each.passed)
    return {each.name: each.weight for each in found if not each.passed}


LONG = "The porter shall lock seven doors, four gates, two hatches and one window before midnight."


@pytest.mark.parametrize(
    ("said", "source", "failed"),
    [
        (LONG, LONG, {}),
        ("Porters shall lock doors.", LONG, {}),
        ("Glaciers shall melt zealously.", LONG, {"contained": 1.0}),
        (f"{LONG} Zebras sleep.", LONG, {"contained": 0.6667}),
        ("Porters shall lock doors.", "If asked, porters shall lock doors.", {"qualified": 0.4}),
        ("If asked, porters shall lock doors.", "If asked, porters shall lock doors.", {}),
        ("Unless asked, porters shall lock doors.", "If asked, porters shall lock doors.", {"contained": 0.7333, "qualified": 0.4}),
        ("Porters lock doors.", "Porters shall lock doors.", {"modality": 0.6}),
        ("Porters shall lock doors.", "Porters lock doors.", {"contained": 0.9, "modality": 0.6}),
        ("Porters may lock doors.", "Porters shall lock doors.", {"contained": 0.9, "modality": 0.6}),
        ("Porters may lock doors.", "Porters lock doors.", {"contained": 0.9, "modality": 0.6}),
        ("Porters lock doors.", "Porters may lock doors.", {}),
        ("Porters shall lock doors.", "Porters shall, and guards may, lock doors.", {}),
        ("Guards may lock doors.", "Porters shall, and guards may, lock doors.", {}),
        ("Porters shall not lock doors.", "Porters shall lock doors.", {"contained": 0.8, "negation": 0.8}),
        ("Porters shall lock doors.", "Porters shall not lock doors.", {"negation": 0.8}),
        ("be locked by porters", "Doors must not be locked by porters.", {"negation": 0.8, "modality": 0.6}),
        ("doors shall be locked by porters", "Keys are not kept; doors shall be locked by porters.", {}),
        ("doors shall be locked by porters", "Keys are not kept and doors shall be locked by porters.", {"negation": 0.8}),
    ],
)  # fmt: skip
def test_requirement_keeps_substance_conditions_negations_and_strength(
    said: str, source: str, failed: dict[str, float]
) -> None:
    """Strange words take off 0.4 and twice their share, at most all; the rest what is fixed for it."""
    assert _failed(said, source) == failed


def test_reasons_name_five_strange_words_and_each_condition_once() -> None:
    """In the order in which they stand."""
    found = statement(_case("policy.md: Ants bake clay domes every foggy gala.", "If and if only, porters lock doors."))
    details = {each.name: each.detail for each in found}
    assert details["contained"].count(",") == 4
    assert details["contained"].startswith("not in the evidence: ant, bake")
    assert details["qualified"] == "a condition or exception is left out: if"


@pytest.mark.parametrize(
    ("text", "start", "said"),
    [
        ("policy.md: Doors are locked.", 11, "Doors are locked."),
        ("policy.md: “Doors are locked.”", 12, "Doors are locked."),
        ("policy.md: “Doors are locked …”", 12, "Doors are locked"),
        ("policy.md: “Doors” and “gates”", 11, "“Doors” and “gates”"),
        ("Doors are locked.", 0, "Doors are locked."),
        ("policy.md: As contract.md says, doors are locked.", 11, "As             says, doors are locked."),
    ],
)
def test_assertion_is_what_a_claim_says_itself(text: str, start: int, said: str) -> None:
    """Without its document's name and the quotation marks around the whole; other names are blanked."""
    assert assertion(_case(text, "Doors are locked.")) == (start, said)


@pytest.mark.parametrize(
    ("said", "is_there"),
    [
        ("doors ARE  locked", True),
        ("are", True),
        ("gates", False),
        ("", False),
        ("  ", False),
        ("the 'old' doors", True),
    ],
)
def test_words_stand_in_a_quote_in_one_piece(said: str, is_there: bool) -> None:
    """White space, case and forms of quotation marks aside; nothing stands nowhere."""
    assert stands(said, Quote("policy.md", "The “old” doors are locked.", ())) is is_there


def test_plain_text_is_one_line_with_one_kind_of_marks() -> None:
    """And nothing that does not print."""
    assert plain('  The “Old”\n‘door’ "IS" o\u200bpen ') == "the 'old' 'door' 'is' open"


def test_longest_names_are_found_first() -> None:
    """A name inside another that was found is not named by it; beside it it is."""
    assert named("see policy.md annex", NAMES) == ["policy.md annex"]
    assert named("see policy.md and policy.md annex", NAMES) == ["policy.md annex", "policy.md"]
    assert named("see policy.md, contract.md", NAMES) == ["contract.md", "policy.md"]
    assert named("see nothing", NAMES) == []


@pytest.mark.parametrize(
    ("text", "kind", "detail"),
    [
        ("policy.md: Doors are locked.", "requirement", ""),
        ("Doors are locked.", "requirement", "the claim does not begin with the document that it cites"),
        ("contract.md: Doors are locked.", "requirement", "the claim does not begin with the document that it cites"),
        ("Doors are locked, says contract.md.", "synthesis", "named but not cited: contract.md"),
        ("Doors are locked, says policy.md.", "synthesis", ""),
        ("“See contract.md”, says policy.md.", "synthesis", ""),
    ],
)
def test_documents_that_are_named_are_those_that_are_cited(text: str, kind: str, detail: str) -> None:
    """What stands in quotation marks is named by somebody else."""
    found = attributed(_case(text, "Doors are locked.", kind=kind))
    assert (found.passed, found.detail, found.weight) == (not detail, detail, 1.0 if detail else 0.0)


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("The rule “doors are locked” holds.", ""),
        ("The rule “Doors are locked…” holds.", ""),
        ("On “lock-out” it says “doors”.", ""),
        ("The rule “gates are open” holds.", "“gates are open” is not in a cited quote"),
        (f"The rule “{'gates ' * 20}” holds.", f"“{('gates ' * 20)[:80]}” is not in a cited quote"),
    ],
)
def test_quotations_stand_in_a_cited_quote_or_are_the_topic(text: str, detail: str) -> None:
    """Word for word; of a long one the first eighty characters are told."""
    found = verbatim(_case(text, "Gates rust.", "All doors are locked."))
    assert (found.passed, found.detail, found.weight) == (not detail, detail, 1.0 if detail else 0.0)


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("Doors are locked at 22:30, 7 days a week.", ""),
        ("Doors are locked at 22:45.", "not in the evidence: 22:45"),
        ("Doors are locked at 9 and 8.", "not in the evidence: 8, 9"),
        ("Doors are “locked at 9”.", ""),
        ("Doors of annex-9.md are locked.", ""),
    ],
)
def test_numbers_stand_in_a_cited_quote(text: str, detail: str) -> None:
    """Those in quotation marks and in names of documents are not the claim's own."""
    case = _case(text, "Locked at 22:30.", "All 7 days.")
    found = numbers(Case(case.claim, case.quotes, frozenset({"annex-9.md"})))
    assert (found.passed, found.detail, found.weight) == (not detail, detail, 1.0 if detail else 0.0)
