"""What input tokens cost, and what they would have: caching, batches, grouping, routing and repeats, each alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coditect.agents.asking.prices import Prices
from coditect.agents.extraction_schema.default import DEFAULT_EXTRACTION_SCHEMA
from coditect.agents.roles.contextualiser import ContextDocument, contextualiser_request
from coditect.agents.roles.mapper import mapper_request, mapper_role
from coditect.agents.roles.passage_groups import PassageGroup
from coditect.agents.roles.role import ROLES
from coditect.agents.roles.selector import selector_request
from coditect.documents.sentences import sentences
from coditect.documents.source import Block, SourceText
from coditect.models.claude.requests import message_parameters
from coditect.models.llm import LlmRequest, Usage
from coditect.store.view import View
from tests.llm_server.journal import Call
from tests.llm_server.prompt_cache import PromptCache

READERS = ("mapper", "selector", "contextualiser")


@dataclass
class Savings:
    """Dollars of input tokens of the reading roles.

    Attributes:
        naive: of the peer, by role.
        paid: of the build, by role.
        alone: what each saving takes off, the others left as they are.
        calls: of the peer and of the build.
    """

    naive: Mapping[str, float]
    paid: Mapping[str, float]
    alone: dict[str, float] = field(default_factory=dict)
    calls: Mapping[str, int] = field(default_factory=dict)

    def report(self) -> dict[str, Any]:
        """All of it, with the share that is saved."""
        naive, paid = sum(self.naive.values()), sum(self.paid.values())
        return {
            "naive_usd": {role: round(usd, 4) for role, usd in self.naive.items()},
            "paid_usd": {role: round(usd, 4) for role, usd in self.paid.items()},
            "saved_share": round(1 - paid / naive, 4),
            "saved_share_by_role": {role: round(1 - self.paid[role] / self.naive[role], 4) for role in self.naive},
            "alone_usd": {name: round(usd, 4) for name, usd in self.alone.items()},
            "calls": dict(self.calls),
        }


def _tokens(request: LlmRequest) -> int:
    """Input tokens as the service counts them, nothing kept."""
    body = message_parameters(request)
    return PromptCache(lambda: 0.0).use(body).total


def naive_usd(view: View, prices: Prices) -> dict[str, Any]:
    """One request for each smallest passage and reading role.

    Returns:
        for each role: ``usd`` of its input and ``calls``.
    """
    schema = DEFAULT_EXTRACTION_SCHEMA
    mapper, selector, contextualiser = mapper_role(ROLES["mapper"], schema), ROLES["selector"], ROLES["contextualiser"]
    found: dict[str, dict[str, float]] = {role: {"usd": 0.0, "calls": 0} for role in READERS}
    for document_id, version in view.documents.items():
        text = view.text_of(version)
        shown = ContextDocument(version.name, text)
        for passage in view.passages(document_id):
            if passage.level:
                continue
            start, end = passage.char_offset_start, passage.char_offset_end
            requests = {
                "mapper": mapper_request(mapper, schema, PassageGroup(version.name, text[start:end], start)),
                "selector": selector_request(selector, _sentences(text[start:end]), 3, heading=passage.heading),
                "contextualiser": contextualiser_request(contextualiser, shown, start, end, cache=""),
            }
            for role, request in requests.items():
                found[role]["usd"] += prices.usd(request.model, Usage(input_tokens=_tokens(request)), batched=False)
                found[role]["calls"] += 1
    return found


def _sentences(text: str) -> list[str]:
    source = SourceText(text, "text/plain", blocks=(Block(0, len(text), "paragraph"),))
    return [text[span.start : span.end] for span in sentences(source, ())] or [text]


def savings_of(
    calls: Sequence[Call], naive: Mapping[str, Mapping[str, float]], agents: Mapping[str, Any], prices: Prices
) -> Savings:
    """The build's calls against the peer's.

    Args:
        calls: that were answered, of the reading roles.
        naive: from :func:`naive_usd`.
        agents: the report of the build.
        prices: of the models.
    """
    paid = dict.fromkeys(READERS, 0.0)
    uncached = unbatched = 0.0
    for call in calls:
        usage = Usage(call.input_tokens, call.cache_creation_input_tokens, call.cache_read_input_tokens, 0)
        fresh = Usage(usage.total_input_tokens)
        paid[call.role] += prices.usd(call.model, usage, batched=call.batched)
        uncached += prices.usd(call.model, fresh, batched=call.batched)
        unbatched += prices.usd(call.model, usage, batched=False)
    total = sum(paid.values())
    own = {role: [call for call in calls if call.role == role] for role in READERS}
    mean = {role: paid[role] / max(1, len(own[role])) for role in READERS}
    full = {role: sum(_fresh(call, prices) for call in own[role]) for role in READERS}
    reused = {role: agents["roles"].get(role, {}).get("reused", 0) for role in READERS}
    result = Savings({role: float(naive[role]["usd"]) for role in READERS}, paid)
    result.alone = {
        "caching": uncached - total,
        "batches": unbatched - total,
        "grouping of passages (mapper)": float(naive["mapper"]["usd"]) - full["mapper"],
        "routing to chunks that leave a choice (selector)": float(naive["selector"]["usd"]) - full["selector"],
        "repeats (the same request)": sum(reused[role] * mean[role] for role in READERS),
    }
    result.calls = {
        **{f"naive {role}": int(naive[role]["calls"]) for role in READERS},
        **{f"made {role}": len(own[role]) for role in READERS},
    }
    return result


def _fresh(call: Call, prices: Prices) -> float:
    tokens = call.input_tokens + call.cache_creation_input_tokens + call.cache_read_input_tokens
    return prices.usd(call.model, Usage(tokens), batched=False)
