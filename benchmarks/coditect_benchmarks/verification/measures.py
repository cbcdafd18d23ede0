"""Labelled cases measured as the product measures them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from coditect.models.port import ContextEmbedder, Embedder
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.support.assessment import all_features
from coditect.verify.support.contexts import CONTEXTS, ReadTexts, measure_contexts
from coditect.verify.support.features import Measured, measure
from coditect.verify.support.vectors import measure_vectors
from coditect_benchmarks.verification.fitting import Rows
from coditect_benchmarks.verification.formats import Case

__all__ = ["measured"]


def measured(sets: Mapping[str, Sequence[Case]], embedder: Embedder | None = None, *, made: bool = False) -> Rows:
    """Every case of every set, measured.

    Args:
        sets: by name.
        embedder: measures with it as well: words in context where it reads them so, else by themselves.
        made: they were made from evidence; these teach the half that reads nothing in context, so that they have zeros there.
    """
    texts = ReadTexts(embedder) if isinstance(embedder, ContextEmbedder) else None
    features, columns = [], []
    for name, cases in sets.items():
        for case in cases:
            index = EvidenceIndex(case.evidence)
            hard = find_contradictions(case.claim, index)
            found = measure(case.claim, index)
            features.append(
                all_features(found, case.claim, hard) | _meant(found, case.claim, embedder, texts, made=made)
            )
            domain = f"{name}/{case.domain}" if case.domain and name == "summedits" else name
            columns.append((int(case.supported), name, domain, f"{name}:{case.group}", case.kind))
    names = tuple(features[0])
    values = np.array([[row[each] for each in names] for row in features], np.float64)
    labels, found_sets, domains, groups, kinds = (np.array(column) for column in zip(*columns, strict=True))
    return Rows(names, values, labels.astype(np.int64), found_sets, domains, groups, kinds, np.full(len(labels), made))


def _meant(
    found: Measured, claim: str, embedder: Embedder | None, texts: ReadTexts | None, *, made: bool
) -> dict[str, float]:
    """The measures of an embedder."""
    if embedder is None:
        return {}
    if texts is None:
        return measure_vectors(found, claim, embedder)
    return dict.fromkeys(CONTEXTS, 0.0) if made else measure_contexts(found, claim, texts)
