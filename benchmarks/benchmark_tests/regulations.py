"""Small regulations of our own in the mark-up of regulations, in two versions, with the notice that made the second."""

from __future__ import annotations

from pathlib import Path

__all__ = ["write_regulations", "write_versions"]

_HEAD = """<?xml version="1.0"?><regulation xmlns="eregs"><fdsys><date>2020-01-01</date><title>KEYS</title></fdsys>
<preamble><agency>Agency</agency></preamble><part label="9009"><tableOfContents><def term="toc">toc</def>
</tableOfContents><content>
<subpart label="9009-A" subpartLetter="A"><content>"""
_TAIL = "</content></subpart></content>{interpretations}</part></regulation>"
_DEFINITIONS = """<section label="9009-2"><subject>§ 9009.2 Definitions.</subject>
<paragraph label="9009-2-a" marker="(a)"><content><def
term="custodian">Custodian</def> means a person that keeps keys.</content></paragraph>
<paragraph label="9009-2-b" marker="(b)"><content>The term <def
term="key">key</def> means a tool that opens a lock.</content></paragraph>
<paragraph label="9009-2-c" marker="(c)"><content><def term="vault">Vault</def> has the meaning in <ref target="9009-3-a"
reftype="internal">§ 9009.3(a)</ref> of this part.</content></paragraph>
<paragraph label="9009-2-d" marker="(d)"><content>“Porter” means a person at a door, see <def
term="odd">odd words</def>.</content></paragraph>
</section>"""
_DUTIES = """<section label="9009-3"><subject>§ 9009.3 Duties.</subject>
<paragraph label="9009-3-a" marker="(a)"><title type="keyterm">Keeping.</title><content>A custodian must keep each key for {years}
years. It must follow <ref target="9009-2-b" reftype="internal">§ 9009.2(b)</ref> and <ref target="9009-9"
reftype="internal">§ 9009.9</ref>, and also § 9009.2(a).</content></paragraph>
<paragraph label="9009-3-b" marker="(b)"><content>A custodian must tell the <ref target="u" reftype="external">15 U.S.C. 1601</ref>
board within {days} days as <ref target="9009-3-a" reftype="internal">paragraph (a)</ref> of this section says.
<ref target="9009-2" reftype="internal">words nowhere</ref></content></paragraph>
{more}</section>"""
_INTERPRETATIONS = """<interpretations label="9009-Interp"><title>Supplement</title><interpSection label="9009-3-Interp">
<title>Section 9009.3</title><interpParagraph label="9009-3-a-Interp" marker="1."><title>Keeping.</title>
<content>A <def term="register">register</def> means a list of keys. See <ref target="9009-3-b"
reftype="internal">§ 9009.3(b)</ref>.</content>
</interpParagraph></interpSection></interpretations>"""
_MORE = '<paragraph label="9009-3-c" marker="(c)"><content>A custodian may refuse {what}.</content></paragraph>'


def _part(years: str, days: str, more: str, interpretations: str = _INTERPRETATIONS) -> str:
    duties = _DUTIES.format(years=years, days=days, more=more)
    return _HEAD + _DEFINITIONS + duties + _TAIL.format(interpretations=interpretations)


def write_regulations(folder: Path) -> None:
    """Two files under ``cfpb``: one with commentary, and a shorter one."""
    (folder / "cfpb").mkdir(parents=True)
    whole = _part("two", "30", _MORE.format(what="a guest"))
    (folder / "cfpb" / "9009-keys.xml").write_text(whole, encoding="utf-8")
    short = _part("two", "30", "", "").replace("9009", "9010")
    (folder / "cfpb" / "9010-locks.xml").write_text(short, encoding="utf-8")


_NOTICE = """<?xml version="1.0"?><notice xmlns="eregs"><changeset leftDocumentNumber="{left}" rightDocumentNumber="{right}">
<change operation="modified" label="9009-3-a"><paragraph label="9009-3-a"><content>x</content></paragraph></change>
<change operation="added" label="9009-3-c"/><change operation="deleted" label="9009-2-d"/>
<change operation="modified" label="9009-3-Interp"/></changeset></notice>"""


def write_versions(folder: Path) -> None:
    """A part before and after a notice, one that comes by steps, and notices without versions or changes."""
    regulation, notice = folder / "regulation" / "9009", folder / "notice" / "9009"
    regulation.mkdir(parents=True)
    notice.mkdir(parents=True)
    old = _part("two", "30", _MORE.format(what="a guest"))
    new = _part(
        "three",
        "30",
        _MORE.format(what="a guest or a child").replace("9009-3-c", "9009-3-d") + _MORE.format(what="a dog"),
    )
    new = new.replace("A <def", "Any <def").replace("board within", "whole board within")
    for name, text in (("2020-1", old), ("2021-1", new), ("2021-1_20220101", new), ("2021-1_20230101", old)):
        (regulation / f"{name}.xml").write_text(text, encoding="utf-8")
    for left, right in (
        ("2020-1", "2021-1"),
        ("2021-1_2", "2020-1"),
        ("2019-9", "2020-9"),
        ("2021-1", "2021-1_20230101"),
    ):
        (notice / f"{right}.xml").write_text(_NOTICE.format(left=left, right=right), encoding="utf-8")
    (notice / "2018-1.xml").write_text('<notice xmlns="eregs"/>', encoding="utf-8")
