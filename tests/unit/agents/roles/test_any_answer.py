"""No answer, however wrong, makes a reader fail otherwise than with Malformed, or brings in what the source does not have."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.agents.extraction_schema.json_schema import SchemaPlaces, misfits
from coditect.agents.extraction_schema.schema import build_extraction_schema
from coditect.agents.roles.answers import CONFLICT_KINDS, VERDICTS
from coditect.agents.roles.contextualiser import read_context
from coditect.agents.roles.mapper import read_mapped
from coditect.agents.roles.passage_groups import PassageGroup
from coditect.agents.roles.reducer import ReducerQuote, read_reduction
from coditect.agents.roles.selector import read_selected
from coditect.agents.roles.synthesiser import read_drafts
from coditect.agents.roles.validator import EvidencePiece, read_judgement
from coditect.errors import Malformed
from coditect.models.llm import CitedSpan, TextPart
from tests.effort import times
from tests.unit.agents.roles.material import ATTACK, POLICY, answered, section

OFFSET = 77
SOURCES = (
    POLICY,
    ATTACK,
    "ﬁnan­cial “re-\nport” co-operation — 5\u00a0µg … ½ Å Å ﷺ\n\nThe bank shall report. The bank shall report.",
    "aaaa aaaa aaaa aaaa\n- aaaa\n- b\u0301\u0323b",
)
SCHEMA = build_extraction_schema(
    {
        "types": {
            "norm": {
                "fields": {
                    "modality": {"type": "string", "x-verbatim": True},
                    "words": {"type": "array", "items": {"type": "string"}, "x-verbatim": True},
                    "actor": {"type": "object", "properties": {"name": {"type": "string", "x-verbatim": True}}},
                    "parts": {
                        "type": "array",
                        "items": {"type": "object", "properties": {"name": {"type": "string", "x-verbatim": True}}},
                    },
                    "days": {"type": "integer", "minimum": 0, "maximum": 99},
                    "note": {"type": "string", "maxLength": 5},
                    "kind": {"enum": ["a", "b"]},
                },
            },
            "term": {"fields": {"share": {"type": "number"}}, "required": ["share"]},
        }
    },
    SchemaPlaces("test"),
    "any",
)

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just(10**30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def words_of(draw: st.DrawFn, text: str) -> str:
    """Words of a text, as a careless model copies them: cut anywhere, retyped, changed, or its own."""
    start = draw(st.integers(0, len(text)))
    copied = text[start : start + draw(st.integers(0, 60))]
    how = draw(st.sampled_from(("as is", "straight", "blanks", "joined", "upper", "changed", "own")))
    match how:
        case "straight":
            return copied.replace("“", '"').replace("”", '"').replace("—", "-").replace("\u00ad", "")
        case "blanks":
            return " \n".join(copied.split())
        case "joined":
            return copied.replace("-\n", "").replace("\u00a0", " ").replace("ﬁ", "fi")
        case "upper":
            return copied.upper()
        case "changed":
            return copied.replace("not ", "").replace("shall", "may")
        case "own":
            return draw(st.text(max_size=20))
    return copied


def fields_of(text: str) -> st.SearchStrategy[Any]:
    """Fields that nearly fit the schema."""
    words = words_of(text)
    return st.fixed_dictionaries(
        {},
        optional={
            "modality": words | ANYTHING,
            "words": st.lists(words, max_size=3) | ANYTHING,
            "actor": st.fixed_dictionaries({}, optional={"name": words, "x": ANYTHING}) | ANYTHING,
            "parts": st.lists(st.fixed_dictionaries({}, optional={"name": words}), max_size=3) | ANYTHING,
            "days": st.integers(-5, 120) | ANYTHING,
            "note": st.text(max_size=7),
            "kind": st.sampled_from("abc"),
            "share": st.floats() | st.integers(),
        },
    )


@st.composite
def mapper_answers(draw: st.DrawFn) -> tuple[str, Any]:
    """A source, and an answer of items about it."""
    text = draw(st.sampled_from(SOURCES))
    words = words_of(text)
    item: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
        {
            "type": st.sampled_from(("norm", "term", "other")),
            "quote": words,
            "fields": fields_of(text) | st.just({}),
            "confidence": st.floats(0, 1) | st.sampled_from((0, 1)),
        },
        optional={"before": words, "after": words},
    )
    return text, draw(
        st.fixed_dictionaries({"items": st.lists(item, max_size=4), "suspicious": st.lists(words, max_size=2)})
    )


def verbatim_values(fields: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON value
    """Values of the fields that the schema calls verbatim."""
    for name, value in fields.items():
        if name in ("modality", "name"):
            yield value
        elif name == "words":
            yield from value
        elif name == "actor":
            yield from verbatim_values(value)
        elif name == "parts":
            for each in value:
                yield from verbatim_values(each)


@settings(max_examples=times(200, least=10), deadline=None)
@given(mapper_answers())
def test_mapper_items_are_verbatim_whatever_is_answered(answer: tuple[str, Any]) -> None:
    """Every item is the document's text at its offsets, its verbatim fields are words of it, and all fields fit the schema."""
    text, value = answer
    group = PassageGroup("any.md", text, OFFSET)
    mapped = read_mapped(answered(value), SCHEMA, group)
    assert mapped == read_mapped(answered(value), SCHEMA, group)
    for item in mapped.items:
        start, end = item.start - OFFSET, item.end - OFFSET
        assert 0 <= start < end <= len(text)
        assert item.text == text[start:end]
        assert all(each and each in item.text for each in verbatim_values(item.fields))
        assert not list(misfits(item.fields, SCHEMA.types[item.type].fields))
        json.dumps(dict(item.fields), allow_nan=False).encode()
    for start, end in mapped.suspicious:
        assert 0 <= start - OFFSET < end - OFFSET <= len(text)
    whole = sum(each.whole and not each.reason.startswith("suspicious") for each in mapped.rejections)
    # Each returned item is there, or merged with its equal, or rejected: none vanishes.
    assert len(mapped.items) <= len(value["items"])
    assert bool(mapped.items) or whole >= len(value["items"])


RAW = st.text(max_size=80) | ANYTHING.map(json.dumps) | st.sampled_from(("{", '{"items":', "\ud800", "\x00"))
SHAPED = st.one_of(
    st.fixed_dictionaries({"items": ANYTHING}, optional={"suspicious": ANYTHING}),
    st.fixed_dictionaries({"sentences": ANYTHING | st.lists(st.integers(-2, 5), max_size=4)}),
    st.fixed_dictionaries(
        {
            "duplicates": st.lists(st.lists(st.integers(-1, 5), max_size=4), max_size=4) | ANYTHING,
            "conflicts": st.lists(
                st.fixed_dictionaries(
                    {
                        "between": st.lists(st.integers(-1, 5), max_size=4),
                        "about": st.text(max_size=10),
                        "kind": st.sampled_from(CONFLICT_KINDS),
                    }
                ),
                max_size=3,
            ),
        }
    ),
    st.fixed_dictionaries(
        {
            "quotes": st.lists(
                st.fixed_dictionaries({"evidence": st.integers(-1, 3), "text": words_of(POLICY)}), max_size=3
            )
            | ANYTHING,
            "reason": st.text(max_size=10),
            "verdict": st.sampled_from(VERDICTS),
        }
    ),
).map(json.dumps)

QUOTES = (
    ReducerQuote("a", "a.md", "Users must act."),
    ReducerQuote("b", "b.md", "Users must not act."),
    ReducerQuote("c", "c.md", "?"),
)
EVIDENCE = (EvidencePiece("a.md", POLICY), EvidencePiece("b.md", ATTACK))


@settings(max_examples=times(200, least=10), deadline=None)
@given(RAW | SHAPED)
def test_readers_of_structured_answers_raise_malformed_alone(text: str) -> None:
    """Any text at all is read, or Malformed; what is read names only what there is."""
    answer = answered(text)
    with suppress(Malformed):
        assert all(item.text in POLICY for item in read_mapped(answer, SCHEMA, PassageGroup("a.md", POLICY, 0)).items)
    with suppress(Malformed):
        assert set(read_selected(answer, 3, 2)) <= {0, 1, 2}
    with suppress(Malformed):
        reduction = read_reduction(answer, QUOTES)
        named = [*reduction.duplicates, *(note.between for note in reduction.conflicts)]
        assert all(len(keys) > 1 and set(keys) <= {"a", "b", "c"} for keys in named)
        assert not reduction.duplicates  # the quotes differ in their modal words
    with suppress(Malformed):
        judgement = read_judgement(answer, "Users must act.", EVIDENCE)
        assert all(quote.text == EVIDENCE[quote.evidence].text[quote.start : quote.end] for quote in judgement.quotes)
        assert judgement.verdict != "supported"  # one piece of the evidence speaks to the checker


SECTIONS = (
    section("acting", ("a.md", "Users must act."), ("b.md", "Users may act.")),
    section("x", ("a.md", "Report.")),
)
BLOCKS = (("Users must act.",), ("Users may act.",), ("Report.",))
SPANS = st.builds(
    CitedSpan,
    st.integers(-1, 4),
    st.integers(-1, 2),
    st.integers(-1, 3),
    st.sampled_from(("Users must act.", "Users may act.", "Report.", "", "Users must act.Users may act.")),
)
PARTS = st.lists(
    st.builds(
        TextPart,
        st.text(st.characters(), max_size=20)
        | st.sampled_from(("Users must act. ", "<b>", "</cite>", "\n- **It**", ". ", "# ")),
        st.lists(SPANS, max_size=3).map(tuple),
    ),
    max_size=6,
)


@settings(max_examples=times(200, least=10), deadline=None)
@given(PARTS)
def test_drafts_cite_what_there_is_whatever_is_answered(parts: list[TextPart]) -> None:
    """Every citation of a draft is a quote of the request whose text the service returned; claims can be stored and shown."""
    found = read_drafts(answered(*parts), SECTIONS)
    spans = [span for part in parts for span in part.citations]
    sound = [
        (span.document, span.start)
        for span in spans
        if 0 <= span.document < 3 and (span.start, span.end) == (0, 1) and span.cited_text == BLOCKS[span.document][0]
    ]
    assert found.dropped_citations == len(spans) - len(sound)
    places = {(0, 0): (0, 0), (1, 0): (0, 1), (2, 0): (1, 0)}
    cited = {place for draft in found.sentences for place in draft.citations}
    assert cited <= {places[each] for each in sound}
    for draft in found.sentences:
        assert draft.text == " ".join(draft.text.split()) != ""
        assert draft.text.encode()
        assert len(set(draft.citations)) == len(draft.citations)


@settings(deadline=None)
@given(RAW)
def test_context_raises_malformed_alone(text: str) -> None:
    """Any text at all is a context, or Malformed."""
    with suppress(Malformed):
        assert read_context(answered(text)).strip()
