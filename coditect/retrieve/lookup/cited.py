"""Citations as lawyers write them, as the provisions are called here: "Art. 17, para. 2, point (c)" is Article 17(2)(c).

Sources: Interinstitutional style guide of the European Union, 2.7 (subdivisions of acts); OSCOLA, 2.4.2.
"""

from __future__ import annotations

import re

__all__ = ["as_cited"]

_ARTICLE = re.compile(r"\barts?\.?\s*(?=\d)", re.IGNORECASE)
_NUMBER = r"(?P<number>(?:article|section|regulation|rule|clause)\s+\d+[a-z]?(?:\(\w{1,5}\))*)"
_PARAGRAPH = r"(?:sub-?)?(?:paragraphs?|paras?\.?)\s*\(?(?P<below>\d{1,3}[a-z]?)\)?(?!\w|[.]\d)"
_POINT = (
    r"(?:points?|lit\.?|letters?|items?|sub-?paragraphs?|paragraphs?|paras?\.?)\s*\((?P<below>[a-z]{1,5}|\d{1,3})\)"
)
_BEHIND = tuple(re.compile(rf"{_NUMBER},?\s+{each}", re.IGNORECASE) for each in (_PARAGRAPH, _POINT))
_BEFORE = tuple(re.compile(rf"\b{each}\s+(?:of|in)\s+{_NUMBER}", re.IGNORECASE) for each in (_PARAGRAPH, _POINT))
_OF_PARAGRAPH = re.compile(
    rf"\b(?P<first>{_POINT.replace('<below>', '<letter>')})\s+(?:of|in)\s+{_PARAGRAPH}\s+(?:of|in)\s+{_NUMBER}",
    re.IGNORECASE,
)
_HINT = re.compile(r"\bart|\bpara|\bpoint|\blit|\bletter|\bitem|\bsub-?para", re.IGNORECASE)


def as_cited(query: str) -> str:
    """A question in which provisions are called by their whole number; the same one where it cites none in another way.

    Args:
        query: as it was put.
    """
    if _HINT.search(query) is None:
        return query
    told = _ARTICLE.sub("Article ", query)
    told = _OF_PARAGRAPH.sub(lambda found: f"{found['number']}({found['below']})({found['letter']})", told)
    for pattern in (*_BEFORE, *_BEHIND):
        told = pattern.sub(lambda found: f"{found['number']}({found['below']})", told)
    return told
