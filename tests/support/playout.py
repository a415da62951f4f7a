"""The contract of a game, checked by playing it at random."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby
from random import Random
from typing import Any

from bot.rules.chance import FairChance, FastChance, ScriptedChance
from bot.rules.game import Event, Options, Seat
from bot.rules.outcome import EndReason, Outcome
from bot.rules.package import shown_moves_of
from bot.rules.playout import random_move
from bot.rules.refusals import CommonReason, Refusal
from bot.rules.screen import EMPTY_DRAFT, Draft, Play, Screen, Toggle, to_recent_events
from bot.tables.registry import AnyPackage
from tests.support.contract_checks import BrokenContract, Check, require
from tests.support.display_limits import NAMES, STRANGE_DRAFT, check_limits
from tests.support.mutated_moves import check_answer, check_equivalent, mutate_moves
from tests.support.package_checks import check_options
from tests.support.picture_checks import find_flaws
from tests.support.secrecy_checks import PlannedMove, RedealHidden, SecrecyChecker, screen_function, visible_events


@dataclass(frozen=True, slots=True)
class PlayoutSetting:
    """One game to play: everything that decides its course."""

    options: Options
    seats: int
    seed: int
    check_rate: float = 1.0
    """The share of steps at which the costly checks are made; the first step is always among them."""

    def chance(self, step: int) -> FairChance:
        """Return the chance of one step; step 0 is the set-up."""
        return FairChance(self.seed.to_bytes(32, "big"), "playout", step)


_MUTATED_MOVES = 60
"""So many moves are generated wherever the costly checks are made, from those of the position ..."""

_MAX_REMEMBERED_MOVES = 6
"""... and from so many of earlier ones."""

NONSENSE = ("", " ", "\n", "\x00", "٣", "∞ ∞", "-", "None", "x" * 10_000, "1 " * 10_000)


def play_out(
    package: AnyPackage, setting: PlayoutSetting, redeal_hidden: RedealHidden | None = None
) -> tuple[str, ...]:
    """Play one game at random, check the contract at every step, and return the record of its moves.

    A game with hidden pieces says how they may lie otherwise; one without must have none.
    """
    playout = _Playout(package, setting, redeal_hidden)
    try:
        playout.run()
    except Exception as fault:
        moves = "; ".join(playout.record[-5:])
        fault.add_note(f"{setting!r}, after {len(playout.record)} moves, the last of them: {moves}")
        raise
    return tuple(playout.record)


class _Playout:
    """A game under way, with its record."""

    def __init__(self, package: AnyPackage, setting: PlayoutSetting, redeal_hidden: RedealHidden | None) -> None:
        self.package = package
        self.game = package.game
        self.setting = setting
        self.everyone = range(setting.seats)
        self.names = NAMES[: setting.seats]
        self.random = Random(f"{setting.seats} {setting.seed}")
        self.record: list[str] = []
        self.positions: list[str] = []
        self.news: deque[tuple[Event, ...]] = deque(maxlen=shown_moves_of(package, setting.seats))
        self.seen: list[str] = []
        self.met: list[Any] = []
        self.reads: dict[str, Any] = {}
        self.kept: dict[int, tuple[Any, ...]] = {}
        self.secrecy = SecrecyChecker(package, redeal_hidden, self.names, FastChance(self.random))

    def run(self) -> None:
        """Play to the end, and then play the record again."""
        check_options(self.package, self.setting.options)
        for text in NONSENSE:
            require(Check.UNREADABLE, self.read(text) is None, repr(text[:50]))
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
        self.check_moves(state, seat, moves)
        move = random_move(moves, FastChance(self.random))
        if careful:
            doubtful = self.check_legality(state, seat, moves)
            self.check_players(state, seat, moves)
            drafts = self.check_screens(state, seat)
            turn = PlannedMove(seat, move, (*moves, *doubtful), partial(self.setting.chance, len(self.record) + 1))
            self.secrecy.check(state, self.latest, drafts, turn)
        self.record.append(str(move))
        after, events = self.step(state, seat, move, careful)
        self.news.append(events)
        self.note(after, careful=careful)
        return after

    def step(self, state: Any, seat: Seat, move: Any, careful: bool) -> tuple[Any, tuple[Event, ...]]:
        """Make a move; a careful step is made twice."""
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
        """Check a new state as such, and keep its position, which the replay makes again."""
        _check_value(state)
        faults = self.game.audit(state)
        require(Check.AUDIT, faults == (), faults, state)
        position = self.game.encode_position(state)
        stable = not careful or position == self.game.encode_position(state)
        require(Check.POSITION, stable and position.isprintable() and position.strip() != "", repr(position))
        self.positions.append(position)
        for seat in (*self.everyone, None):
            one, other = self.game.view(state, seat), self.game.view(state, seat)
            require(Check.VALUES, one is other or one == other, "view", seat)

    def check_moves(self, state: Any, seat: Seat, moves: Sequence[Any]) -> None:
        """Check who is to move and what is offered."""
        require(Check.SEAT, seat in self.everyone, seat)
        require(Check.UNFINISHED, self.game.outcome(state) is None, state)
        require(Check.MOVES, len(moves) > 0, state)
        again = self.game.legal_moves(state)
        require(Check.STABLE, again is moves or tuple(moves) == tuple(again), state)
        if isinstance(moves, tuple) and again is moves:
            # Some games keep their lists of moves, and hand out the same ones time and again.
            if id(moves) in self.kept:
                return
            self.kept[id(moves)] = moves
        require(Check.UNIQUE, _count_distinct(moves) == len(moves), moves)
        kinds = [kind for kind, _ in groupby(map(type, moves))]
        require(Check.KINDS, len(set(kinds)) == len(kinds), kinds)

    def check_legality(self, state: Any, seat: Seat, moves: Sequence[Any]) -> list[Any]:
        """Check that moves, check, parse and play agree on what is legal; return moves that may not be."""
        for move in moves:
            text = str(move)
            require(Check.NOTATION, text.isprintable() and text == text.strip() and self.read(text) == move, text)
            require(Check.LEGAL, self.game.check(state, seat, move) is None, move)
        sample = self.random.choice(moves)
        for other in (*self.everyone, len(self.everyone)):
            if other != seat:
                refusal = self.game.check(state, other, sample)
                require(Check.OTHERS, refusal == Refusal(CommonReason.NOT_TO_MOVE), other, refusal)
                self.check_refused(state, other, sample, refusal)
        readable = (self.read(text) for text in self.doubtful(str(sample)))
        doubtful = [move for move in readable if move is not None and move not in moves]
        self.met = [*self.met[-_MAX_REMEMBERED_MOVES:], sample]
        for move in chain(doubtful, mutate_moves([*moves, *self.met], self.random, _MUTATED_MOVES)):
            if move not in moves:
                self.check_doubtful(state, seat, move, moves)
        self.seen.append(str(sample))
        return doubtful

    def check_doubtful(self, state: Any, seat: Seat, move: Any, moves: Sequence[Any]) -> None:
        """Check that a move which is not offered is refused, or does the same as one that is."""
        if refusal := check_answer(self.game, state, seat, move):
            self.check_refused(state, seat, move, refusal)
            return
        chance = partial(self.setting.chance, len(self.record) + 1)
        check_equivalent(lambda each: self.game.play(state, seat, each, chance()), move, moves)

    def doubtful(self, text: str) -> Iterator[str]:
        """Change a legal move's notation a little, and name moves of other positions."""
        words = text.split(" ")
        at = self.random.randrange(len(words))
        yield " ".join(words[:at] + words[at + 1 :])
        yield " ".join(words[:at] + [words[at]] * 2 + words[at + 1 :])
        yield " ".join((*words, str(self.random.randrange(12))))
        yield from (" ".join((*words[:at], str(number), *words[at + 1 :])) for number in range(11))
        yield " ".join(self.random.sample(words, len(words)))
        yield from (text + " ", " " + text, text.replace(" ", "  "), text.upper(), text + "\n")
        yield from self.random.sample(self.seen, min(3, len(self.seen)))

    def check_refused(self, state: Any, seat: Seat, move: Any, refusal: Refusal | None) -> None:
        """Check that play refuses as check does, and that there is a sentence for it."""
        try:
            self.game.play(state, seat, move, ScriptedChance(()))
        except (Refusal, AssertionError) as raised:
            require(Check.PLAY_REFUSES, raised == refusal, move, repr(raised), repr(refusal))
        else:
            raise BrokenContract(Check.PLAY_REFUSES, move)
        if refusal and not isinstance(refusal.reason, CommonReason):
            _check_sentence(self.package, refusal)

    def read(self, text: str) -> Any:
        """Read a move, each text once, for the position has no say in it; None when it is refused as unreadable."""
        if text not in self.reads:
            self.reads[text] = self.read_anew(text)
        return self.reads[text]

    def read_anew(self, text: str) -> Any:
        """Read a move; None when it is refused as unreadable."""
        try:
            return self.game.parse_move(text)
        except Refusal as refusal:
            require(Check.UNREADABLE, refusal.reason is CommonReason.UNREADABLE, repr(text[:50]), refusal)
            return None
        except Exception as fault:
            raise BrokenContract(Check.UNREADABLE, repr(text[:50]), repr(fault)) from fault

    def check_events(self, events: Sequence[Event]) -> None:
        """Check that events are values, and whom they are for."""
        _check_value(events)
        for event in events:
            require(Check.AUDIENCE, event.audience is None or event.audience in self.everyone, event)
        self.secrecy.check_events(events)

    def check_players(self, state: Any, seat: Seat, moves: Sequence[Any]) -> None:
        """Check what every computer player would do."""
        for level, player in self.package.strategies.items():
            choice = player(self.game.view(state, seat), moves, FastChance(self.random))
            require(Check.PLAYERS, choice in moves, level, choice)

    @property
    def latest(self) -> tuple[Event, ...]:
        """The events of the last round."""
        return tuple(event for events in self.news for event in events)

    def check_screens(self, state: Any, seat: Seat | None) -> list[Draft]:
        """Check the public screen, and that of a person who composes a move; return the drafts that were drawn."""
        self.check_screen(state, seat, None, EMPTY_DRAFT)
        self.check_pictures(state)
        # Where there are hands, a move is composed in front of everybody or in one's own hand.
        viewers = [seat] if self.package.build_hand_screen is None or seat is None else [None, seat]
        drafts, offers = [STRANGE_DRAFT], False
        for viewer in viewers:
            self.check_screen(state, seat, viewer, STRANGE_DRAFT)
            drafts.append(EMPTY_DRAFT)
            shown: Screen | None = None
            for _ in range(4):
                screen = self.check_screen(state, seat, viewer, drafts[-1])
                require(Check.PICKS, screen != shown, drafts[-2:], screen)
                shown = screen
                offers = any(screen.iter_controls()) or (offers and len(viewers) > 1)
                require(Check.OFFERED, viewer is not seat or offers == (seat is not None), screen)
                toggles = [control.effect for control in screen.iter_controls() if isinstance(control.effect, Toggle)]
                if not toggles:
                    break
                drafts.append(self.random.choice(toggles).apply(drafts[-1]))
        return drafts

    def check_screen(self, state: Any, seat: Seat | None, viewer: Seat | None, draft: Draft) -> Screen:
        """Check one screen: the public one, or that of somebody's own view, which is their hand where there is one."""
        view, news = self.game.view(state, viewer), visible_events(viewer, self.latest)
        screen = screen_function(self.package, viewer)(view, to_recent_events(news, self.names), self.names, draft)
        check_limits(screen, draft)
        require(Check.ACCENT, screen.accent is None or screen.accent in self.everyone, screen.accent)
        for control in screen.iter_controls():
            if isinstance(control.effect, Play):
                move = self.read(control.effect.move)
                legal = move is not None and seat is not None and self.game.check(state, seat, move) is None
                require(Check.PRESSABLE, legal, control)
        return screen

    def check_pictures(self, state: Any) -> None:
        """Check the picture of the table and of every hand, and that the table is told."""
        for viewer in (None, *self.everyone):
            maker = self.package.build_picture if viewer is None else self.package.build_hand_picture
            if maker is not None:
                picture = maker(self.game.view(state, viewer), visible_events(viewer, self.latest))
                require(Check.PICTURE, not (found := tuple(find_flaws(picture))), found)
        if self.package.build_reading is not None:
            told = self.package.build_reading(self.game.view(state, None), self.names)
            require(Check.TOLD, told.strip() != "" and all(name in told for name in self.names), told)

    def check_end(self, state: Any) -> None:
        """Check a game that is over."""
        require(Check.OVER, not self.game.legal_moves(state), state)
        for seat in self.everyone:
            refusal = self.game.check(state, seat, self.game.parse_move(self.record[-1]))
            require(Check.OVER, refusal == Refusal(CommonReason.GAME_OVER), seat, refusal)
        check_outcome(self.game.outcome(state), self.setting.seats)
        self.secrecy.check(state, self.latest, self.check_screens(state, None), None)

    def check_replay(self) -> None:
        """Play the record again, as a host does after a restart."""
        state = self.game.start(self.setting.options, self.setting.seats, self.setting.chance(0))
        positions = [self.game.encode_position(state)]
        for step, text in enumerate(self.record, 1):
            seat = self.game.seat_to_move(state)
            require(Check.REPLAY, seat is not None, step, text)
            state, _ = self.game.play(state, seat or 0, self.read(text), self.setting.chance(step))
            positions.append(self.game.encode_position(state))
        require(Check.REPLAY, positions == self.positions, positions, self.positions)


def _count_distinct(values: Sequence[Any]) -> int:
    """Return how many of the values differ."""
    try:
        return len(set(values))
    except TypeError as fault:
        raise BrokenContract(Check.VALUES, fault, values) from fault


def _check_value(value: Any) -> None:
    try:
        hash(value)
    except TypeError as fault:
        raise BrokenContract(Check.VALUES, fault, value) from fault


def _check_sentence(package: AnyPackage, refusal: Refusal) -> None:
    """Check that the facts of a refusal complete its sentence."""
    try:
        sentence = package.error_messages[refusal.reason].format(**refusal.facts)
    except LookupError as fault:
        raise BrokenContract(Check.SENTENCES, repr(refusal), repr(fault)) from fault
    require(Check.SENTENCES, sentence.strip() != "", repr(refusal))


def check_outcome(outcome: Outcome | None, seats: int) -> None:
    """Check that every seat has its place, ties share one, and the places they fill are left out."""
    if outcome is None:
        raise BrokenContract(Check.OUTCOME, "none")
    places = outcome.places
    ranked = all(place == 1 + sum(other < place for other in places) for place in places)
    sizes = (len(places), len(outcome.scores))
    require(Check.OUTCOME, sizes == (seats, seats) and ranked and isinstance(outcome.reason, EndReason), outcome)
