"""``python -m coditect_benchmarks.crosswalk.assessed``: how far a sentence that is called met is, by rules alone and with a model.

Four steps over corpora that the product has built, with files between them, so that readers can work in between:
``sample`` draws requests of the assessor; ``ask`` sends them to the service that the settings name (a stand-in collects them) and
keeps what the product makes of the answers; ``blind`` draws pairs that rules or both together call met, mixed with others, for a
reader who is not told by whom; ``count`` holds the reader's verdicts against both.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from coditect.agents.roles.on_request.assessor import (
    AskedPart,
    AssessorQuestion,
    ShownSentence,
    assessor_request,
    read_assessments,
)
from coditect.agents.roles.role import ROLES
from coditect.compose import open_knowledge
from coditect.errors import ModelError
from coditect.knowledge.report.crosswalk.assembly import compare_with_framework, undecided_crosswalk
from coditect.knowledge.report.crosswalk.assessed.questions import questions_of
from coditect.knowledge.report.crosswalk.assessed.settling import settled
from coditect.knowledge.report.crosswalk.framework.tables import TABLE_READERS, ColumnMap, read_columns
from coditect.models.claude.service import ClaudeLlm
from coditect.schemas.crosswalk import CrosswalkEvidence
from coditect.settings import Settings
from coditect_benchmarks.gold.scoring import wilson

__all__ = ["ask", "blind", "count", "drawn", "main"]

MET = ("meets", "stricter")
DECOYS = 20
"""Pairs that neither calls met, among those that a reader gets."""

Line = dict[str, Any]


def asked_of(corpora: Sequence[str], frameworks: Sequence[str], columns: ColumnMap | None = None) -> Iterator[Line]:
    """Every request that crosswalks of corpora with frameworks make, as it can be written down.

    Args:
        corpora: the houses.
        frameworks: the corpora of the frameworks.
        columns: of frameworks that are tables; None: guessed from their heads.
    """
    settings = Settings()
    with open_knowledge(settings, must_exist=True) as knowledge:
        for corpus in corpora:
            for framework in frameworks:
                beside = knowledge.view(framework)
                table = any(version.reader in TABLE_READERS for version in beside.documents.values())
                compared = compare_with_framework(
                    beside,
                    knowledge.view(corpus),
                    knowledge.models.ranking(),
                    columns=columns if table else None,
                    cache=settings.cache.expanduser(),
                )
                for item in questions_of(compared, undecided_crosswalk(compared)):
                    yield {
                        "corpus": corpus,
                        "framework": framework,
                        "question": asdict(item.question),
                        "evidence": [each.model_dump(mode="json") for _, each in item.pairs],
                    }


def drawn(lines: Sequence[Line], most: int, of_house: int, seed: int) -> list[Line]:
    """A sample: of each house first the requests with a pair that rules call met, then others, each with its weight.

    Args:
        lines: all requests.
        most: requests of the sample, at most.
        of_house: requests of one house, at most, of each of the two kinds.
        seed: of the draw.
    """
    chance = random.Random(seed)  # noqa: S311 - a sample
    kinds: dict[bool, dict[str, list[Line]]] = {True: defaultdict(list), False: defaultdict(list)}
    for line in lines:
        labels = {each["label"] for each in line["evidence"]}
        if labels & {*MET, "looser"}:
            kinds[True][line["corpus"]].append(line)
        elif "partly" in labels:
            kinds[False][line["corpus"]].append(line)
    chosen: list[Line] = []
    for met in (True, False):
        places = most - len(chosen)
        of_each = {house: min(len(own), of_house) for house, own in sorted(kinds[met].items())}
        share = min(1.0, places / max(1, sum(of_each.values())))
        for house, own in sorted(kinds[met].items()):
            number = min(len(own), max(1, int(of_each[house] * share)))
            some = chance.sample(own, number)
            chosen += [{**line, "weight": len(own) / number, "met": met} for line in some]
    return chosen[:most]


def question_of(line: Line) -> AssessorQuestion:
    """The question of a line."""
    told = line["question"]
    return AssessorQuestion(
        told["requirement_id"],
        told["title"],
        told["family"],
        told["framework"],
        tuple(AskedPart(each["part_id"], each["text"], tuple(each["open_parameters"])) for each in told["parts"]),
        tuple(ShownSentence(**each) for each in told["sentences"]),
        tuple((part, sentence) for part, sentence in told["pairs"]),
    )


def ask(lines: Sequence[Line]) -> list[Line]:
    """Send the requests of a sample; the pairs of those that are answered, with what the product makes of them."""
    settings = Settings()
    key = settings.api_key.get_secret_value() if settings.api_key is not None else ""
    return asyncio.run(_asked(lines, ClaudeLlm(key, settings.llm_base_url or None, timeout_s=settings.llm_timeout_s)))


async def _asked(lines: Sequence[Line], llm: ClaudeLlm) -> list[Line]:
    role, found = ROLES["assessor"], []
    by = f"{role.version} {role.model}"
    try:
        for line in lines:
            question = question_of(line)
            request = assessor_request(role, question)
            try:
                verdicts = read_assessments(await llm.complete(request), question)
            except ModelError:
                continue
            for (part, sentence), raw, said in zip(question.pairs, line["evidence"], verdicts, strict=True):
                before = CrosswalkEvidence.model_validate(raw)
                after = settled(before, said, by, request.sha256)
                found.append(
                    {
                        "corpus": line["corpus"],
                        "framework": line["framework"],
                        "requirement": question.title,
                        "part": question.parts[part].text,
                        "sentence": asdict(question.sentences[sentence]),
                        "weight": line["weight"],
                        "rules": before.label,
                        "both": after.label,
                        "verdict": said.verdict,
                        "problem": said.problem,
                        "reason": said.reason,
                        "rules_reason": before.reason,
                    }
                )
    finally:
        await llm.close()
    return found


def blind(pairs: Sequence[Line], most: int, seed: int) -> tuple[list[Line], list[Line]]:
    """(what a reader gets, the same with who called it what): pairs that rules or both call met, and some that neither does."""
    chance = random.Random(seed)  # noqa: S311 - a sample
    met = [each for each in pairs if each["rules"] in MET or each["both"] in MET]
    rest = [each for each in pairs if each not in met and each["rules"] == "partly"]
    chosen = chance.sample(met, min(most, len(met))) + chance.sample(rest, min(DECOYS, len(rest)))
    chance.shuffle(chosen)
    shown = ("requirement", "part", "sentence")
    keyed = [{"n": n, **each} for n, each in enumerate(chosen, 1)]
    return [{name: each[name] for name in ("n", *shown)} for each in keyed], keyed


def count(keyed: Sequence[Line], read: Sequence[Line]) -> str:
    """What a reader's verdicts ("met", "partly", "mentioned", "nothing") say of rules alone and of both."""
    verdicts = {each["n"]: each["verdict"] for each in read}
    keyed = [each for each in keyed if each["n"] in verdicts]
    told = [
        f"read: {len(keyed)} pairs of {len({each['corpus'] for each in keyed})} houses",
        *_precisions(keyed, verdicts),
    ]
    houses = Counter(each["corpus"] for each in keyed if each["rules"] in MET)
    for house, number in houses.most_common(1):
        rest = [each for each in keyed if each["corpus"] != house]
        told += [f"without {house} ({number} that rules call met):", *_precisions(rest, verdicts)]
    lost = [each for each in keyed if each["rules"] in MET and each["both"] not in MET]
    won = [each for each in keyed if each["rules"] not in MET and each["both"] in MET]
    told.append(
        f"the model takes back {len(lost)}, of which the reader calls met {sum(verdicts[e['n']] == 'met' for e in lost)}; "
        f"it adds {len(won)}, of which met {sum(verdicts[e['n']] == 'met' for e in won)}"
    )
    decoys = [each for each in keyed if each["rules"] not in MET and each["both"] not in MET]
    told.append(
        f"of {len(decoys)} that neither calls met the reader calls met {sum(verdicts[e['n']] == 'met' for e in decoys)}"
    )
    return "\n".join(told)


def _precisions(keyed: Sequence[Line], verdicts: Mapping[int, str]) -> Iterator[str]:
    """How many of the pairs that rules alone, and both together, call met a reader calls met."""
    for name in ("rules", "both"):
        own = [each for each in keyed if each[name] in MET]
        right = sum(verdicts[each["n"]] == "met" for each in own)
        low, high = wilson(right, len(own)) or (0.0, 1.0)
        weight = sum(each["weight"] for each in own)
        weighted = sum(each["weight"] for each in own if verdicts[each["n"]] == "met") / weight if weight else 0.0
        yield (
            f"{name}: {right} of {len(own)} called met are met ({right / max(1, len(own)):.3f}, Wilson {low:.2f} to {high:.2f}; "
            f"weighted by how requests were drawn {weighted:.3f}); {dict(sorted(Counter(verdicts[e['n']] for e in own).items()))}"
        )


def _read(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _write(path: Path, lines: Sequence[Line]) -> None:
    path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in lines), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Do one step."""
    parser = argparse.ArgumentParser(prog="coditect_benchmarks.crosswalk.assessed", description=__doc__)
    parser.add_argument("step", choices=("sample", "ask", "blind", "count"))
    parser.add_argument("--folder", type=Path, required=True, help="where the files between the steps lie")
    parser.add_argument("--corpora", default="", help="of sample: the houses, with commas")
    parser.add_argument("--frameworks", default="", help="of sample: the corpora of the frameworks, with commas")
    parser.add_argument(
        "--columns", default="", help="of sample: of frameworks that are tables, id=Ref,statement=Summary"
    )
    parser.add_argument("--most", type=int, default=240, help="requests of a sample; pairs that a reader gets")
    parser.add_argument(
        "--of-house", type=int, default=15, help="of sample: requests of a house, at most, of each kind"
    )
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--read", type=Path, help='of count: the reader\'s file, {"n": 1, "verdict": "met"} a line')
    chosen = parser.parse_args(arguments)
    folder: Path = chosen.folder
    if chosen.step == "sample":
        columns = read_columns(chosen.columns) if chosen.columns else None
        lines = list(asked_of(chosen.corpora.split(","), chosen.frameworks.split(","), columns))
        some = drawn(lines, chosen.most, chosen.of_house, chosen.seed)
        _write(folder / "sample.jsonl", some)
        labels = Counter(each["label"] for line in some for each in line["evidence"])
        print(f"{len(some)} of {len(lines)} requests, {dict(labels)}, {len({e['corpus'] for e in some})} houses")
    elif chosen.step == "ask":
        pairs = ask(_read(folder / "sample.jsonl"))
        _write(folder / "pairs.jsonl", pairs)
        print(f"{len(pairs)} pairs answered: {dict(Counter((e['rules'], e['both']) for e in pairs))}")
        print(f"not taken: {dict(Counter(e['problem'] for e in pairs if e['problem']))}")
    elif chosen.step == "blind":
        shown, keyed = blind(_read(folder / "pairs.jsonl"), chosen.most, chosen.seed)
        _write(folder / "blind.jsonl", shown)
        _write(folder / "blind.key.jsonl", keyed)
        print(f"{len(shown)} pairs for a reader in blind.jsonl; blind.key.jsonl is not for the reader")
    else:
        if chosen.read is None:
            parser.error("count needs --read")
        print(count(_read(folder / "blind.key.jsonl"), _read(chosen.read)))


if __name__ == "__main__":
    main()
