"""What an answer of the reader bears out: each provision as a whole, or not at all.

Every part has to be words of the lines that were shown. A norm whose words of force contradict its kind, whose parts leave out a
"not" or an "unless" that stands between them, or that is told of a line that was not asked about takes its whole provision with it:
there, what rules read stands. So it is with a line that the answer passes over, and with a provision that speaks to a model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coditect.agents.roles.answers import ReaderAnswer, ReaderDefinition, ReaderNorm, parsed
from coditect.agents.roles.fences import addresses_model
from coditect.agents.roles.reader.locating import NotBorneOut, located_definition, located_norms
from coditect.agents.roles.reader.passages import ReaderPassage, ShownLine
from coditect.language.quotes.places import Rejection, locate
from coditect.models.llm import LlmAnswer
from coditect.tiers.readings.provisions import ReadProvision
from coditect.tiers.readings.told import Place, ToldSentence

__all__ = ["ToldPassage", "read_passage"]

UNANSWERED = "a line that is not answered"
TWICE = "a line with and without a statement"
ADDRESSED = "text that speaks to a model"


@dataclass(frozen=True, slots=True)
class ToldPassage:
    """What one answer amounts to.

    Attributes:
        sentences: those of the provisions that it reads soundly, by index in the document.
        rejections: what of the answer was not accepted, and why.
        left: how many provisions are left to the rules.
        suspicious: places of the text as it is read that speak to a model, in order.
    """

    sentences: Mapping[int, ToldSentence]
    rejections: tuple[str, ...] = ()
    left: int = 0
    suspicious: tuple[Place, ...] = ()

    @property
    def rejected(self) -> Mapping[str, int]:
        """Rejections by reason."""
        return dict(sorted(Counter(self.rejections).items()))


def read_passage(answer: LlmAnswer, passage: ReaderPassage) -> ToldPassage:
    """What an answer says that the passage bears out.

    Args:
        answer: what came back to the request.
        passage: what it asked about.

    Raises:
        Malformed: not of the asked-for shape.
    """
    found = parsed(answer, ReaderAnswer, "reader")
    lines = {int(line.label): line for line in passage.lines if line.label.isdigit()}
    numbers = {line.sentence: number for number, line in lines.items()}
    norms: dict[int, list[ReaderNorm]] = {}
    definitions: dict[int, list[ReaderDefinition]] = {}
    for norm in found.norms:
        norms.setdefault(norm.at, []).append(norm)
    for definition in found.definitions:
        definitions.setdefault(definition.at, []).append(definition)
    nothing = set(found.nothing)
    suspicious = _suspicious(found.suspicious, passage)
    rejections = ["a number that no line has"] * sum(at not in lines for at in {*norms, *definitions, *nothing})
    rejections += ["suspicious text: not found"] * (len(found.suspicious) - len(suspicious))
    sentences: dict[int, ToldSentence] = {}
    left = 0
    for provision in passage.provisions:
        try:
            told = {
                index: _sentence(numbers[index], provision, passage, norms, definitions, nothing, answer.request_sha256)
                for index in provision.sentences
            }
            _is_addressed(provision, passage, suspicious)
        except NotBorneOut as problem:
            rejections.append(str(problem))
            left += 1
        else:
            sentences |= told
    return ToldPassage(sentences, tuple(rejections), left, suspicious)


def _sentence(
    number: int,
    provision: ReadProvision,
    passage: ReaderPassage,
    norms: Mapping[int, Sequence[ReaderNorm]],
    definitions: Mapping[int, Sequence[ReaderDefinition]],
    nothing: set[int],
    sha256: str,
) -> ToldSentence:
    """What is told of a sentence.

    Raises:
        NotBorneOut: it is not to be trusted.
    """
    says = number in norms or number in definitions
    if says == (number in nothing):
        raise NotBorneOut(TWICE if says else UNANSWERED)
    found = located_norms(norms.get(number, ()), number, provision, passage, sha256)
    alone = len(definitions.get(number, ())) == 1 and not found
    defined = [
        located_definition(each, number, provision, passage, sha256, alone=alone)
        for each in definitions.get(number, ())
    ]
    return ToldSentence(tuple(found), tuple(defined))


def _suspicious(quotes: Sequence[str], passage: ReaderPassage) -> tuple[Place, ...]:
    """Where the text stands that an answer calls suspicious, as far as it was shown."""
    found: set[Place] = set()
    for quote in quotes:
        for line in passage.lines:
            if line.sentence < 0:
                continue
            place = locate(quote, passage.text, within=(line.start, line.end)) if quote.strip() else Rejection("empty")
            if not isinstance(place, Rejection):
                found.add((place.start, place.end))
                break
    return tuple(sorted(found))


def _is_addressed(provision: ReadProvision, passage: ReaderPassage, suspicious: Sequence[Place]) -> None:
    """Refuse a provision that speaks to a model, or that stands beside text which does.

    Raises:
        NotBorneOut: it does.
    """
    for line in _shown_with(provision, passage):
        if addresses_model(line.text) or any(lo < line.end and line.start < hi for lo, hi in suspicious):
            raise NotBorneOut(ADDRESSED)


def _shown_with(provision: ReadProvision, passage: ReaderPassage) -> list[ShownLine]:
    own = {*provision.sentences, *provision.above}
    return [line for line in passage.lines if line.sentence in own]
