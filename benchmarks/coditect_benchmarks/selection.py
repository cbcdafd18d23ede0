"""Sentence selection: speed, and quality against plain-English summaries of contract sections.

Run ``python -m coditect_benchmarks.selection``. The data lie in ``../shared/data``; what is absent is skipped with a line. For
quality install ``rouge-score``; ``sumy`` joins the comparison where it is installed. ``--tune`` prints the grid from
which the defaults were taken (on the development half alone).
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import log
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt
import nupunkt

from coditect.language.terms import terms
from coditect.tiers.chunks import textrank, tfidf
from coditect.tiers.chunks.selection import SelectionParameters, SentenceCandidate, document_idf, select
from coditect.tiers.chunks.weights import duty_weight

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
PASSAGE = 2400
ROUGES = ("rouge1", "rouge2", "rougeL")
Spans = Sequence[tuple[int, int]]
Summariser = Callable[[str, Spans], Spans]
Scores = npt.NDArray[np.float64]


def optional(name: str) -> ModuleType | None:
    """A module that need not be installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


# ---- speed -----------------------------------------------------------------------------------------------------------


def passages(spans: Spans) -> list[tuple[int, int]]:
    """Runs of sentences of up to ``PASSAGE`` code points, as index ranges."""
    runs: list[tuple[int, int]] = []
    first = 0
    for i in range(1, len(spans) + 1):
        if i == len(spans) or spans[i][1] - spans[first][0] > PASSAGE:
            runs.append((first, i))
            first = i
    return runs if spans else []


def speed() -> None:
    """Time terms, document weights and selection over the contracts, sentences given."""
    files = sorted((DATA / "contracts" / "docs").glob("*"))
    if not files:
        print("speed: no contracts found, skipped")
        return
    texts = [file.read_text(encoding="utf-8") for file in files]
    split = [[(start, end) for _, (start, end) in nupunkt.sent_spans_with_text(text)] for text in texts]
    for method in ("textrank", "tfidf"):
        parameters = SelectionParameters(method=method)
        spent = [0.0, 0.0, 0.0]
        chunks = chosen = 0
        for text, spans in zip(texts, split, strict=True):
            clock = [time.perf_counter()]
            words = [terms(text[start:end]) for start, end in spans]
            clock.append(time.perf_counter())
            idf = document_idf(words)
            clock.append(time.perf_counter())
            for first, last in passages(spans):
                candidates = [SentenceCandidate(*spans[i], duty_weight(words[i])) for i in range(first, last)]
                chosen += len(select(text, candidates, parameters, idf, terms_of=words[first:last]))
                chunks += 1
            clock.append(time.perf_counter())
            spent = [total + later - sooner for total, sooner, later in zip(spent, clock, clock[1:], strict=False)]
        print(
            f"{method}: {sum(map(len, texts)) / 1e6:.1f} M characters, {sum(map(len, split)):,} sentences, {chunks:,} "
            f"chunks, {chosen:,} selected; terms {spent[0]:.2f} s, idf {spent[1]:.2f} s, select {spent[2]:.2f} s, "
            f"total {sum(spent):.2f} s"
        )
    text, spans = max(zip(texts, split, strict=True), key=lambda pair: len(pair[1]))
    kinds([terms(text[start:end]) for start, end in spans])


def kinds(words: Sequence[Sequence[str]]) -> None:
    """Time dense against sparse matrices by the number of sentences."""
    idf = document_idf(words)
    print("sentences | dense ms | sparse ms")
    for n in (8, 24, 40, 48, 64, 100, 200, 400):
        took = []
        for sparse in (False, True):
            repeats = max(3, 800 // n)
            start = time.perf_counter()
            for _ in range(repeats):
                vectors = tfidf.sentence_vectors(words[:n], idf, sparse=sparse)
                textrank.rank(tfidf.cosines(vectors), np.ones(len(words[:n])), damping=0.6)
            took.append((time.perf_counter() - start) / repeats * 1e3)
        print(f"{n:9} | {took[0]:8.2f} | {took[1]:8.2f}")


# ---- quality ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Section:
    """A contract section, its sentences and its summary; ``dev`` tells the half."""

    text: str
    spans: Spans
    summary: str
    dev: bool


def sections() -> list[Section]:
    """The sections; documents are dealt to the halves by hash, none to both, the smaller half first."""
    path = DATA / "summaries" / "legal" / "all_v1.json"
    rows = list(json.loads(path.read_text(encoding="utf-8")).values()) if path.exists() else []
    sizes = Counter(row["doc"] for row in rows)
    half: dict[str, int] = {}
    filled = [0, 0]
    for document in sorted(sizes, key=lambda name: hashlib.sha256(name.encode()).digest()):
        half[document] = 0 if filled[0] <= filled[1] else 1
        filled[half[document]] += sizes[document]
    found = []
    for row in rows:
        spans, position = [], 0
        for part in row["original_text"].split(". "):
            if part.strip(" ."):
                spans.append((position, min(position + len(part) + 1, len(row["original_text"]))))
            position += len(part) + 2
        found.append(Section(row["original_text"], spans, row["reference_summary"], half[row["doc"]] == 0))
    return found


def lead(text: str, spans: Spans) -> Spans:
    """The first sentence."""
    return spans[:1]


def lead_same_size(ours: Summariser) -> Summariser:
    """As many first sentences as ``ours`` selects."""
    return lambda text, spans: spans[: len(ours(text, spans))]


def plain_textrank(text: str, spans: Spans) -> Spans:
    """The best sentence by the original overlap graph, without prior or redundancy control."""
    words = [terms(text[start:end]) for start, end in spans]
    similarity = np.zeros((len(spans), len(spans)))
    for i in range(len(spans)):
        for j in range(i):
            sizes = len(words[i]), len(words[j])
            if min(sizes) > 0 and max(sizes) > 1:
                shared = len(set(words[i]) & set(words[j]))
                similarity[i, j] = similarity[j, i] = shared / (log(sizes[0]) + log(sizes[1]))
    return [spans[int(np.argmax(np.round(textrank.rank(similarity, np.ones(len(spans))).scores, 9)))]]


def ours(parameters: SelectionParameters) -> Summariser:
    """Our selection; a section stands for both chunk and document."""

    def summarise(text: str, spans: Spans) -> Spans:
        words = [terms(text[start:end]) for start, end in spans]
        candidates = [SentenceCandidate(*span, duty_weight(word)) for span, word in zip(spans, words, strict=True)]
        return [(found.start, found.end) for found in select(text, candidates, parameters, terms_of=words)]

    return summarise


def sumy_summariser(name: str, count: int = 1) -> Summariser | None:
    """One of sumy's summarisers, by its module's name, for ``count`` sentences, on our sentence boundaries."""
    module = optional(f"sumy.summarizers.{name}")
    if module is None:
        return None
    dom, stemmers = importlib.import_module("sumy.models.dom"), importlib.import_module("sumy.nlp.stemmers")
    kind = "".join(part.capitalize() for part in name.split("_")) + "Summarizer"
    summarizer = getattr(module, kind)(stemmers.Stemmer("english"))

    class Words:
        """What sumy asks of a tokeniser."""

        def to_words(self, sentence: str) -> tuple[str, ...]:
            """The words of a sentence, as blanks part them."""
            return tuple(sentence.split())

    def summarise(text: str, spans: Spans) -> Spans:
        listed = [dom.Sentence(text[start:end], Words()) for start, end in spans]
        document = dom.ObjectDocumentModel([dom.Paragraph(listed)])
        picked = {id(sentence) for sentence in summarizer(document, count)}
        return [span for span, sentence in zip(spans, listed, strict=True) if id(sentence) in picked]

    return summarise


class Judge:
    """ROUGE F1 in percent, remembered by (summary, text)."""

    def __init__(self, rouge: ModuleType, data: Sequence[Section]) -> None:
        self._scorer = rouge.RougeScorer(list(ROUGES), use_stemmer=True)
        self._data = data
        self._known: dict[tuple[str, str], list[float]] = {}
        self.spent_s = 0.0

    def score(self, summariser: Summariser, *, dev: bool) -> Scores:
        """Shape (sections of that half, 3)."""
        rows = []
        for section in self._data:
            if section.dev is dev:
                sooner = time.perf_counter()
                spans = summariser(section.text, section.spans)
                self.spent_s += time.perf_counter() - sooner
                key = section.summary, " ".join(section.text[start:end] for start, end in spans)
                if key not in self._known:
                    found = self._scorer.score(*key)
                    self._known[key] = [100.0 * float(found[rouge].fmeasure) for rouge in ROUGES]
                rows.append(self._known[key])
        return np.array(rows)


def interval(difference: Scores) -> str:
    """Mean of paired differences with its 95 % bootstrap interval (2,000 resamples, fixed seed)."""
    generator = np.random.default_rng(0)
    means = [difference[generator.integers(0, len(difference), len(difference))].mean() for _ in range(2000)]
    low, high = np.percentile(means, [2.5, 97.5])
    return f"{difference.mean():+.2f} [{low:+.2f}, {high:+.2f}]"


def quality(*, tune: bool) -> None:
    """Print ROUGE F1 on both halves, and the distance to Lead-1 on the held-out half."""
    rouge, data = optional("rouge_score.rouge_scorer"), sections()
    if rouge is None or not data:
        print("quality: rouge-score is not installed or the summaries are absent, skipped")
        return
    judge = Judge(rouge, data)
    default = SelectionParameters()
    rows: dict[str, Summariser | None] = {
        "Lead-1": lead,
        "plain TextRank, 1 sentence": plain_textrank,
        "Lead, as many as ours": lead_same_size(ours(default)),
        "ours, textrank (default)": ours(default),
        "ours, tfidf": ours(replace(default, method="tfidf")),
        "ours, textrank, 1 sentence": ours(replace(default, max_sentences=1)),
        "ours, tfidf, 1 sentence": ours(replace(default, method="tfidf", max_sentences=1)),
        "sumy TextRank, 1 sentence": sumy_summariser("text_rank"),
        "sumy LexRank, 1 sentence": sumy_summariser("lex_rank"),
        "sumy SumBasic, 1 sentence": sumy_summariser("sum_basic"),
        "sumy LSA, 1 sentence": sumy_summariser("lsa"),
    }
    baselines = {name: judge.score(row, dev=False).mean(axis=1) for name, row in list(rows.items())[:2] if row}
    print(
        f"\n{'ROUGE-1/2/L F1':28} | dev 1 | 2 | L | mean | held-out 1 | 2 | L | mean | held-out mean minus "
        + "; ".join(baselines)
    )
    for name, row in rows.items():
        if row is None:
            print(f"{name:28} | not installed")
            continue
        judge.spent_s = 0.0
        dev, test = judge.score(row, dev=True), judge.score(row, dev=False)
        cells = [f"{value:.1f}" for half in (dev, test) for value in (*half.mean(axis=0), half.mean())]
        gaps = "; ".join(interval(test.mean(axis=1) - baseline) for baseline in baselines.values())
        print(f"{name:28} | " + " | ".join(cells) + f" | {gaps} | {judge.spent_s:.2f}")
    if tune:
        grid(judge, default)


def grid(judge: Judge, default: SelectionParameters) -> None:
    """The development half's mean ROUGE over the grid, best first."""
    found = []
    for method, damping, preference, ratio, redundancy in product(
        ("textrank", "tfidf"), (0.5, 0.6, 0.7, 0.85), (0.0, 1.0, 2.0, 3.0), (0.15, 0.2, 0.25, 0.3), (0.5, 0.7, 1.0)
    ):
        parameters = replace(
            default,
            method=method,  # type: ignore[arg-type]
            damping=damping,
            lead=preference,
            ratio=ratio,
            redundancy=redundancy,
        )
        mean = float(judge.score(ours(parameters), dev=True).mean())
        found.append((mean, method, damping, preference, ratio, redundancy))
    print("\ndev mean | method | damping | lead | ratio | redundancy")
    for row in sorted(found, reverse=True)[:20]:
        print(f"{row[0]:8.2f} | " + " | ".join(map(str, row[1:])))


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tune", action="store_true", help="print the grid on the development half")
    tune = parser.parse_args().tune
    speed()
    quality(tune=tune)


if __name__ == "__main__":
    main()
