"""The list of documents as a table, and as the JSON that it came from."""

from __future__ import annotations

import csv
import io
import json

from coditect.reports.registers.documents import DOCUMENT_COLUMNS, write_documents
from coditect.schemas import ListedDocument, Profile, ProfileFact
from coditect.schemas.profile import ProfileParty


def _fact(value: str, *, given: bool = True) -> ProfileFact:
    return ProfileFact(value=value, basis="manifest" if given else "text", quote="" if given else value)


PROFILE = Profile(
    corpus_id="c", document_id="document_1", profile_id="p", version_id="v", derivation_id="d", role=_fact("policy"),
    title=_fact("=Policy", given=False), owner=_fact("Ann", given=False),
    parties=(ProfileParty(value="Cliff Ltd", basis="manifest", called="Supplier"),), supersedes=(_fact("Policy 1"),),
)  # fmt: skip
ROWS = [
    ListedDocument(
        name="a.md", document_id="document_1", version_id="v", standing=("superseded by b.md",), profile=PROFILE
    ),
    ListedDocument(name="b.md", document_id="document_2", version_id="w"),
]


def test_a_row_tells_what_is_known_and_what_of_it_is_guessed() -> None:
    """A document of which nothing is known is a row, too; no cell is a formula."""
    file = io.BytesIO()
    assert write_documents(ROWS, file, "csv") == 2
    first, second = csv.DictReader(io.StringIO(file.getvalue().decode("utf-8-sig"), newline=""))
    assert tuple(first) == DOCUMENT_COLUMNS
    assert (first["role"], first["title"], first["owner"]) == ("policy", "'=Policy", "Ann")
    assert (first["parties"], first["supersedes"]) == ("Cliff Ltd (Supplier)", "Policy 1")
    assert (first["standing"], first["guessed"]) == ("superseded by b.md", "title, owner")
    assert {name: value for name, value in second.items() if value} == {
        "name": "b.md",
        "document_id": "document_2",
        "version_id": "w",
    }


def test_a_listed_document_is_read_as_its_json_too() -> None:
    """By name, with what is missing left out of the profile, as programs did when it was a dict."""
    (row, bare) = ROWS
    assert (row["name"], row.role, "profile" in row, "nothing" in row) == ("a.md", "policy", True, False)
    assert row["profile"]["role"]["value"] == "policy"
    assert "edition" not in row["profile"]
    assert (bare.get("profile"), bare.role, bare.get("nothing", 3)) == (None, "", 3)
    assert ListedDocument.model_validate(dict(row)) == row
    assert json.loads(json.dumps({**row})) == dict(row)
