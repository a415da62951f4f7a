"""The sentences with which the host refuses something, and those about faults."""

from collections.abc import Mapping, Sequence
from itertools import chain

from bot.app import error_messages as general
from bot.features.fairness.reasons import RECORD_ERROR_MESSAGES
from bot.rules.refusals import RefusalReason
from bot.tables.handlers.answers import TABLE_SAVED

SENTENCES: Sequence[Mapping[RefusalReason, str]] = (*general.HOST_SENTENCES, RECORD_ERROR_MESSAGES)
FAULTS = (
    *(general.UNEXPECTED, TABLE_SAVED, general.SAVED, general.OUTDATED, general.BEGUN),
    *(general.STORE_UNAVAILABLE, general.OUTCOME_UNKNOWN),
)


def refusals() -> str:
    """Return every sentence, sorted."""
    found = {*chain.from_iterable(each.values() for each in SENTENCES), *FAULTS}
    return "".join(f"{sentence}\n" for sentence in sorted(found))
