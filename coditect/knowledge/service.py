"""The use cases behind one synchronous door: what the command line, the async interface and programs call."""

from __future__ import annotations

from coditect.knowledge.cases.checking import CheckingCases
from coditect.knowledge.cases.deciding import DecidingCases
from coditect.knowledge.cases.filling import FillingCases
from coditect.knowledge.cases.giving import GivingCases
from coditect.knowledge.cases.listing import ListingCases
from coditect.knowledge.cases.proving import ProvingCases
from coditect.knowledge.cases.removing import RemovingCases
from coditect.knowledge.cases.signing import SigningCases
from coditect.knowledge.cases.upkeep import UpkeepCases

__all__ = ["Knowledge"]


class Knowledge(
    FillingCases,
    SigningCases,
    ListingCases,
    CheckingCases,
    DecidingCases,
    ProvingCases,
    GivingCases,
    RemovingCases,
    UpkeepCases,
):
    """A tenant's knowledge, with every use case as a method. Made by :func:`coditect.open_knowledge`, not by its constructor.

    Safe for threads: any number of them may ask, ingest, build, review, validate, export and import at the same time. A question
    is answered from one generation from beginning to end, whatever is built meanwhile. Of two builds of one corpus that run at the
    same time one may end with ``Conflict``; run it again. Reports that are returned are the caller's own.

    Args:
        store: the tenant's store.
        searcher: finds items by text, from a replica that follows the store; safe for threads.
        clock: tells the time that is written into records.
        jobs: processes; None for one each core where that pays.
        read_budget: what the reading of one file may take.
        log_signer: signs the log's checkpoints; None: events are logged, and nothing is proven.
        log_memory: outside of the store, what that key signed last; None: an older copy of the store is not noticed here.
        principal: who runs this, for the audit trail, where it stands under a pseudonym; reads are logged only of a principal.
        answered_with: settings that answers depend on and no build covers, for the log of reads.
        salts: gives the salts of records whose words could be guessed from their hash in the log.
        document_extractions: extractions of one document, at most; one that holds more is left out of a build, by name.
        models: how the configured models are opened.
        passages: how documents are cut, for builds that do not say it; None: they are not.
        return_level: the level of passages that small-to-big retrieval returns.
        open_executor: who derives documents, for as long as a build takes.
        open_agency: the roles that a language model plays in a build of a store's corpus; None where rules play all.
        erasure_list: the list of erasures beside the backups; None: none is kept.
        searched_places: files and folders in which an erasure looks for words that are left, beside the store.
    """
