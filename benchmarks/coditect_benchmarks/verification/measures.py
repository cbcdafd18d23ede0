"""Labelled cases measured as the product measures them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from coditect.models.port import Embedder
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.contradictions.rules import find_contradictions
from coditect.verify.support.assessment import all_features
from coditect.verify.support.features import measure
from coditect.verify.support.vectors import measure_vectors
from coditect_benchmarks.verification.fitting import Rows
from coditect_benchmarks.verification.formats import Case

__all__ = ["measured"]


def measured(
    sets: Mapping[str, Sequence[Case]],
    embedder: Embedder | None = None,
    sentences: Embedder | None = None,
    *,
    made: bool = False,
) -> Rows:
    """Every case of every set, measured.

    Args:
        sets: by name.
        embedder: measures with vectors as well.
        sentences: of whole sentences; None: the same.
        made: they were made from evidence.
    """
    features, columns = [], []
    for name, cases in sets.items():
        for case in cases:
            index = EvidenceIndex(case.evidence)
            found = measure(case.claim, index)
            row = all_features(found, case.claim, find_contradictions(case.claim, index))
            row |= measure_vectors(found, case.claim, embedder, sentences) if embedder is not None else {}
            features.append(row)
            domain = f"{name}/{case.domain}" if case.domain and name == "summedits" else name
            columns.append((int(case.supported), name, domain, f"{name}:{case.group}", case.kind))
    names = tuple(features[0])
    values = np.array([[row[each] for each in names] for row in features], np.float64)
    labels, found_sets, domains, groups, kinds = (np.array(column) for column in zip(*columns, strict=True))
    return Rows(names, values, labels.astype(np.int64), found_sets, domains, groups, kinds, np.full(len(labels), made))
