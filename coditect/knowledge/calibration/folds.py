"""Folds in which no document stands on both sides.

A case may rest on several documents. It is tested with the first of them; whatever shares any document with a tested case is left
out of the training of that fold, as cross-validation of overlapping periods is purged in econometrics.

Source: De Prado, Advances in Financial Machine Learning, 2018, chapter 7.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from coditect.knowledge.calibration.cases import Cases, Labels

__all__ = ["FOLDS", "held_out_folds"]

FOLDS = 5


def held_out_folds(cases: Cases, seed: int, count: int = FOLDS) -> Iterator[tuple[Labels, Labels]]:
    """Places of (training, test), stratified by decision and grouped by document.

    Args:
        cases: decisions.
        seed: of the shuffle that assigns documents to folds.
        count: folds, at most; fewer where there are fewer documents or decisions of a kind.
    Yields:
        folds whose training holds decisions of both kinds.
    """
    from sklearn.model_selection import StratifiedGroupKFold

    own = cases.own
    count = min(count, len(np.unique(own)), *(int((cases.labels == label).sum()) for label in (0, 1)))
    if count < 2:
        return
    splitter = StratifiedGroupKFold(count, shuffle=True, random_state=seed)
    for train, test in splitter.split(cases.values, cases.labels, own):
        tested = {document for at in test.tolist() for document in cases.documents[at]}
        apart = np.asarray([at for at in train.tolist() if tested.isdisjoint(cases.documents[at])], np.int64)
        if len(set(cases.labels[apart].tolist())) == 2:
            yield apart, test
