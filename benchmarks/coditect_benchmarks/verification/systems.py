"""What is compared: the product with and without vectors, and three peers; every one gives higher scores to supported claims."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from coditect.language.terms import STOPWORDS
from coditect.models.port import Embedder
from coditect_benchmarks.verification.adapters import EDITED
from coditect_benchmarks.verification.fitting import Floats, Rows, fit, held_out, scores
from coditect_benchmarks.verification.formats import Case

__all__ = ["Fixed", "Product", "System", "TfidfRegression", "overlap", "similarity"]

_WORD = re.compile(r"\w+")
_FOLDS = 3
_SEED = 0


class System(Protocol):
    """Scores held-out cases after it saw the training cases."""

    def judge(self, train: npt.NDArray[np.int64], test: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Scores of the training cases, each from a fit that did not see it, and of the test cases.

        Args:
            train: places of the cases.
            test: places of the cases.
        """


class Product:
    """The combiner, trained on the cases and on what was made from the documents of the same sets and domains."""

    def __init__(self, rows: Rows, made: Rows) -> None:
        self._rows = rows
        self._made = made

    def judge(self, train: npt.NDArray[np.int64], test: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
        """See :class:`System`."""
        seen = self._rows.take(train)
        both = seen.joined(self._made.take(np.isin(self._made.domains, np.unique(seen.domains))))
        return held_out(both, EDITED)[: len(train)], scores(fit(both, EDITED), self._rows.take(test))


class Fixed:
    """Scores that need no training."""

    def __init__(self, values: Sequence[float]) -> None:
        self._values = np.array(values, np.float64)

    def judge(self, train: npt.NDArray[np.int64], test: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
        """See :class:`System`."""
        return self._values[train], self._values[test]


class TfidfRegression:
    """Logistic regression over TF-IDF: the words that both have, those of the claim alone, and two cosines.

    The vocabulary is that of the training cases; the regression alone is fitted again for their own scores.
    """

    def __init__(self, cases: Sequence[Case], rows: Rows) -> None:
        self._rows = rows
        self._claims = [case.claim for case in cases]
        self._texts = [" ".join(case.evidence) for case in cases]
        self._sentences = sorted({sentence for case in cases for sentence in case.evidence})
        place = {sentence: at for at, sentence in enumerate(self._sentences)}
        self._places = [[place[sentence] for sentence in case.evidence] for case in cases]

    def judge(self, train: npt.NDArray[np.int64], test: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
        """See :class:`System`."""
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.model_selection import GroupKFold

        vectorizer = TfidfVectorizer(min_df=2, max_features=30_000, sublinear_tf=True)
        vectorizer.fit([self._claims[at] for at in train] + sorted({self._texts[at] for at in train}))
        sentences = vectorizer.transform(self._sentences)
        seen, unseen = (self._features(vectorizer, sentences, places) for places in (train, test))
        found = np.zeros(len(train), np.float64)
        for inside, outside in GroupKFold(_FOLDS).split(train, groups=self._rows.groups[train]):
            found[outside] = self._decided(seen[inside], train[inside], seen[outside])
        return found, self._decided(seen, train, unseen)

    def _decided(self, seen: Any, train: npt.NDArray[np.int64], unseen: Any) -> Floats:  # noqa: ANN401 - sparse
        from sklearn.linear_model import LogisticRegression

        model = LogisticRegression(C=1.0, max_iter=1000, class_weight="balanced", random_state=_SEED)
        model.fit(seen, self._rows.labels[train])
        return np.asarray(model.decision_function(unseen), np.float64)

    def _features(self, vectorizer: Any, sentences: Any, places: npt.NDArray[np.int64]) -> Any:  # noqa: ANN401 - sparse
        from scipy.sparse import csr_matrix, hstack

        claims = vectorizer.transform([self._claims[at] for at in places])
        texts = vectorizer.transform([self._texts[at] for at in places])
        both = claims.multiply(texts).tocsr()
        alone = claims - claims.multiply(texts > 0)
        best = [float((sentences[self._places[at]] @ claims[row].T).max()) for row, at in enumerate(places)]
        cosines = np.column_stack([np.asarray(both.sum(axis=1)).ravel(), np.array(best)])
        return hstack([both, alone, csr_matrix(5.0 * cosines)]).tocsr()


def overlap(case: Case) -> float:
    """The share of a claim's distinct content words that stand in the evidence, 0..1."""
    said = set(_plain(case.claim))
    have = {word for sentence in case.evidence for word in _plain(sentence)}
    return len(said & have) / len(said) if said else 0.0


def similarity(cases: Mapping[str, Sequence[Case]], embedder: Embedder) -> list[float]:
    """The cosine of each claim with its nearest evidence sentence, in the order of the sets."""
    found = []
    for each in cases.values():
        for case in each:
            vectors = embedder.embed([case.claim, *(case.evidence or ("",))])
            found.append(float((vectors[1:] @ vectors[0]).max()))
    return found


def _plain(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if word not in STOPWORDS]
