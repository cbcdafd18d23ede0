"""The small corpus of the repository's tests, built once, with its log."""

from tests.conftest import _own_places, built, built_once, documents, memory

__all__ = ["_own_places", "built", "built_once", "documents", "memory"]
