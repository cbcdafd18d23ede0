"""What libraries in Rust raise where they break."""

from __future__ import annotations

__all__ = ["Panic"]


class Panic(BaseException):
    """A panic as it comes out of such a library: no ``Exception``."""
