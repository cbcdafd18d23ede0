"""Reads a framework: each document of it as the kind that it is."""

from __future__ import annotations

from coditect.errors import UsageError
from coditect.knowledge.query.filters import matching_documents
from coditect.knowledge.report.crosswalk.framework.catalogue import CATALOGUE_READER, catalogue_parts
from coditect.knowledge.report.crosswalk.framework.parts import Framework
from coditect.knowledge.report.crosswalk.framework.provisions import provision_parts
from coditect.knowledge.report.crosswalk.framework.tables import (
    TABLE_READERS,
    ColumnMap,
    TableReading,
    refused_table,
    table_parts,
)
from coditect.schemas.crosswalk import FrameworkColumns
from coditect.store.view import View

__all__ = ["read_framework"]


def read_framework(view: View, names: tuple[str, ...] = (), columns: ColumnMap | None = None) -> Framework:
    """Read the requirements of a generation; a table that is no framework is left out and told where another is.

    Such a table is no document of the framework then, so that it is compared where all of its corpus is.

    Args:
        view: the framework's corpus.
        names: of its documents, or patterns with ``*``; none: all of them.
        columns: of its tables; None: guessed from their heads.

    Raises:
        NotFound: no document is called so.
        UsageError: two requirements have one id; or columns were named, and no table has them; or no document is a framework, and
            the columns of a table cannot be told.
    """
    wanted = matching_documents(view, names) if names else frozenset(view.documents)
    framework = Framework()
    refused: UsageError | None = None
    tables = 0
    for version in sorted(view.documents.values(), key=lambda each: (each.name, each.document_id)):
        if version.document_id not in wanted:
            continue
        if version.reader in TABLE_READERS:
            tables += 1
            reading = table_parts(view, version, columns)
            parts = reading.parts
            framework.columns += _told(version.name, reading, guessed=columns is None)
            if not parts:
                refused = refused or refused_table(version.name, reading, columns)
                continue
        elif version.reader.startswith(CATALOGUE_READER):
            parts = catalogue_parts(view, version)
        else:
            parts = provision_parts(view, version)
        framework.add(version.document_id, parts)
    if refused is not None and not framework.parts:
        raise refused
    if columns is not None and not tables:
        raise UsageError(
            "columns are named, and the framework has no table",
            corpus_id=view.corpus_id,
            hint="Name a workbook, .csv or .tsv of the corpus with --framework, or leave --columns out.",
        )
    return framework


def _told(document: str, reading: TableReading, *, guessed: bool) -> list[FrameworkColumns]:
    """What a table was read by, for whoever reads the crosswalk; a table that was left out as a whole is told, too."""
    left = tuple(reading.left)
    if not reading.taken:
        return [FrameworkColumns(document=document, columns="", guessed=guessed, left_out=left)]
    return [
        FrameworkColumns(document=document, columns=each.told, guessed=guessed, left_out=() if number else left)
        for number, each in enumerate(reading.taken)
    ]
