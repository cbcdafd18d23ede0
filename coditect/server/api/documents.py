"""Documents: their list, their text, the files as they were given, and new ones."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, File, Form, Path, Query, UploadFile
from starlette.responses import Response

from coditect.documents.readers.pdf.picture import LEAST_WIDTH_PX, MOST_WIDTH_PX
from coditect.errors import NotFound
from coditect.knowledge.query.filters import matching_documents
from coditect.knowledge.query.pages.desk import WIDTH_PX
from coditect.knowledge.report.shapes import documents_shape
from coditect.knowledge.report.standing import standing_of
from coditect.schemas import DocumentVersion, PageRectangles
from coditect.server.answers import IMMUTABLE, answer, not_modified, page_of
from coditect.server.api.common import REFUSALS, AsOf, Cursor, Filling, Key, Limit, Open, Reading, Today
from coditect.server.api.described import JOB, DocumentPage
from coditect.server.jobs.uploads import content_hash, store_uploads

__all__ = ["router"]

router = APIRouter(responses=REFUSALS, tags=["documents"])

MOST_OFFSET = 2**31

MOST_PAGE = 1_000_000

DocumentId = Annotated[
    str, Path(max_length=500, description="Id of the document, or of one version of it, or a name without a slash.")
]


@router.get("/corpora/{corpus_id}/documents", operation_id="list_documents", responses={200: {"model": DocumentPage}})
def list_documents(
    opened: Reading,
    name: Annotated[list[str] | None, Query(description="Only those that are called so; patterns with *.")] = None,
    as_of: AsOf = None,
    today: Today = None,
    cursor: Cursor = "",
    limit: Limit = 100,
) -> Response:
    """The documents of a generation by name, with their profiles and what their dates say; 'next' asks for the page behind."""
    view, day = opened.noted("documents", as_of), today or opened.knowledge.clock()[:10]
    listed = documents_shape(view, standing_of(view, day), day)
    if name:
        wanted = matching_documents(view, name)
        listed["documents"] = [each for each in listed["documents"] if each["document_id"] in wanted]
    asked = f"{view.shown_as} documents {day}" + (f" {sorted(name)}" if name else "")
    page, following = page_of(listed["documents"], cursor, limit, asked, view.generation)
    told = {**listed, "documents": page, "total": len(listed["documents"]), "next": following}
    return answer(opened.request, told)


@router.get(
    "/corpora/{corpus_id}/documents/{document_id}",
    operation_id="get_document",
    responses={200: {"model": DocumentVersion}},
)
def get_document(opened: Reading, document_id: DocumentId, as_of: AsOf = None) -> Response:
    """What is stored about a document, losses in reading included."""
    found = _found(opened, document_id, as_of)
    return answer(opened.request, found.model_dump(mode="json"), tag=found.version_id)


@router.get(
    "/corpora/{corpus_id}/documents/{document_id}/text",
    operation_id="get_document_text",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
)
def get_text(opened: Reading, document_id: DocumentId, as_of: AsOf = None) -> Response:
    """The canonical text, the one that all offsets refer to: UTF-8, byte for byte."""
    found = _found(opened, document_id, as_of)
    return _bytes(opened, found.text_sha256, found.text_bytes, "text/plain; charset=utf-8", "")


@router.get(
    "/corpora/{corpus_id}/documents/{document_id}/original",
    operation_id="get_document_original",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
def get_original(opened: Reading, document_id: DocumentId, as_of: AsOf = None) -> Response:
    """The bytes of the file, as they were given; never shown by a browser, always saved."""
    found = _found(opened, document_id, as_of)
    name = quote(found.name.rpartition("/")[2], safe="")
    return _bytes(opened, found.raw_sha256, found.raw_bytes, "application/octet-stream", name)


@router.get(
    "/corpora/{corpus_id}/documents/{document_id}/rectangles",
    operation_id="get_rectangles",
    responses={200: {"model": list[PageRectangles]}},
)
def get_rectangles(
    opened: Reading,
    document_id: DocumentId,
    start: Annotated[int, Query(ge=0, le=MOST_OFFSET, description="First code point of the canonical text.")],
    end: Annotated[int, Query(ge=0, le=MOST_OFFSET, description="One past the last.")],
    as_of: AsOf = None,
) -> Response:
    """Where words stand on the pages of a document, in points; nothing where its format has no pages."""
    found = opened.knowledge.rectangles(opened.corpus_id, document_id, start, end, as_of=as_of)
    return answer(opened.request, [each.model_dump(mode="json") for each in found])


@router.get(
    "/corpora/{corpus_id}/documents/{document_id}/pages/{page}/image",
    operation_id="get_page_image",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}}},
)
def get_page_image(
    opened: Reading,
    document_id: DocumentId,
    page: Annotated[int, Path(ge=1, le=MOST_PAGE, description="Physical page of the PDF, from 1.")],
    width_px: Annotated[int, Query(ge=LEAST_WIDTH_PX, le=MOST_WIDTH_PX, description="Of the picture.")] = WIDTH_PX,
    as_of: AsOf = None,
) -> Response:
    """A page of a PDF as it looks."""
    version = _found(opened, document_id, as_of)
    etag = f'"{version.version_id}-{page}-{width_px}"'
    headers = {"ETag": etag, "Cache-Control": IMMUTABLE if document_id == version.version_id else "private, no-cache"}
    headers["Vary"] = "Authorization, Cookie"
    if not_modified(opened.request, etag):
        return Response(status_code=304, headers=headers)
    picture = opened.knowledge.page_desk.picture(opened.knowledge.store, version, page, width_px)
    return Response(picture, media_type="image/png", headers=headers)


@router.post("/corpora/{corpus_id}/documents", operation_id="add_documents", status_code=202, responses=JOB)
def add_documents(
    opened: Filling,
    files: Annotated[list[UploadFile], File(description="The files.")],
    name: Annotated[list[str] | None, Form(description="Paths in the corpus, in the order of the files.")] = None,
    key: Key = None,
) -> Response:
    """Take files in, as a job: each is added, updated, a duplicate, or failed with a reason; the others go on."""
    desk = opened.request.app.state.jobs
    job = desk.start(
        opened.caller,
        "ingest",
        opened.corpus_id,
        prepare=lambda folder: store_uploads(folder, files, name or ()),
        key=key,
        content=lambda: content_hash(files, name or ()),
    )
    return answer(opened.request, job.told(), status=202, Location=f"/api/v1/jobs/{job.job_id}")


def _found(opened: Open, document_id: str, as_of: int | None) -> DocumentVersion:
    view = opened.view(as_of)
    every = view.documents.values()
    found = next((each for each in every if document_id in (each.document_id, each.version_id)), None)
    found = found or next((each for each in every if document_id == each.name), None)
    if found is None:
        told = "Ask for its id, from 'GET …/documents', which takes names as 'name', too."
        raise NotFound("unknown document", document_id=document_id, corpus_id=opened.corpus_id, hint=told)
    opened.knowledge.note_read(opened.corpus_id, "document", view.generation, [found.version_id])
    return found


def _bytes(opened: Open, sha256: str, size: int, media_type: str, name: str) -> Response:
    etag = f'"{sha256[:32]}"'
    headers = {"ETag": etag, "Cache-Control": IMMUTABLE, "Vary": "Authorization, Cookie"}
    if not_modified(opened.request, etag):
        return Response(status_code=304, headers=headers)
    if name:
        headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{name}"
    content = opened.knowledge.store.get_blob(opened.corpus_id, sha256, size)
    return Response(content, media_type=media_type, headers=headers)
