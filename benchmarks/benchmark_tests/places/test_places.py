"""Provisions of published markup, printed and read: what the bench asks for, on invented texts."""

from __future__ import annotations

from pathlib import Path

import pytest
from coditect_benchmarks.places.__main__ import main
from coditect_benchmarks.places.layouts import LAYOUTS, printed
from coditect_benchmarks.places.markup import akoma, dita, formex, uslm
from coditect_benchmarks.places.measuring import ask
from coditect_benchmarks.places.numbering import NUMBERINGS, renumbered
from coditect_benchmarks.places.provisions import Document, Provision, walk

USLM = b"""<lawDoc><main><title><num>TITLE I</num><heading>Boats</heading>
<section><num>SEC. 4.</num><heading>moorings.</heading><chapeau>Each owner of a boat shall&#8212;</chapeau>
<paragraph><num>(1)</num><content>pay his dues in time; and</content></paragraph>
<paragraph><num>(2)</num><content>keep watch at night.</content></paragraph></section>
<section><num>SEC. 5.</num><heading>Changes.</heading><subsection><num>(a)</num><content>Section 2 is amended by adding:
<quotedContent><paragraph><num>(7)</num><content>a new lamp.</content></paragraph></quotedContent></content></subsection>
<subsection><num>(b)</num><content>It binds each owner of a boat.</content></subsection></section>
</title></main></lawDoc>"""

AKOMA = b"""<akomaNtoso><act><body><part><num>1</num><heading>Ferries</heading><section><num>3</num><heading>Bells</heading>
<subsection><num>(1)</num><content><p>The ferryman must ring the bell.</p></content></subsection>
<subsection><num>(2)</num><intro><p>He must not ring it</p></intro><level><num>(a)</num><content><p>at night;</p></content></level>
<wrapUp><p>unless fog is near.</p></wrapUp></subsection></section></part></body></act></akomaNtoso>"""

FORMEX = b"""<ACT><ENACTING.TERMS><ARTICLE><TI.ART>Article 4</TI.ART><STI.ART>Lamps</STI.ART><PARAG><NO.PARAG>1.</NO.PARAG>
<ALINEA><P>A lamp shall:</P><LIST><ITEM><NP><NO.P>(a)</NO.P><TXT>burn oil;</TXT></NP></ITEM></LIST></ALINEA></PARAG></ARTICLE>
</ENACTING.TERMS></ACT>"""

DITA = b"""<dita><concept><title><ph props="autonumber">904.203</ph> Lamps.</title><conbody>
<p outputclass="List1">(a)(1) A buyer shall ask for lanterns.</p><p outputclass="List2">(2) Files hold invoices.</p>
</conbody></concept></dita>"""


def _paths(parts: tuple[Provision, ...]) -> list[str]:
    return [" ".join(path) for _, path in walk(parts)]


def test_markup_gives_the_numbers_that_cite() -> None:
    """Divisions that are not cited, chains, and items in paragraphs of articles."""
    assert _paths(uslm(USLM)) == ["", "4", "4 1", "4 2", "5", "5 a", "5 a 7", "5 b"]
    assert _paths(akoma(AKOMA)) == ["", "3", "3 1", "3 2", "3 2 a"]
    assert _paths(formex(FORMEX)) == ["4", "4 1", "4 1 a"]
    section = dita(DITA)
    assert section is not None
    assert _paths((section,)) == ["904 203", "904 203 a", "904 203 a 1", "904 203 a 2"]


def test_quoted_provisions_are_printed_and_not_asked_for() -> None:
    """What an amendment quotes has no place in the amending text."""
    quoted = [each for each, path in walk(uslm(USLM)) if path[-1:] == ("7",)]
    assert [(each.label, each.is_sure) for each in quoted] == [("“(7)", False)]


def test_section_whose_labels_are_of_another_depth_is_left_out() -> None:
    """Where class and label disagree, the markup tells nothing."""
    assert dita(DITA.replace(b"(2) Files", b"(b) Files")) is None


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_each_layout_prints_what_is_read_in_its_place(layout: str) -> None:
    """Every sentence that is asked for is found in the file, and cited rightly."""
    document = Document("moorings", "uslm", uslm(USLM)[:1])
    _, asked = ask(document, LAYOUTS[layout])
    assert {each.wanted for each in asked} >= {("4",), ("4", "2"), ("5", "a")}
    assert [each for each in asked if not each.is_right and each.kind == "sentence"] == []


@pytest.mark.parametrize("numbering", sorted(NUMBERINGS))
def test_other_numbers_keep_what_is_inside_of_what(numbering: str) -> None:
    """The depth of a provision is that of the markup, whatever its number looks like."""
    document = Document("bells", "akoma", akoma(AKOMA))
    again = renumbered(document, numbering)
    labels = [each.label for each, _ in walk(again.parts)]
    assert labels[0] == ""
    assert all(labels[1:])
    assert len(set(labels[1:])) == len(labels[1:])


def test_pages_have_numbers_and_heads() -> None:
    """A printed page ends with its number, and the next begins with the document's name."""
    document = Document("The Ferry Act", "x", tuple(Provision(f"{n}.", "", ("A boat floats.",)) for n in range(1, 60)))
    text = printed(document, LAYOUTS["pages"])[0].decode()
    assert text.count("The Ferry Act") == text.count(f"{1:>40}\n") + 2


def test_command_tells_shares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line a layout."""
    file = tmp_path / "act.xml"
    file.write_bytes(AKOMA)
    main(["--markup", "akoma", "--layout", "plain", str(file)])
    assert capsys.readouterr().out.startswith("plain: sentence ")
