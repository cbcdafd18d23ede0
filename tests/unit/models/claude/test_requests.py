"""Our requests in the service's words: complete, deterministic, and nothing that it would refuse."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.errors import UsageError
from coditect.models.claude.requests import adapted_schema, message_parameters
from coditect.models.llm import CacheTtl, Document, LlmRequest, TextBlock
from tests.llm_server.messages import check, request_sha256
from tests.unit.models.claude.requests import HAIKU, SCHEMA, cited, prose, structured

_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)
_TTLS = st.sampled_from(["", "1h"])
_REQUESTS = st.builds(
    LlmRequest,
    st.just(HAIKU),
    st.lists(st.builds(TextBlock, _TEXTS), max_size=2).map(tuple),
    st.lists(
        st.one_of(
            st.builds(TextBlock, _TEXTS),
            st.builds(Document, st.text(max_size=5), st.lists(_TEXTS, min_size=1, max_size=3).map(tuple)),
        ),
        min_size=1,
        max_size=3,
    ).map(tuple),
    st.integers(1, 1_000),
)


def test_request_is_written_in_full() -> None:
    """Instructions, documents, marks and limits stand where the service reads them, and sampling is left to it."""
    request = LlmRequest(
        HAIKU,
        (TextBlock("Be brief.", cache="1h"),),
        (Document("Lease", ("One.", "Two."), cache="5m"), Document("", ("Three.",)), TextBlock("Which?")),
        700,
        citations=True,
        effort="low",
    )
    assert message_parameters(request) == {
        "model": HAIKU,
        "max_tokens": 700,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral", "ttl": "1h"}}],
        "messages": [
            {
                "role": "user",
                "content": [
                    {
                        "type": "document",
                        "source": {
                            "type": "content",
                            "content": [{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}],
                        },
                        "title": "Lease",
                        "citations": {"enabled": True},
                        "cache_control": {"type": "ephemeral", "ttl": "5m"},
                    },
                    {
                        "type": "document",
                        "source": {"type": "content", "content": [{"type": "text", "text": "Three."}]},
                        "citations": {"enabled": True},
                    },
                    {"type": "text", "text": "Which?"},
                ],
            }
        ],
        "output_config": {"effort": "low"},
    }


@settings(deadline=None)
@given(_REQUESTS, _REQUESTS)
def test_equal_requests_have_equal_bodies(first: LlmRequest, second: LlmRequest) -> None:
    """The service is asked the same exactly if the port says that it is the same."""
    bodies = [message_parameters(first), message_parameters(second)]
    assert (first.sha256 == second.sha256) == (request_sha256(bodies[0]) == request_sha256(bodies[1]))
    assert check(bodies[0])


@settings(deadline=None)
@given(_REQUESTS, _TTLS)
def test_caching_does_not_change_what_is_asked(request_: LlmRequest, ttl: CacheTtl) -> None:
    """How long the service keeps a beginning is no part of the request's identity."""
    marked = replace(request_, content=(replace(request_.content[0], cache=ttl), *request_.content[1:]))
    assert marked.sha256 == request_.sha256
    assert request_sha256(message_parameters(marked)) == request_sha256(message_parameters(request_))


_BAD: dict[str, LlmRequest] = {
    "citations with a schema": replace(cited("Rent"), output_schema=SCHEMA),
    "five marks": LlmRequest(HAIKU, (), tuple(TextBlock(str(number), "5m") for number in range(5)), 9),
    "an hour after five minutes": LlmRequest(HAIKU, (TextBlock("a", "5m"),), (TextBlock("b", "1h"),), 9),
    "no content": LlmRequest(HAIKU, (TextBlock("a"),), (), 9),
    "white space": LlmRequest(HAIKU, (), (TextBlock(" \n"),), 9),
    "an empty document": LlmRequest(HAIKU, (), (Document("t", ()), TextBlock("b")), 9),
    "a blank block": LlmRequest(HAIKU, (), (Document("t", ("a", "\t")), TextBlock("b")), 9),
    "no tokens": prose(max_tokens=0),
    "a schema of nothing": replace(structured(), output_schema={"properties": {"a": {}}}),
    "a list of types": replace(structured(), output_schema={"type": ["string", "null"]}),
}


@pytest.mark.parametrize("name", _BAD)
def test_request_that_the_service_would_refuse_is_not_made(name: str) -> None:
    """What the service refuses for sure is refused before it is sent."""
    with pytest.raises(UsageError):
        message_parameters(_BAD[name])


def test_schema_becomes_one_that_the_service_takes() -> None:
    """Bounds move into descriptions, alternatives stay, the caller's schema stays as it is."""
    before = repr(SCHEMA)
    adapted = adapted_schema(SCHEMA)
    check({**message_parameters(prose()), "output_config": {"format": {"type": "json_schema", "schema": adapted}}})
    assert "maxItems" not in adapted["properties"]["verdicts"]
    assert "3" in adapted["properties"]["verdicts"]["description"]
    assert {part["type"] for part in adapted["properties"]["score"]["anyOf"]} == {"number", "null"}
    assert adapted["properties"]["kind"]["enum"] == ["rule", "advice"]
    assert repr(SCHEMA) == before


_SCALARS = st.sampled_from(
    [
        {"type": "string", "maxLength": 5},
        {"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}], "description": "d"},
        {"type": "integer", "minimum": 1, "maximum": 9},
        {"enum": ["a", "b"]},
        {"enum": ["a", None]},
        {"const": "x"},
        {"type": "boolean"},
    ]
)


def _object(members: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": members, "required": sorted(members)}


_SCHEMAS = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(
        st.builds(lambda items: {"type": "array", "items": items, "minItems": 1, "maxItems": 4}, inner),
        st.builds(_object, st.dictionaries(st.sampled_from(["type", "items", "a", "anyOf"]), inner, max_size=3)),
        st.builds(lambda parts: {"anyOf": parts}, st.lists(inner, min_size=1, max_size=3)),
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(_SCHEMAS)
def test_every_schema_is_adapted_or_refused(schema: dict[str, Any]) -> None:
    """A schema of ours becomes one that the service takes, the same for the same."""
    adapted = adapted_schema(_object({"answer": schema}))
    check({**message_parameters(prose()), "output_config": {"format": {"type": "json_schema", "schema": adapted}}})
    assert adapted_schema(_object({"answer": schema})) == adapted
