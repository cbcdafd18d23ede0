"""These tests need the extra [qdrant]."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("qdrant_client") else ["test_replica.py", "test_search.py"]
