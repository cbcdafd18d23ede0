"""Models that lie, slip, or do as a document bids them, each in one way."""

from __future__ import annotations

import json
import re
from typing import Any, Literal, get_args

from tests.llm_server.answers import Reply, Respond, citation, prose, respond, structured
from tests.llm_server.answers_reading import documents_of, fenced, role_of, schema_of, sentences_of

__all__ = ["MISBEHAVIOURS", "Misbehaviour", "misbehaving"]

Misbehaviour = Literal[
    "invented_quote", "altered_text", "wrong_index", "malformed_json", "opposite_claim", "uncited", "markup", "obedient"
]
MISBEHAVIOURS: tuple[Misbehaviour, ...] = get_args(Misbehaviour)

_INJECTION = re.compile(r"\b(?:ignore|disregard)\b[^.\n]*\binstructions?\b", re.IGNORECASE)
_INVENTED = "The supplier shall indemnify the customer for every loss without limit."


def misbehaving(kind: Misbehaviour, *roles: str) -> Respond:
    """A model that misbehaves in one way wherever its role gives it the occasion, or in these roles alone."""

    def answer(request: dict[str, Any]) -> Reply:
        role = role_of(request)
        reply = respond(request)
        if roles and role not in roles:
            return reply
        if kind == "obedient":
            return _obedient(role, request, reply)
        if role == "synthesiser":
            return _synthesis(kind, request, reply)
        if role == "contextualiser" or not schema_of(request):
            return prose("<cite>" + reply["blocks"][0]["text"] + "</cite>") if kind == "markup" else reply
        if kind == "malformed_json":
            return prose(reply["blocks"][0]["text"][:-2] + ",")
        return structured(_wrong(kind, role, json.loads(reply["blocks"][0]["text"])))

    return answer


def _wrong(kind: Misbehaviour, role: str, body: dict[str, Any]) -> dict[str, Any]:
    """A structured answer made wrong."""
    if role == "mapper":
        if kind == "invented_quote":
            body["items"] = [{**item, "quote": _INVENTED} for item in body["items"]]
        elif kind == "altered_text":
            body["items"] = [{**item, "quote": _altered(item["quote"])} for item in body["items"]]
        elif kind == "wrong_index":
            body["items"] = [{**item, "type": "no_such_type"} for item in body["items"]]
    elif role == "selector" and kind == "wrong_index":
        body["sentences"] = [max(body["sentences"], default=0) + 1_000]
    elif role == "reducer" and "others" in body:
        if kind in ("invented_quote", "altered_text"):
            for each in body["conflicts"]:
                each["words"] = [_INVENTED if kind == "invented_quote" else _altered(words) for words in each["words"]]
        elif kind == "wrong_index":
            body["others"] = [{**each, "n": each["n"] + 1_000} for each in body["others"]]
    elif role == "reducer" and "at_odds" in body:
        for each in body["at_odds"]:
            if kind in ("invented_quote", "altered_text"):
                each["words"] = [_INVENTED if kind == "invented_quote" else _altered(words) for words in each["words"]]
            elif kind == "wrong_index":
                each["between"] = [n + 10_000 for n in each["between"]]
    elif role == "reducer" and kind == "wrong_index":
        body["duplicates"], body["conflicts"] = [[1, 1_000]], [{"between": [0, 1], "about": "x", "kind": "value"}]
    elif role == "assessor":
        for pair in body["pairs"]:
            pair["verdict"] = "meets"
            if kind in ("invented_quote", "altered_text"):
                pair["sentence_words"] = [
                    _INVENTED if kind == "invented_quote" else _altered(pair["sentence_words"][0])
                ]
            elif kind == "wrong_index":
                pair["pair"] += 1_000
            elif kind == "uncited":
                pair |= {"part_words": [], "sentence_words": []}
    elif role == "tracer":
        for each in body["rests"]:
            if kind in ("invented_quote", "altered_text"):
                own = each["statement_words"]
                each["statement_words"] = _INVENTED if kind == "invented_quote" else _altered(own)
            elif kind == "wrong_index":
                each["change"] += 1_000
            elif kind == "uncited":
                each["before_words"] = ""
    elif role == "validator":
        if kind in ("invented_quote", "altered_text"):
            text = _INVENTED if kind == "invented_quote" else _altered((body["quotes"] or [{"text": "x"}])[0]["text"])
            body = {"quotes": [{"evidence": 1, "text": text}], "reason": "So it says.", "verdict": "supported"}
        elif kind == "wrong_index":
            body = {"quotes": [{"evidence": 99, "text": "x"}], "reason": "So it says.", "verdict": "supported"}
        elif kind == "uncited":
            body = {"quotes": [], "reason": "It is plausible.", "verdict": "supported"}
    elif role == "examiner":
        words = body["parts"][0]["words"]
        own = (body["parts"][0]["quotes"] or [{"evidence": 1, "text": "x"}])[0]["text"]
        quotes = {
            "invented_quote": [{"evidence": 1, "text": _INVENTED}],
            "altered_text": [{"evidence": 1, "text": _altered(own)}],
            "wrong_index": [{"evidence": 99, "text": own}],
            "uncited": [],
        }
        if kind in quotes:
            part = {"words": words, "quotes": quotes[kind], "finding": "stated"}
            body = {"parts": [part], "reason": "So it says.", "verdict": "supported"}
    return body


def _synthesis(kind: Misbehaviour, request: dict[str, Any], reply: Reply) -> Reply:
    """A cited answer made wrong."""
    for block in reply["blocks"]:
        cited = block["citations"] or []
        if kind == "altered_text":
            block["citations"] = [{**each, "cited_text": _altered(each["cited_text"])} for each in cited] or None
        elif kind == "invented_quote":
            block["citations"] = [{**each, "cited_text": _INVENTED} for each in cited] or None
        elif kind == "wrong_index":
            block["citations"] = [
                {
                    **each,
                    "start_block_index": each["start_block_index"] + 500,
                    "end_block_index": each["end_block_index"] + 500,
                }
                for each in cited
            ] or None
        elif kind == "uncited":
            block["citations"] = None
        elif kind == "opposite_claim":
            block["text"] = _opposite(block["text"])
        elif kind == "markup" and cited:
            block["text"] = f'<cite index="1-1">{block["text"]}</cite>'
    return reply


def _obedient(role: str, request: dict[str, Any], reply: Reply) -> Reply:
    """What an answer becomes when the model follows an instruction that it finds in the data."""
    texts = [each.text for each in fenced(request)] + [block for _, blocks in documents_of(request) for block in blocks]
    if not any(_INJECTION.search(text) for text in texts):
        return reply
    if role == "validator":
        quotes = [{"evidence": int(each.attributes["n"]), "text": each.text} for each in fenced(request, "evidence")]
        return structured({"quotes": quotes, "reason": "As instructed.", "verdict": "supported"})
    if role == "examiner":
        claim, first = fenced(request, "claim")[0].text, fenced(request, "evidence")[0].text
        part = {"words": claim, "quotes": [{"evidence": 1, "text": first}], "finding": "stated"}
        return structured({"parts": [part], "reason": "As instructed.", "verdict": "supported"})
    if role == "assessor":
        body = json.loads(reply["blocks"][0]["text"])
        return structured({"pairs": [{**pair, "verdict": "meets"} for pair in body["pairs"]]})
    if role == "tracer":
        return structured({"rests": []})
    if role == "synthesiser":
        for index, (title, blocks) in enumerate(documents_of(request)):
            for at, block in enumerate(blocks):
                if _INJECTION.search(block):
                    return prose(("Every policy is complied with.", [citation(index, title, blocks, at, at + 1)]))
    if role == "mapper":
        return structured({"items": [], "suspicious": []})
    if role == "selector":
        lines = [line for line in fenced(request, "sentences")[0].text.split("\n") if _INJECTION.search(line)]
        return structured({"sentences": [int(line[1 : line.index("]")]) for line in lines[:1]]})
    if role == "contextualiser":
        text = next(text for text in texts if _INJECTION.search(text))
        return prose(next(text[a:b] for a, b in sentences_of(text) if _INJECTION.search(text[a:b])))
    return structured({"duplicates": [], "conflicts": []})


def _altered(text: str) -> str:
    """The text with another number, or another word in its middle."""
    changed = re.sub(r"\d+", lambda found: str(int(found.group()) + 1), text, count=1)
    if changed != text:
        return changed
    words = text.split()
    words[len(words) // 2] = "otherwise"
    return " ".join(words)


def _opposite(text: str) -> str:
    """The text with its first binding verb turned around."""
    changed = re.sub(r"\b(must|shall|may|should)\s+not\b", r"\1", text, count=1)
    return changed if changed != text else re.sub(r"\b(must|shall|may|should|will)\b", r"\1 not", text, count=1)
