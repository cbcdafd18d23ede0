"""Anaphors at the beginning of a statement, and their antecedents: "It shall", "Their", "Such records", "This policy"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from coditect.language.coreference import LABEL, NounPhrase, find_mention, is_person, main_subject
from coditect.language.norms.actors.agents import is_agent
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table
from coditect.schemas.standalone import ResolutionKind
from coditect.tiers.propositions.titles import is_document_noun, title_noun

__all__ = ["Anaphors", "Antecedent"]

_COREFERENCE, _VERBS = read_table("coreference"), read_table("verbs")
_AUX = f"(?:{_VERBS.pattern('modal_auxiliaries')}|{_VERBS.pattern('primary_auxiliaries')})"
_ANAPHORS = _COREFERENCE.words("anaphors")
_POINTS = deferred(
    rf"(?:{LABEL.pattern})?(?:(?P<word>{'|'.join(word.capitalize() for word in _ANAPHORS)})\b"
    rf"|(?:{_COREFERENCE.pattern('connectives')}),?\s+(?P<later>{'|'.join(_ANAPHORS[:-1])})\b)"
)
_DOCUMENT = deferred(
    r"\s+(?P<noun>[A-Za-z]+)\b(?!\s+(?:of|for|on|period|year|date|is\s+given|shall\s+be\s+given)\b|['’-])"
)
_NOUN = deferred(rf"\s+(?P<noun>[A-Za-z-]{{3,}}(?:\s+[A-Za-z-]{{3,}}){{0,2}}?)(?=\s+{_AUX}\b)")
_NOT_NOUNS = deferred(rf"(?:.*\s)?(?:{_COREFERENCE.pattern('nouns_of_no_reference')})", re.IGNORECASE | re.DOTALL)
_PREDICATE = deferred(
    rf"\s+(?:(?P<aux>{_AUX})(?:\s+(?:not|also|then|further|always|only|either|in\s+(?:turn|addition)|at\s+all\s+times|at\s+least\s+\w+|\w+ly))*"
    r"\s+)?(?P<verb>[a-z-]+)(?:\s+(?:(?:not|also|first|further|\w+ly)\s+)*(?P<next>[a-z-]+))?"
)
_BE = frozenset(("be", "been", "being"))
_IS = frozenset(("is", "are", "was", "were"))
_PARTICIPLE = deferred(rf"\w{{2,}}(?:ed|en|wn)$|(?:{_VERBS.pattern('participles_of_the_perfect')})$")
_OF_THINGS = deferred(rf"(?:{_VERBS.pattern('stative_verbs')})$")
# "It is agreed that", "It will be necessary to": the word means nothing.
_EXPLETIVE = deferred(
    r"\s+(?:is|was|shall\s+be|will\s+be|would\s+be|may\s+be|must\s+be|should\s+be|has\s+been|being|becomes?|appears?|seems?|shall\s+not\s+be|is\s+not"
    r"|will\s+not\s+be|may\s+become|can\s+be|cannot\s+be)\b[^.;:]{0,120}?\b(?:that|to|whether|if|for|when|where|how|who)\b"
    r"|\s+(?:shall|will|must|may)\s+(?:remain|lie|rest|fall)\b[^.;]{0,60}\b(?:discretion|whether|responsibility)\b"
    r"|\s+(?:takes?|follows?\s+that|appears?|seems?|means?\s+that|happens?)\b(?!\s+effect)",
)
_OBJECT = deferred(r"\b(?:an?|the|each|any|every|its|another|one)\s+\w", re.IGNORECASE)
_PLURALS = deferred(rf"(?<![\d] )\b(?!(?:{_COREFERENCE.pattern('plural_determiners_and_units')})\b)[a-z]{{3,}}s\b")
_ACTIVE_BEFORE = deferred(
    rf"(?:{_VERBS.pattern('modal_auxiliaries')}|has|have|had|does|do|did)\b(?:\s+(?:not|also|\w+ly))*\s+(?!be\b|been\b|not\b)(?P<verb>[a-z]+)"
)
_PRONOUN = deferred(r"(?:it|they|he|she|we|you)", re.IGNORECASE)
_WORD = deferred(r"[\w’'-]+")
_POSSESSIVE_BREAKS = deferred(r"\s(?:that|which|who|whose|in|on|at|for|from|with|by|under|to)\s|[,()]")

_SURE, _LIKELY = 0.9, 0.8


@dataclass(frozen=True, slots=True)
class Antecedent:
    """What an anaphor at the beginning of a statement stands for.

    Attributes:
        kind: what kind of anaphor it is.
        start: first code point of the anaphor.
        end: one past its last.
        phrase: the antecedent, elsewhere in the document.
        confidence: 0..1.
    """

    kind: ResolutionKind
    start: int
    end: int
    phrase: NounPhrase
    confidence: float


@dataclass(frozen=True, slots=True)
class _Sentence:
    start: int
    end: int
    section: int
    topic: NounPhrase | None
    known: bool


class Anaphors:
    """Resolves anaphors from the sentence before; sentences are shown to it in the order of the document."""

    def __init__(self, text: str, title: tuple[int, int] | None) -> None:
        """Start at the beginning of a document.

        Args:
            text: the canonical text.
            title: the span of the document's own title in it, or None.
        """
        self._text = text
        self._title = title
        self._before: _Sentence | None = None

    def forget(self) -> None:
        """Take note that something came between, such as a heading or a table: nothing points back over it."""
        self._before = None

    def see(self, start: int, end: int, section: int, *, siblings: bool) -> Antecedent | None:
        """Take in the next sentence of the document.

        Args:
            start: its first code point.
            end: one past its last.
            section: index of its section.
            siblings: whether the sentence before is in another clause of the same section.

        Returns:
            The antecedent of its first words, or None where they point nowhere or where it is in doubt.
        """
        points = _POINTS.match(self._text, start, end)
        if points is None:
            self._before = _Sentence(start, end, section, None, known=False)
            return None
        meant = self._meant(points, end, section, siblings=siblings)
        self._before = _Sentence(start, end, section, meant.phrase if meant else None, known=True)
        return meant

    def _meant(self, points: re.Match[str], end: int, section: int, *, siblings: bool) -> Antecedent | None:
        group = "word" if points["word"] else "later"
        word, (at, stop) = points[group].lower(), points.span(group)
        if points["word"] == "This":
            document = self._document(at, stop, end)
            if document:
                return document
        before = self._before
        if before is None or (before.section != section and not siblings):
            return None
        if word in ("this", "these", "those", "such", "said"):
            return self._demonstrative(word, at, stop, end, before) if before.section == section else None
        topic = self._topic(before)
        if topic is None or (before.section != section and not self._is_title(topic)):
            return None
        if word in ("its", "their", "his", "her"):
            return self._possessive(word, at, stop, topic, before)
        return self._pronoun(word, at, stop, end, topic, before)

    def _document(self, at: int, stop: int, end: int) -> Antecedent | None:
        noun = _DOCUMENT.match(self._text, stop, end)
        if noun is None or self._title is None:
            return None
        if (
            not is_document_noun(noun["noun"])
            or title_noun(self._text, self._title).casefold() != noun["noun"].casefold()
        ):
            return None
        return Antecedent("document", at, noun.end(), NounPhrase(*self._title, "singular", "thing"), 0.95)

    def _is_title(self, phrase: NounPhrase) -> bool:
        return (phrase.start, phrase.end) == self._title

    def _topic(self, before: _Sentence) -> NounPhrase | None:
        if before.known:
            return before.topic
        topic = main_subject(self._text, before.start, before.end)
        self._before = replace(before, topic=topic, known=True)
        return topic

    def _demonstrative(self, word: str, at: int, stop: int, end: int, before: _Sentence) -> Antecedent | None:
        noun = _NOUN.match(self._text, stop, end)
        if noun is None or _NOT_NOUNS.fullmatch(noun["noun"]):
            return None
        phrase = find_mention(self._text, before.start, before.end, noun["noun"])
        if phrase is None or (word == "this" and phrase.number == "plural"):
            return None
        return Antecedent("demonstrative", at, noun.end(), phrase, _LIKELY)

    def _possessive(self, word: str, at: int, stop: int, topic: NounPhrase, before: _Sentence) -> Antecedent | None:
        words = self._text[topic.start : topic.end]
        if _POSSESSIVE_BREAKS.search(words) or len(words.split()) > 6 or not self._agrees(word, topic):
            return None
        if topic.kind == "thing" and self._has_body(topic, before):
            return None
        return Antecedent("possessive", at, stop, topic, _LIKELY)

    def _pronoun(
        self, word: str, at: int, stop: int, end: int, topic: NounPhrase, before: _Sentence
    ) -> Antecedent | None:
        if not self._agrees(word, topic) or (word == "it" and _EXPLETIVE.match(self._text, stop, end)):
            return None
        manner = _manner(_PREDICATE.match(self._text, stop, end))
        if manner == "":
            return None
        if topic.kind != "thing":
            return Antecedent("pronoun", at, stop, topic, _SURE) if manner == "acts" else None
        if self._is_title(topic):
            return Antecedent("pronoun", at, stop, topic, _SURE)
        if manner == "acts" and self._has_body(topic, before):
            return None
        return None if self._has_object(topic, before) else Antecedent("pronoun", at, stop, topic, _LIKELY)

    def _agrees(self, word: str, topic: NounPhrase) -> bool:
        if word in ("he", "she", "his", "her"):
            return topic.kind == "person" and topic.number == "singular"
        if word in ("it", "its"):
            return topic.kind != "person" and topic.number == "singular"
        return topic.number == "plural"

    def _has_body(self, topic: NounPhrase, before: _Sentence) -> bool:
        """Whether the sentence before names somebody else who can act."""
        rest = self._text[topic.end : before.end] if topic.end <= before.end else self._text[before.start : before.end]
        words = (word for word in _WORD.findall(rest) if not _PRONOUN.fullmatch(word))
        return any(is_agent(word, opens=False) and not is_person(word) for word in words)

    def _has_object(self, topic: NounPhrase, before: _Sentence) -> bool:
        """Whether the sentence before acts on something of the same number, which may be meant as well."""
        if not before.start <= topic.start < before.end:
            return False
        active = _ACTIVE_BEFORE.match(self._text[topic.end : before.end].lstrip())
        if active is None:
            return False
        rest = self._text[topic.end + active.end() : before.end]
        return (_OBJECT if topic.number == "singular" else _PLURALS).search(rest) is not None


def _manner(predicate: re.Match[str] | None) -> str:
    """Whether the subject of a predicate "acts", is "told of", or "" where that is open."""
    if predicate is None:
        return ""
    aux, verb, after = predicate["aux"], predicate["verb"], predicate["next"] or ""
    if aux in _IS or verb in _IS or verb in _BE:
        return "told of"
    if aux in ("has", "have", "had") and _PARTICIPLE.match(verb):
        return "acts"
    if aux in ("has", "have", "had") or verb in ("has", "have", "had"):
        return "told of" if after else ""
    if _OF_THINGS.match(verb):
        return "told of"
    return "acts"
