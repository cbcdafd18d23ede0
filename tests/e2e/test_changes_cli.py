"""``coditect knowledge changes``, from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coditect.schemas import CorpusChanges
from tests.command_line import invoke

OLD = "# Access Policy\n\n## 1 Reviews\n\n1.1 The owner shall review access rights every year.\n\n1.2 Guests must sign in.\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two generations of one policy; nothing here changes it."""
    folder = tmp_path_factory.mktemp("changes")
    documents = folder / "documents"
    documents.mkdir()
    for text in (OLD, OLD.replace("every year", "every quarter").replace("1.2 Guests must sign in.\n", "")):
        (documents / "access.md").write_text(text)
        for words in (("ingest", "--corpus-id", "c", str(documents)), ("build", "--corpus-id", "c")):
            assert invoke(folder / "store", *words).exit_code == 0
    return folder / "store"


def test_changes_are_shown_and_given_as_json(place: Path) -> None:
    """The same changes for people and for programs."""
    shown = invoke(place, "changes", "--corpus-id", "c")
    found = CorpusChanges.model_validate_json(invoke(place, "changes", "--corpus-id", "c", "--format", "json").stdout)
    assert shown.exit_code == 0
    kinds = [each.kind for document in found.documents for each in document.changes]
    assert sorted(kinds) == ["amended", "removed"]
    assert "frequency: every year -> every quarter" in shown.stdout
    assert "Guests must sign in." in shown.stdout


def test_changes_restricted_to_duties_and_to_the_work_list(place: Path) -> None:
    """--duties leaves out what changed none; --affected leaves out the documents."""
    duties = json.loads(invoke(place, "changes", "--corpus-id", "c", "--duties", "--format", "json").stdout)
    assert {each["duty"] for document in duties["documents"] for each in document["changes"]} == {"changed"}
    work = json.loads(invoke(place, "changes", "--corpus-id", "c", "--affected", "--format", "json").stdout)
    assert work["documents"] == []


def test_changes_of_states_that_are_not_there_end_with_the_way_out(place: Path) -> None:
    """Nothing before the first generation; two ways at once."""
    first = invoke(place, "changes", "--corpus-id", "c", "--to", "1")
    assert first.exit_code != 0
    assert "no earlier generation" in first.stderr
    both = invoke(place, "changes", "--corpus-id", "c", "--between", "a.md", "b.md", "--from", "1")
    assert both.exit_code != 0
    assert "--between" in both.stderr
