"""Whether an answer has the shape that its request asks for. Whether it is right is the product's to find out."""

from __future__ import annotations

from collections.abc import Sequence

import orjson
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter, ValidationError

from coditect_benchmarks.stand_in.records import AnswerValue, PartOfAnswer, RequestAsked
from coditect_benchmarks.stand_in.requests import estimated_tokens

__all__ = ["cited_blocks", "faults_of", "parts_of", "written"]

_PARTS = TypeAdapter(list[PartOfAnswer])
_MOST_CHARS = 200


def faults_of(asked: RequestAsked, answer: object) -> list[str]:
    """What is wrong with an answer's shape, for its writer to read; empty if nothing is."""
    if asked.output_schema is not None:
        found = _against_schema(asked.output_schema, answer)
    elif asked.citations and isinstance(answer, list):
        found = _against_documents(asked.documents, answer)
    elif isinstance(answer, str):
        found = [] if answer.strip() else ["answer: is empty"]
    else:
        found = ["answer: is not " + ("text or a list of parts" if asked.citations else "text")]
    # The service would have cut it off.
    if not found and asked.max_tokens and estimated_tokens(len(written(answer))) > asked.max_tokens:
        found = [f"answer: is longer than the {asked.max_tokens} tokens that the request allows"]
    return found


def parts_of(answer: AnswerValue, *, citations: bool) -> list[PartOfAnswer]:
    """An answer as parts: its own where it cites, else one."""
    if citations and isinstance(answer, list):
        return _PARTS.validate_python(answer)
    return [PartOfAnswer(text=written(answer))]


def written(answer: object) -> str:
    """An answer as the text that a model would have written."""
    return answer if isinstance(answer, str) else orjson.dumps(answer).decode()


def cited_blocks(cites: Sequence[str], documents: Sequence[int]) -> list[tuple[int, int]]:
    """(document, block), both from 0, of what a part cites.

    Args:
        cites: each "document.block", both from 1.
        documents: how many blocks each document has.
    Raises:
        ValueError: there is no such block; its argument says which.
    """
    found = []
    for cite in cites:
        first, _, second = cite.partition(".")
        document, block = (int(each) - 1 if each.isascii() and each.isdigit() else -1 for each in (first, second))
        if not (0 <= document < len(documents) and 0 <= block < documents[document]):
            raise ValueError(f"there is no block {cite!r}")
        found.append((document, block))
    return found


def _against_schema(schema: dict[str, object], answer: object) -> list[str]:
    value = answer
    if isinstance(answer, str):
        try:
            value = orjson.loads(answer)
        except orjson.JSONDecodeError:
            return ["answer: is text that is not JSON, and a schema is given"]
    errors = sorted(Draft202012Validator(schema).iter_errors(value), key=lambda error: str(error.json_path))
    return [f"answer{error.json_path.removeprefix('$')}: {error.message[:_MOST_CHARS]}" for error in errors]


def _against_documents(documents: Sequence[int], answer: list[object]) -> list[str]:
    try:
        parts = _PARTS.validate_python(answer)
    except ValidationError as error:
        return [
            f"answer{''.join(f'[{at}]' if isinstance(at, int) else f'.{at}' for at in each['loc'])}: {each['msg']}"
            for each in error.errors()
        ]
    found = [] if parts else ["answer: has no parts"]
    for at, part in enumerate(parts):
        try:
            cited_blocks(part.cites, documents)
        except ValueError as error:
            found.append(f"answer[{at}].cites: {error}")
    return found
