"""A table in memory: header, seats and the game's state, with the pure functions that change it."""

import hashlib
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, NamedTuple, TypeAlias

from bot.rules.chance import FairChance, RecordingChance
from bot.rules.game import Event, Options, Outcome, Seat, visible_events
from bot.rules.hero import BestTurn
from bot.rules.options import load_options, parse_options
from bot.rules.package import ends_turn, shown_moves_of
from bot.rules.race import PackedRace, count_turns, newest_scores, pack_scores
from bot.rules.rewards import Feat, SeatBadge, find_earned, with_feats
from bot.tables.control_entries import (
    EVERYBODY_PLAYS,
    ControlEntry,
    Remove,
    Resign,
    SeatStatus,
    TakeBack,
    rank_resigned_last,
    seat_status_after_move,
    update_seat_status,
)
from bot.tables.kinds import Edition, TableKind, find_edition, kind_of
from bot.tables.model import (
    Award,
    ClosedBy,
    Header,
    Occupant,
    Status,
    TableId,
)
from bot.tables.registry import AnyPackage
from bot.tables.remarks import Remark, greet, remark_on_end, remark_on_turn

BestTurns: TypeAlias = tuple[BestTurn | None, ...]
"""The best turn of each seat so far; none before the first, and in games that tell no scores."""

DrawnNumbers: TypeAlias = tuple[tuple[int, int], ...]
"""Pairs of a bound and a drawn number below it."""

_DIGEST_LENGTH = 16

_MANY_COMPUTERS = 4


class MoveNews(NamedTuple):
    """The events of one move."""

    seat: Seat
    """The seat that made the move."""
    events: tuple[Event, ...]
    vacated: frozenset[Seat] = frozenset()
    """The seats of people that a computer player played at the time."""
    ends_turn: bool = True
    by_itself: bool = False
    """Whether the move was a forced end."""
    left: frozenset[Seat] = frozenset()
    """The seats that resigned or were removed between this move and the next."""
    badges: frozenset[SeatBadge] = frozenset()
    """The badges that the move earned."""
    from_seen: bool = True
    """Whether people see the position before the move."""


@dataclass(frozen=True, slots=True)
class TakeBackState:
    """The position before a move that can be taken back."""

    seat: Seat
    """The seat that made the move."""
    state: Any
    news: tuple[MoveNews, ...]
    race: PackedRace
    best_turns: BestTurns = ()
    feats: tuple[Feat, ...] = ()
    badges: frozenset[SeatBadge] = frozenset()
    remarks: tuple[Remark, ...] = ()
    earlier: "TakeBackState | None" = None
    """The position before the move that came before it in the same turn, if that one can be taken back next."""


@dataclass(frozen=True, slots=True)
class Table:
    """One play of a game, in its current position.

    Tables may be logged, so `repr` leaves out everything secret.
    """

    header: Header
    seats: tuple[Occupant, ...]
    package: AnyPackage
    state: Any = field(default=None, repr=False)
    """The game's state; None before the start, and when the table is held."""
    news: tuple[MoveNews, ...] = field(default=(), repr=False)
    """The newest moves: a turn of each seat, the present turn, and at least as many as the game's screen describes."""
    race: PackedRace = field(default=b"", repr=False)
    """The scores at the start and after each turn; empty if the game tells no scores."""
    best_turns: BestTurns = field(default=(), repr=False)
    feats: tuple[Feat, ...] = field(default=(), repr=False)
    """The greatest feats of chance so far."""
    badges: frozenset[SeatBadge] = field(default=frozenset(), repr=False)
    """The badges earned so far; people get those that no move can take back any more (`lasting_badges`)."""
    awards: tuple[Award, ...] = ()
    """The badges awarded so far, to people who did not have them."""
    remarks: tuple[Remark, ...] = ()
    """The newest remark of each computer player that has said something."""
    seat_status: SeatStatus = EVERYBODY_PLAYS
    acted: frozenset[Seat] = frozenset()
    """The seats that have made a move, even if it was taken back."""
    had_substitute: bool = False
    """Whether a computer player has substituted for an absent person, even if that person came back."""
    resigned_early: bool = False
    """Whether anyone has resigned before every seat had moved."""
    take_back_state: TakeBackState | None = field(default=None, repr=False)
    """The position before the newest move that stands; None unless it is a person's, revealed nothing, and no entry but
    moves and their taking back followed. It leads to earlier positions of the same turn."""
    click_id: int | None = None
    """The id of the newest interaction that made an entry."""
    numbers: DrawnNumbers = field(default=(), repr=False)
    """The numbers drawn at the newest step; step 0 is the set-up."""
    before: "Table | None" = field(default=None, repr=False, compare=False)
    """The table before the newest entry, if that is a move whose picture is in motion: it drew numbers or is staged.

    In games that show steps of a computer player's turn (`Look.shows_step`), the table that people saw last."""

    @property
    def id(self) -> TableId:
        """The table's id."""
        return self.header.id

    @property
    def options(self) -> Options:
        """The game's options; values that the game no longer accepts are replaced by their defaults."""
        return load_options(self.package.game.info.options, self.header.options)

    @property
    def mover(self) -> Occupant | None:
        """The occupant of the seat to move, or None."""
        return None if self.header.to_move is None else self.seats[self.header.to_move]

    def is_automatic(self, seat: Seat) -> bool:
        """Return whether a computer player plays a seat."""
        return self.seats[seat].is_computer or seat in self.seat_status.vacated

    @property
    def is_for_one_person(self) -> bool:
        """Whether no second person can join: a solo game, or a direct message."""
        return bool(self.header.location.solo_id) or self.header.location.guild_id is None

    @property
    def kind(self) -> TableKind:
        """The kind of the table, which says how it differs from ordinary tables."""
        return kind_of(self.header, self.seats)

    @property
    def edition(self) -> Edition | None:
        """The edition of a challenge; None at other tables."""
        return find_edition(self.seats[0].contribution) if self.seats else None

    @property
    def is_soon_forgotten(self) -> bool:
        """Whether its message goes once people have read that the table was closed, because no person had moved.

        A tournament refers to its tables.
        """
        has_begun = any(self.seats[seat].user_id is not None for seat in self.acted)
        is_closed = self.header.status in (Status.CANCELLED, Status.EXPIRED, Status.ABANDONED)
        return is_closed and not has_begun and not self.kind.is_arranged

    @property
    def is_fixed(self) -> bool:
        """Whether its seats and options are fixed, as at a later table of a series."""
        return self.header.link is not None

    @property
    def is_decided_by_resignation(self) -> bool:
        """Whether resignations leave fewer than two seats, or no person."""
        stayed = len(self.seats) - len(self.seat_status.resigned)
        return bool(self.seat_status.resigned) and (stayed < 2 or not self.remaining_players)

    @property
    def remaining_players(self) -> frozenset[Seat]:
        """The seats of people who have neither resigned nor been removed, including those with a substitute."""
        people = (seat for seat, occupant in enumerate(self.seats) if not occupant.is_computer)
        return frozenset(people) - self.seat_status.left

    @property
    def needs_agreement(self) -> bool:
        """Whether closing needs every player's agreement, because every seat of a shared game has moved."""
        is_shared = self.kind.counts and not self.package.game.info.is_solo
        return is_shared and len(self.acted) == len(self.seats)

    @property
    def closers(self) -> frozenset[Seat]:
        """The seats that have agreed to close the table; empty if only one person is left."""
        return self.seat_status.closers if self.seat_status.closers and len(self.remaining_players) > 1 else frozenset()

    @property
    def is_closed_by_agreement(self) -> bool:
        """Whether all remaining players have agreed to close the table."""
        return bool(self.closers) and self.remaining_players <= self.closers

    @property
    def lasting_badges(self) -> frozenset[SeatBadge]:
        """The badges earned so far by moves that can't be taken back; once the table is over, none can."""
        if self.header.status.is_over:
            return self.badges
        *_newer, oldest = (self.badges, *(earlier.badges for earlier in self.positions_to_take_back()))
        return oldest

    @property
    def turn_key(self) -> Hashable:
        """A key that is the same throughout a turn."""
        return self.package.game.turn_of(self.state)

    @property
    def recent_moves(self) -> tuple[MoveNews, ...]:
        """The newest moves, as many as the game's screen describes."""
        return self.news[-shown_moves_of(self.package, len(self.seats)) :]

    def recent_events_for(self, seat: Seat | None) -> tuple[Event, ...]:
        """Return the events of the newest moves that a seat, or a spectator (None), may see, oldest first."""
        return tuple(event for move in self.recent_moves for event in visible_events(seat, move.events))

    @property
    def passed_moves(self) -> tuple[MoveNews, ...]:
        """The newest moves if a computer player has made them and its turn goes on, oldest first."""
        passed = takewhile(lambda move: not move.ends_turn and self.is_by_computer(move), reversed(self.news))
        return tuple(reversed(list(passed)))

    @property
    def has_many_computers(self) -> bool:
        """Whether so many seats are automatic that people would wait long for them."""
        return sum(map(self.is_automatic, range(len(self.seats)))) >= _MANY_COMPUTERS

    def is_by_computer(self, move: MoveNews) -> bool:
        """Return whether a computer player made a move."""
        return self.seats[move.seat].is_computer or move.seat in move.vacated

    def positions_to_take_back(self) -> Iterator[TakeBackState]:
        """Yield the positions that moves can be taken back to, newest first."""
        earlier = self.take_back_state
        while earlier is not None:
            yield earlier
            earlier = earlier.earlier

    def seat_of(self, user_id: int) -> Seat | None:
        """Return a person's seat, or None."""
        return next((seat for seat, occupant in enumerate(self.seats) if occupant.user_id == user_id), None)

    @property
    def outcome(self) -> Outcome | None:
        """The ranking of a finished table: the rules' own, with resigned seats last."""
        if self.header.status is not Status.FINISHED or self.state is None:
            return None
        outcome = self.package.game.outcome(self.state)
        resigned = self.seat_status.resigned
        return rank_resigned_last(outcome, resigned, len(self.seats)) if resigned else outcome


def digest_of(position: str) -> str:
    """Return the digest of an encoded position, as stored with every entry: 16 hexadecimal digits."""
    return hashlib.sha256(position.encode()).hexdigest()[:_DIGEST_LENGTH]


def commitment_of(seed: bytes) -> str:
    """Return the commitment to a seed: its SHA-256 hash, published while the seed is secret."""
    return hashlib.sha256(seed).hexdigest()


def salt_of(contributions: Iterable[str]) -> str:
    """Return the SHA-256 hash of all contributions, one line for each seat, in seat order."""
    return hashlib.sha256("".join(f"{line}\n" for line in contributions).encode("ascii")).hexdigest()


def chance_of(header: Header, step: int) -> FairChance:
    """Return the random numbers of a step; step 0 is the set-up."""
    return FairChance(header.seed, header.salt, step)


def start_game(table: Table) -> Table:
    """Set up the game for the table's seats."""
    # Not `load_options`: a replay needs exactly the options of the original game.
    model: type[Options] = table.package.game.info.options
    chance = RecordingChance(chance_of(table.header, 0))
    state = table.package.game.start(parse_options(model, table.header.options), len(table.seats), chance)
    race, numbers = pack_scores(table.package, state), tuple(chance.draws)
    started = replace(table, state=state, race=race, numbers=numbers, remarks=greet(table.seats))
    return derive_status(started, step=0)


def derive_status(table: Table, step: int) -> Table:
    """Recompute the status, the seat to move and the computer flag from the position at a step."""
    if table.is_closed_by_agreement:
        return stop(replace(table, header=replace(table.header, step=step)), Status.CANCELLED)
    to_move = None if table.is_decided_by_resignation else table.package.game.seat_to_move(table.state)
    status = Status.FINISHED if to_move is None else Status.PLAYING
    awaits_computer = to_move is not None and table.is_automatic(to_move)
    header = replace(table.header, step=step, status=status, to_move=to_move, awaits_computer=awaits_computer)
    return replace(table, header=header)


def stop(table: Table, status: Status, closed_by: ClosedBy | None = None) -> Table:
    """End a table without a result, or hold it; afterwards no seat is to move."""
    header = replace(table.header, status=status, to_move=None, awaits_computer=False, closed_by=closed_by)
    header = replace(header, kicked=frozenset(), kept=frozenset())
    return replace(table, header=header)


def apply_move(table: Table, seat: Seat, move: Any, *, by_host: bool = False) -> Table:
    """Make the next move of a seat. The host makes the moves of computer players, and forced ends.

    Raises:
        Refusal: The game does not allow the move.
    """
    game = table.package.game
    chance = RecordingChance(chance_of(table.header, table.header.step + 1))
    state, events = game.play(table.state, seat, move, chance)
    by_person = not table.is_automatic(seat)
    status = seat_status_after_move(table.seat_status, by_person=by_person)
    acted = table.acted if seat in table.acted else table.acted | {seat}
    numbers = tuple(chance.draws)
    final = numbers or not by_person or any(e.reveals_information for e in events) or not table.kind.takes_back
    is_last = ends_turn(table.package.game, table.state, state)
    badges = _with_badges(table, events, state)
    newest = MoveNews(
        seat,
        events,
        table.seat_status.vacated,
        is_last,
        by_itself=by_host and by_person and is_last,
        badges=badges - table.badges,
        from_seen=_is_seen(table, events),
    )
    seats, moves = len(table.seats), shown_moves_of(table.package, len(table.seats))
    news = add_news(table.news, newest, turns=seats, moves=moves)
    race = table.race + pack_scores(table.package, state) if is_last else table.race
    after = replace(
        table,
        state=state,
        news=news,
        race=race,
        best_turns=_with_best_turn(table, news, race, state) if is_last else table.best_turns,
        feats=with_feats(table.feats, table.package.results.find_feats(table.state, events, state)),
        badges=badges,
        seat_status=status,
        acted=acted,
        take_back_state=None if final else _take_back_state_before(table, seat),
        numbers=numbers,
        before=_before(table, newest, is_in_motion=bool(numbers) or any(event.is_staged for event in events)),
    )
    return derive_status(_with_remarks(after) if is_last else after, table.header.step + 1)


def _is_seen(table: Table, events: Sequence[Event]) -> bool:
    """Return whether people see a position before a move with some events replaces it.

    They see each one but those within a computer player's turn, and of these what the game chooses, unless many
    computer players move one after another.
    """
    turn, shows_step = table.passed_moves, table.package.look.shows_step
    if not table.header.awaits_computer or not turn:
        return True
    if shows_step is None or table.has_many_computers:
        return False
    return shows_step([visible_events(None, move.events) for move in turn], visible_events(None, events))


def _before(table: Table, newest: MoveNews, *, is_in_motion: bool) -> Table | None:
    """Return the table from which the picture after the newest move starts; None if nothing can be in motion in it."""
    shows_steps = table.package.look.shows_step is not None
    if shows_steps and not newest.from_seen and table.before is not None:
        return table.before
    goes_on = shows_steps and table.header.awaits_computer
    return replace(table, before=None) if is_in_motion or goes_on else None


def _with_remarks(table: Table) -> Table:
    """Let a computer player say something about the turn that has just ended, or about the end of the game."""
    game, seats = table.package.game, table.seats
    *earlier, newest = table.news
    if newest.seat in newest.vacated or not any(who.is_computer for who in seats):
        return table
    turn = count_turns(table.race, len(seats))
    if (outcome := game.outcome(table.state)) is not None:
        return replace(table, remarks=remark_on_end(table.remarks, seats, outcome, turn))
    before = takewhile(lambda move: not move.ends_turn, reversed(earlier))
    moves = [(move.seat, move.events) for move in (*reversed(list(before)), newest)]
    view = game.view(table.state, None)
    try:
        return replace(table, remarks=remark_on_turn(table.remarks, table.package, seats, view, moves, turn))
    except Exception:  # noqa: BLE001 - a faulty narration must not hold up the table
        return table


def forced_end_of(table: Table) -> Any:
    """Return the only move of a position in which the turn just ends, or None."""
    find = table.package.mind.find_forced_end
    return None if find is None else find(table.package.game.view(table.state, None))


def _take_back_state_before(table: Table, seat: Seat) -> TakeBackState | None:
    """Return the position before a seat's move, and before it those of the same turn that it can go back to.

    A forced end leads back beyond its position, in which the turn would only end again.
    """
    earlier, turn_of = table.take_back_state, table.package.game.turn_of
    if earlier is not None and (earlier.seat != seat or turn_of(earlier.state) != turn_of(table.state)):
        earlier = None
    if forced_end_of(table) is not None:
        return earlier
    return TakeBackState(
        seat,
        table.state,
        table.news,
        table.race,
        table.best_turns,
        table.feats,
        table.badges,
        table.remarks,
        earlier,
    )


def _with_best_turn(table: Table, news: Sequence[MoveNews], race: PackedRace, state: Any) -> BestTurns:
    """Return the best turns after the end of one; that of a computer player who plays for a person is no one's."""
    seats, seat = len(table.seats), news[-1].seat
    best_turns = table.best_turns or (None,) * seats
    if not race or seat in table.seat_status.vacated:
        return best_turns
    before, after = newest_scores(race, seats, turns=1)
    change, best = after[seat] - before[seat], best_turns[seat]
    sign = -1 if table.package.results.score_kind.lower_is_better else 1
    if sign * change <= (0 if best is None else sign * best.change):
        return best_turns
    moves = [news[-1], *takewhile(lambda move: not move.ends_turn, reversed(news[:-1]))]
    events = tuple(event for move in reversed(moves) for event in visible_events(None, move.events))
    return (*best_turns[:seat], BestTurn(change, events, state), *best_turns[seat + 1 :])


def _with_badges(table: Table, events: Sequence[Event], state: Any) -> frozenset[SeatBadge]:
    """Return the badges after a move; nobody earns badges while a computer player plays their seat."""
    found = tuple(find_earned(table.package.results.badges, table.state, events, state))
    return table.badges.union(badge for badge in found if not table.is_automatic(badge.seat)) if found else table.badges


def add_news(news: tuple[MoveNews, ...], newest: MoveNews, *, turns: int, moves: int) -> tuple[MoveNews, ...]:
    """Add a move to the news, and drop old turns when a turn ends.

    Args:
        news: The news so far.
        newest: The news of the newest move.
        turns: How many turns to keep besides the present one.
        moves: How many moves to keep at least.
    """
    all_news = (*news, newest)
    if not newest.ends_turn:
        return all_news
    ends = [0, *(number for number, move in enumerate(all_news, 1) if move.ends_turn)]
    needed = min(ends[max(0, len(ends) - turns - 1)], max(0, len(all_news) - moves))
    return all_news[max(end for end in ends if end <= needed) :]


def apply_control_entry(table: Table, seat: Seat, entry: ControlEntry) -> Table:
    """Apply a control entry, which leaves the game's state unchanged or takes the newest move that stands back."""
    status, earlier = update_seat_status(table.seat_status, seat, entry), table.take_back_state
    news = add_departure(table.news, seat) if isinstance(entry, Resign | Remove) else table.news
    after = replace(
        table,
        news=news,
        seat_status=status,
        had_substitute=table.had_substitute or bool(status.substituted),
        resigned_early=table.resigned_early or (isinstance(entry, Resign) and len(table.acted) < len(table.seats)),
        take_back_state=None,
        numbers=(),
        before=None,
    )
    if isinstance(entry, TakeBack):
        if earlier is None:
            raise ValueError(f"table {table.id} has nothing to take back at step {table.header.step}")
        after = replace(
            after,
            state=earlier.state,
            news=earlier.news,
            race=earlier.race,
            best_turns=earlier.best_turns,
            feats=earlier.feats,
            badges=earlier.badges,
            remarks=earlier.remarks,
            take_back_state=earlier.earlier,
        )
    return derive_status(after, table.header.step + 1)


def add_departure(news: tuple[MoveNews, ...], seat: Seat) -> tuple[MoveNews, ...]:
    """Record with the move before it that a seat has left; one that leaves before the first move needs no news."""
    return tuple(move._replace(left=move.left | {seat}) if move is news[-1] else move for move in news)


def position_digest(table: Table) -> str:
    """Return the digest of a table's current position."""
    return digest_of(table.package.game.encode_position(table.state))
