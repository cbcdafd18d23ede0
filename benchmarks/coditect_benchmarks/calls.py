"""Sentence selection on earnings calls and meetings, against the short reports that others wrote of them.

Run ``python -m coditect_benchmarks.calls --calls FOLDER --reports FOLDER``: two folders with files of equal names (of
github:rajdeep345/ECTSum ``ects`` and ``gt_summaries``), one sentence a line. Files are drawn by seed from the companies of one
half: ``--half dev`` is what the weights were chosen on, ``--half held`` the other companies, ``--half all`` every file of the
folders. All rows take whole sentences up to about as many words, in one run; "most digits" those with most digits for each word.
Besides ROUGE, which counts "the" and "of" as words, the same F1 is told of content words alone. Install ``rouge-score``; ``sumy``
joins where it is there.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from coditect.language.quantities.meaning import find_quantities
from coditect.language.terms import terms
from coditect.tiers.chunks.selection import SelectionParameters, SentenceCandidate, document_idf, select
from coditect.tiers.chunks.speech import spoken_weights
from coditect.tiers.chunks.weights import FIGURES, binding_share, duty_weight, figure_weight
from coditect_benchmarks.selection import ROUGES, Spans, interval, optional, passages, sumy_summariser

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
TIER2 = 0.35
Ranker = Callable[[str, Spans], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Call:
    """What was said, its sentences, and what was reported of it."""

    name: str
    text: str
    spans: Spans
    report: str


def calls(folder: Path, reports: Path, half: str, count: int, seed: int) -> list[Call]:
    """Calls of the companies of one half, drawn by seed; a company's quarters are all on one side."""
    found = []
    for path in sorted(folder.iterdir(), key=lambda p: hashlib.sha256(f"{seed} {p.name}".encode()).digest()):
        side = hashlib.sha1(path.name.split("_")[0].encode()).digest()[0] % 2  # noqa: S324 - deals files, protects nothing
        if half not in ("all", ("dev", "held")[side]) or not (reports / path.name).exists():
            continue
        text, position, spans = path.read_text(encoding="utf-8"), 0, []
        for line in text.split("\n"):
            if line.strip():
                spans.append((position, position + len(line)))
            position += len(line) + 1
        if len(spans) > 2:
            found.append(Call(path.name, text, spans, (reports / path.name).read_text(encoding="utf-8")))
        if len(found) == count:
            break
    return found


def ours(
    share: float, *, figures: bool = True, speech: bool = True, chunked: bool = False
) -> Callable[[str, Spans], Spans]:
    """Our selection of a share of the characters: of the whole call at once, or of each chunk as Tier 2 has it."""

    def summarise(text: str, spans: Spans) -> Spans:
        words = [terms(text[start:end]) for start, end in spans]
        binding, idf = binding_share(words), document_idf(words)
        weights = [duty_weight(own) for own in words]
        if figures:
            for i, (start, end) in enumerate(spans):
                told = sum(mark.data["quantity_kind"] in FIGURES for mark in find_quantities(text, start, end))
                weights[i] = max(weights[i], figure_weight(told, words[i], binding))
        if speech:
            spoken = spoken_weights([text[start:end] for start, end in spans], words)
            weights = [weight * told for weight, told in zip(weights, spoken, strict=True)]
        most = 10 if chunked else len(spans)
        parameters = SelectionParameters(ratio=min(1.0, share), max_sentences=most)
        chosen = []
        for first, last in passages(spans) if chunked else [(0, len(spans))]:
            candidates = [SentenceCandidate(*spans[i], weights[i]) for i in range(first, last)]
            picked = select(text, candidates, parameters, idf, terms_of=words[first:last])
            chosen += [(each.start, each.end) for each in picked]
        return chosen

    return summarise


def by_digits(text: str, spans: Spans) -> Sequence[int]:
    """The sentences by digits for each word, most first."""
    density = [len(re.findall(r"\d", text[a:b])) / max(1, len(text[a:b].split())) for a, b in spans]
    return sorted(range(len(spans)), key=lambda i: (-density[i], i))


def drawn(text: str, spans: Spans) -> Sequence[int]:
    """The sentences in random order, by the text's own hash."""
    order = list(range(len(spans)))
    random.Random(hashlib.sha256(text.encode()).hexdigest()).shuffle(order)  # noqa: S311 - draws a sample
    return order


def up_to(ranker: Ranker, size: Callable[[str], float]) -> Callable[[str, Spans], Spans]:
    """Whole sentences in the order of a ranker, as long as each brings the number of words nearer to a size."""

    def summarise(text: str, spans: Spans) -> Spans:
        budget, used, chosen = size(text), 0, []
        for i in ranker(text, spans):
            length = len(text[slice(*spans[i])].split())
            if not used or used + length / 2 <= budget:
                chosen.append(i)
                used += length
            if used >= budget:
                break
        return [spans[i] for i in sorted(chosen)]

    return summarise


def sumy_ranker(name: str, most: int) -> Ranker | None:
    """One of sumy's summarisers, in document order of its best sentences."""
    summarise = sumy_summariser(name, most)
    return None if summarise is None else lambda text, spans: [spans.index(span) for span in summarise(text, spans)]


def content(report: str, said: str) -> float:
    """F1 in percent of the content words that two texts share, each as often as both have it."""
    ours, theirs = Counter(terms(said)), Counter(terms(report))
    return 200 * (ours & theirs).total() / max(1, ours.total() + theirs.total())


def judged(data: Sequence[Call], summarise: Callable[[str, Spans], Spans]) -> np.ndarray:
    """ROUGE F1, F1 of content words, the share of the report's numbers kept, all in percent, and the words; shape (calls, 6)."""
    rouge = optional("rouge_score.rouge_scorer")
    if rouge is None:
        raise SystemExit("install rouge-score")
    scorer = rouge.RougeScorer(list(ROUGES), use_stemmer=True)
    rows = []
    for call in data:
        said = " ".join(call.text[a:b] for a, b in summarise(call.text, call.spans))
        found = scorer.score(call.report, said)
        wanted = set(NUMBER.findall(call.report))
        kept = 100 * len(wanted & set(NUMBER.findall(said))) / len(wanted) if wanted else np.nan
        rows.append(
            [*(100 * found[name].fmeasure for name in ROUGES), content(call.report, said), kept, len(said.split())]
        )
    return np.array(rows)


def table(data: Sequence[Call], title: str, rows: dict[str, Callable[[str, Spans], Spans] | None]) -> None:
    """Print one size; the first row is ours, from which the others' distance is told."""
    print(f"\n{title}: ROUGE-1 / 2 / L | content words | numbers kept % | words | ROUGE-1 of ours minus its")
    first: np.ndarray | None = None
    for name, summarise in rows.items():
        if summarise is None:
            print(f"{name:22} | not installed")
            continue
        found = judged(data, summarise)
        first = found if first is None else first
        mean = np.nanmean(found, axis=0)
        print(
            f"{name:22} | {mean[0]:.1f} / {mean[1]:.1f} / {mean[2]:.1f} | {mean[3]:.1f} | {mean[4]:.0f} | {mean[5]:.0f} | "
            + interval(first[:, 0] - found[:, 0])
        )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--calls", type=Path, required=True, help="folder of calls, a sentence a line")
    parser.add_argument("--reports", type=Path, required=True, help="folder of reports of the same names")
    parser.add_argument("--half", choices=("dev", "held", "all"), default="dev")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--short", action="store_true", help="45 words alone, not 10 and 35 %%")
    parser.add_argument(
        "--sumy", nargs="*", default=["lex_rank", "text_rank", "lsa", "sum_basic"], help="which of sumy's"
    )
    asked = parser.parse_args()
    data = calls(asked.calls, asked.reports, asked.half, asked.count, asked.seed)
    if not data:
        raise SystemExit("no calls with reports were found in the two folders")
    share = np.mean([binding_share([terms(c.text[a:b]) for a, b in c.spans]) for c in data])
    print(f"{len(data)} calls, {asked.half}; mean share of binding sentences {share:.2f}")

    def whole(call_share: Callable[[str], float], **changes: bool) -> Callable[[str, Spans], Spans]:
        return lambda text, spans: ours(call_share(text), **changes)(text, spans)

    def forty_five(text: str) -> float:
        return 45 / max(1, len(text.split()))

    peers: dict[str, Ranker | None] = {
        "most digits": by_digits,
        "lead": lambda _, spans: range(len(spans)),
        "random": drawn,
    }
    sizes: list[tuple[str, Callable[[str], float], Callable[[str], float]]] = [
        ("45 words", forty_five, lambda _: 45.0),
        ("10 %", lambda _: 0.1, lambda text: 0.1 * len(text.split())),
        ("35 %", lambda _: TIER2, lambda text: TIER2 * len(text.split())),
    ]
    for title, part, size in sizes[: 1 if asked.short else None]:
        rows: dict[str, Callable[[str, Spans], Spans] | None] = {
            "ours": whole(part),
            "ours without speech": whole(part, speech=False),
            "ours without figures": whole(part, figures=False),
        }
        if title != "45 words":
            rows["ours, chunk by chunk"] = whole(part, chunked=True)
        rows |= {name: ranker and up_to(ranker, size) for name, ranker in peers.items()}
        if title == "45 words":
            for name in asked.sumy:
                ranker = sumy_ranker(name, 3)
                rows[f"sumy {name}"] = ranker and up_to(ranker, size)
        table(data, title, rows)


if __name__ == "__main__":
    main()
