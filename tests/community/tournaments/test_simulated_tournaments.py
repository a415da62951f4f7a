"""Tournaments with check-ins, latecomers, withdrawals and walk-overs: pairings and titles are right, and all end."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import combinations, cycle
from random import Random

import pytest

from bot.features.blocks.service import Blocks
from bot.features.tournaments import storage
from bot.features.tournaments.model import (
    MOST_IN_ROUND_ROBIN,
    MOST_PLAYERS,
    Format,
    Grounds,
    Pairing,
    Stage,
    Tournament,
    TournamentReason,
    Verdict,
    deadline_of,
)
from bot.features.tournaments.pairing import champions, rank
from bot.features.tournaments.service import TournamentService
from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage
from bot.tables.model import SeriesLink, SeriesLinkKind, Status, TableUpdate
from tests.support.ended_tables import save_end
from tests.support.fakes import make_table
from tests.support.memory_database import MemoryDatabase
from tests.support.sample_results import make_game_results

NOON = datetime(2027, 3, 1, 12, tzinfo=UTC)
HOST = Person(1000, "Host")
TOURNAMENTS, TOURNAMENTS_IN_LONG_RUN = 3, 75
SHARE_OF_UNEVENTFUL = 0.3
MOST_EVENTS = 4000
"""More than any tournament of 64 players needs."""


@dataclass
class Simulation:
    """A tournament, and what happened in it as its spectators saw it."""

    random: Random
    db: MemoryDatabase = field(default_factory=MemoryDatabase)
    gone: set[int] = field(default_factory=set)
    played: set[int] = field(default_factory=set)
    spared: set[int] = field(default_factory=set)
    """Who has won without a game."""
    now: datetime = NOON
    checked: int = 0
    """The revision that was checked last."""

    def __post_init__(self) -> None:
        self.service = TournamentService(
            self.db, Blocks(self.db, lambda: self.now), lambda: self.now, lambda: str(self.random.random())
        )

    @property
    def tournament(self) -> Tournament:
        """The tournament as stored."""
        found = self.db.run(storage.find, 1)
        assert found is not None
        return found

    async def run(self, kind: Format, size: int) -> None:
        """Play a tournament to its end.

        Args:
            kind: The format.
            size: The number of players who are drawn.
        """
        opened = Tournament(0, "Cup", "magpie", "{}", Location(1, 2), HOST, NOON, 72, kind, check_in_minutes=30)
        opened = replace(opened, starts_at=NOON + timedelta(minutes=30))
        await self.service.open(opened)
        missing = {*self.random.sample(range(1, size + 2), 1 if size < opened.most_players else 0)}
        for number in range(1, size + len(missing) + 1):
            await self.service.join(1, Person(number, f"Player {number}"), number)
        await self.service.open_check_in(1)
        for player in self.tournament.players:
            if player.user_id not in missing:
                await self.service.check_in(1, player.user_id)
        for minutes, stage in ((0, Stage.JOINING), (30, Stage.RUNNING)):
            self.now += timedelta(minutes=minutes)
            await self.service.start_on_time(1)
            assert self.tournament.stage is stage, "a job that comes before a moved start does nothing"
        drawn = {player.user_id for player in self.tournament.players}
        assert len(drawn) == size
        assert drawn.isdisjoint(missing)
        self.check()
        is_uneventful = self.random.random() < SHARE_OF_UNEVENTFUL
        for _ in range(MOST_EVENTS):
            if not self.tournament.stage.is_open:
                break
            await (self.finish_a_game() if is_uneventful else self.let_something_happen())
            if self.random.random() < 0.7:
                await self.service.settle_round(1)
            self.check()
        assert not self.tournament.stage.is_open, "it never ends"
        self.check_pairings()

    async def let_something_happen(self) -> None:
        """Let somebody win, leave or come too late."""
        tournament = self.tournament
        kinds = ["game", "withdraw", "deadline", "forgotten", "latecomer"]
        is_late = tournament.takes_latecomers and len(tournament.players) < tournament.most_players
        # The more players, the more of them play before one leaves.
        weights = [2.5 * len(tournament.players), 3, 3, 0.1, 10 if is_late else 0]
        match self.random.choices(kinds, weights)[0]:
            case "game":
                await self.finish_a_game()
            case "latecomer":
                number = len(tournament.players) + 100
                await self.service.join(1, Person(number, f"Player {number}"), number)
            case "withdraw":
                await self.withdraw(self.random.choice(self.tournament.players).user_id)
            case "deadline":
                await self.end_time()
            case _:
                await self.service.close_forgotten(1)

    async def finish_a_game(self) -> None:
        """Let a game of the round end, which is noticed later."""
        ended = await self.db.read(storage.find_tables, 1)
        waiting = [each for each in self.tournament.in_play if each.part not in ended]
        if waiting:
            await self.end_game(self.random.choice(waiting), self.random.choice([(1, 2), (2, 1), (1, 1)]))
        else:
            await self.service.settle_round(1)

    async def end_game(self, pairing: Pairing, places: tuple[int, int]) -> None:
        """Let the game of a pairing end."""
        link = SeriesLink(1, SeriesLinkKind.PAIRING, pairing.part)
        header = await self.db.write(
            table_storage.open_table, make_table(link=link, location=Location(1, pairing.part)).header, ()
        )
        results = make_game_results(header.id, *pairing.people, places=places)
        over = replace(header, status=Status.FINISHED, revision=header.revision + 1)
        await save_end(self.db, TableUpdate(over), results)
        self.played |= set(pairing.people)

    async def withdraw(self, user_id: int) -> None:
        """Let somebody leave for good."""
        await self.service.withdraw(1, user_id)
        self.gone.add(user_id)

    async def end_time(self) -> None:
        """Let the time of the round be up, and organizers decide all, some or nothing."""
        await self.service.settle_round(1)
        self.now = self.tournament.due_at or self.now
        if not self.tournament.stage.is_open or await self.service.note_late(1, self.tournament.round) is None:
            return
        for pairing in self.tournament.in_play:
            if self.random.random() < 0.7:
                verdict = self.random.choice([Verdict.FIRST, Verdict.SECOND, Verdict.NEITHER])
                place = (pairing.round, pairing.board)
                await self.service.decide(1, place, verdict)
        if self.tournament.in_play:
            await self.service.extend(1, (self.tournament.round, 0), timedelta(hours=24))

    def check(self) -> None:
        """Check who has a title or a medal now."""
        tournament = self.tournament
        for each in tournament.pairings:
            if each.winner_id is not None and each.grounds is Grounds.WALKOVER:
                self.spared.add(each.winner_id)
        if tournament.revision == self.checked:
            return
        self.checked = tournament.revision
        is_over = tournament.stage is Stage.FINISHED
        last_left = {each.user_id for each in tournament.players} - self.gone
        worthy = (self.played | self.spared | (last_left if len(last_left) == 1 else set())) - self.gone
        standings = rank(tournament)
        assert {each.player for each in standings} == set(tournament.players)
        for standing in standings:
            if standing.has_medal and standing.place is not None:
                user_id = standing.player.user_id
                assert is_over, "nothing is decided before the end"
                assert user_id in worthy, standing
        if is_over:
            winners = champions(tournament)
            medals = {each.place for each in standings if each.has_medal and each.place is not None and each.place <= 3}
            assert bool(winners) or not medals, "without a champion there are no medals"
            assert {each.user_id for each in winners} <= worthy
            assert winners == [each.player for each in standings if each.place == 1 and each.has_medal]

    def check_pairings(self) -> None:
        """Check who has met whom, and who had a bye."""
        tournament = self.tournament
        met = Counter(frozenset(pairing.people) for pairing in tournament.pairings if pairing.second_id is not None)
        match tournament.format:
            case Format.ROUND_ROBIN if tournament.stage is Stage.FINISHED:
                people = sorted(player.user_id for player in tournament.players)
                assert met == Counter(map(frozenset, combinations(people, 2)))
            case Format.SWISS:
                self.check_swiss()
            case Format.KNOCKOUT:
                byes = [pairing.round for pairing in tournament.pairings if pairing.grounds is Grounds.BYE]
                assert byes == [1] * (2**tournament.rounds - len(tournament.players))
                assert max(met.values()) == 1
            case _:
                pass  # before the start, and in a round robin that has not ended

    def check_swiss(self) -> None:
        """Check that there is no rematch, nor a second bye, as long as there are enough players."""
        tournament, before, had_bye = self.tournament, set[frozenset[int]](), set[int]()
        for number in range(1, tournament.round + 1):
            pairings = [pairing for pairing in tournament.pairings if pairing.round == number]
            games = [frozenset(pairing.people) for pairing in pairings if pairing.second_id is not None]
            byes = {pairing.first_id for pairing in pairings if pairing.second_id is None}
            # By Dirac's theorem, so many players can be paired, whomever they have met in the earlier rounds.
            if 2 * len(games) >= 2 * number:
                assert before.isdisjoint(games), f"a rematch in round {number}"
                assert had_bye.isdisjoint(byes), f"a second bye in round {number}"
            before |= set(games)
            had_bye |= byes


async def start_simulation(players: int) -> Simulation:
    """Start a knock-out."""
    simulation = Simulation(Random(1))
    await simulation.service.open(Tournament(0, "Cup", "magpie", "{}", Location(1, 2), HOST, NOON, 72, Format.KNOCKOUT))
    for number in range(1, players + 1):
        await simulation.service.join(1, Person(number, f"Player {number}"), number)
    await simulation.service.start(1)
    return simulation


async def test_sixty_four_people_join_at_the_same_moment() -> None:
    simulation = Simulation(Random(1))
    await simulation.service.open(Tournament(0, "Cup", "magpie", "{}", Location(1, 2), HOST, NOON, 72))
    people = [Person(number, f"Player {number}") for number in range(1, 66)]
    joining = (simulation.service.join(1, person, person.id) for person in people)
    (refused,) = [each for each in await asyncio.gather(*joining, return_exceptions=True) if isinstance(each, Refusal)]
    assert refused.reason is TournamentReason.FULL
    assert len(simulation.tournament.players) == MOST_PLAYERS


async def test_a_game_that_is_over_counts_even_if_its_winner_withdraws_before_it_is_noticed() -> None:
    simulation = await start_simulation(4)
    pairing = simulation.tournament.in_play[0]
    await simulation.end_game(pairing, (1, 2))
    changed = await simulation.service.withdraw(1, pairing.first_id)
    noticed = changed.pairings[0]
    assert (noticed.verdict, noticed.grounds) == (Verdict.FIRST, Grounds.PLAYED)


async def test_a_game_that_is_over_can_no_longer_be_decided() -> None:
    simulation = await start_simulation(4)
    pairing = simulation.tournament.in_play[0]
    simulation.now += timedelta(hours=72)
    assert await simulation.service.note_late(1, 1) is not None
    await simulation.end_game(pairing, (1, 2))
    place = (pairing.round, pairing.board)
    _, changed = await simulation.service.decide(1, place, Verdict.SECOND)
    noticed = changed.pairings[0]
    assert (noticed.verdict, noticed.grounds) == (Verdict.FIRST, Grounds.PLAYED)


async def test_a_round_that_got_more_time_is_not_late_at_its_old_deadline() -> None:
    simulation = await start_simulation(4)
    simulation.now += timedelta(hours=72)
    shown = (1, deadline_of(simulation.tournament))
    await simulation.service.extend(1, shown, timedelta(hours=24))
    assert await simulation.service.note_late(1, 1) is None
    assert not simulation.tournament.is_late


@pytest.mark.slow
@pytest.mark.parametrize("size", [3, 8, 17, pytest.param(64, marks=pytest.mark.long)])
async def test_titles_and_medals_go_to_those_who_played_on_and_every_tournament_ends(size: int, is_long: bool) -> None:
    random, count = Random(43), TOURNAMENTS_IN_LONG_RUN if is_long else TOURNAMENTS
    faults: list[BaseException] = []
    for number, kind in zip(range(count), cycle(Format), strict=False):
        simulation = Simulation(Random(random.random()))
        try:
            await simulation.run(kind, min(size, MOST_IN_ROUND_ROBIN) if kind is Format.ROUND_ROBIN else size)
        except AssertionError as fault:
            fault.add_note(f"tournament {number}: {simulation.tournament}")
            faults.append(fault)
    assert len(faults) == 0, f"{len(faults)} of {count}, such as {faults[0].args} {faults[0].__notes__}"
