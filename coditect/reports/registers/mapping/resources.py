"""The back matter of what we write in OSCAL: which files a corpus holds, with an address each, or all of them in a list."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, unquote

import orjson

from coditect.schemas.crosswalk import ComparedFile

__all__ = ["attached", "corpus_files", "corpus_resource"]

_HASH = "SHA-256"


def corpus_resource(identity: str, title: str, files: Sequence[ComparedFile]) -> dict[str, Any]:
    """The resource of a generation of a corpus: a link to its file, or a list of its files where there are several.

    Links of one resource are copies of one thing in OSCAL, so several files are no several links.

    Args:
        identity: the resource's UUID.
        title: what it is.
        files: the files, in the order of the list; none: nobody told which they are.
    """
    made: dict[str, Any] = {"uuid": identity, "title": title}
    if len(files) == 1:
        (file,) = files
        made["rlinks"] = [
            {
                "href": quote(file.name),
                "media-type": file.media_type,
                "hashes": [{"algorithm": _HASH, "value": file.raw_sha256}],
            }
        ]
    elif files:
        made["base64"] = attached("files.json", [each.model_dump(mode="json") for each in files])
    return made


def corpus_files(resource: Mapping[str, Any]) -> tuple[ComparedFile, ...]:
    """The files of a resource that :func:`corpus_resource` made.

    Raises:
        KeyError, ValueError: it is another one.
    """
    if "base64" in resource:
        listed = orjson.loads(base64.b64decode(resource["base64"]["value"], validate=True))
        return tuple(ComparedFile.model_validate(each) for each in listed)
    return tuple(
        ComparedFile(name=unquote(each["href"]), media_type=each["media-type"], raw_sha256=each["hashes"][0]["value"])
        for each in resource.get("rlinks", ())
    )


def attached(name: str, value: object) -> dict[str, str]:
    """A JSON document within a resource, as OSCAL takes one.

    Args:
        name: of the file that it would be.
        value: what it says; the keys of its objects are written in their order.
    """
    return {
        "filename": name,
        "media-type": "application/json",
        "value": base64.b64encode(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).decode(),
    }
