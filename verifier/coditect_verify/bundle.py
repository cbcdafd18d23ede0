"""The container, and ids that are hashes: a record is read only if its bytes are those that its id is the hash of."""

import json
import re
import zipfile
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

from coditect_verify.log import Wrong, must

FORMAT = "bundle/1"
TAG, DIGEST, FIRST_DIGEST = 12, 40, 28
"""Digits of an id's tag and of its digest; release 0.1.0 kept fewer, and no name of the record in front of it."""

NAMED = re.compile(rb'\{"\$record":"([a-z_]{1,40})/[1-9][0-9]{0,5}"(?=[,}])')
OF_DOCUMENT = frozenset({"version", "extraction", "chunk", "passage", "profile"})
COMMITMENTS = re.compile(r"(?:[0-9a-f]{64}\n)*")
MOST_BYTES = 1 << 31
"""A member that is longer is refused, so that a bundle costs whoever looks at it no more than its own size."""


class Number(str):
    """A number that is not an integer, as it is written: what is hashed again must be written as it was."""

    __slots__ = ()


def canonical(value: object) -> bytes:
    """JSON with sorted keys and no white space, as ids are hashed over."""
    if isinstance(value, Number):
        return value.encode()
    if isinstance(value, dict):
        return b"{" + b",".join(canonical(key) + b":" + canonical(value[key]) for key in sorted(value)) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(map(canonical, value)) + b"]"
    return json.dumps(value, ensure_ascii=False).encode()


def read_json(data: bytes, what: str) -> dict[str, Any]:
    """An object of JSON without repeated names."""

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        must(len(dict(pairs)) == len(pairs), f"{what} says something twice")
        return dict(pairs)

    try:
        found = json.loads(data, parse_float=Number, object_pairs_hook=members)
    except (ValueError, RecursionError):
        found = None
    must(isinstance(found, dict), f"{what} is not JSON")
    return dict(found)


def tag_of(*parts: str) -> str:
    """The tag of a corpus, or of a document by corpus and name."""
    return sha256(canonical(list(parts))).hexdigest()[:TAG]


def document_id_of(corpus_id: str, name: str) -> str:
    """The id of the document of a name."""
    return f"document_{tag_of(corpus_id, name)}{sha256(name.encode()).hexdigest()[:28]}"


def commitment(step: dict[str, Any]) -> bytes:
    """What a generation commits to of a step: what it is, and what came out of it."""
    return sha256(canonical([step["derivation_id"], step["outputs"], step.get("outputs_sha256", "")])).digest()


class Bundle:
    """An open bundle.

    Attributes:
        index: what ``bundle.json`` says: hints of where to look, of which nothing is believed.
        corpus_id: the corpus; the ids of its items are hashed with it.
        read: names of the members that were looked at.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._zip = zipfile.ZipFile(path)
        except Exception as error:  # of what is nearly a container more is raised than is documented
            raise Wrong(f"this is no bundle: {error}") from error
        infos = self._zip.infolist()
        counted = Counter(each.filename for each in infos)
        twice = ", ".join(name for name, count in counted.items() if count > 1)
        must(not twice, f"the container holds two members of one name: {twice}")
        odd = [e.filename for e in infos if e.compress_type or e.flag_bits & 1 or e.file_size > MOST_BYTES]
        cut = "" if "bundle.json" in counted else "; it has no bundle.json: the bundle may have been cut off"
        most = ", ".join(odd[:3])
        must(not odd, f"the container holds a member that is compressed, encrypted or too long: {most}{cut}")
        self.names = set(counted)
        self.read: set[str] = set()
        self.index = read_json(self.member("bundle.json"), "bundle.json")
        form = self.index.get("format")
        must(form == FORMAT, f"the bundle is of format {form!r}; this program knows {FORMAT!r}")
        parts = {**self.index.get("entries", {}), "subject": self.index.get("subject", {})}
        for name in ("subject", "documents", "reviews", "signatures"):
            must(isinstance(parts.get(name, {}), dict), f"bundle.json does not have its shape: {name}")
        self.corpus_id = str(self.index.get("corpus_id"))
        self._items: dict[str, dict[str, Any]] = {}

    def member(self, name: str) -> bytes:
        """The bytes of a member; Wrong where there is none."""
        must(name in self.names, f"{name} is not in the bundle: it was left out, or removed")
        self.read.add(name)
        try:
            return self._zip.read(name)
        except Exception as error:  # as above: a header that lies raises what its decoder does
            raise Wrong(f"{name} cannot be read: {error!r}") from error

    def text(self, name: str) -> str:
        """A member as UTF-8; what is none is nothing that is asked for, either."""
        return self.member(name).decode("utf-8", "replace")

    def under(self, folder: str) -> list[str]:
        """Names of members below a folder, in order."""
        return sorted(each for each in self.names if each.startswith(folder + "/"))

    def blob(self, folder: str, digest: str) -> bytes:
        """The bytes of a file or text; Wrong where they are not those of its SHA-256."""
        data = self.member(f"{folder}/{digest}")
        same = sha256(data).hexdigest() == digest
        what = "the canonical text" if folder == "texts" else "the file"
        must(same, f"{what} in {folder}/{digest[:12]}… was changed: its SHA-256 is not the one that it is named by")
        return data

    def item(self, item_id: str) -> dict[str, Any]:
        """A record by its id; Wrong unless the id is the hash of its bytes, with the tag of its document or corpus."""
        if item_id not in self._items:
            data = self.member(f"items/{item_id}")
            kind, _, rest = item_id.partition("_")
            found, named = read_json(data, f"items/{item_id}"), NAMED.match(data)
            hashed, digits = data, DIGEST
            if named is None:
                member, digits = canonical({f"{kind}_id": item_id})[1:-1], FIRST_DIGEST
                hashed = data.replace(member + b",", b"") if member + b"," in data else data.replace(b"," + member, b"")
            own = named is None or named[1] == kind.encode()
            must(own and found.get("corpus_id") == self.corpus_id, f"{item_id} is a record of another kind or corpus")
            place = str(found.get("document_id", "")).partition("_")[2][:TAG]
            tag = place if kind in OF_DOCUMENT else tag_of(self.corpus_id)
            same = rest == tag + sha256(hashed).hexdigest()[:digits]
            must(same, f"{item_id} is not the hash of its content: the record was changed")
            self._items[item_id] = found
        return self._items[item_id]

    def said(self, item_id: str) -> dict[str, Any]:
        """A record as it is, whether its id is its hash or not: to tell what is wrong in it, not to believe it."""
        return read_json(self.member(f"items/{item_id}"), f"items/{item_id}")

    def hashed(self, name: str) -> str:
        """SHA-256 of a member's bytes."""
        return sha256(self.member(name)).hexdigest()

    def step(self, step_id: str) -> dict[str, Any]:
        """A derivation by its id; Wrong unless the id is the hash of what went in and how it was made."""
        found = read_json(self.member(f"steps/{step_id}"), f"steps/{step_id}")
        what = [found.get(each) for each in ("stage", "inputs", "method", "parameters", "code_version")]
        wanted = f"derivation_{tag_of(self.corpus_id)}{sha256(canonical(what)).hexdigest()[:DIGEST]}"
        own = found.get("derivation_id") == step_id and step_id in (wanted, wanted[: FIRST_DIGEST - DIGEST])
        must(own, f"{step_id} is not the hash of its inputs and method: the step was changed")
        return found

    def outputs(self, step: dict[str, Any]) -> dict[str, str]:
        """SHA-256 of each output of a step, by id; Wrong unless the step commits to them."""
        step_id = step["derivation_id"]
        found = read_json(self.member(f"outputs/{step_id}"), f"outputs/{step_id}")
        digest = sha256(b"".join(bytes.fromhex(found[each]) for each in sorted(found))).hexdigest()
        own = sorted(found) == sorted(step["outputs"]) and digest == step.get("outputs_sha256")
        must(own, f"outputs/{step_id} was changed: it is not what that step commits to")
        return {str(key): str(value) for key, value in found.items()}

    def commitments(self, owner: str) -> list[bytes]:
        """What a document's entry or the manifest commits to, one SHA-256 for each of its steps; Wrong if written otherwise."""
        text = self.text(f"commitments/{owner}")
        must(COMMITMENTS.fullmatch(text), f"commitments/{owner} is not one SHA-256 a line: it was changed")
        return [bytes.fromhex(line) for line in text.split("\n") if line]

    def unread(self) -> list[str]:
        """Members that nobody looked at: nothing is known of them."""
        return sorted(self.names - self.read)
