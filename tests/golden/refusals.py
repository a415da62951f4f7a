"""The sentences with which the host refuses something, and those about faults."""

from bot.features.fairness.records import RECORD_ERROR_MESSAGES
from bot.tables.handlers import error_replies as general
from bot.tables.handlers.answers import TABLE_SAVED
from tests.support.apps import shared_app
from tests.support.games import load_games_once

FAULTS = (
    *(general.UNEXPECTED, TABLE_SAVED, general.SAVED, general.OUTDATED, general.BEGUN),
    *(general.STORE_UNAVAILABLE, general.OUTCOME_UNKNOWN),
)


def refusals() -> str:
    """Return every sentence, sorted."""
    of_games = {sentence for package in load_games_once().values() for sentence in package.error_messages.values()}
    found = {*(set(shared_app().refusals.values()) - of_games), *RECORD_ERROR_MESSAGES.values(), *FAULTS}
    return "".join(f"{sentence}\n" for sentence in sorted(found))
