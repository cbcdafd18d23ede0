"""Checked texts as JUnit XML, which every build server shows: a suite for each file, a case for each sentence."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable

from coditect.reports.gateway.checked import FAILING, CheckedFile, message_of
from coditect.reports.gateway.lines import SourceLines

__all__ = ["render_junit"]

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold."""

_NAME = 120


def render_junit(files: Iterable[CheckedFile], fail_on: str) -> bytes:
    """All files as one document.

    Args:
        files: in their order. One that could not be read is a suite with one case that ended in an error.
        fail_on: the mildest label that fails, of :data:`~coditect.reports.gateway.checked.FAILING`; milder ones are skipped cases.
    """
    root = ET.Element("testsuites", name="coditect knowledge verify")
    totals = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for file in files:
        suite, counts = _suite(file, fail_on)
        root.append(suite)
        for name, count in counts.items():
            totals[name] += count
    for name, count in totals.items():
        root.set(name, str(count))
    ET.indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode").encode() + b"\n"


def _suite(file: CheckedFile, fail_on: str) -> tuple[ET.Element, dict[str, int]]:
    suite = ET.Element("testsuite", name=_printable(file.name))
    counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    if file.report is None:
        case = ET.SubElement(suite, "testcase", classname=_printable(file.name), name="can be read")
        ET.SubElement(case, "error", message=_printable(file.error), type="unreadable")
        counts["tests"] = counts["errors"] = 1
    else:
        lines = SourceLines(file.content)
        for number, sentence in enumerate(file.report.sentences, 1):
            region = lines.find(sentence.text)
            if sentence.label is None:
                continue
            counts["tests"] += 1
            # The number tells apart sentences that begin alike.
            title = f"{number}: {' '.join(sentence.text.split())}"
            case = ET.SubElement(suite, "testcase", classname=_printable(file.name), name=_printable(title[:_NAME]))
            if region is not None:
                case.set("file", _printable(file.name))
                case.set("line", str(region.start_line))
            if sentence.label in FAILING[fail_on]:
                counts["failures"] += 1
                told = ET.SubElement(case, "failure", message=_printable(sentence.reason), type=sentence.label)
                told.text = _printable(f"{sentence.text}\n\n{message_of(sentence)}")
            elif sentence.label != "supported":
                counts["skipped"] += 1
                ET.SubElement(case, "skipped", message=_printable(f"{sentence.label}: {sentence.reason}"))
    for name, count in counts.items():
        suite.set(name, str(count))
    return suite, counts


def _printable(text: str) -> str:
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
