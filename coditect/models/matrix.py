"""A matrix of vectors that is searched exactly: on a GPU or a CPU by torch, or as 8-bit integers that are checked.

Both give the rows of the highest products, highest first, equal ones in the order of the rows. What a coarser number format
saves is given back where it would cost recall: rows that it puts near the edge are scored again in 32 bits.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from coditect.errors import Unavailable, UsageError
from coditect.models.port import FloatArray, IntArray

__all__ = ["QuantisedMatrix", "TorchMatrix"]

Precision = Literal["float32", "float16"]
