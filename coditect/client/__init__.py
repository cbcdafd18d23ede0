"""A client of ``coditect serve`` for programs: the same answers as :class:`coditect.Knowledge` gives, from another machine.

Needs the extra ``[client]``. What can be imported from here is public::

    from coditect.client import Client

    with Client("https://knowledge.example.com") as client:  # the token: CODITECT_TOKEN, or CODITECT_TOKEN_FILE
        for hit in client.corpus("policies").query("incident reporting").hits:
            print(hit.item.item_id)
"""

from __future__ import annotations

from coditect.client.corpus import RemoteCorpus
from coditect.client.jobs import JobFile, JobStatus
from coditect.client.service import Client, CorpusName, content_key
from coditect.client.tables import LoggedErasure
from coditect.client.wire import Patience

__all__ = ["Client", "CorpusName", "JobFile", "JobStatus", "LoggedErasure", "Patience", "RemoteCorpus", "content_key"]
