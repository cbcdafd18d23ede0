"""A service to talk to, and clients of it that close themselves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from coditect.models.claude.service import ClaudeLlm
from tests.llm_server import LlmServer, llm_server
from tests.unit.models.claude.requests import KEY


@pytest.fixture
def server() -> Iterator[LlmServer]:
    """The service, without latency and faults until a test says otherwise."""
    with llm_server(api_key=KEY) as running:
        yield running


@pytest_asyncio.fixture
async def claude(server: LlmServer) -> AsyncIterator[ClaudeLlm]:
    """An adapter that asks for whole answers."""
    llm = ClaudeLlm(KEY, server.base_url, timeout_s=20.0, stream_above_tokens=100_000)
    yield llm
    await llm.close()


@pytest_asyncio.fixture
async def streaming(server: LlmServer) -> AsyncIterator[ClaudeLlm]:
    """An adapter that streams every answer."""
    llm = ClaudeLlm(KEY, server.base_url, timeout_s=20.0, stream_above_tokens=0)
    yield llm
    await llm.close()
