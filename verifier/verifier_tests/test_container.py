"""The container and its records: what is read at all, and what an id says of the bytes that it names."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from coditect_verify import bundle as container
from coditect_verify import hops
from coditect_verify.bundle import Bundle, Number, canonical, commitment, document_id_of, read_json, tag_of
from coditect_verify.log import Wrong
from coditect_verify.result import Trust, Verification

CORPUS = "c"
HEAD = json.dumps({"format": "bundle/1", "corpus_id": CORPUS}).encode()


def _opened(place: Path, **members: bytes) -> Bundle:
    """A bundle of members whose names have "/" for "__"."""
    path = place / "bundle.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("bundle.json", HEAD)
        for name, data in members.items():
            file.writestr(name.replace("__", "/"), data)
    return Bundle(path)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"b": 1, "a": [None, True, False]}, b'{"a":[null,true,false],"b":1}'),
        ({"é": "ü\n"}, '{"é":"ü\\n"}'.encode()),
        (Number("1.50"), b"1.50"),
        ([{}, [], ""], b'[{},[],""]'),
    ],
)
def test_what_is_hashed_is_written_in_one_way(value: object, written: bytes) -> None:
    """Sorted keys, no white space, letters as they are, fractions as they were printed."""
    assert canonical(value) == written


def test_fractions_are_hashed_again_as_they_were_written() -> None:
    """1.50 is not made 1.5, and a whole number is one."""
    data = b'{"a":1.50,"b":1e5,"c":12}'
    found = read_json(data, "a record")
    assert canonical(found) == data
    assert found["c"] == 12


@pytest.mark.parametrize("data", [b"", b"[]", b"3", b"{", b"\xff{}", b"[" * 100_000, b'{"a":1}x'])
def test_what_is_no_object_is_no_record(data: bytes) -> None:
    """Neither nothing, nor a list, nor what is nested without end."""
    with pytest.raises(Wrong, match="a record is not JSON"):
        read_json(data, "a record")


@pytest.mark.parametrize("data", [b'{"a":1,"a":2}', b'{"b":{"a":1,"a":1}}'])
def test_a_name_that_stands_twice_is_refused(data: bytes) -> None:
    """Two programs would read two records."""
    with pytest.raises(Wrong, match="a record says something twice"):
        read_json(data, "a record")


def _deflated(file: zipfile.ZipFile) -> None:
    file.writestr("a", b"aaaa", zipfile.ZIP_DEFLATED)


def _twice(file: zipfile.ZipFile) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        file.writestr("bundle.json", HEAD)


def _encrypted(file: zipfile.ZipFile) -> None:
    file.writestr("a", b"a")
    file.infolist()[-1].flag_bits |= 1


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_deflated, "compressed, encrypted or too long: a"),
        (_encrypted, "compressed, encrypted or too long: a"),
        (_twice, "two members of one name: bundle.json"),
    ],
)
def test_a_container_that_could_mean_two_things_is_refused(
    tmp_path: Path, spoil: Callable[[zipfile.ZipFile], None], says: str
) -> None:
    """Or that costs more than its size to look at."""
    path = tmp_path / "bundle.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("bundle.json", HEAD)
        spoil(file)
    with pytest.raises(Wrong, match=says):
        Bundle(path)


def test_a_member_may_be_as_long_as_the_limit_and_no_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the head as of all others."""
    monkeypatch.setattr(container, "MOST_BYTES", len(HEAD))
    _opened(tmp_path, a=bytes(len(HEAD)))
    with pytest.raises(Wrong, match="too long: a"):
        _opened(tmp_path, a=bytes(len(HEAD) + 1))


@pytest.mark.parametrize("data", [b"", b"PK", b"no archive"])
def test_what_is_no_container_is_said_so(tmp_path: Path, data: bytes) -> None:
    """An empty file, a cut one, another one."""
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(Wrong, match="this is no bundle"):
        Bundle(tmp_path / "x")


@pytest.mark.parametrize("form", ["bundle/2", None, 1])
def test_another_format_is_refused(tmp_path: Path, form: object) -> None:
    """By its name, and with the one that is known."""
    path = tmp_path / "bundle.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("bundle.json", json.dumps({"format": form}))
    with pytest.raises(Wrong, match=rf"of format {form!r}; this program knows 'bundle/1'"):
        Bundle(path)


def test_members_that_nobody_read_are_known(tmp_path: Path) -> None:
    """In order; what is read once is read."""
    bundle = _opened(tmp_path, b__2=b"x", b__1=b"y", bc=b"z")
    assert bundle.under("b") == ["b/1", "b/2"]
    assert bundle.unread() == ["b/1", "b/2", "bc"]
    assert bundle.text("b/1") == "y"
    assert bundle.hashed("b/2") == sha256(b"x").hexdigest()
    assert bundle.unread() == ["bc"]
    with pytest.raises(Wrong, match=r"b/3 is not in the bundle"):
        bundle.member("b/3")


@pytest.mark.parametrize(("folder", "named"), [("texts", "the canonical text"), ("files", "the file")])
def test_bytes_are_those_of_their_name(tmp_path: Path, folder: str, named: str) -> None:
    """A text or a file that was changed is said as what it is."""
    good, other = sha256(b"good").hexdigest(), sha256(b"other").hexdigest()
    bundle = _opened(tmp_path, **{f"{folder}__{good}": b"good", f"{folder}__{other}": b"bad"})
    assert bundle.blob(folder, good) == b"good"
    with pytest.raises(Wrong, match=f"{named} in {folder}/{other[:12]}… was changed"):
        bundle.blob(folder, other)


DOCUMENT = document_id_of(CORPUS, "a.md")


def _named(kind: str, *, digits: int = 40, tag: str = "", **fields: object) -> tuple[str, bytes]:
    """A record of today, by its id."""
    data = json.dumps({"$record": f"{kind}/1", "corpus_id": CORPUS, **fields}, separators=(",", ":")).encode()
    own = tag or (DOCUMENT.partition("_")[2][:12] if "document_id" in fields else tag_of(CORPUS))
    return f"{kind}_{own}{sha256(data).hexdigest()[:digits]}", data


def _former(kind: str, *, last: bool) -> tuple[str, bytes]:
    """A record of release 0.1.0: its id is a member of it, before or behind the others, and is not hashed."""
    plain = json.dumps({"corpus_id": CORPUS, "text": "a"}, separators=(",", ":")).encode()
    item_id = f"{kind}_{tag_of(CORPUS)}{sha256(plain).hexdigest()[:28]}"
    own = f'"{kind}_id":"{item_id}"'.encode()
    return item_id, plain[:-1] + b"," + own + b"}" if last else b"{" + own + b"," + plain[1:]


def test_records_are_the_hashes_of_their_bytes(tmp_path: Path) -> None:
    """Of a document with its tag, of a corpus with the corpus'; of today and of the first release."""
    known = dict([_named("claim", text="a"), _named("chunk", document_id=DOCUMENT), _former("claim", last=False)])
    known |= dict([_former("section", last=True)])
    bundle = _opened(tmp_path, **{f"items__{each}": data for each, data in known.items()})
    for each, data in known.items():
        assert bundle.item(each) == json.loads(data)
        assert bundle.item(each) is bundle.item(each)


@pytest.mark.parametrize(
    ("item_id", "data", "says"),
    [
        (_named("claim")[0], _named("claim")[1].replace(b'"c"', b'"d"'), "another kind or corpus"),
        (_named("claim")[0].replace("claim", "chunk"), _named("claim")[1], "another kind or corpus"),
        (_named("claim", text="a")[0], _named("claim", text="b")[1], "not the hash of its content"),
        (_named("claim", digits=39)[0], _named("claim")[1], "not the hash of its content"),
        (_named("claim", digits=28)[0], _named("claim")[1], "not the hash of its content"),
        (*_named("chunk", document_id=DOCUMENT, tag="0" * 12), "not the hash of its content"),
        (*_named("claim", document_id=DOCUMENT), "not the hash of its content"),
        (_former("claim", last=True)[0], _former("claim", last=True)[1].replace(b'"a"', b'"b"'), "not the hash"),
    ],
)
def test_records_that_are_not_what_their_id_says_are_refused(
    tmp_path: Path, item_id: str, data: bytes, says: str
) -> None:
    """Another corpus, kind, word, a shorter digest, another document's tag, a tag where none belongs."""
    with pytest.raises(Wrong, match=says):
        _opened(tmp_path, **{f"items__{item_id}": data}).item(item_id)


def _step(*, digits: int = 40, **other: object) -> tuple[str, bytes]:
    made: dict[str, Any] = {
        "stage": "chunk", "inputs": ["a"], "method": "rules", "parameters": {}, "code_version": "1", **other,
    }  # fmt: skip
    own = canonical([made[each] for each in ("stage", "inputs", "method", "parameters", "code_version")])
    step_id = f"derivation_{tag_of(CORPUS)}{sha256(own).hexdigest()[:digits]}"
    return step_id, canonical({**made, "derivation_id": step_id, "outputs": ["x", "y"]})


@pytest.mark.parametrize("digits", [40, 28])
def test_a_step_is_the_hash_of_what_went_in(tmp_path: Path, digits: int) -> None:
    """Of today, and with the shorter digest of the first release; what came out is not in it."""
    step_id, data = _step(digits=digits)
    assert _opened(tmp_path, **{f"steps__{step_id}": data}).step(step_id)["outputs"] == ["x", "y"]


@pytest.mark.parametrize(
    ("step_id", "data"),
    [
        (_step()[0], _step(method="llm")[1]),
        (_step()[0], _step()[1].replace(b'"method":"rules"', b'"method":"llm"')),
        (_step(digits=27)[0], _step(digits=27)[1]),
        (_step(digits=41)[0], _step(digits=41)[1]),
    ],
)
def test_a_step_that_is_another_is_refused(tmp_path: Path, step_id: str, data: bytes) -> None:
    """Another step under its name, a changed one, a digest that nobody ever wrote."""
    with pytest.raises(Wrong, match="is not the hash of its inputs and method"):
        _opened(tmp_path, **{f"steps__{step_id}": data}).step(step_id)


def test_a_step_commits_to_its_outputs(tmp_path: Path) -> None:
    """All of them, by id and SHA-256."""
    hashes = {"x": "0" * 64, "y": "1" * 64}
    digest = sha256(bytes.fromhex(hashes["x"] + hashes["y"])).hexdigest()
    step = {"derivation_id": "s", "outputs": ["y", "x"], "outputs_sha256": digest}
    bundle = _opened(tmp_path, outputs__s=canonical(hashes))
    assert bundle.outputs(step) == hashes
    for other in ({"outputs": ["x"]}, {"outputs": ["x", "z"]}, {"outputs_sha256": "2" * 64}):
        with pytest.raises(Wrong, match="outputs/s was changed"):
            bundle.outputs({**step, **other})


def test_a_generation_commits_to_what_a_step_is_and_gave() -> None:
    """Each of the three changes it; a step of 0.1.0 has no hash of its outputs."""
    step = {"derivation_id": "s", "outputs": ["x"], "outputs_sha256": "0"}
    others = [{**step, "derivation_id": "t"}, {**step, "outputs": ["y"]}, {**step, "outputs_sha256": "1"}]
    assert commitment(step) not in [commitment(each) for each in others]
    former = {name: each for name, each in step.items() if name != "outputs_sha256"}
    assert commitment(former) == commitment({**step, "outputs_sha256": ""})


def test_commitments_are_read_line_by_line(tmp_path: Path) -> None:
    """One SHA-256 in each."""
    bundle = _opened(tmp_path, commitments__manifest=f"{'00' * 32}\n{'11' * 32}\n".encode())
    assert bundle.commitments("manifest") == [b"\0" * 32, b"\x11" * 32]


@pytest.mark.parametrize("between", ["\x0b", "\r\n", " ", "\n\n", ""])
def test_commitments_that_are_written_otherwise_were_changed(tmp_path: Path, between: str) -> None:
    """Two ways to write one thing would be a change that nobody notices."""
    bundle = _opened(tmp_path, commitments__manifest=f"{'00' * 32}{between}{'11' * 32}\n".encode())
    with pytest.raises(Wrong, match="is not one SHA-256 a line"):
        bundle.commitments("manifest")


def test_hops_that_are_wrong_are_causes_once_and_rested_on() -> None:
    """What rests on something wrong is no cause; two hops with one cause are one; nothing looked at is nothing that holds."""
    out = Verification()
    assert not out.holds
    with out.hop("claim", "a"), out.hop("quote", "q"):
        raise Wrong("it was changed")
    with out.hop("claim", "b"):
        out.looked_at("quote", "q")
    with out.hop("file", "f"):
        raise Wrong("it was changed")
    with out.hop("file", "g"):
        raise KeyError("name")
    assert [(each.kind, each.holds) for each in out.hops] == [
        ("quote", False), ("claim", False), ("claim", False), ("file", False), ("file", False),
    ]  # fmt: skip
    assert [each.subject for each in out.causes] == ["q", "g"]
    assert "does not have its shape" in out.causes[1].detail
    assert out.hops[1].detail == "it rests on quote q, which is wrong"


def test_what_was_looked_at_is_known_by_kind_and_as_whatever() -> None:
    """Once it is, and not before; wrong where it was wrong."""
    out = Verification()
    assert not out.looked_at("claim", "a")
    assert not out.judged("a")
    with out.hop("claim", "a") as found:
        found += ["one", "two"]
    assert out.hops[0].detail == "one; two"
    assert out.looked_at("claim", "a")
    assert not out.looked_at("section", "a")
    assert out.judged("a")
    with out.hop("section", "a"):
        raise Wrong("it was changed")
    with pytest.raises(Wrong, match="it rests on section a"):
        out.judged("a")


def test_every_check_is_done_and_the_first_that_was_wrong_is_told() -> None:
    """Whatever comes before."""
    done = []

    def check(name: str, holds: bool) -> Callable[[], None]:
        def run() -> None:
            done.append(name)
            if not holds:
                raise Wrong(name)

        return run

    out = Verification()
    out.all_of([check("a", True)])
    with pytest.raises(Wrong, match="b"):
        out.all_of([check("a", True), check("b", False), check("c", False), check("d", True)])
    assert done == ["a", "a", "b", "c", "d"]


def test_what_is_left_is_named_once() -> None:
    """With its values."""
    out = Verification()
    for name in ("x.pdf", "x.pdf", "y.pdf"):
        out.leave("bytes", name)
    assert [each.split(":")[0] for each in out.unchecked] == ["The file x.pdf", "The file y.pdf"]


def test_keys_that_were_given_for_persons_and_signed_nothing_are_idle(tmp_path: Path) -> None:
    """Without signatures the bundle says that nobody stands for it."""
    log = SimpleNamespace(
        bundle=SimpleNamespace(index={"entries": {}}),
        out=Verification(),
        trust=Trust(people=[SimpleNamespace(name="a.officer")]),  # type: ignore[list-item]
    )
    hops._signatures(log, 3)  # type: ignore[arg-type]
    assert [each.partition(":")[0] for each in log.out.unchecked] == [
        "Who stands for this", "Nothing by the key a.officer that you gave",
    ]  # fmt: skip
