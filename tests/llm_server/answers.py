"""What the fake model answers: computed from the request, so that nothing is canned for a test.

A reply is a plain dict: ``{"blocks": [{"type": "text", "text": …, "citations": […]}], "stop_reason": "end_turn"}``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import combinations
from typing import Any

from tests.llm_server.answers_norms import reader
from tests.llm_server.answers_reading import (
    assessed_pairs,
    documents_of,
    fenced,
    role_of,
    schema_of,
    sentences_of,
    text_of,
)

__all__ = ["Reply", "Respond", "prose", "respond", "structured"]

Reply = dict[str, Any]
Respond = Callable[[dict[str, Any]], Reply]

_WORD = re.compile(r"[^\W\d_][\w'-]*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_BIDDING = re.compile(r"\b(?:ignore|disregard)\b[^.\n]*\binstructions?\b[^.\n]*\.?", re.IGNORECASE)
_NEGATION = re.compile(r"\b(?:not|no|never|neither|nor|cannot|without)\b", re.IGNORECASE)
_TO_BE_NAMED = re.compile(r"\bto be named\b", re.IGNORECASE)
_SMALL_WORDS = (
    "a an and any are as at be been by for from has have in is it its may must of on or shall should that the their this to was "
    "were which will with requires says states under"
)
_SMALL = frozenset(_SMALL_WORDS.split())
_CUES = {
    "prohibition": re.compile(r"\b(?:must|shall|may|will)\s+not\b|\bnever\b|\bis prohibited\b", re.IGNORECASE),
    "obligation": re.compile(r"\b(?:must|shall|is required to|are required to)\b(?!\s+not\b)", re.IGNORECASE),
    "permission": re.compile(r"\b(?:may|is entitled to)\b(?!\s+not\b)", re.IGNORECASE),
    "definition": re.compile(r"\bmeans\b", re.IGNORECASE),
    "deadline": re.compile(
        r"\b(?:within|no later than)\s+(?:\S+\s+){0,2}?(?:hours?|days?|weeks?|months?|years?)\b|\bannually\b",
        re.IGNORECASE,
    ),
    "exception": re.compile(r"\b(?:except|unless)\b", re.IGNORECASE),
    "role": re.compile(r"\b(?:is|are) responsible for\b", re.IGNORECASE),
}


def respond(request: dict[str, Any]) -> Reply:
    """The answer of a model that does what its role asks."""
    return _ANSWERS[role_of(request)](request)


def whatever(request: dict[str, Any]) -> Reply:
    """An answer to a request of no role: what follows its schema, or its own last words."""
    schema = schema_of(request)
    if schema:
        return structured(_instance(schema, schema.get("$defs", {})))
    return prose("You said: " + " ".join(text_of(request).split()[-50:]))


def _instance(schema: dict[str, Any], definitions: dict[str, Any]) -> object:
    """The smallest value with the required members that a schema of structured outputs allows."""
    if "$ref" in schema:
        return _instance(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _instance(schema["anyOf"][0], definitions)
    if schema.get("type") == "object":
        members = schema.get("properties", {})
        return {name: _instance(members[name], definitions) for name in schema.get("required", [])}
    plain: dict[str, object] = {"array": [], "string": "x", "integer": 1, "number": 1.5, "boolean": True}
    return plain.get(schema.get("type", ""))


def structured(value: object) -> Reply:
    """A reply whose text is JSON."""
    return prose(json.dumps(value, ensure_ascii=False))


def prose(*texts: str | tuple[str, list[dict[str, Any]]]) -> Reply:
    """A reply of texts, each alone or with its citations."""
    blocks = []
    for each in texts:
        text, citations = each if isinstance(each, tuple) else (each, [])
        blocks.append({"type": "text", "text": text, "citations": citations or None})
    return {"blocks": blocks, "stop_reason": "end_turn"}


def mapper(request: dict[str, Any]) -> Reply:
    """Sentences with the words of a kind, quoted; fields from what stands before and after those words."""
    items = []
    variants = {
        each["properties"]["type"]["const"]: each["properties"]["fields"]
        for each in schema_of(request)["properties"]["items"]["items"]["anyOf"]
    }
    for document in fenced(request, "document"):
        text = document.text
        for start, end in sentences_of(text):
            quote = text[start:end]
            for name, fields in variants.items():
                cue = _CUES.get(name) or re.compile(rf"\b{re.escape(name.replace('_', ' '))}", re.IGNORECASE)
                found = cue.search(quote)
                if found is None:
                    continue
                values = _fields(fields, quote, found)
                if values is None:
                    continue
                items.append(
                    {
                        "type": name,
                        "quote": quote,
                        "before": text[max(0, start - 40) : start].strip() if text.count(quote) > 1 else "",
                        "after": text[end : end + 40].strip() if text.count(quote) > 1 else "",
                        "fields": values,
                        "confidence": 0.9,
                    }
                )
    addressed = [
        match.group() for document in fenced(request, "document") for match in _BIDDING.finditer(document.text)
    ]
    return structured({"items": items, "suspicious": addressed})


def _fields(schema: dict[str, Any], quote: str, cue: re.Match[str]) -> dict[str, Any] | None:
    """Values for the required fields, and some others; None where the quote has none."""
    before = quote[: cue.start()].strip(" ,:\"'“”")
    after = quote[cue.end() :].strip(" ,:.;")
    guesses: dict[str, str] = {
        "modality": cue.group(),
        "actor": before if _WORD.match(before) else "",
        "deadline": cue.group(),
        "term": before,
        "definition": after,
        "exception": quote[cue.start() :].strip(" .;"),
        "role": before,
        "responsibility": after,
        "action": after or before,
    }
    values: dict[str, Any] = {}
    for name, field in schema["properties"].items():
        kind = field.get("type", "string")
        value: Any = None
        if "enum" in field:
            value = next((each for each in field["enum"] if str(each).lower() in quote.lower()), None)
        elif kind == "string":
            value = guesses.get(name, quote if name in schema["required"] else "")
        elif kind in ("integer", "number"):
            number = re.search(r"\d+", quote)
            value = int(number.group()) if number else None
        elif kind == "boolean":
            value = _NEGATION.search(quote) is None
        elif kind == "array":
            value = []
        if value not in (None, ""):
            values[name] = value
    return values if set(schema["required"]) <= set(values) else None


def contextualiser(request: dict[str, Any]) -> Reply:
    """The document's name and first line, the last heading before the passage, and the passage's first words."""
    document = next(each for each in fenced(request) if each.tag != "passage")
    passage = fenced(request, "passage")[-1].text
    head = document.text[: max(document.text.find(passage), 0)]
    lines = [
        line.strip("# ") for line in head.splitlines() if 3 < len(line.strip()) < 80 and not line.rstrip().endswith(".")
    ]
    first = next((line.strip("# ") for line in document.text.splitlines() if line.strip()), "")
    words = " ".join(passage.split()[:8])
    name = document.attributes.get("name", "the document")
    return prose(
        f"From {name}, {first[:80]}, in the part {(lines or [first])[-1][:80]}; this passage is about {words}."
    )


def selector(request: dict[str, Any]) -> Reply:
    """The longest sentences, longest first."""
    most = int(re.findall(r"at most (\d+)", text_of(request))[-1])
    lines = re.findall(r"^\[(\d+)\] (.*)$", fenced(request, "sentences")[0].text, re.MULTILINE)
    ranked = sorted(lines, key=lambda line: (-len(line[1]), int(line[0])))
    return structured({"sentences": [int(number) for number, _ in ranked[:most]]})


def reducer(request: dict[str, Any]) -> Reply:
    """Equal quotes are duplicates; quotes that share most words and differ in numbers conflict."""
    quotes = [json.loads(line) for line in fenced(request, "quotes")[0].text.split("\n")]
    same: dict[str, list[int]] = {}
    for quote in quotes:
        same.setdefault(" ".join(quote["text"].split()).casefold(), []).append(quote["n"])
    conflicts = []
    for at, first in enumerate(quotes):
        for second in quotes[at + 1 :]:
            shared = sorted(_words(first["text"]) & _words(second["text"]))
            fewest = min(len(_words(first["text"])), len(_words(second["text"])))
            if _numbers(first["text"]) != _numbers(second["text"]) and len(shared) >= max(2, 0.5 * fewest):
                conflicts.append({"between": [first["n"], second["n"]], "about": " ".join(shared[:6]), "kind": "value"})
    return structured({"duplicates": [each for each in same.values() if len(each) > 1], "conflicts": conflicts})


def pairs(request: dict[str, Any]) -> Reply:
    """Two statements that share half of their words and differ in numbers, or of which one denies, are at odds on these words."""
    conflicts, others = [], []
    for line in fenced(request, "sets")[0].text.split("\n"):
        one = json.loads(line)
        texts = [each["text"] for each in one["statements"]]
        shared = sorted(_words(texts[0]) & _words(texts[1]))
        fewest = min(len(_words(each)) for each in texts)
        if _say_otherwise(texts[0], texts[1]) and len(shared) >= max(2, 0.5 * fewest):
            conflicts.append({"n": one["n"], "kind": "value", "about": " ".join(shared[:6]), "words": texts})
        else:
            others.append({"n": one["n"], "why": "other_matter"})
    return structured({"conflicts": conflicts, "others": others})


def statements(request: dict[str, Any]) -> Reply:
    """The same of all two statements of documents."""
    told = [json.loads(line) for line in fenced(request, "statements")[0].text.split("\n")]
    found = []
    for one, other in combinations([each for each in told if "n" in each], 2):
        shared = sorted(_words(one["text"]) & _words(other["text"]))
        fewest = min(len(_words(each["text"])) for each in (one, other))
        if _say_otherwise(one["text"], other["text"]) and len(shared) >= max(2, 0.5 * fewest):
            between, words = [one["n"], other["n"]], [one["text"], other["text"]]
            found.append({"between": between, "kind": "value", "about": " ".join(shared[:6]), "words": words})
    return structured({"at_odds": found})


def gaps(request: dict[str, Any]) -> Reply:
    """Statements that say "to be named" leave that open."""
    told = [json.loads(line) for line in fenced(request, "statements")[0].text.split("\n")]
    found = [
        {"n": each["n"], "kind": "open", "words": match.group(), "beside": 0, "about": "somebody is to be named"}
        for each in told
        if "n" in each and (match := _TO_BE_NAMED.search(each["text"]))
    ]
    return structured({"gaps": found})


def findings(request: dict[str, Any]) -> Reply:
    """All findings are true and of use, by the whole of their first quote."""
    told = [json.loads(line) for line in fenced(request, "findings")[0].text.split("\n")]
    said = [
        {
            "n": each["n"],
            "verdict": "true",
            "useful": True,
            "words": each["evidence"][0]["text"],
            "reason": "It says so.",
        }
        for each in told
    ]
    return structured({"findings": said})


def _say_otherwise(one: str, other: str) -> bool:
    return _numbers(one) != _numbers(other) or bool(_NEGATION.search(one)) != bool(_NEGATION.search(other))


def synthesiser(request: dict[str, Any]) -> Reply:
    """One sentence for each two blocks of a document, saying what the first says and citing both."""
    most = int((re.findall(r"at most (\d+)", text_of(request)) or ["10"])[-1])
    parts: list[str | tuple[str, list[dict[str, Any]]]] = []
    for index, (title, blocks) in enumerate(documents_of(request)):
        for at in range(0, len(blocks), 2):
            if len(parts) < 2 * most:
                parts.append((claim_of(title, blocks[at]), [citation(index, title, blocks, at, at + 1)]))
                parts.append("\n")
    return prose(*parts)


def claim_of(title: str, block: str) -> str:
    """One sentence that says what a block says."""
    name = title.partition(" (on ")[0]
    return f"{name}: {' '.join(block.split()).rstrip('.;:')}."


def citation(index: int, title: str, blocks: list[str], start: int, end: int) -> dict[str, Any]:
    """A citation of whole blocks."""
    return {
        "type": "content_block_location",
        "document_index": index,
        "document_title": title,
        "start_block_index": start,
        "end_block_index": end,
        "cited_text": "".join(blocks[start:end]),
        "file_id": None,
    }


def validator(request: dict[str, Any]) -> Reply:
    """Supported if the evidence has the claim's words and numbers, and as many negations as it."""
    claim = fenced(request, "claim")[0].text
    pieces = fenced(request, "evidence")
    quotes = [{"evidence": int(p.attributes["n"]), "text": p.text} for p in pieces]
    text = " ".join(piece.text for piece in pieces)
    known = _words(text) | {word for piece in pieces for word in _words(piece.attributes.get("document", ""))}
    strange = sorted(_words(claim) - known)
    numbers = sorted(
        _numbers(claim) - _numbers(text + " " + " ".join(p.attributes.get("document", "") for p in pieces))
    )
    negated = bool(_NEGATION.search(claim)) != bool(_NEGATION.search(text))
    if numbers or negated:
        why = f"number {numbers[0]}" if numbers else "a negation"
        return structured({"quotes": quotes[:1], "reason": f"The claim differs in {why}.", "verdict": "unsupported"})
    if len(strange) > 0.4 * len(_words(claim)):
        return structured({"quotes": [], "reason": f"The evidence has no {strange[0]}.", "verdict": "unsupported"})
    if len(strange) > 0.2 * len(_words(claim)):
        return structured({"quotes": quotes, "reason": f"It is open what {strange[0]} is.", "verdict": "needs_review"})
    return structured({"quotes": quotes, "reason": "The evidence says so.", "verdict": "supported"})


def examiner(request: dict[str, Any]) -> Reply:
    """The claim as one part, beside the sentence of a passage that has most of its words."""
    claim = fenced(request, "claim")[0].text
    best = max(
        (
            (len(_words(claim) & _words(piece.text[start:end])), -number, piece.text[start:end])
            for number, piece in enumerate(fenced(request, "evidence"), 1)
            for start, end in sentences_of(piece.text)
        ),
        default=(0, -1, ""),
    )
    quotes = [{"evidence": -best[1], "text": best[2]}]
    strange = sorted(_words(claim) - _words(best[2]))
    numbers = sorted(_numbers(claim) - _numbers(best[2]))
    negated = bool(_NEGATION.search(claim)) != bool(_NEGATION.search(best[2]))

    def told(verdict: str, finding: str, reason: str) -> Reply:
        part = {"words": claim, "quotes": quotes if finding != "not_stated" else [], "finding": finding}
        return structured({"parts": [part], "reason": reason, "verdict": verdict})

    if len(strange) > 0.7 * len(_words(claim)):
        return told("not_stated", "not_stated", f"No passage has {strange[0]}.")
    if numbers or negated:
        why = f"number {numbers[0]}" if numbers else "a negation"
        return told("contradicted", "contradicted", f"The claim differs in {why}.")
    return told("supported", "stated", "The passage says so.")


def assessor(request: dict[str, Any]) -> Reply:
    """Met where the sentence has the stems of the part, in part where it has half of them, else only mentioned."""
    pairs = []
    for number, part, sentence in assessed_pairs(request):
        asked, said = ({word[:5] for word in _words(text)} for text in (part, sentence))
        share = len(asked & said) / max(1, len(asked))
        verdict = "meets" if share >= 0.6 else "partly" if share >= 0.3 else "mentions"
        words = {"part_words": [part], "sentence_words": [sentence]}
        pairs.append({"pair": number, **words, "reason": f"It has {share:.2f} of the words.", "verdict": verdict})
    return structured({"pairs": pairs})


def tracer(request: dict[str, Any]) -> Reply:
    """A statement rests on a change where it has half of the stems of what the provision said."""
    (changes,), (statements,) = fenced(request, "changes"), fenced(request, "statements")
    rests = []
    for line in changes.text.splitlines():
        change = json.loads(line)
        asked = {word[:5] for word in _words(change["before"])}
        for stated in map(json.loads, statements.text.splitlines()):
            held = asked & {word[:5] for word in _words(stated.get("text", ""))}
            if "n" in stated and 2 * len(held) >= len(asked):
                words = {"statement_words": stated["text"], "before_words": change["before"]}
                told = {"statement": stated["n"], "change": change["change"], **words}
                rests.append({**told, "reason": f"It has {len(held)} of the words."})
    return structured({"rests": rests})


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)} - _SMALL


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(text))


def _reducing(request: dict[str, Any]) -> Respond:
    """What the reducer is asked: of all statements, of some at a time, or of quotes on one topic."""
    if "gaps" in schema_of(request).get("properties", {}):
        return gaps
    return statements if fenced(request, "statements") else pairs if fenced(request, "sets") else reducer


_ANSWERS: dict[str, Respond] = {
    "": whatever,
    "mapper": mapper,
    "reader": reader,
    "contextualiser": contextualiser,
    "selector": selector,
    "reducer": lambda request: _reducing(request)(request),
    "synthesiser": synthesiser,
    "validator": lambda request: (findings if fenced(request, "findings") else validator)(request),
    "examiner": examiner,
    "assessor": assessor,
    "tracer": tracer,
}
