"""A matrix of vectors that torch multiplies, on a GPU in half precision or on a CPU, and that is searched exactly.

What is found is what numpy finds over the same rows, to the last bit: torch only chooses candidates. Every row whose product is
within the error bound of the last place is multiplied again by numpy, in single precision, and those products decide. So a
coarser number format, another order of additions or another device changes the time that a question takes, and no answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from coditect.errors import Unavailable, UsageError
from coditect.models.flag.library import device_for
from coditect.models.port import FloatArray, IntArray

__all__ = ["Precision", "TorchMatrix"]

Precision = Literal["float32", "float16"]

_BLOCK_ROWS = 65_536
"""Rows that are brought to the device, or made single precision there, at once."""

_UNIT_ROUNDOFF: float = 2.0**-24
"""Of single precision."""

_FEW = 8
"""Where no more than one of so many rows may answer, they are picked before they are multiplied."""


class TorchMatrix:
    """Rows on a device. Safe to use from several threads, one of which computes at a time.

    Args:
        rows: shape (n, d), float32, finite; kept for the last decision, not copied. It may be mapped from a file: a question
            reads some hundred of its rows.
        device: "cpu", "cuda", "cuda:0" ...; None: the first GPU if there is one.
        precision: of the rows on the device; None: float16 on a GPU, float32 on a CPU. Products are sums in single precision.
    Raises:
        UsageError: not such an array, or an unknown device or precision.
        Unavailable: the libraries are not installed, this machine lacks the device, or the rows do not fit there.
    """

    def __init__(self, rows: FloatArray, *, device: str | None = None, precision: Precision | None = None) -> None:
        if precision not in (None, "float32", "float16"):
            raise UsageError("an unknown precision", hint="float32 or float16", precision=precision)
        if rows.ndim != 2 or rows.dtype != np.float32:
            raise UsageError("not a matrix in single precision", shape=rows.shape, dtype=str(rows.dtype))
        self.device = device_for(device)
        self.precision: Precision = precision or ("float32" if self.device == "cpu" else "float16")
        self._rows = rows
        self._lock = RLock()
        with self._lock, _named(self.device):
            self._tensor, self._longest, self._loss = self._brought(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def products(self, vector: FloatArray) -> FloatArray:
        """Inner products of all rows and a vector, as the device computes them.

        Args:
            vector: shape (d,).
        Returns:
            shape (n,); each within :meth:`error` of numpy's.
        Raises:
            UsageError: a vector of another dimension.
            Unavailable: the device failed.
        """
        self._require(vector)
        with self._lock, _named(self.device):
            products: FloatArray = self._multiplied(self._tensor, vector).cpu().numpy()
            return products

    def error(self, vector: FloatArray) -> float:
        """How far a product may be from numpy's, at most.

        It is what rows lost to their number format, and what sums of d terms in single precision may lose in any two orders.
        Source: Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.1.
        """
        terms: float = (self._rows.shape[1] + 1) * _UNIT_ROUNDOFF
        length = float(np.linalg.norm(vector.astype(np.float64)))
        return length * (self._loss + 2.0 * terms / (1.0 - terms) * (self._longest + self._loss))

    def nearest(self, vector: FloatArray, limit: int, allowed: IntArray | None = None) -> tuple[IntArray, FloatArray]:
        """The rows with the highest products, highest first, equal ones in the order of the rows.

        Args:
            vector: shape (d,).
            limit: how many, >= 0.
            allowed: rows that may answer, increasing; None: all.
        Returns:
            (rows, products), each of shape (min(limit, rows that may answer),); products are numpy's.
        Raises:
            UsageError: a vector of another dimension.
            Unavailable: the device failed.
        """
        candidates = self.possible(vector, limit, allowed)
        exact = np.asarray(np.vecdot(self._rows[candidates], vector), dtype=np.float32)
        best = np.argsort(-exact, kind="stable")[: max(limit, 0)]
        return candidates[best], exact[best]

    def possible(self, vector: FloatArray, limit: int, allowed: IntArray | None = None) -> IntArray:
        """Rows, increasing, among which are those with the highest products; all that equal the last of them, too.

        Args, Raises: as for :meth:`nearest`.
        """
        self._require(vector)
        count = min(limit, len(self) if allowed is None else len(allowed))
        if count < 1:
            return np.zeros(0, np.int64)
        with self._lock, _named(self.device):
            return self._candidates(vector, count, allowed)

    def _candidates(self, vector: FloatArray, count: int, allowed: IntArray | None) -> IntArray:
        import torch

        if allowed is None:
            products = self._multiplied(self._tensor, vector)
        else:
            chosen = torch.from_numpy(np.array(allowed)).to(self.device)
            if len(allowed) * _FEW <= len(self):
                products = self._multiplied(self._tensor[chosen], vector)
            else:
                products = self._multiplied(self._tensor, vector)[chosen]
        edge = float(torch.topk(products, count).values[-1])
        # The last of the best is not below edge - error, so none of them is computed below edge - 2 * error.
        least = np.nextafter(np.float32(edge - 2.0 * self.error(vector)), np.float32(-np.inf))
        found: IntArray = torch.nonzero(products >= float(least)).ravel().cpu().numpy()
        return found if allowed is None else np.asarray(allowed[found], dtype=np.int64)

    def _multiplied(self, tensor: Any, vector: FloatArray) -> Any:  # noqa: ANN401 - torch tensors
        import torch

        with torch.inference_mode():
            asked = torch.tensor(vector, device=self.device)
            if tensor.dtype == torch.float32:
                return tensor @ asked
            products = torch.empty(len(tensor), dtype=torch.float32, device=self.device)
            for begin in range(0, len(tensor), _BLOCK_ROWS):
                block = slice(begin, begin + _BLOCK_ROWS)
                torch.mv(tensor[block].float(), asked, out=products[block])
            return products

    def _brought(self, rows: FloatArray) -> tuple[Any, float, float]:
        """(the rows on the device, length of the longest row, length of the longest difference that the number format makes)."""
        import torch

        kind = torch.float32 if self.precision == "float32" else torch.float16
        tensor = torch.empty(rows.shape, dtype=kind, device=self.device)
        longest = loss = 0.0
        for begin in range(0, len(rows), _BLOCK_ROWS):
            block = np.array(rows[begin : begin + _BLOCK_ROWS])
            kept = torch.from_numpy(block).to(kind)
            if not bool(torch.isfinite(kept).all()):
                raise UsageError(
                    "vectors are not finite, or too large for the precision", hint="float32", precision=self.precision
                )
            tensor[begin : begin + _BLOCK_ROWS] = kept
            longest = max(longest, _longest(block))
            loss = max(loss, _longest(kept.double().numpy() - block))
        return tensor, longest, loss

    def _require(self, vector: FloatArray) -> None:
        if vector.shape != (self._rows.shape[1],):
            raise UsageError("a vector of another dimension", expected=self._rows.shape[1], found=vector.shape)


def _longest(rows: npt.NDArray[np.floating[Any]]) -> float:
    return float(np.sqrt(np.vecdot(rows.astype(np.float64), rows.astype(np.float64))).max(initial=0.0))


@contextmanager
def _named(device: str) -> Iterator[None]:
    """What torch says of a device that is full or broken, as one error that tells the way out."""
    try:
        yield
    except RuntimeError as error:
        raise Unavailable(
            "vectors cannot be multiplied on this device",
            device=device,
            reason=(str(error).splitlines() or [type(error).__name__])[0][:300],
            hint="Give it free memory, name another with CODITECT_DEVICE, or use CODITECT_DENSE=numpy.",
        ) from error
