"""What a build with agents would ask and cost, before it asks.

The build is run on a store that forgets, with everybody's real requests, and a forecaster in the place of the service: requests
that the store has answers to are free, as they will be. How long the others are is estimated here, and nothing leaves this machine:
by what the service counted for requests of the role that it answered before, or else by :data:`CHARS_PER_TOKEN`. Where the user
asks for it the service counts some of them, which costs nothing and sends it their whole text; the rest are taken to be alike. How
long answers are is taken from those that the tenant has, role by role, or else from experience.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass, field
from itertools import islice
from typing import Any

import orjson

from coditect.agents.asking.ledger import Ledger
from coditect.errors import ModelError
from coditect.knowledge.model_roles.agency import Agency
from coditect.models.llm import CitedSpan, Document, Llm, LlmAnswer, LlmRequest, TextBlock, TextPart, Usage
from coditect.schemas import ModelAnswer, sha256_hex
from coditect.store.answers.records import llm_answer, llm_usage, stored_error
from coditect.store.answers.requests import AnswerStore
from coditect.store.store import Store

__all__ = ["CACHED_FROM_TOKENS", "Experience", "Forecaster", "account_of", "experience_of"]

CACHED_FROM_TOKENS = (("claude-opus-5", 512), ("claude-fable-5", 512), ("claude-sonnet-5", 1024))
"""Shortest prefix that the service keeps, in tokens, by the beginning of a model's name; 4,096 for the others."""

OTHERS_CACHED_FROM = 4096

ANSWERS_LOOKED_AT = 2_000
COUNTED_FIRST = 8
"""Requests of a role that the service counts; of those that follow, every :data:`COUNTED_EACH` th."""
COUNTED_EACH = 40
CHARS_PER_TOKEN = 4.0
"""The estimate where nothing was counted. What the service's tokenizer makes of a text is not public; that of the base installation
(Llama 2) has 3.9 in the middle of 60 public contracts, 3.5 to 4.4 in nine of ten of them, and 3.2 to 5.0 in all. So the real number
lies between a fifth below and a quarter above the estimate, if the service's tokenizer is alike.
"""

OUTPUT_TOKENS = {
    "selector": 20.0,
    "contextualiser": 80.0,
    "synthesiser": 1_500.0,
    "validator": 200.0,
    "examiner": 500.0,
}
"""Tokens of an answer where the tenant has none of the role: what the prompts ask for."""

PROPOSING = ("reducer", "synthesiser")
"""Roles whose claims the validator is asked about."""

OUTPUT_SHARE = {"reader": 0.3, "mapper": 0.3, "reducer": 0.1, "assessor": 0.3, "tracer": 0.1}
"""Roles whose answers are the longer the more they are shown: tokens of the answer by those of the request, where the tenant has
no answer of the role."""

CLAIMS = 20
"""Sentences of the synthesiser's answer where the tenant has none."""

_TEXTS = {
    "reader": '{"norms":[],"definitions":[],"nothing":[],"suspicious":[]}',
    "mapper": '{"items":[],"suspicious":[]}',
    "selector": '{"sentences":[1]}',
    "reducer": '{"duplicates":[],"conflicts":[]}',
    "assessor": '{"pairs":[]}',
    "tracer": '{"rests":[]}',
    "validator": '{"quotes":[],"reason":"forecast","verdict":"needs_review"}',
    "contextualiser": "Where it stands in the document.",
    "examiner": '{"parts":[],"reason":"forecast","verdict":"unclear"}',
}

_NONE_AT_ODDS = '{"at_odds":[]}'
_NO_GAPS = '{"gaps":[]}'
_NO_FINDINGS = '{"findings":[]}'


@dataclass(frozen=True, slots=True)
class Experience:
    """How long the tenant's answers are.

    Attributes:
        output_tokens: mean by role, of roles that were asked before; of those in :data:`OUTPUT_SHARE`, by the request's tokens.
        judged: calls of the validator for each token that the reducer and the synthesiser were shown: what they say is what it is
            asked about. 0 where there is none.
        judging: what a call of the validator takes, on average.
    """

    output_tokens: Mapping[str, float]
    judged: float
    judging: Usage


def experience_of(store: Store) -> Experience:
    """How long answers are, by the tenant's stored answers of all its corpora."""
    used: dict[str, Usage] = {}
    count: dict[str, int] = {}
    found: Iterable[ModelAnswer] = (answer for _, answer in store.scan("answers", ModelAnswer))
    for answer in islice(found, ANSWERS_LOOKED_AT):
        used[answer.role] = used.get(answer.role, Usage()) + llm_usage(answer)
        count[answer.role] = count.get(answer.role, 0) + 1
    means = {
        role: used[role].output_tokens / max(1, used[role].total_input_tokens if role in OUTPUT_SHARE else count[role])
        for role in sorted(count)
    }
    shown = sum(used[role].total_input_tokens for role in PROPOSING if role in used)
    calls = count.get("validator", 0)
    taken = used.get("validator", Usage())
    judging = Usage(*(round(tokens / max(1, calls)) for tokens in astuple(taken)))
    return Experience(means, calls / shown if shown else 0.0, judging)


@dataclass(slots=True)
class Forecaster:
    """In the place of :class:`coditect.agents.asking.remembered.Asker`: answers nothing that could be used, and keeps account.

    Attributes:
        llm: counts the tokens of some requests, which sends it their text; None: nothing is sent.
        answers: the answers that are stored already.
        ledger: told what would be sent, and paid.
        experience: how long answers of each role are.
        validator: the model that judges claims; "" where none does.
        batched: whether requests go by batches.
        sent_to_count: requests that the service was sent to count them.
    """

    llm: Llm | None
    answers: AnswerStore
    ledger: Ledger
    experience: Experience
    validator: str = ""
    batched: bool = False
    sent_to_count: int = 0
    _asked: set[str] = field(default_factory=set)
    _kept: set[tuple[str, str]] = field(default_factory=set)
    _due: float = 0.0
    _number: dict[str, int] = field(default_factory=dict)
    _chars: dict[str, int] = field(default_factory=dict)
    _tokens: dict[str, int] = field(default_factory=dict)
    _uncountable: bool = False

    async def ask(
        self, role: str, request: LlmRequest, *, check: Callable[[LlmAnswer], object] | None = None
    ) -> LlmAnswer:
        """The stored answer, or an empty one; what it would take is in the ledger."""
        stored = self.answers.find(request.sha256)
        if stored is not None:
            self.ledger.reused(role, llm_usage(stored))
            if stored.attempts == 1:
                self._learn(role, sum(len(text) for text, _ in _texts(request)), llm_usage(stored).total_input_tokens)
            error = stored_error(stored)
            if error is not None:
                raise error
            return llm_answer(stored)
        answer = LlmAnswer(request.sha256, request.model, self._parts(role, request), Usage())
        if role == "validator" and self.experience.judged:
            return answer  # what it will be asked is not known yet, and reckoned with what is proposed
        usage = await self._usage(role, request)
        if request.sha256 in self._asked:  # asked twice in a build: sent once
            self.ledger.reused(role, usage)
            return answer
        self._asked.add(request.sha256)
        self.ledger.count(role, "sent")
        self.ledger.paid(role, request.model, usage, batched=self.batched, cache=request.longest_cache)
        if role in PROPOSING and self.validator:
            self._judge(usage.total_input_tokens)
        return answer

    def _judge(self, tokens: int) -> None:
        """Reckon the validator's calls about what is proposed over so many tokens."""
        self._due += self.experience.judged * tokens
        for _ in range(round(self._due)):
            self.ledger.count("validator", "sent")
            self.ledger.paid("validator", self.validator, self.experience.judging, batched=self.batched)
        self._due -= round(self._due)

    async def _usage(self, role: str, request: LlmRequest) -> Usage:
        texts = _texts(request)
        chars = sum(len(text) for text, _ in texts)
        ratio = await self._ratio(role, request, chars)
        total = round(chars * ratio)
        named = (tokens for name, tokens in CACHED_FROM_TOKENS if request.model.startswith(name))
        least = next(named, OTHERS_CACHED_FROM)
        read = written = at = 0
        prefix = request.model
        for text, kept in texts:
            at += len(text)
            prefix = sha256_hex(f"{prefix}\0{text}".encode("utf-8", "replace"))
            tokens = round(at * ratio)
            if kept and tokens >= least:
                if (request.model, prefix) in self._kept:
                    read = tokens
                else:
                    written = tokens - read
                    self._kept.add((request.model, prefix))
        if read + written > total:
            written = max(0, total - read)
        known = self.experience.output_tokens.get(role)
        if role in OUTPUT_SHARE:
            output = total * (OUTPUT_SHARE[role] if known is None else known)
        else:
            output = OUTPUT_TOKENS.get(role, 0.0) if known is None else known
        return Usage(total - read - written, written, read, round(output))

    async def _ratio(self, role: str, request: LlmRequest, chars: int) -> float:
        """Tokens of a character in requests of a role, as far as the service counted any."""
        number = self._number[role] = self._number.get(role, 0) + 1
        due = number <= COUNTED_FIRST or number % COUNTED_EACH == 0
        if self.llm is not None and due and not self._uncountable:
            self.sent_to_count += 1
            try:
                counted = await self.llm.count_tokens(request)
            except ModelError:  # a service that cannot count is not asked again
                self._uncountable = True
            else:
                self._learn(role, chars, counted)
        if self._chars.get(role):
            return self._tokens[role] / self._chars[role]
        return 1.0 / CHARS_PER_TOKEN

    def _learn(self, role: str, chars: int, tokens: int) -> None:
        """Note what the service counted for a request of a role."""
        self._chars[role] = self._chars.get(role, 0) + chars
        self._tokens[role] = self._tokens.get(role, 0) + tokens

    def _parts(self, role: str, request: LlmRequest) -> tuple[TextPart, ...]:
        asked = (request.output_schema or {}).get("properties", {}) if role == "reducer" else {}
        if "others" in asked:
            return (TextPart(_nothing_at_odds(request)),)
        if "at_odds" in asked:
            return (TextPart(_NONE_AT_ODDS),)
        if "gaps" in asked:
            return (TextPart(_NO_GAPS),)
        if role == "validator" and "findings" in (request.output_schema or {}).get("properties", {}):
            return (TextPart(_NO_FINDINGS),)
        if role != "synthesiser":
            return (TextPart(_TEXTS[role]),)
        if self.experience.judged:
            return (TextPart("Nothing."),)
        # As many cited sentences as are to be expected: each is a claim that the validator will be asked about.
        quotes = [
            (n, at, text)
            for n, document in enumerate(each for each in request.content if isinstance(each, Document))
            for at, text in enumerate(document.blocks)
        ]
        return tuple(TextPart(f"{text} ", (CitedSpan(n, at, at + 1, text),)) for n, at, text in quotes[:CLAIMS])


def account_of(agency: Agency) -> dict[str, Any]:
    """What roles asked, got and cost; of a forecast, with how long asking takes and what was sent to be counted."""
    account = agency.ledger.report()
    if isinstance(agency.asks, Forecaster):
        account["expected_seconds"] = round(agency.expected_seconds(), 1)
        account["sent_to_count"] = agency.asks.sent_to_count
    return account


def _nothing_at_odds(request: LlmRequest) -> str:
    """The answer that finds nothing in the numbered sets of a request, one on each of its lines."""
    sets = sum(text.count('\n{"n":') for text, _ in _texts(request))
    others = [{"n": n, "why": "other_matter"} for n in range(1, sets + 1)]
    return orjson.dumps({"conflicts": [], "others": others}).decode()


def _texts(request: LlmRequest) -> list[tuple[str, bool]]:
    """The texts of a request in their order, and whether the service keeps what ends there."""
    schema = [] if request.output_schema is None else [(orjson.dumps(request.output_schema).decode(), False)]
    content: list[tuple[str, bool]] = []
    for block in request.content:
        if isinstance(block, TextBlock):
            content.append((block.text, bool(block.cache)))
        else:
            content.append((block.title + "".join(block.blocks), bool(block.cache)))
    return [*schema, *((block.text, bool(block.cache)) for block in request.system), *content]
