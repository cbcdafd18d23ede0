"""What the prior of a sentence is multiplied with in a text that people speak, and that nothing else is spoken."""

from __future__ import annotations

import pytest

from coditect.language.terms import terms
from coditect.tiers.chunks.selection import SelectionParameters, SentenceCandidate, select
from coditect.tiers.chunks.speech import speech_share, spoken_weights

MEETING = [
    "Okay, so I think we can get started then.",
    "Yeah, I guess that is fine with me, thanks.",
    "Um, what did we say about that last week?",
    "The working group proposes a reduction of the retention period for call recordings from twelve to six months.",
    "I mean, I don't really know, it's kind of what they wanted.",
    "Right, right.",
    "The retention period for recordings of the call centre is set in the schedule of the group.",
    "Oh well, I'm just saying that there was something, you know.",
]
MEETING += [f"Yeah, so I think that's number {n} of what I had." for n in range(2, 15)]
INFORMING = {3, 6}
CONTRACT = [
    "The Supplier shall deliver the goods within ten days of the order.",
    "The Customer shall pay each invoice within thirty days of its receipt.",
    "Either party may terminate this Agreement by notice in writing to the other.",
    "Annex I applies to the goods that are listed in it, and Part I to all others.",
]


def weights(sentences: list[str]) -> list[float]:
    """As the selection gets them."""
    return spoken_weights(sentences, [terms(each) for each in sentences])


def test_speech_share_tells_talk_from_rules() -> None:
    """A meeting is speech, a contract is none, and half of a tenth of the sentences decides how far a text is."""
    assert speech_share(MEETING) == 1.0
    assert speech_share(CONTRACT * 5) == 0.0
    assert speech_share([MEETING[1], *CONTRACT[:3] * 2] * 3) == pytest.approx((1 / 7 - 0.1) / 0.1)
    form = [MEETING[1], *CONTRACT[:3] * 3] * 2  # one of ten, as a form to sign at the end of a handbook
    assert speech_share(form) == 0.0


def test_speech_share_of_a_short_text_is_none() -> None:
    """Twenty sentences tell; "Thank you for choosing us" at the head of a few terms does not."""
    assert speech_share(MEETING[:1] * 20) == 1.0
    assert speech_share([*MEETING[:1] * 19, "Right, right."]) == 0.0
    assert speech_share([]) == 0.0


@pytest.mark.parametrize(
    ("sentence", "spoken"),
    [
        ("I will look at it tomorrow.", True),
        ("And I will look at it tomorrow.", True),
        ("Then, as far as I know, it closed.", True),
        ("We sold it because I\u2019d asked for that.", True),
        ("Thank you for coming all this way.", True),
        ("The goods of Annex I are exempt.", False),
        ("Part I shall apply from 1 May.", False),
        ("Medical devices of class I shall carry it.", False),
        ("I General provisions of this Regulation", False),
        ("Part B and clause (i) apply to it.", False),
    ],
)
def test_speech_share_knows_a_speaker_from_a_numeral(sentence: str, spoken: bool) -> None:
    """The pronoun has a word before it that nothing is numbered by, and a small letter behind it."""
    assert speech_share([sentence] * 20) == float(spoken)


def test_spoken_weights_of_what_is_not_spoken_are_one() -> None:
    """What is selected of rules does not change."""
    assert weights(CONTRACT * 5) == [1.0] * 20
    assert weights([]) == []


def test_spoken_weights_put_what_informs_before_what_keeps_a_talk_going() -> None:
    """Wherever they stand, sentences built of nouns weigh more than each of the others; questions and fragments weigh least."""
    found = weights(MEETING)
    rest = [weight for n, weight in enumerate(found) if n not in INFORMING]
    assert min(found[n] for n in INFORMING) > max(rest)
    assert found[2] < min(found[n] for n in (0, 1, 4, 7))  # a question
    assert found[5] < min(found[n] for n in (0, 4, 7))  # two words


def test_spoken_weights_prefer_the_opening() -> None:
    """The first sentence says what is talked about: the same words weigh less further on."""
    opening = "The next item is the report of the committee on the protection of workers from asbestos."
    ahead, behind = weights([opening, *MEETING]), weights([*MEETING, opening])
    assert ahead[0] == pytest.approx(behind[-1] * 9 / (1 + 8 / len(behind)))


def test_spoken_weights_prefer_what_the_talk_comes_back_to() -> None:
    """Of two sentences of one build the one whose words others have weighs more."""
    asked = "The budget for the archive is in the annual plan of the board."
    alone = "The colour of the carpet is on the other side of the hall."
    talk = [
        "I think the budget of the archive is too low for the plan, thanks.",
        "Yeah, and I want the board to see the archive and the budget first.",
        asked,
        alone,
        "I know that the archive needs a budget, and the board knows it as well.",
        *MEETING[8:],
        *MEETING[8:],
    ]
    found = weights(talk)
    assert found[2] * (1 + 8 / 3) ** -1 > found[3] * (1 + 8 / 4) ** -1


def test_selection_of_a_meeting_takes_what_informs() -> None:
    """Two sentences of twenty: those that say what was proposed and where it is set."""
    text, own = " ".join(MEETING), [terms(each) for each in MEETING]
    starts = [text.index(each) for each in MEETING]
    offered = [
        SentenceCandidate(start, start + len(each), weight)
        for start, each, weight in zip(starts, MEETING, weights(MEETING), strict=True)
    ]
    plain = [SentenceCandidate(each.start, each.end) for each in offered]
    two = SelectionParameters(ratio=0.2, max_sentences=2)
    chosen, before = ({each.start for each in select(text, some, two, terms_of=own)} for some in (offered, plain))
    assert chosen == {starts[n] for n in INFORMING} != before


@pytest.mark.parametrize(
    "announcing",
    [
        "The next item is the report by Mrs Gomes on women in politics of the countries.",
        "The second point on our agenda is the budget of the new office in the city.",
        "The purpose of this meeting is the design of the remote control for the market.",
        "Then we will now turn to the retention of recordings in the centre of the group.",
        "We're going to discuss the retention of recordings in the centre of the group.",
        "We come to the joint debate on the annual report of the ombudsman for the year.",
    ],
)
def test_announced_matters_weigh_more(announcing: str) -> None:
    """Who says what comes up says what the talk is about; the same words in another order do not."""
    plain = " ".join(reversed(announcing.rstrip(".").split())) + "."
    one, other = (weights([*MEETING, each])[-1] for each in (announcing, plain))
    assert one == pytest.approx(4.0 * other)


def test_title_of_a_talk_is_no_broken_sentence() -> None:
    """A short first line that does not end as a sentence keeps its weight; one further down, an exclamation and a name do not."""
    title = "Retention of recordings (debate)"
    first = weights([title, *MEETING])[0]
    assert first > 10 * weights([f"{title}.", *MEETING])[0]
    assert first > 10 * weights([MEETING[3], title, *MEETING])[1]
    assert weights(["Chair", *MEETING])[0] < first / 10
