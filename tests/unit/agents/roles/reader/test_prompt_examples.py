"""What the prompt shows as answers: each is of the asked-for shape, and the code bears it out as it stands."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest

from coditect.agents.roles.reader.answers import read_passage
from coditect.agents.roles.reader.passages import ReaderPassage, ShownLine
from coditect.models.llm import LlmAnswer, TextPart, Usage
from coditect.tiers.readings.provisions import ReadProvision
from tests.unit.agents.roles.reader.material import SHA256, told_norms

_PROMPT = files("coditect.agents.roles.prompts").joinpath("reader.md").read_text("utf-8")
_ITEM = re.compile(r"\A(?:\(\w\)|•)\s*")
_SHOWN = re.compile(r"`((?:c\d+|\d+)\| [^`]+)`")


def _examples() -> list[tuple[list[str], str]]:
    """The lines that each example shows, and its answer."""
    found: list[tuple[list[str], str]] = []
    lines: list[str] = []
    for line in _PROMPT.partition("## Examples")[2].splitlines():
        if line.startswith("{"):
            found.append((lines, line))
        else:
            lines = _SHOWN.findall(line)
    return found


def _passage(shown: list[str]) -> ReaderPassage:
    """The lines of an example as one provision below its lettered lines."""
    text, lines = "", list[ShownLine]()
    for number, each in enumerate(shown):
        label, _, words = each.partition("| ")
        label_end = len(words) - len(_ITEM.sub("", words, count=1))
        lines.append(ShownLine(label, len(text), len(text) + len(words), len(text) + label_end, words, number))
        text += f"{words}\n"
    own_lines = tuple(line.sentence for line in lines if line.label.isdigit())
    above = tuple(line.sentence for line in lines if not line.label.isdigit())
    return ReaderPassage("rules.md", "", "", text, tuple(lines), (ReadProvision(own_lines, above),))


@pytest.mark.parametrize(("shown", "answer"), _examples(), ids=["list", "passive", "duties"])
def test_example_is_borne_out_by_the_code_that_reads_answers(shown: list[str], answer: str) -> None:
    """An example that the code refuses would teach a model what is then left to the rules."""
    found = read_passage(LlmAnswer(SHA256, "any", (TextPart(answer),), Usage()), _passage(shown))
    assert found.rejections == ()
    assert len(told_norms(found)) == len(json.loads(answer)["norms"])
