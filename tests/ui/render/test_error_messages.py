"""A sentence for every reason, filled with the facts that come with it."""

import re
import sys
from collections.abc import Iterator
from dataclasses import replace

from bot.features.fairness.records import RECORD_ERROR_MESSAGES
from bot.features.tournaments.model import TournamentReason
from bot.features.tournaments.start_times import StartRangeFacts, UnknownStartFacts
from bot.games.magpie.pieces import MagpieReason
from bot.platform.places import Person
from bot.rules.refusals import Refusal, RefusalReason, unreadable
from bot.tables import lobby as lobby_actions
from bot.tables.model import Status
from bot.tables.refusals import HostReason, TableFacts
from bot.tables.registry import GameRegistry
from bot.words import gettext, pgettext
from tests.support.apps import make_unconnected_app, shared_app
from tests.support.each_case import each_case
from tests.support.fakes import GAMES, WREN, make_table
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.ui.refused.at_tables import AT_ONCE
from tests.ui.refused.listing import BY_HOST

explain = shared_app().error_replies.explain


START_FACTS = {
    TournamentReason.UNKNOWN_START: UnknownStartFacts("2026-12-31 20:00", "UTC"),
    TournamentReason.START_OUT_OF_RANGE: StartRangeFacts("60 days", "UTC", "2026-12-01 12:00"),
}


def all_reasons() -> Iterator[RefusalReason]:
    def kinds(base: type[RefusalReason]) -> Iterator[type[RefusalReason]]:
        for kind in base.__subclasses__():
            yield kind
            yield from kinds(kind)

    for kind in kinds(RefusalReason):
        # Another test of the same process may have written a game, imported it and removed it again.
        if kind.__module__.startswith("bot.") and kind.__module__ in sys.modules:
            yield from kind


def test_every_reason_is_raised_here() -> None:
    """Only then does its golden file show that each sentence gets the facts it needs."""
    of_games = {kind for package in load_games_once().values() for kind in map(type, package.words.error_messages)}
    of_host = {repr(kind(value)) for kind, value in shared_app().refusals if kind not in of_games}
    ours = (of_host | {repr(reason) for reason in MagpieReason}) - {repr(reason) for reason in TournamentReason}
    assert ours == {repr(reason) for reason in (*BY_HOST, *(each for each, _ in AT_ONCE))}


def test_every_reason_has_a_sentence() -> None:
    reasons = {repr(kind(value)) for kind, value in shared_app().refusals} | set(map(repr, RECORD_ERROR_MESSAGES))
    assert {repr(reason) for reason in all_reasons()} <= reasons
    assert len(reasons) > 20


@each_case("reason", [each for each in TournamentReason if each is not TournamentReason.ONE_SEAT])
def test_every_refusal_at_a_tournament_has_a_complete_sentence(reason: TournamentReason) -> None:
    assert_is_for_people(explain(Refusal(reason, *filter(None, [START_FACTS.get(reason)]))))


def test_equal_reasons_of_two_games_have_different_sentences() -> None:
    class OtherReason(RefusalReason):
        NO_DICE = "no_dice"

    fortune = load_games_once()["fortune"]
    words = replace(fortune.words, error_messages={OtherReason.NO_DICE: "The other game's sentence."})
    games = GameRegistry([GAMES["magpie"], replace(fortune, words=words)])
    explain = make_unconnected_app(MemoryDatabase(), games).error_replies.explain
    assert explain(Refusal(OtherReason.NO_DICE)) == gettext("The other game's sentence.")
    assert explain(Refusal(MagpieReason.NO_DICE)) == gettext(GAMES["magpie"].words.error_messages[MagpieReason.NO_DICE])


def test_names_in_sentences_are_escaped() -> None:
    nasty = Person(1, "@everyone **{game}**")
    table = make_table(lobby_actions.make_occupant(nasty, 1), lobby_actions.make_occupant(WREN, 2))
    sentence = explain(Refusal(HostReason.NOT_STARTER, TableFacts(table)))
    assert "@everyone" not in sentence
    assert r"\*\*{game}\*\*" in sentence


def test_typed_text_is_not_used_as_a_format() -> None:
    assert_is_for_people(explain(unreadable("{0} {name} %s {")))


def test_a_table_whose_opener_has_no_seat_has_a_sentence() -> None:
    table = replace(make_table(), header=replace(make_table().header, opener_id=777))
    sentence = explain(Refusal(HostReason.NOT_STARTER, TableFacts(table)))
    assert pgettext("in place of a name", "The host") in sentence


@each_case("game, command", [("magpie", "magpie"), ("magic_bag", "magic-bag"), ("houdinis_baggage", "baggage")])
def test_a_key_of_two_words_is_a_command_with_a_hyphen_unless_the_game_has_a_short_name(
    game: str, command: str
) -> None:
    table = replace(make_table(status=Status.FINISHED), package=load_games_once()[game])
    sentence = explain(Refusal(HostReason.TABLE_OVER, TableFacts(table)))
    assert f"`/{command} new`" in sentence


def assert_is_for_people(sentence: str) -> None:
    """A sentence is whole: no gaps, no insides of the program, no more than Discord takes."""
    assert sentence[0].isupper()
    assert sentence.rstrip()[-1] in ".!?" or "https://" in sentence.rsplit(maxsplit=1)[-1]
    assert not re.search(r"\{\w*\}|None|\bTable\(|\bRefusal\b|Traceback", sentence)
    assert len(sentence) <= 2000
