"""Tokens, and what the service keeps of the beginnings of requests.

Rules, from the service's documentation of prompt caching: a breakpoint is a block with ``cache_control``, at most four; the
beginning up to a breakpoint is kept for five minutes or an hour from its last use, if it is long enough for the model; a
request reads the longest beginning that is kept and ends at most 20 blocks before a breakpoint; what lies between that and
its last breakpoint is written. A beginning can be read once the answer that wrote it has begun. Another output format is
another beginning.

A token is four characters, rounded up for every block. The least lengths of the 5.5 models are those of their predecessors
(Opus 5, Sonnet 5, Haiku 4.5): the documentation at hand does not name them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

__all__ = ["InputUsage", "PromptCache", "least_cached_tokens", "tokens_of"]

LOOK_BACK_BLOCKS = 20
_LEAST = (("claude-opus-5", 512), ("claude-fable-5", 512), ("claude-sonnet-5", 1024), ("claude-haiku", 4096))
_LEAST_OTHERWISE = 4096
_SECONDS = {"5m": 300.0, "1h": 3600.0}
_PURGE_AT = 50_000


def tokens_of(text: str) -> int:
    """Tokens of a text."""
    return -(-len(text) // 4)


def least_cached_tokens(model: str) -> int:
    """Length of the shortest beginning that is kept."""
    return next((least for prefix, least in _LEAST if model.startswith(prefix)), _LEAST_OTHERWISE)


@dataclass(frozen=True, slots=True)
class InputUsage:
    """Input tokens of a request: fresh, written for five minutes, written for an hour, read."""

    input_tokens: int
    written_5m: int
    written_1h: int
    read: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.input_tokens + self.written_5m + self.written_1h + self.read


@dataclass(slots=True)
class _Kept:
    readable_from: float
    until: float
    seconds: float


@dataclass(frozen=True, slots=True)
class _Prefix:
    """The beginning of a request up to a block: its hash, its tokens, and how long it is to be kept ("" if it is not)."""

    key: bytes
    tokens: int
    ttl: str


class PromptCache:
    """What is kept.

    Args:
        now: seconds.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._kept: dict[bytes, _Kept] = {}

    def use(self, body: dict[str, Any], begins_in_s: float = 0.0) -> InputUsage:
        """Count a request that is answered, and keep its beginnings.

        Args:
            body: of the request.
            begins_in_s: until its answer begins.
        """
        now = self._now()
        prefixes = list(_prefixes(body))
        total = prefixes[-1].tokens
        least = least_cached_tokens(body["model"])
        marked = [at for at, prefix in enumerate(prefixes) if prefix.ttl and prefix.tokens >= least]
        if not marked:
            return InputUsage(total, 0, 0, 0)
        read = self._longest(prefixes, marked, now)
        written = {"5m": 0, "1h": 0}
        done = read
        for at in marked:
            prefix = prefixes[at]
            if prefix.tokens > done:
                written[prefix.ttl] += prefix.tokens - done
                done = prefix.tokens
            self._keep(prefix, now, begins_in_s)
        self._purge(now)
        return InputUsage(total - done, written["5m"], written["1h"], read)

    def _longest(self, prefixes: list[_Prefix], marked: list[int], now: float) -> int:
        """Tokens of the longest beginning that is kept; being read, it is kept longer."""
        for at in reversed(marked):
            for back in range(at, max(at - LOOK_BACK_BLOCKS, 0), -1):
                kept = self._kept.get(prefixes[back].key)
                if kept is not None and kept.readable_from <= now < kept.until:
                    kept.until = now + kept.seconds
                    return prefixes[back].tokens
        return 0

    def _keep(self, prefix: _Prefix, now: float, begins_in_s: float) -> None:
        kept = self._kept.get(prefix.key)
        seconds = _SECONDS[prefix.ttl]
        if kept is None or kept.until <= now:
            self._kept[prefix.key] = _Kept(now + begins_in_s, now + begins_in_s + seconds, seconds)
        elif kept.readable_from <= now:
            kept.until = max(kept.until, now + seconds)

    def _purge(self, now: float) -> None:
        if len(self._kept) > _PURGE_AT:
            self._kept = {key: kept for key, kept in self._kept.items() if kept.until > now}


def _prefixes(body: dict[str, Any]) -> Iterator[_Prefix]:
    """The beginnings of a request, shortest first; the first is what precedes all blocks and is never kept."""
    output = body.get("output_config") or {}
    schema = output.get("format")
    head = [body["model"], body.get("tools"), schema, output.get("effort")]
    key = hashlib.sha256(orjson.dumps(head, option=orjson.OPT_SORT_KEYS)).digest()
    tokens = tokens_of(orjson.dumps(schema["schema"]).decode()) if schema else 0
    yield _Prefix(key, tokens, "")
    system = body.get("system") or []
    turns = [("system", _blocks(system)), *((each["role"], _blocks(each["content"])) for each in body["messages"])]
    for role, blocks in turns:
        for block in blocks:
            text = _text(block)
            key = hashlib.sha256(b"\0".join((key, role.encode(), block["type"].encode(), text.encode()))).digest()
            tokens += tokens_of(text)
            control = block.get("cache_control")
            yield _Prefix(key, tokens, control.get("ttl", "5m") if control else "")


def _blocks(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _text(block: dict[str, Any]) -> str:
    if block["type"] != "document":
        return str(block.get("text", ""))
    source = block["source"]
    parts = [part["text"] for part in source["content"]] if source["type"] == "content" else [source["data"]]
    return "\n".join([block.get("title") or "", *parts])
