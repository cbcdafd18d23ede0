"""Clauses that a format marks as headings: whole sentences are text, titles stay headings; gold written before the rule."""

from __future__ import annotations

import html
import io

import docx
import pytest

from coditect.documents.readers import read_source
from coditect.documents.structure.locators import find_locators
from coditect.documents.structure.series.worded_headings import with_sentences
from coditect.tiers.extractions.document import DocumentReading, document_headings, document_lists, read_document
from coditect.tiers.extractions.rules import extract_each
from coditect.tiers.readings.provisions import provisions_of

Layout = list[tuple[str, str, str]]
"""Lines: "p" or the level of a heading; what is a title in it ("" for none); the words behind it that are text ("" for none)."""

LAYOUTS: dict[str, Layout] = {
    "terms that are numbered": [
        ("1", "13. Definitions", ""),
        ("2", "", "13.1 “Harbour Master” means the person whom the board appoints."),
        ("2", "", "13.2 “Quay” has the meaning given in the Port Rules."),
        ("2", "", "13.3 “Fees” includes berth fees and pilot fees."),
    ],
    "clauses below a title": [
        ("1", "2. Payment", ""),
        ("2", "", "2.1 The Customer shall pay within 30 days."),
        ("2", "", "2.2 Invoices are sent by the Supplier every month."),
        ("2", "2.3 Late payment", ""),
        ("p", "", "The Customer must pay interest of 5 per cent."),
        ("1", "3. Term.", ""),
        ("2", "", "3.1 This contract ends on 31 May 2030."),
    ],
    "run-in titles": [
        ("1", "4. Charges", ""),
        ("2", "4.1 Invoices.", "The Supplier shall send an invoice each month."),
        ("2", "4.2 Set-Off.", "Neither party may set off what it owes. Clause 4.1 remains as it is."),
        ("2", "4.3 Taxes.", ""),
        ("2", "4.4 Effect of Termination.", "Upon termination:"),
        ("3", "", "(a) all licences end; and"),
        ("3", "", "(b) the Licensee shall return the manual."),
    ],
    "near misses": [
        ("1", "9 Power to hear a matter includes power to examine witnesses etc.", ""),
        ("p", "", "The court may examine a witness."),
        ("1", "Illicit discharges to the storm drainage system.", ""),
        ("p", "", "Nobody may discharge oil."),
        ("1", "10 Measures to prevent removal of carts.", ""),
        ("p", "", "The owner must mark each cart."),
    ],
    "titles with a stop": [
        ("1", "Payment terms.", ""),
        ("p", "", "The tenant must pay on the first day of the month."),
        ("1", "Scope and purpose.", ""),
        ("p", "", "This policy applies to all tenants."),
        ("1", "Section 5. Notice and Quorum for Action Authorized Under Sections 3 and 4.", ""),
        ("p", "", "The clerk must give notice of ten days."),
    ],
    "questions": [
        ("1", "How do we use your data?", ""),
        ("p", "", "We use it to send you the newsletter."),
        ("1", "When must a tenant be told?", ""),
        ("p", "", "The landlord must tell the tenant within 3 days."),
        ("1", "What we collect.", ""),
        ("p", "", "We collect your name."),
        ("1", "How your data is used.", ""),
        ("p", "", "We shall use it for the newsletter."),
    ],
    "items of a clause": [
        ("1", "6. Return", ""),
        ("2", "", "6.1 On termination the Licensee shall:"),
        ("3", "", "(a) return the keys to the Licensor;"),
        ("3", "", "(b) delete all copies of the plans; and"),
        ("3", "", "(c) certify in writing that it has done so."),
        ("2", "", "6.2 The Licensor may inspect the premises."),
    ],
    "titles with a relative clause": [
        ("1", "Persons who must register.", ""),
        ("p", "", "A diver must register with the harbour office."),
        ("1", "Records that are kept by the clerk.", ""),
        ("p", "", "The clerk shall keep the records for five years."),
        ("1", "Things you should know.", ""),
        ("p", "", "You must close the gate."),
    ],
    "conditions": [
        ("1", "7. Default", ""),
        ("2", "", "7.1 If the Buyer fails to pay, the Seller may stop deliveries."),
        ("2", "7.2 If payment is late.", ""),
        ("p", "", "The Buyer shall pay a charge of EUR 40."),
        ("2", "", "7.3 Where goods are lost, the Carrier shall tell the Buyer without delay."),
    ],
    "policies with numbers": [
        ("1", "Supplier policy", ""),
        ("2", "4 Suppliers", ""),
        ("3", "", "4.1 The supplier must hold a valid certificate."),
        ("p", "", "The buyer keeps a copy of it."),
        ("3", "", "4.2 No supplier is allowed to enter the vault alone."),
        ("2", "5 Review of this policy", ""),
        ("3", "", "5.1 The board reviews the list of suppliers each year."),
    ],
    "long ones": [
        ("1", "8. General", ""),
        (
            "2",
            "",
            "8.1 Nothing in clauses 3 to 7, or in any schedule to this contract, excludes or limits in any way the liability of "
            "either party for death or personal injury caused by its negligence",
        ),
        (
            "2",
            "8.2 Procedure for Complaints, Appeals and Reviews of Decisions of the Committee under the Rules of the Association of "
            "Anglers and its Branches",
            "",
        ),
        ("p", "", "A member may appeal within 14 days."),
    ],
    "sentences without a number": [
        ("1", "House rules", ""),
        ("2", "", "Every guest must sign the book at the door."),
        ("2", "Smoking", ""),
        ("p", "", "Guests must not smoke indoors."),
        ("2", "Keys and locks:", ""),
        ("p", "", "The porter shall lock the door at ten."),
    ],
    "titles without a stop": [
        ("1", "Why this is needed", ""),
        ("p", "", "Staff must read it."),
        ("1", "What the auditor has to do", ""),
        ("p", "", "The auditor must report to the board."),
        ("1", "Step 2: the nurse is told", ""),
        ("p", "", "The nurse must sign the chart."),
        ("1", "The vendor must be approved", ""),
        ("p", "", "The buyer shall approve each vendor."),
    ],
}


def _lines(layout: Layout) -> list[tuple[str, str]]:
    return [(kind, f"{title} {words}".strip()) for kind, title, words in layout]


def _docx(lines: list[tuple[str, str]]) -> bytes:
    document = docx.Document()
    for kind, words in lines:
        document.add_paragraph(words, style="Normal" if kind == "p" else f"Heading {kind}")
    stored = io.BytesIO()
    document.save(stored)
    return stored.getvalue()


def _markdown(lines: list[tuple[str, str]]) -> bytes:
    return "\n\n".join(words if kind == "p" else f"{'#' * int(kind)} {words}" for kind, words in lines).encode()


def _html(lines: list[tuple[str, str]]) -> bytes:
    parts = [(kind if kind == "p" else f"h{kind}", html.escape(words)) for kind, words in lines]
    shown = "".join(f"<{tag}>{words}</{tag}>" for tag, words in parts)
    return f"<!DOCTYPE html><html><body>{shown}</body></html>".encode()


_FORMS = {"docx": _docx, "md": _markdown, "html": _html}


def _read(layout: Layout, form: str) -> DocumentReading:
    return read_document(read_source(_FORMS[form](_lines(layout)), f"contract.{form}"))


def _shown(reading: DocumentReading) -> str:
    """The words of all sentences that are read, and shown to a model, as provisions; in order."""
    lists, headings = document_lists(reading), document_headings(reading)
    text = reading.source.text
    found = provisions_of(text, reading.sentences, lists, headings)
    numbers = sorted(index for each in found for index in each.sentences)
    return " ".join(" ".join(text[s.start : s.end].split()) for s in (reading.sentences[n] for n in numbers))


@pytest.mark.parametrize("form", _FORMS)
@pytest.mark.parametrize("name", LAYOUTS)
def test_worded_headings_are_read_as_text_and_titles_are_not(name: str, form: str) -> None:
    """What is shown as provisions are the sentences, also those that the format marks as headings, and never a title."""
    layout = LAYOUTS[name]
    assert _shown(_read(layout, form)) == " ".join(words for _, _, words in layout if words)


@pytest.mark.parametrize("form", _FORMS)
@pytest.mark.parametrize("name", LAYOUTS)
def test_worded_headings_never_name_a_section(name: str, form: str) -> None:
    """No section is called by a sentence, and every title names one."""
    layout = LAYOUTS[name]
    reading = _read(layout, form)
    named = [f"{each.label} {each.heading}".replace(".", "").split() for each in reading.sections if each.heading]
    assert named == [title.replace(".", "").split() for _, title, _ in layout if title]


@pytest.mark.parametrize("form", _FORMS)
def test_worded_headings_are_cited_by_their_numbers(form: str) -> None:
    """The number of a clause that is marked as a heading is its locator, and of what is numbered below it."""
    found: dict[str, str] = {}
    for name in ("terms that are numbered", "clauses below a title", "items of a clause", "run-in titles"):
        reading = _read(LAYOUTS[name], form)
        text = reading.source.text
        locators = find_locators(text, reading.sections, reading.sentences, document_lists(reading))
        for each, locator in zip(reading.sentences, locators, strict=True):
            found |= {
                word.strip(".;:,“”"): "".join(locator.split()) for word in text[each.start : each.end].split()[-3:]
            }
    cited = {
        "appoints": "13.1", "Rules": "13.2", "30": "2.1", "cent": "2.3", "2030": "3.1", "Licensor": "6.1(a)", "plans": "6.1(b)",
        "premises": "6.2", "each": "4.1", "owes": "4.2",
    }  # fmt: skip
    assert {word: found[word] for word in cited} == cited


_LONG = "; it remains liable for whatever those whom it sends do or leave undone on the premises of the other party"


@pytest.mark.parametrize("level", ["2", "4"])
def test_long_clauses_of_a_word_contract_are_all_read(level: str) -> None:
    """Of a contract whose clauses have the style of a heading no long sentence is unread, by rules or by a model."""
    clauses = [
        (level, "", f"{number}.{part} The Contractor shall perform the services of lot {part}{_LONG}.")
        for number in (2, 3)
        for part in (1, 2, 3)
    ]
    layout = [
        ("1", "1. Services", ""),
        *clauses,
        ("1", "4. Terms", ""),
        (level, "", "4.1 “Lot” means a part of the works."),
    ]
    reading = _read(layout, "docx")
    text, headings = reading.source.text, document_headings(reading)
    read = extract_each(text, reading.sentences, headings, lists=document_lists(reading))
    kinds = [{each.kind for each in found} & {"obligation", "definition"} for found in read]
    assert _shown(reading) == " ".join(words for _, _, words in layout if words)
    assert [kind for kind in kinds if kind] == [{"obligation"}] * len(clauses) + [{"definition"}]


@pytest.mark.parametrize("name", LAYOUTS)
def test_sentences_among_headings_keep_their_places(name: str) -> None:
    """The layout alone is read in another way: the text, and where each block begins and ends, are those of the file."""
    source = read_source(_markdown(_lines(LAYOUTS[name])), "contract.md")
    shown = with_sentences(source)
    assert (shown.text, shown.title) == (source.text, source.title)
    assert [(b.start, b.end, b.level) for b in shown.blocks] == [(b.start, b.end, b.level) for b in source.blocks]
    assert with_sentences(shown) == shown
