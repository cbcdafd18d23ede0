"""The local service counts tokens and keeps beginnings as the real one documents it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.llm_server.prompt_cache import InputUsage, PromptCache, least_cached_tokens, tokens_of


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


def _body(*blocks: tuple[int, str], model: str = "claude-opus-5-5", seed: str = "t") -> dict[str, Any]:
    """A request of blocks with so many tokens, each marked to be kept so long or not at all."""
    content = []
    for at, (tokens, ttl) in enumerate(blocks):
        block: dict[str, Any] = {"type": "text", "text": (f"{seed}{at} " + "x" * 4 * tokens)[: 4 * tokens]}
        if ttl:
            block["cache_control"] = {"type": "ephemeral", "ttl": ttl}
        content.append(block)
    return {"model": model, "max_tokens": 10, "messages": [{"role": "user", "content": content}]}


def test_beginning_is_written_once_and_read_afterwards() -> None:
    """What comes before a mark is written the first time and read the next; what comes after it is always fresh."""
    cache = PromptCache(Clock())
    assert cache.use(_body((600, "5m"), (50, ""))) == InputUsage(50, 600, 0, 0)
    assert cache.use(_body((600, "5m"), (70, ""))) == InputUsage(70, 0, 0, 600)


def test_short_beginning_is_not_kept() -> None:
    """Below the model's least length nothing is kept, and nobody says so."""
    cache = PromptCache(Clock())
    for model, least in (("claude-opus-5-5", 512), ("claude-sonnet-5-5", 1024), ("claude-haiku-5-5", 4096)):
        assert least_cached_tokens(model) == least
        for _ in range(2):
            assert cache.use(_body((least - 1, "5m"), model=model)) == InputUsage(least - 1, 0, 0, 0)
        assert cache.use(_body((least, "5m"), model=model)).written_5m == least


@pytest.mark.parametrize(("ttl", "seconds"), [("5m", 300), ("1h", 3600)])
def test_beginning_is_kept_from_its_last_use(ttl: str, seconds: int) -> None:
    """Each use keeps a beginning for its time again; after that it is written anew."""
    clock = Clock()
    cache = PromptCache(clock)
    body = _body((600, ttl))
    assert cache.use(body).read == 0
    for _ in range(3):
        clock.seconds += seconds - 1
        assert cache.use(body).read == 600
    clock.seconds += seconds
    assert cache.use(body).read == 0


def test_beginning_is_read_only_once_its_answer_has_begun() -> None:
    """Requests sent together each write: the first pays off for those that come after its answer begins."""
    clock = Clock()
    cache = PromptCache(clock)
    body = _body((600, "5m"))
    assert [cache.use(body, 0.3).read for _ in range(3)] == [0, 0, 0]
    clock.seconds += 0.3
    assert cache.use(body, 0.3).read == 600


def test_longest_beginning_is_read_and_the_rest_written() -> None:
    """With several marks, what is kept is read up to the longest, and what follows is written for each mark's time."""
    cache = PromptCache(Clock())
    assert cache.use(_body((600, "1h"))) == InputUsage(0, 0, 600, 0)
    assert cache.use(_body((600, "1h"), (200, "1h"), (100, "5m"), (9, ""))) == InputUsage(9, 100, 200, 600)
    assert cache.use(_body((600, "1h"), (200, "1h"), (100, "5m"), (9, ""))) == InputUsage(9, 0, 0, 900)


def test_beginning_is_looked_for_twenty_blocks_back() -> None:
    """A beginning that ends more than twenty blocks before a mark is not found."""
    for between, found in ((19, 600), (20, 0)):
        cache = PromptCache(Clock())
        cache.use(_body((600, "5m")))
        longer = _body((600, ""), *[(1, "")] * (between - 1), (1, "5m"), seed="t")
        assert cache.use(longer).read == found


def test_other_format_is_another_beginning() -> None:
    """A change of the output format or the model forgets what was kept."""
    cache = PromptCache(Clock())
    body = _body((5_000, "5m"))
    cache.use(body)
    schema = {"format": {"type": "json_schema", "schema": {"type": "string"}}}
    assert cache.use({**body, "output_config": schema}).read == 0
    assert cache.use({**body, "model": "claude-sonnet-5-5"}).read == 0
    assert cache.use(body).read == 5_000


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.lists(st.tuples(st.integers(1, 700), st.sampled_from(["", "5m"])), min_size=1, max_size=4),
            st.integers(0, 400),
        ),
        max_size=8,
    )
)
def test_every_token_is_counted_once(requests: list[tuple[list[tuple[int, str]], int]]) -> None:
    """Fresh, written and read tokens are together those of the request, whatever was asked before."""
    clock = Clock()
    cache = PromptCache(clock)
    for blocks, pause in requests:
        clock.seconds += pause
        usage = cache.use(_body(*blocks))
        assert usage.total == sum(tokens for tokens, _ in blocks)
        assert min(usage.input_tokens, usage.written_5m, usage.read) >= 0


@settings(deadline=None)
@given(st.text())
def test_token_is_four_characters(text: str) -> None:
    """Tokens are characters by four, rounded up."""
    assert 4 * tokens_of(text) - 4 < len(text) <= 4 * tokens_of(text)
