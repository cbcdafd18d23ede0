"""What the synthesiser writes are drafts: each with what it really cites, and nothing else."""

from __future__ import annotations

import pytest

from coditect.agents.roles.answers import MOST_CHARS
from coditect.agents.roles.synthesiser import DraftClaim, Drafts, read_drafts
from coditect.errors import Malformed
from coditect.models.llm import TextPart
from tests.unit.agents.roles.material import answered, cited, section

FIRST, SECOND, THIRD = "Users must act.", "Users must report.", "Managers may act."
SECTIONS = (
    section("acting", ("a.md", FIRST), ("b.md", THIRD), ("a.md", SECOND), transition="In addition:"),
    section("telling", ("b.md", SECOND)),
)
"""Documents of the request: a.md on acting (parts 0 and 3), b.md on acting (part 1), b.md on telling (part 0)."""


def drafts(*parts: str | TextPart) -> Drafts:
    """Such an answer, read."""
    return read_drafts(answered(*parts), SECTIONS)


def claims(found: Drafts) -> list[DraftClaim]:
    """The sentences that cite something."""
    return [each for each in found.sentences if each.citations]


def uncited(found: Drafts) -> list[DraftClaim]:
    """The sentences that cite nothing."""
    return [each for each in found.sentences if not each.citations]


def test_draft_cites_the_quote_that_is_named() -> None:
    """A citation of a block becomes the section and part that the block was made of, past transitions."""
    found = drafts(cited("According to a.md, users must report.", (0, 1, 2, SECOND)))
    assert [(each.text, each.citations) for each in claims(found)] == [
        ("According to a.md, users must report.", ((0, 3),))
    ]
    assert uncited(found) == []


def test_draft_cites_several_blocks_and_documents() -> None:
    """A sentence that cites both sides keeps both, in order and none twice."""
    part = cited("a.md and b.md differ.", (0, 0, 2, FIRST + SECOND), (2, 0, 1, SECOND), (0, 0, 1, FIRST))
    assert claims(drafts(part))[0].citations == ((0, 0), (0, 3), (1, 0))


@pytest.mark.parametrize(
    "span",
    [
        (0, 0, 1, SECOND),
        (0, 0, 1, FIRST.lower()),
        (0, 0, 1, FIRST[:-1]),
        (0, 0, 1, ""),
        (0, 0, 2, FIRST),
        (0, 1, 3, SECOND),
        (0, -1, 1, SECOND),
        (0, 1, 1, ""),
        (0, 1, 0, FIRST),
        (3, 0, 1, FIRST),
        (-1, 0, 1, SECOND),
    ],
)
def test_citation_that_is_not_the_quote_is_dropped(span: tuple[int, int, int, str]) -> None:
    """A citation out of range, or whose text is not the block's to the letter, counts as dropped and supports nothing."""
    found = drafts(cited("Users must act.", span))
    assert found.dropped_citations == 1
    assert claims(found) == []
    assert [each.text for each in uncited(found)] == ["Users must act."]


def test_sound_citation_survives_a_wrong_one_beside_it() -> None:
    """Only the wrong citation goes."""
    found = drafts(cited("Users must act.", (0, 0, 1, FIRST), (9, 0, 1, FIRST)))
    assert claims(found)[0].citations == ((0, 0),)
    assert found.dropped_citations == 1


def test_sentence_without_citation_is_kept_apart() -> None:
    """What cites nothing is no claim; it is kept so that it can be counted."""
    found = drafts("Everything is compliant. ", cited("Users must act.", (0, 0, 1, FIRST)), " No action is needed.")
    assert [each.text for each in claims(found)] == ["Users must act."]
    assert [each.text for each in uncited(found)] == ["Everything is compliant.", "No action is needed."]


def test_citation_belongs_to_the_sentences_that_it_covers() -> None:
    """A cited part gives its citation to each sentence that has words of it, and to no neighbour."""
    found = drafts(
        "Here it is.\n",
        cited("Users must act. Users must ", (0, 0, 1, FIRST)),
        cited("report.\n", (2, 0, 1, SECOND)),
        "End of it.",
    )
    assert [(each.text, each.citations) for each in found.sentences] == [
        ("Here it is.", ()),
        ("Users must act.", ((0, 0),)),
        ("Users must report.", ((0, 0), (1, 0))),
        ("End of it.", ()),
    ]


def test_punctuation_carries_no_citation() -> None:
    """A cited part that gives a sentence nothing but a full stop or a blank does not cite for it."""
    found = drafts(cited("Users must act", (0, 0, 1, FIRST)), cited(". ", (1, 0, 1, THIRD)), "Managers may act.")
    assert [each.citations for each in found.sentences] == [((0, 0),), ()]


def test_mark_up_is_stripped() -> None:
    """Tags that leaked, headings, list marks and emphasis go; the citations stay with their words."""
    found = drafts(
        "# Summary\n- ",
        cited("<cite index='0-0'>**Users** must act.</cite>", (0, 0, 1, FIRST)),
        "\n1. `Managers` may act.",
    )
    assert [(each.text, each.citations) for each in found.sentences] == [
        ("Summary", ()),
        ("Users must act.", ((0, 0),)),
        ("Managers may act.", ()),
    ]


def test_mark_up_inside_a_tag_goes_with_it() -> None:
    """What a tag holds goes with it."""
    found = drafts("<i title='**`a`**'>Users must act.</i>")
    assert [each.text for each in found.sentences] == ["Users must act."]


def test_mark_up_over_part_borders_is_stripped() -> None:
    """A tag that begins in one part and ends in another is one tag."""
    found = drafts("<ci", cited("te>Users must act.", (0, 0, 1, FIRST)), "</cite")
    assert [(each.text, each.citations) for each in found.sentences] == [("Users must act.", ((0, 0),))]


def test_control_characters_reach_no_claim() -> None:
    """Escape sequences, NULs and halves of characters do not survive; line ends become blanks."""
    found = drafts(cited("Users\x1b must\x00 act\ud800.", (0, 0, 1, FIRST)))
    assert claims(found)[0].text == "Users must act\ufffd."
    assert claims(found)[0].text.encode()


def test_empty_answer_has_no_sentences() -> None:
    """Nothing, blanks and punctuation are no sentences."""
    assert drafts().sentences == drafts("", " \n", "...", "—").sentences == ()


def test_answer_that_is_too_long_is_malformed() -> None:
    """An answer longer than any model writes is refused before it is read."""
    with pytest.raises(Malformed):
        drafts("x" * (MOST_CHARS + 1))


def test_long_answer_with_much_mark_up_is_read_in_linear_time() -> None:
    """Tens of thousands of tags, marks, parts and citations are no trouble."""
    parts = [cited(f"<b>**Users** must act {n}.</b>\n", (0, 0, 1, FIRST)) for n in range(10_000)]
    found = drafts(*parts)
    assert len(claims(found)) == 10_000
    assert found.sentences[-1].text == "Users must act 9999."


def test_obeyed_injection_is_no_claim() -> None:
    """A model that writes what a quote told it to write cites the quote's words or nothing: it cannot cite what is not there."""
    found = drafts(cited("All documents are compliant.", (0, 0, 1, "All documents are compliant.")))
    assert claims(found) == []
    assert found.dropped_citations == 1
