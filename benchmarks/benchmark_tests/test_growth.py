"""The corpora of the benchmark of growth, and its exponents."""

from __future__ import annotations

from pathlib import Path

import pytest
from coditect_benchmarks.growth.__main__ import exponent, main
from coditect_benchmarks.growth.material import FAMILY, changed_document, documents
from coditect_benchmarks.growth.phases import Account

CONTRACT = (
    "SUPPLY AGREEMENT {n}\n\nThis Agreement is made between Quarn{n} Limited (the “Supplier”) and Vessel{n} Bank plc "
    "(the “Customer”).\n\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Five contracts of forty clauses each."""
    for n in range(5):
        clauses = "\n\n".join(
            f"{c}. The Supplier shall deliver part {c} of order {n} within {c + n} days." for c in range(40)
        )
        (tmp_path / f"{n}.txt").write_text(CONTRACT.format(n=n) + clauses, encoding="utf-8")
    return tmp_path


def test_smaller_corpus_is_the_beginning_of_a_larger_one(folder: Path) -> None:
    """Real documents first; made ones are a function of the seed."""
    large = list(documents(folder, 12))
    assert list(documents(folder, 7)) == large[:7]
    assert [name for name, _ in large[:5]] == [f"{n}.txt" for n in range(5)]
    assert len({text for _, text in large}) == 12
    assert list(documents(folder, 12, seed=2))[:5] == large[:5]
    assert list(documents(folder, 12, seed=2)) != large


def test_made_documents_are_between_renamed_parties(folder: Path) -> None:
    """Those of one family have the same parties, which no real contract has; their clauses are those of real ones."""
    made = [text for _, text in list(documents(folder, 5 + 2 * FAMILY))[5:]]
    parties = [text.split("between ", 1)[1].split(" (the", 1)[0] for text in made]
    assert len(set(parties)) == 2
    assert parties[:FAMILY] == parties[:1] * FAMILY
    known = {clause for _, text in documents(folder, 5) for clause in text.split("\n\n")}
    assert all(clause in known for text in made for clause in text.split("\n\n")[6:])


def test_documents_of_a_given_length_are_all_made(folder: Path) -> None:
    """Each has a few clauses, no two are alike, a smaller corpus is the beginning of a larger one, and one of them is changed."""
    small = list(documents(folder, 40, length=300))
    assert list(documents(folder, 9, length=300)) == small[:9]
    assert all(name.startswith("made-") and 300 <= len(text) < 900 for name, text in small)
    assert len({text for _, text in small}) > 30
    assert small != list(documents(folder, 40, length=500))
    name, text = changed_document(folder, length=300)
    assert text.startswith(dict(small)[name])
    assert text != dict(small)[name]


def test_documents_are_written_for_commands_to_take_in(folder: Path, tmp_path: Path) -> None:
    """They are those that would be measured; and each change of one is another."""
    contracts = tmp_path / "data" / "contracts" / "docs"
    contracts.mkdir(parents=True)
    for each in folder.glob("*.txt"):
        each.rename(contracts / each.name)
    work = tmp_path / "written"
    given = ["write", "--data", str(tmp_path / "data"), "--sizes", "7", "--length", "300", "--work", str(work)]
    assert main(given) == 0
    assert {each.name: each.read_text("utf-8") for each in work.iterdir()} == dict(documents(contracts, 7, length=300))
    assert len({changed_document(contracts, length=300, change=each) for each in range(4)}) == 4


def test_exponents_are_those_of_a_power() -> None:
    """Of what grows as the square 2, of what stays 0, of one size none."""
    sizes = (64, 128, 257)
    assert exponent(sizes, [float(n * n) for n in sizes]) == pytest.approx(2.0)
    assert exponent(sizes, [3.0, 3.0, 3.0]) == pytest.approx(0.0)
    assert exponent((64,), [1.0]) is None
    assert exponent(sizes, [0.0, 1.0, 2.0]) is None


def test_time_inside_of_a_phase_is_that_of_the_inner_one() -> None:
    """What a phase calls is not counted twice."""
    account = Account()
    with account.phase("outer"):
        with account.phase("inner"):
            sum(range(2_000_000))
        account.settle()
    assert set(account.seconds) == {"other", "outer", "inner"}
    assert account.seconds["inner"] > account.seconds["outer"]
