"""Checks the whole contract of a game: plays it at random and checks every position."""

from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import inf
from random import Random
from typing import Any

from bot.rules.chance import FairChance, FastChance
from bot.rules.game import EndReason, Event, Options, Outcome, Seat
from bot.rules.package import MAX_MOVE_TEXT_LENGTH, shown_moves_of
from bot.rules.playout import PlayoutEvaluator, random_move
from bot.rules.refusals import CommonReason, Refusal
from bot.tools.contract.audits import audit
from bot.tools.contract.contract import AnyPackage, BrokenContract, Check, make_mixed_options, require
from bot.tools.contract.move_checks import MoveChecker, MoveReader, value_moves
from bot.tools.contract.package_checks import check_options, check_package
from bot.tools.contract.picture_checks import PictureAssets
from bot.tools.contract.screen_checks import NAMES, ScreenChecker
from bot.tools.contract.secrecy_checks import PlannedMove, RedealHidden, SecrecyChecker

GAMES, CHECK_RATE = 12, 0.04
"""The games played for each number of seats, and the share of steps with expensive checks."""

MAX_FULLY_CHECKED = 30
"""The approximate limit of steps with expensive checks in a game, so that long games take no longer than short ones."""

MIN_STEPS = 200
"""So many steps are played at least for each number of seats."""

_OTHER_CHANCE = 1_000_000
"""No game has so many steps; from here on come the chances of moves that are made once more, to compare."""

MIN_VALUED_STEPS = 3
"""Values by playouts are checked at a step for each game, and at so many at least, because they take long."""


def check_game(
    package: AnyPackage,
    redeal_hidden: RedealHidden | None = None,
    assets: PictureAssets | None = None,
    *,
    games: int = GAMES,
    check_rate: float = CHECK_RATE,
    seats: Iterable[int] | None = None,
) -> None:
    """Check a package, and games with every number of seats.

    Args:
        package: The game.
        redeal_hidden: Deals the hidden pieces again; None for a game without any.
        assets: The art and the font, which a game with pictures needs (`bot.pictures.assets.load_assets`).
        games: How many games are played for each number of seats.
        check_rate: The share of steps, from 0 to 1, at which the costly checks are made.
        seats: The numbers of seats to play with; None means every one.

    Raises:
        BrokenContract: The game breaks the contract.
    """
    check_package(package, assets=assets)
    info = package.game.info
    for number in range(info.least_seats, info.most_seats + 1) if seats is None else seats:
        play_games(package, number, redeal_hidden, assets, games=games, check_rate=check_rate)


def play_games(
    package: AnyPackage,
    seats: int,
    redeal_hidden: RedealHidden | None,
    assets: PictureAssets | None,
    *,
    games: int,
    check_rate: float,
) -> None:
    """Play games with mixed options; the longer they are, the smaller is the share of expensive checks.

    Short games are played more often, so that some of their steps are checked.
    """
    steps = 0
    values_left = max(MIN_VALUED_STEPS, games) if isinstance(package.mind.evaluate, PlayoutEvaluator) else inf
    for seed in count():
        if seed >= games and steps >= MIN_STEPS:
            break
        rate = min(check_rate, MAX_FULLY_CHECKED * seed / steps) if steps else check_rate
        options = make_mixed_options(package.game.info.options, seed)
        playout = _Playout(package, PlayoutSetting(options, seats, seed, rate), redeal_hidden, assets, values_left)
        playout.run()
        steps, values_left = steps + len(playout.record), playout.values_left


@dataclass(frozen=True, slots=True)
class PlayoutSetting:
    """Everything that determines a random game."""

    options: Options
    seats: int
    seed: int
    check_rate: float = 1.0
    """The share of steps with expensive checks; the first step is always one."""

    def chance(self, step: int) -> FairChance:
        """Return the chance of a step; step 0 is the set-up."""
        return FairChance(self.seed.to_bytes(32, "big"), "playout", step)


def play_out(
    package: AnyPackage,
    setting: PlayoutSetting,
    redeal_hidden: RedealHidden | None = None,
    assets: PictureAssets | None = None,
) -> tuple[str, ...]:
    """Play a random game, check the contract at every step, and return the moves.

    Args:
        package: The game.
        setting: Options, seats, seed and how many steps get the costly checks.
        redeal_hidden: Deals the hidden pieces again; None for a game without any.
        assets: The art and the font, which a game with pictures needs.

    Raises:
        BrokenContract: The game breaks the contract. A note contains the setting and the last moves.
    """
    playout = _Playout(package, setting, redeal_hidden, assets)
    playout.run()
    return tuple(playout.record)


class _Playout:
    """A game with its record."""

    def __init__(
        self,
        package: AnyPackage,
        setting: PlayoutSetting,
        redeal_hidden: RedealHidden | None,
        assets: PictureAssets | None,
        values_left: float = inf,
    ) -> None:
        self.package = package
        self.game = package.game
        self.setting = setting
        self.values_left = values_left
        """At how many more steps the values of moves are checked."""
        self.everyone = range(setting.seats)
        self.random = Random(f"{setting.seats} {setting.seed}")
        self.record: list[str] = []
        self.positions: list[str] = []
        self.events: deque[tuple[Event, ...]] = deque(maxlen=shown_moves_of(package, setting.seats))
        names = NAMES[: setting.seats]
        self.reader = MoveReader(package)
        self.moves = MoveChecker(package, setting.seats, self.reader, self.random)
        self.screens = ScreenChecker(package, names, self.reader, self.random, assets)
        self.secrecy = SecrecyChecker(package, redeal_hidden, names, FastChance(self.random))

    def run(self) -> None:
        """Play to the end, and then replay the record; a fault is noted with the setting and the last moves."""
        try:
            self.play()
        except Exception as fault:
            title, moves = self.game.info.title, "; ".join(self.record[-5:])
            fault.add_note(f"{title}, {self.setting!r}, after {len(self.record)} moves, the last of them: {moves}")
            raise

    def play(self) -> None:
        """Play to the end, and then replay the record."""
        check_options(self.package, self.setting.options)
        self.reader.check_nonsense()
        state = self.game.start(self.setting.options, self.setting.seats, self.setting.chance(0))
        again = self.game.start(self.setting.options, self.setting.seats, self.setting.chance(0))
        require(Check.DETERMINED, state == again, "start", state, again)
        self.note(state, careful=True)
        while (seat := self.game.seat_to_move(state)) is not None:
            require(Check.LONGEST, len(self.record) < self.game.info.step_limit)
            state = self.turn(state, seat)
        self.check_end(state)
        self.secrecy.check_varied()
        self.check_replay()

    def turn(self, state: Any, seat: Seat) -> Any:
        """Check a position, make a random move and return the state after it."""
        careful = not self.record or self.random.random() < self.setting.check_rate
        moves = self.game.legal_moves(state)
        self.moves.check_offered(state, seat, moves)
        move = random_move(moves, FastChance(self.random))
        if careful:
            make_chance = partial(self.setting.chance, len(self.record) + 1)
            doubtful = self.moves.check_legality(state, seat, moves, make_chance)
            # All games begin much alike, so only the first one spends a limited number on its beginning.
            is_valued = self.values_left > 0 and bool(self.record or not self.setting.seed)
            if is_valued:
                self.values_left -= 1
                self.check_players(state, seat, moves)
                value_moves(self.package, self.game.view(state, seat), moves)
                self.screens.check_advice(state, seat, moves)
            self.check_move_texts(state, seat, moves)
            drafts = self.screens.check_screens(state, seat, self.latest)
            turn = PlannedMove(seat, move, (*moves, *doubtful), make_chance, is_valued)
            self.secrecy.check(state, self.latest, drafts, turn)
        self.record.append(str(move))
        after, events = self.step(state, seat, move, careful=careful)
        if careful:
            other = self.game.play(state, seat, move, self.setting.chance(_OTHER_CHANCE + len(self.record)))
            self.screens.check_motion(state, self.latest, [(after, events), other])
        self.events.append(events)
        self.note(after, careful=careful)
        return after

    def step(self, state: Any, seat: Seat, move: Any, *, careful: bool) -> tuple[Any, tuple[Event, ...]]:
        """Make a move; a step with expensive checks makes it twice."""
        if not careful:
            return self.game.play(state, seat, move, self.setting.chance(len(self.record)))
        before = repr(state)
        after, events = self.game.play(state, seat, move, self.setting.chance(len(self.record)))
        require(Check.UNTOUCHED, repr(state) == before, move, before, state)
        self.check_events(events)
        again = self.game.play(state, seat, move, self.setting.chance(len(self.record)))
        require(Check.DETERMINED, (after, events) == again, move, (after, events), again)
        return after, events

    def note(self, state: Any, *, careful: bool) -> None:
        """Check a new state, and keep its position for the replay."""
        _check_value(state)
        faults = audit(self.game, state)
        require(Check.AUDIT, faults == (), faults, state)
        position = self.game.encode_position(state)
        stable = not careful or position == self.game.encode_position(state)
        require(Check.POSITION, stable and position.isprintable() and position.strip() != "", repr(position))
        self.positions.append(position)
        check_scores(self.package, state, self.setting.seats)
        for seat in (*self.everyone, None):
            one, other = self.game.view(state, seat), self.game.view(state, seat)
            require(Check.VALUES, one is other or one == other, "view", seat)

    def check_events(self, events: Sequence[Event]) -> None:
        """Check that events are values, and their audience."""
        _check_value(events)
        for event in events:
            require(Check.AUDIENCE, event.audience is None or event.audience in self.everyone, event)
        self.secrecy.check_events(events)

    def check_players(self, state: Any, seat: Seat, moves: Sequence[Any]) -> None:
        """Check the choice of every computer player."""
        for level, player in self.package.mind.strategies.items():
            choice = player(self.game.view(state, seat), moves, FastChance(self.random))
            require(Check.PLAYERS, choice in moves, level, choice)

    def check_move_texts(self, state: Any, seat: Seat, moves: Sequence[Any]) -> None:
        """Check that moves are described before they are made."""
        describe, view = self.package.study.describe_move, self.game.view(state, seat)
        if describe is None:
            require(Check.MOVE_TEXTS, self.package.mind.evaluate is None)
            return
        text_of, key_of = dict[Hashable, str](), dict[str, Hashable]()
        for move in moves:
            text, key = describe(view, move), self.package.mind.key_of(view, move)
            fits = 0 < len(text.strip()) <= MAX_MOVE_TEXT_LENGTH and "\n" not in text
            require(Check.MOVE_TEXTS, fits, text)
            # People must be able to tell moves apart, and moves that do the same are offered once.
            tells = text_of.setdefault(key, text) == text and key_of.setdefault(text, key) == key
            require(Check.MOVE_TEXTS, tells, text, key)

    @property
    def latest(self) -> tuple[Event, ...]:
        """The events of the last round."""
        return tuple(event for events in self.events for event in events)

    def check_end(self, state: Any) -> None:
        """Check the end of a game."""
        require(Check.OVER, not self.game.legal_moves(state), state)
        for seat in self.everyone:
            refusal = self.game.check(state, seat, self.game.parse_move(self.record[-1]))
            require(Check.OVER, refusal == Refusal(CommonReason.GAME_OVER), seat, refusal)
        check_outcome(self.game.outcome(state), self.setting.seats)
        self.secrecy.check(state, self.latest, self.screens.check_screens(state, None, self.latest), None)

    def check_replay(self) -> None:
        """Replay the record, as a host does after a restart."""
        state = self.game.start(self.setting.options, self.setting.seats, self.setting.chance(0))
        positions = [self.game.encode_position(state)]
        for step, text in enumerate(self.record, 1):
            seat = self.game.seat_to_move(state)
            require(Check.REPLAY, seat is not None, step, text)
            state, _ = self.game.play(state, seat or 0, self.reader.read(text), self.setting.chance(step))
            positions.append(self.game.encode_position(state))
        require(Check.REPLAY, positions == self.positions, positions, self.positions)


def _check_value(value: Any) -> None:
    try:
        hash(value)
    except TypeError as fault:
        raise BrokenContract(Check.VALUES, fault, value) from fault


def check_scores(package: AnyPackage, state: Any, seats: int) -> None:
    """Check the scores of a state, from which the picture of the result draws the race."""
    if package.results.scores_of is None:
        return
    scores = tuple(package.results.scores_of(state))
    fits = all(type(score) is int and -(2**31) <= score < 2**31 for score in scores)
    require(Check.SCORES, len(scores) == seats and fits, scores)
    outcome = package.game.outcome(state)
    require(Check.SCORES, outcome is None or scores == outcome.scores, scores, outcome)


def check_outcome(outcome: Outcome | None, seats: int) -> None:
    """Check that every seat has a place, and that ties share one and skip the next."""
    if outcome is None:
        raise BrokenContract(Check.OUTCOME, "none")
    places = outcome.places
    ranked = all(place == 1 + sum(other < place for other in places) for place in places)
    sizes = (len(places), len(outcome.scores))
    require(Check.OUTCOME, sizes == (seats, seats) and ranked and isinstance(outcome.reason, EndReason), outcome)
