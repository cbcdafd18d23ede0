"""Reads a framework: each document of it as the kind that it is."""

from __future__ import annotations

from coditect.errors import UsageError
from coditect.knowledge.query.filters import matching_documents
from coditect.knowledge.report.crosswalk.framework.catalogue import CATALOGUE_READER, catalogue_parts
from coditect.knowledge.report.crosswalk.framework.parts import Framework
from coditect.knowledge.report.crosswalk.framework.provisions import provision_parts
from coditect.knowledge.report.crosswalk.framework.tables import TABLE_READERS, ColumnMap, table_parts
from coditect.schemas.crosswalk import FrameworkColumns
from coditect.store.view import View

__all__ = ["read_framework"]


def read_framework(view: View, names: tuple[str, ...] = (), columns: ColumnMap | None = None) -> Framework:
    """Read the requirements of a generation.

    Args:
        view: the framework's corpus.
        names: of its documents, or patterns with ``*``; none: all of them.
        columns: of its tables; None: guessed from their heads.

    Raises:
        NotFound: no document is called so.
        UsageError: two requirements have one id; or columns were named, and no table has them; or they cannot be told.
    """
    wanted = matching_documents(view, names) if names else frozenset(view.documents)
    framework = Framework()
    tables = 0
    for version in sorted(view.documents.values(), key=lambda each: (each.name, each.document_id)):
        if version.document_id not in wanted:
            continue
        if version.reader in TABLE_READERS:
            tables += 1
            parts, taken, left = table_parts(view, version, columns)
            framework.columns += [
                FrameworkColumns(
                    document=version.name,
                    columns=each.told,
                    guessed=columns is None,
                    left_out=() if number else tuple(left),
                )
                for number, each in enumerate(taken)
            ]
        elif version.reader.startswith(CATALOGUE_READER):
            parts = catalogue_parts(view, version)
        else:
            parts = provision_parts(view, version)
        framework.add(version.document_id, parts)
    if columns is not None and not tables:
        raise UsageError(
            "columns are named, and the framework has no table",
            corpus_id=view.corpus_id,
            hint="Name a workbook, .csv or .tsv of the corpus with --framework, or leave --columns out.",
        )
    return framework
