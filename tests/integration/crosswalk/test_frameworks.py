"""Frameworks that are tables or resolved profiles, and what is wrong with some."""

from __future__ import annotations

import copy
import io
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from coditect import Settings, open_knowledge
from coditect.cli.exit_codes import ExitCode
from coditect.schemas import Crosswalk
from tests.integration.crosswalk.house import CATALOGUE, run, stored

COLUMNS = "id=Control,statement=Specification,title=Name,family=Domain"
TABLE = (
    "Control,Name,Specification,Domain\n"
    "A-1,Reviews,User access rights shall be reviewed quarterly.,Access\n"
    "A-2,Candles,Lavender candles shall be burned inside the observatory.,House\n"
)


def _crosswalk(capsys: pytest.CaptureFixture[str], corpus: str, *words: str) -> Crosswalk:
    capsys.readouterr()
    told = ["crosswalk", "--corpus-id", "policies", "--framework-corpus", corpus, "--format", "json", *words]
    assert run(*told) == ExitCode.OK
    return Crosswalk.model_validate_json(capsys.readouterr().out)


def _refused(capsys: pytest.CaptureFixture[str], corpus: str, *words: str) -> str:
    capsys.readouterr()
    assert run("crosswalk", "--corpus-id", "policies", "--framework-corpus", corpus, *words) == ExitCode.USAGE
    return capsys.readouterr().err


def _workbook(*rows: tuple[object, ...], merge: str = "") -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(list(row))
    if merge:
        sheet.merge_cells(merge)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_a_table_is_a_framework_by_its_columns(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ids, titles and families are the cells'; the statement is verbatim at its place in the document."""
    stored(corpora, "table", "controls.csv", TABLE)
    found = _crosswalk(capsys, "table", "--columns", COLUMNS)
    assert [(row.requirement_id, row.title, row.family) for row in found.rows] == [
        ("A-1", "Reviews", "Access"),
        ("A-2", "Candles", "House"),
    ]
    assert [row.label for row in found.rows] == ["meets", "no evidence"]
    assert run("document", "--corpus-id", "table", "--name", "controls.csv") == ExitCode.OK
    text = capsys.readouterr().out
    assert text[found.rows[0].char_start : found.rows[0].char_end] == "User access rights shall be reviewed quarterly."


def test_merged_cells_continue_the_requirement_above(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An id that is merged over two rows has two parts, with ids of their own; nothing is lost."""
    rows = (
        ("Control", "Name", "Specification", "Domain"),
        ("A-1", "Reviews", "User access rights shall be reviewed quarterly.", "Access"),
        ("", "", "Guests shall be announced at the gate.", ""),
    )
    stored(corpora, "table", "controls.xlsx", _workbook(*rows, merge="A2:A3"))
    found = _crosswalk(capsys, "table", "--columns", COLUMNS)
    assert [(row.requirement_id, row.part_id, row.family) for row in found.rows] == [
        ("A-1", "A-1", "Access"),
        ("A-1", "A-1#2", "Access"),
    ]


def test_merged_statements_leave_an_id_without_words(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which of the ids the words belong to is not guessed."""
    rows = (("Control", "Specification"), ("A-1", "Rights shall be reviewed."), ("A-2", ""))
    stored(corpora, "table", "controls.xlsx", _workbook(*rows, merge="B2:B3"))
    message = _refused(capsys, "table", "--columns", "id=Control,statement=Specification")
    assert "A-2" in message
    assert "merged" in message


def test_a_workbook_with_macros_is_read_and_nothing_is_run(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a macro could do is not asked; the cells are read."""
    raw = _workbook(("Control", "Specification"), ("A-1", "User access rights shall be reviewed quarterly."))
    stored(corpora, "table", "controls.xlsm", raw)
    found = _crosswalk(capsys, "table", "--columns", "id=Control,statement=Specification")
    assert [row.part_id for row in found.rows] == ["A-1"]


def test_equal_ids_are_refused_with_both_places(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a table and of a catalogue alike."""
    stored(corpora, "table", "controls.csv", TABLE.replace("A-2", "A-1"))
    message = _refused(capsys, "table", "--columns", COLUMNS)
    assert "A-1" in message
    assert "reviewed quarterly" in message
    assert "Lavender" in message
    catalogue: Any = copy.deepcopy(CATALOGUE)
    controls = catalogue["catalog"]["groups"][0]["controls"]
    controls.append(copy.deepcopy(controls[0]))
    stored(corpora, "twice", "controls.json", json.dumps(catalogue))
    assert "ac-1" in _refused(capsys, "twice")


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ("id=Number,statement=Specification", "Control, Name, Specification, Domain"),
        ("id=Control", "statement"),
        ("id=Control,statement=Specification,id=Name", "each once"),
        ("id=Control,colour=Name,statement=Specification", "colour"),
    ],
)
def test_columns_that_are_not_there_are_named(
    corpora: Path, capsys: pytest.CaptureFixture[str], columns: str, told: str
) -> None:
    """The message says what the table has, or how a map is written."""
    stored(corpora, "table", "controls.csv", TABLE)
    assert told in _refused(capsys, "table", "--columns", columns)


def test_columns_without_a_table_are_refused(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A catalogue has no columns."""
    assert "no table" in _refused(capsys, "house", "--columns", COLUMNS)


def test_a_resolved_profile_is_a_framework(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The profile's value stands where the catalogue left a parameter open, and is compared as a bound."""
    folder = corpora / "profiles"
    folder.mkdir()
    (folder / "controls.json").write_text(json.dumps(CATALOGUE))
    profile = {
        "profile": {
            "uuid": "7a2a2b65-5b14-4d7a-9fd5-3d7b1d9a3c02",
            "metadata": {"title": "Our baseline", "version": "1", "oscal-version": "1.1.2"},
            "imports": [{"href": "controls.json", "include-controls": [{"with-ids": ["ac-1"]}]}],
            "merge": {"as-is": True},
            "modify": {"set-parameters": [{"param-id": "ac-1_prm_1", "values": ["annually"]}]},
        }
    }
    (folder / "profile.json").write_text(json.dumps(profile))
    output = folder / "resolved.json"
    assert run("resolve", str(folder / "profile.json"), "--output", str(output)) == ExitCode.OK
    stored(corpora, "resolved", "resolved.json", output.read_text())
    found = _crosswalk(capsys, "resolved")
    reviewed = found.rows[0]
    assert "annually" in reviewed.text
    assert reviewed.label == "stricter"
    assert reviewed.open_parameters == ()


XML_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<profile xmlns="http://csrc.nist.gov/ns/oscal/1.0" uuid="7a2a2b65-5b14-4d7a-9fd5-3d7b1d9a3c02">
<metadata><title>Our baseline</title><last-modified>2026-01-01T00:00:00Z</last-modified><version>1</version>
<oscal-version>1.1.2</oscal-version></metadata>
<import href="controls.json"><include-controls><with-id>ac-1</with-id></include-controls></import>
<merge><as-is>true</as-is></merge>
<modify><set-parameter param-id="ac-1_prm_1"><value>annually</value></set-parameter>
<alter control-id="ac-1"><remove by-id="ac-1_gdn"/><add position="ending" by-id="ac-1_smt"><part id="ac-1_smt.c" name="item">
<p>Counts the owls <insert type="param" id-ref="ac-1_prm_1"/>.</p></part></add></alter></modify>
</profile>
"""


def test_an_xml_profile_is_resolved_as_its_json_form_is(corpora: Path) -> None:
    """Selection, merge, parameters and alterations alike, to the same groups."""
    folder = corpora / "profiles"
    folder.mkdir()
    (folder / "controls.json").write_text(json.dumps(CATALOGUE))
    (folder / "profile.xml").write_text(XML_PROFILE)
    added = {"id": "ac-1_smt.c", "name": "item", "prose": "Counts the owls {{ insert: param, ac-1_prm_1 }}."}
    told = {
        "uuid": "7a2a2b65-5b14-4d7a-9fd5-3d7b1d9a3c02",
        "metadata": {"title": "Our baseline", "version": "1", "oscal-version": "1.1.2"},
        "imports": [{"href": "controls.json", "include-controls": [{"with-ids": ["ac-1"]}]}],
        "merge": {"as-is": True},
        "modify": {
            "set-parameters": [{"param-id": "ac-1_prm_1", "values": ["annually"]}],
            "alters": [
                {
                    "control-id": "ac-1",
                    "removes": [{"by-id": "ac-1_gdn"}],
                    "adds": [{"position": "ending", "by-id": "ac-1_smt", "parts": [added]}],
                }
            ],
        },
    }
    (folder / "profile.json").write_text(json.dumps({"profile": told}))
    groups = []
    for form in ("json", "xml"):
        output = folder / f"resolved-{form}.json"
        assert run("resolve", str(folder / f"profile.{form}"), "--output", str(output)) == ExitCode.OK
        groups.append(json.loads(output.read_text())["catalog"]["groups"])
    assert groups[0] == groups[1]
    assert "Counts the owls" in json.dumps(groups[1])
    assert "ac-1_gdn" not in json.dumps(groups[1])


STATUTE = """# Owl Statute

## 1 Keeping

1.1 An owl house shall keep a register of owls for five years.

1.2 An owl house shall notify the warden of a lost owl within 72 hours of its loss.
"""


def test_a_duty_is_compared_without_the_name_of_whom_it_binds(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No document of an owl house says "an owl house"; a shorter time to keep is looser, a shorter time to tell stricter."""
    stored(corpora, "statute", "statute.md", STATUTE)
    stored(
        corpora,
        "policies",
        "owls.md",
        "# Owl Policy\n\nThe register of owls is kept for three years in the vault.\n\n"
        "The keeper must notify the warden of every lost owl within 48 hours of its loss.\n",
    )
    labels = {row.requirement_id: row.label for row in _crosswalk(capsys, "statute", "--document", "owls.md").rows}
    assert labels == {"1.1": "looser", "1.2": "stricter"}


def test_each_duty_of_a_sentence_is_a_part_of_its_own(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In its own words, verbatim where it stands; what one duty has beside it the other has not."""
    sentence = (
        "A keeper shall investigate every loss promptly and shall determine "
        "whether an owl escaped within 10 days of the notice."
    )
    stored(corpora, "duties", "duties.md", f"# Owl Losses\n\n1.1 {sentence}\n")
    stored(
        corpora, "policies", "owls.md",
        "# Owl Policy\n\nThe warden must determine whether an owl escaped within 10 days of the notice.\n",
    )  # fmt: skip
    first, second = _crosswalk(capsys, "duties", "--document", "owls.md").rows
    assert [first.text.endswith("loss promptly"), second.text.startswith("shall determine")] == [True, True]
    assert first.part_id != second.part_id
    with open_knowledge(Settings()) as knowledge:
        view = knowledge.view("duties", None)
        (text,) = [view.text_of(each) for each in view.documents.values()]
    assert [text[each.char_start : each.char_end] for each in (first, second)] == [first.text, second.text]
    assert (first.label, second.label) == ("no evidence", "meets")


def test_a_sentence_of_several_statements_stands_once_beside_a_part(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each document's sentence once, with the best that is said of it."""
    stored(corpora, "rules", "rules.md", "# Owl Access\n\n1.1 Access to the owl house shall be reviewed quarterly.\n")
    stored(
        corpora, "policies", "owls.md",
        "# Owl Policy\n\nAccess to the owl house must be reviewed quarterly, and the warden must sign the review of access.\n",
    )  # fmt: skip
    (row,) = _crosswalk(capsys, "rules", "--document", "owls.md").rows
    assert len(row.evidence) == 1
    assert row.evidence[0].label == "meets"


def test_leave_within_a_limit_is_a_requirement(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """ "May only" forbids the rest; mere leave asks nothing, and neither does "may not only"."""
    stored(
        corpora,
        "limits",
        "limits.md",
        "# Owl Access\n\n1.1 Access to the owl house may only be granted by the warden.\n\n"
        "1.2 Owl photographs may be kept only for one year.\n\n1.3 Visitors may feed the owls.\n\n"
        "1.4 The warden may not only count the owls but also weigh them.\n\n"
        "1.5 The question may be omitted where only one owl is seen.\n",
    )
    stored(
        corpora, "policies", "owls.md", "# Owl Rules\n\nAccess to the owl house may only be granted by the warden.\n"
    )
    crosswalk = _crosswalk(capsys, "limits", "--document", "owls.md")
    labels = {row.requirement_id: row.label for row in crosswalk.rows}
    assert labels == {"1.1": "meets", "1.2": "no evidence"}
    assert crosswalk.orphans == ()


REGULATION = """<?xml version="1.0" encoding="UTF-8"?>
<regulation xmlns="eregs"><part label="1016"><content><section label="1016-3" sectionNum="3">
<subject>§ 1016.3 Definitions and marks.</subject>
<paragraph label="1016-3-b" marker="(b)"><title type="keyterm">Keeping</title><content>Rules of keeping:</content>
<paragraph label="1016-3-b-2" marker="(2)"><content>The keeper has to follow these rules:</content>
<paragraph label="1016-3-b-2-i" marker="(i)"><content>In the vault:</content>
<paragraph label="1016-3-b-2-i-A" marker="(A)"><content>The keeper must review user access rights quarterly.</content></paragraph>
</paragraph></paragraph></paragraph></section></content></part></regulation>
"""


def test_a_provision_is_named_by_its_whole_path(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not by the label of its paragraph, which says nothing; its title is the heading that names the matter."""
    stored(corpora, "rule", "1016.xml", REGULATION)
    row = next(each for each in _crosswalk(capsys, "rule").rows if "review user access" in each.text)
    assert row.requirement_id == "§ 1016.3(b)(2)(i)(A)"
    assert "Definitions and marks" in row.title
    assert run("crosswalk", "--corpus-id", "policies", "--framework-corpus", "rule") == ExitCode.OK
    assert "§ 1016.3(b)(2)(i)(A) § 1016.3 Definitions and marks." in capsys.readouterr().out


def _profile(folder: Path, name: str, href: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    told = {
        "uuid": "7a2a2b65-5b14-4d7a-9fd5-3d7b1d9a3c02",
        "metadata": {"title": name, "version": "1", "oscal-version": "1.1.2"},
        "imports": [{"href": href, "include-all": {}}],
    }
    path.write_text(json.dumps({"profile": told}))
    return path


def test_profiles_that_import_each_other_are_refused(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message names the circle's files, and nothing is written."""
    first = _profile(corpora / "profiles", "first.json", "second.json")
    _profile(corpora / "profiles", "second.json", "first.json")
    output = corpora / "profiles" / "resolved.json"
    assert run("resolve", str(first), "--output", str(output)) != ExitCode.OK
    message = capsys.readouterr().err
    assert "first.json" in message
    assert "second.json" in message
    assert not output.exists()


def test_an_import_that_is_not_there_is_named(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a file, and of a control that the catalogue has not."""
    lost = _profile(corpora / "profiles", "lost.json", "nowhere.json")
    output = corpora / "profiles" / "resolved.json"
    assert run("resolve", str(lost), "--output", str(output)) != ExitCode.OK
    assert "nowhere.json" in capsys.readouterr().err
    assert not output.exists()


SHORT_DUTIES = (
    "# House Rule\n\n## Chapter One\n\n1 The organisation shall escort visitors.\n\n2 Backups shall be tested.\n"
)
SHORT_POLICY = "The organisation shall escort visitors.\n\nBackups shall be tested.\n"


def _labels(capsys: pytest.CaptureFixture[str], policy: str, framework: str = "short") -> list[str]:
    capsys.readouterr()
    assert run("crosswalk", "--corpus-id", policy, "--framework-corpus", framework, "--format", "json") == ExitCode.OK
    return [row.label for row in Crosswalk.model_validate_json(capsys.readouterr().out).rows]


def test_short_duties_in_the_same_words_are_met_whatever_their_heading(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The heading above them names a chapter, of which no policy speaks."""
    stored(corpora, "short", "rule.md", SHORT_DUTIES)
    stored(corpora, "duties", "policy.md", f"# Security Policy\n\n{SHORT_POLICY}")
    assert _labels(capsys, "duties") == ["meets", "meets"]


def test_a_paper_lays_rules_down_by_its_printed_title_or_its_manifest(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not by the name of its file alone; of what was read before nothing is kept once a manifest says what it is."""
    stored(corpora, "short", "rule.md", SHORT_DUTIES)
    stored(corpora, "titled", "house.txt", f"Access Control Standard\n\n{SHORT_POLICY}")
    assert _labels(capsys, "titled") == ["meets", "meets"]
    stored(corpora, "untitled", "house.txt", f"Access Control\n\n{SHORT_POLICY}")
    assert _labels(capsys, "untitled") == ["partly", "partly"]
    manifest = corpora / "corpus.yaml"
    manifest.write_text("documents:\n  - document: house.txt\n    role: policy\n")
    told = ("ingest", "--corpus-id", "untitled", str(corpora / "untitled"), "--manifest", str(manifest))
    assert run(*told) == ExitCode.OK
    assert run("build", "--corpus-id", "untitled") == ExitCode.OK
    assert _labels(capsys, "untitled") == ["meets", "meets"]
