"""What a file holds beside the text that its readers see is left out or read, and the warnings say which."""

from __future__ import annotations

import io
import zipfile

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from coditect.documents.layout import decode_layout, encode_layout
from coditect.documents.readers import read_source
from coditect.documents.source import SourceText
from coditect.documents.unseen import Unseen, holds_proposals, raised
from tests.unit.documents.documents import archive, assert_well_formed, blocks


def word(*paragraphs: str) -> SourceText:
    """A Word document of paragraphs, given as the XML of their runs, as it is read."""
    document = docx.Document()
    for runs in paragraphs:
        document.element.body.insert(-1, parse_xml(f"<w:p {nsdecls('w')}>{runs}</w:p>"))
    raw = io.BytesIO()
    document.save(raw)
    source = read_source(raw.getvalue(), "a.docx")
    assert_well_formed(source)
    return source


def run(text: str, properties: str = "") -> str:
    """A run of text with properties."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def test_docx_tracked_changes_are_read_as_accepted_and_told() -> None:
    """Insertions are text, deletions are not, moves are read where they go to; the warnings count both."""
    source = word(
        run("The Supplier shall pay within ")
        + "<w:del><w:r><w:delText>10</w:delText></w:r></w:del>"
        + f"<w:ins>{run('30')}</w:ins>"
        + run(" days")
        + f"<w:moveFrom>{run(' of notice')}</w:moveFrom>"
        + f"<w:moveTo>{run(' of receipt')}</w:moveTo>"
        + run(".")
    )
    assert source.text == "The Supplier shall pay within 30 days of receipt."
    assert source.warnings == (
        "text of tracked insertions is read, as if they were accepted: 13 characters, beginning “30 of receipt”",
        "text of tracked deletions is left out, as if they were accepted: 12 characters, beginning “10 of notice”",
    )


def test_docx_says_where_words_are_only_proposed_and_by_whom() -> None:
    """An insertion keeps its place, its author and its day through what is stored; so does one of a whole row or note."""
    change = 'w:id="1" w:author="Ada" w:date="2031-05-04T08:00:00Z"'
    source = word(
        run("Keys are kept for ") + f"<w:ins {change}>{run('ten  years')}</w:ins>" + run(" and counted. "),
        f"<w:ins {change}>{run('Doors are shut.')}</w:ins>",
        run("Ten years is long."),
    )
    assert [(source.text[p.start : p.end], p.author, p.day) for p in source.proposed] == [
        ("ten  years", "Ada", "2031-05-04"),
        ("Doors are shut.", "Ada", "2031-05-04"),
    ]
    assert source.warnings[0].endswith("beginning “ten years Doors are shut.”; by Ada, 2031-05-04")
    assert holds_proposals(source.warnings)
    again = decode_layout(
        source.text, encode_layout(source), media_type=source.media_type, title=source.title, reader=source.reader
    )
    assert again.proposed == source.proposed


@pytest.mark.parametrize(
    ("properties", "kept"),
    [
        ("<w:strike/>", False),
        ("<w:dstrike/>", False),
        ('<w:strike w:val="0"/>', True),
        ("<w:b/>", True),
    ],
)
def test_docx_text_that_is_struck_through_is_left_out_and_told(properties: str, kept: bool) -> None:
    """A line through words takes them out, as their author meant it."""
    source = word(run("Keys are kept.") + run(" Doors are shut.", properties))
    assert source.text == ("Keys are kept. Doors are shut." if kept else "Keys are kept.")
    assert source.proposed == ()
    assert bool(source.warnings) is not kept
    assert kept or "struck through" in source.warnings[0]


def test_docx_insertion_inside_a_deletion_is_deleted() -> None:
    """What somebody wrote and somebody else struck out is not text."""
    source = word(run("Kept. ") + "<w:ins><w:del><w:r><w:delText>Gone.</w:delText></w:r></w:del></w:ins>")
    assert source.text == "Kept."
    assert source.warnings == (
        "text of tracked deletions is left out, as if they were accepted: 5 characters, beginning “Gone.”",
    )


@pytest.mark.parametrize(
    ("properties", "hidden"),
    [
        ("<w:vanish/>", True),
        ('<w:vanish w:val="true"/>', True),
        ('<w:vanish w:val="0"/>', False),
        ("<w:webHidden/>", False),
        ("<w:b/>", False),
        ('<w:rStyle w:val="Unknown"/>', False),
    ],
)
def test_docx_hidden_text_is_left_out_and_told(properties: str, hidden: bool) -> None:
    """What Word does not print is not read; what it hides on the web only is printed."""
    source = word(run("Shown. ") + run("The Supplier shall pay twice.", properties))
    assert ("twice" not in source.text) == hidden
    told = ("hidden text is left out: 29 characters, beginning “The Supplier shall pay twice.”",)
    assert source.warnings == (told if hidden else ())


def test_docx_styles_hide_text_and_runs_show_it_again() -> None:
    """A style of characters hides what it is used on; what the run itself says goes first; two styles that both hide show."""
    document = docx.Document()
    for kind, name in (("character", "Secret"), ("paragraph", "SecretText")):
        document.styles.element.append(
            parse_xml(
                f'<w:style {nsdecls("w")} w:type="{kind}" w:styleId="{name}"><w:name w:val="{name}"/>'
                "<w:rPr><w:vanish/></w:rPr></w:style>"
            )
        )
    secret = '<w:rStyle w:val="Secret"/>'
    lines = (
        ("", run("one", secret) + run(" two", f'{secret}<w:vanish w:val="false"/>')),
        ('<w:pPr><w:pStyle w:val="SecretText"/></w:pPr>', run("three") + run(" four", secret)),
    )
    for paragraph, runs in lines:
        document.element.body.insert(-1, parse_xml(f"<w:p {nsdecls('w')}>{paragraph}{runs}</w:p>"))
    raw = io.BytesIO()
    document.save(raw)
    source = read_source(raw.getvalue(), "a.docx")
    assert source.text.split() == ["two", "four"]
    assert source.warnings == ("hidden text is left out: 8 characters, beginning “one three”",)


def test_docx_marks_of_notes_do_not_join_numbers() -> None:
    """A counted mark is no text, a typed one neither, and a raised digit stays raised."""
    reference = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    own = '<w:r><w:footnoteReference w:customMarkFollows="1" w:id="3"/><w:t>1</w:t></w:r>'
    high = '<w:vertAlign w:val="superscript"/>'
    assert word(run("within 30") + reference + run(" days")).text == "within 30 days"
    assert word(run("within 30") + own + run(" days")).text == "within 30 days"
    assert word(run("within 30") + run("1", high) + run(" days")).text == "within 30¹ days"
    assert word(run("on the 5") + run("th", high) + run(" day")).text == "on the 5th day"
    assert word(run("1", high) + run(" See Annex")).text == "1 See Annex"


def test_docx_endnotes_are_read_and_comments_are_told() -> None:
    """Notes are text of the document, wherever they are printed; comments are not."""
    document = docx.Document()
    document.add_paragraph("Body.")
    raw = io.BytesIO()
    document.save(raw)
    with zipfile.ZipFile(raw) as package:
        members = {name: package.read(name) for name in package.namelist()}
    relation = (
        '<Relationship Id="rX{0}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{0}"'
        ' Target="{0}.xml"/>'
    )
    rels = "word/_rels/document.xml.rels"
    added = relation.format("endnotes") + relation.format("comments") + "</Relationships>"
    members[rels] = members[rels].replace(b"</Relationships>", added.encode())
    types = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        f'wordprocessingml.{name}+xml"/>'
        for name in ("endnotes", "comments")
    )
    members["[Content_Types].xml"] = members["[Content_Types].xml"].replace(b"</Types>", f"{types}</Types>".encode())
    members["word/endnotes.xml"] = (
        f'<w:endnotes {nsdecls("w")}><w:endnote w:type="separator" w:id="0"><w:p/></w:endnote>'
        f'<w:endnote w:id="2"><w:p>{run("As amended.")}</w:p></w:endnote></w:endnotes>'
    ).encode()
    members["word/comments.xml"] = (
        f'<w:comments {nsdecls("w")}><w:comment w:id="1"><w:p>{run("Really?")}</w:p></w:comment></w:comments>'
    ).encode()
    source = read_source(archive(members), "a.docx")
    assert blocks(source) == [("paragraph", 0, "Body."), ("paragraph", 0, "1 As amended.")]
    assert [block.label for block in source.blocks] == ["", "endnote-1"]
    assert source.warnings == ("text of comments is left out: 7 characters, beginning “Really?”",)


def test_docx_deleted_rows_of_a_table_are_told() -> None:
    """A row that a tracked change deletes is not read, and not lost in silence."""
    document = docx.Document()
    table = document.add_table(rows=2, cols=2)
    for row, texts in zip(table.rows, (("Role", "Owner"), ("Auditor", "Ada")), strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.rows[1]._tr.get_or_add_trPr().append(parse_xml(f"<w:del {nsdecls('w')}/>"))
    raw = io.BytesIO()
    document.save(raw)
    source = read_source(raw.getvalue(), "a.docx")
    assert source.text == "Role | Owner"
    assert source.warnings == (
        "text of tracked deletions is left out, as if they were accepted: 10 characters, beginning “Auditor Ada”",
    )


HIDDEN = "The Supplier shall pay twice."


@pytest.mark.parametrize(
    "page",
    [
        f"<p hidden>{HIDDEN}</p>",
        f'<div style="display:none"><p>{HIDDEN}</p></div>',
        f'<div style="color:red; DISPLAY : None !important"><p>{HIDDEN}</p></div>',
        f'<p style="visibility:hidden">{HIDDEN}</p>',
        f'<p style="font-size:0px">{HIDDEN}</p>',
        f'<p style="opacity:0.0">{HIDDEN}</p>',
        f'<p style="color:#FFF;background-color:#ffffff">{HIDDEN}</p>',
        f'<div style="background:#eee"><p style="color: #EEE">{HIDDEN}</p></div>',
        f'<p style="color:transparent">{HIDDEN}</p>',
    ],
)
def test_html_hidden_text_is_left_out_and_told(page: str) -> None:
    """What nobody sees on the page is no text, however it is hidden in its own tags."""
    source = read_source(f"<body><p>Shown.</p>{page}<p>Behind.</p></body>".encode(), "a.html")
    assert_well_formed(source)
    assert source.text == "Shown.\n\nBehind."
    assert source.warnings == (f"hidden text is left out: {len(HIDDEN)} characters, beginning “{HIDDEN}”",)


@pytest.mark.parametrize(
    "page",
    [
        f'<p aria-hidden="true">{HIDDEN}</p>',
        f'<p hidden style="display:block">{HIDDEN}</p>',
        f'<p style="opacity:0.5;font-size:0.8em">{HIDDEN}</p>',
        f'<div style="visibility:hidden"><p style="visibility:visible">{HIDDEN}</p></div>',
        f'<div style="font-size:0"><p style="font-size:12px">{HIDDEN}</p></div>',
        f'<p style="color:#fff;background:#000">{HIDDEN}</p>',
    ],
)
def test_html_text_that_is_seen_is_read(page: str) -> None:
    """What is shown after all is text, and nothing is lost."""
    source = read_source(f"<body>{page}</body>".encode(), "a.html")
    assert source.text == HIDDEN
    assert source.warnings == ()


def test_html_white_text_without_a_background_is_read_and_told() -> None:
    """A style sheet may give it a dark background: it is text, with a word of warning."""
    source = read_source(f'<body><p style="color:white">{HIDDEN}</p></body>'.encode(), "a.html")
    assert source.text == HIDDEN
    assert source.warnings == (
        f"text in white is read, though it may not be seen: {len(HIDDEN)} characters, beginning “{HIDDEN}”",
    )


@pytest.mark.parametrize("tag", ["template", "noscript"])
def test_html_text_for_scripts_is_left_out_and_told(tag: str) -> None:
    """What a script would show, or what stands there for the lack of one, is not what the page says."""
    source = read_source(f"<body><p>Shown.</p><{tag}><p>{HIDDEN}</p></{tag}></body>".encode(), "a.html")
    assert source.text == "Shown."
    assert source.warnings == (f"text of <{tag}> is left out: {len(HIDDEN)} characters, beginning “{HIDDEN}”",)


def test_html_marks_of_notes_do_not_join_numbers() -> None:
    """Raised digits stay raised behind a word, and are digits where they stand alone."""
    page = (
        "<p>within 30<sup>1</sup> days, 10<sup>6</sup> records, the 5<sup>th</sup> day, 20<sup><a>(2)</a></sup> days</p>"
        "<p><sup>1</sup> See Annex</p>"
    )
    source = read_source(page.encode(), "a.html")
    assert source.text == "within 30¹ days, 10⁶ records, the 5th day, 20⁽²⁾ days\n\n1 See Annex"


def test_markdown_tells_of_hidden_html() -> None:
    """A block of HTML in Markdown is read like a page."""
    source = read_source(f"# A\n\n<div hidden>\n<p>{HIDDEN}</p>\n</div>\n\nB.\n".encode(), "a.md")
    assert source.text == "A\n\nB."
    assert source.warnings == (f"hidden text is left out: {len(HIDDEN)} characters, beginning “{HIDDEN}”",)


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html", "a.csv"])
def test_invisible_characters_stay_in_the_text_and_are_told(name: str) -> None:
    """Canonical text is verbatim; whoever ingests the file learns of what he cannot see."""
    source = read_source("The Supplier sh\u200ball pay.".encode(), name)
    assert "sh\u200ball" in source.text
    assert len(source.warnings) == 1
    assert source.warnings[0].startswith("1 invisible character inside words read through (U+200B); the first at")


@pytest.mark.parametrize(
    ("name", "text"), [("a.txt", "A{}b"), ("a.md", "A{}b"), ("a.html", "<p>A{}b"), ("a.csv", "A{}b")]
)
def test_soft_hyphens_are_removed_and_told(name: str, text: str) -> None:
    """They divide no word of canonical text."""
    source = read_source(text.format("\u00ad\ufeff").encode(), name)
    assert source.text == "Ab"
    assert source.warnings == ("1 soft hyphen removed", "1 zero-width no-break space (U+FEFF) removed")


def test_html_counts_soft_hyphens_that_are_written_as_entities() -> None:
    """They are characters only once the page is parsed."""
    source = read_source(b"<p>obli&shy;ga&shy;tion</p>", "a.html")
    assert (source.text, source.warnings) == ("obligation", ("2 soft hyphens removed",))


def test_unseen_text_is_counted_whole_and_shown_in_part() -> None:
    """A long text is named by its beginning; white space alone is nothing."""
    unseen = Unseen()
    unseen.add("hidden", "word " * 50)
    unseen.add("comment", " \n")
    assert unseen.warnings() == (
        "hidden text is left out: 250 characters, beginning “word word word word word word word word…”",
    )


@pytest.mark.parametrize(
    ("text", "shown"), [("12", "¹²"), ("(3)", "⁽³⁾"), ("th", "th"), ("", ""), ("()", "()"), ("*", "*")]
)
def test_raised_digits_have_characters_of_their_own(text: str, shown: str) -> None:
    """Only numbers are raised: "5th" is a word."""
    assert raised(text) == shown
