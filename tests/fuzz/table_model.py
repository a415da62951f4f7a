"""A second model of one table, derived from the writes by the rules of its game."""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bot.rules.chance import FairChance, RecordingChance
from bot.rules.game import Event
from bot.rules.refusals import Refusal
from bot.rules.screen import EMPTY_DRAFT, Draft, Play, Screen, ScreenBuilder, Toggle, to_news
from bot.tables.model import Entry, Header, Occupant, Status, TableId
from bot.tables.registry import AnyPackage
from tests.fuzz.acts import Act

REMEMBERED_STATES = 60
"""The number of remembered positions: computer players may move on before an answer is checked."""

_ENDS = ("done", "stop")
"""The moves with which a turn ends by itself if there is no other."""

_MASK = re.compile("[0-9a-f]{1,16}")


class UndoPoint(NamedTuple):
    """A move that can be taken back: whose it is, and the state and the news before it."""

    seat: int
    state: Any
    news: list[Sequence[Event]]


@dataclass(slots=True)
class TableModel:
    """A table as its writes tell it."""

    package: AnyPackage
    header: Header
    seats: tuple[Occupant, ...]
    entries: list[Entry] = field(default_factory=list)
    state: Any = None
    recent_states: deque[Any] = field(default_factory=lambda: deque(maxlen=REMEMBERED_STATES))
    """The newest positions, where there is anything to hide."""
    resigned: set[int] = field(default_factory=set)
    replaced: set[int] = field(default_factory=set)
    """Seats of people in whose place a computer player plays."""
    asked: set[int] = field(default_factory=set)
    acted: set[int] = field(default_factory=set)
    """Seats in which a move was made."""
    agreed: set[int] = field(default_factory=set)
    """The seats that have agreed to close the table since a person last moved."""
    undo_points: list[UndoPoint] = field(default_factory=list)
    """The moves of this turn that can be taken back one after another, oldest first."""
    news: list[Sequence[Event]] = field(default_factory=list)
    """What happened at each move, newest last."""
    drafts: list[Draft] = field(default_factory=list)
    """The drafts of the seat to move at this step, newest last."""
    hand_drafts: list[Draft] = field(default_factory=list)
    """The same for the drafts in its hand."""

    @property
    def id(self) -> TableId:
        """The table's number."""
        return self.header.id

    @property
    def to_move(self) -> int | None:
        """Whose turn it is by the rules of the game."""
        return self.package.game.seat_to_move(self.state) if self.header.status is Status.PLAYING else None

    @property
    def is_challenge(self) -> bool:
        """Whether the table has the bag of a day."""
        return len(self.seats) == 1 and self.seats[0].contribution.startswith(("daily:", "weekly:"))

    def seat_of(self, user_id: int) -> int | None:
        """Return the seat of a person."""
        return next((seat for seat, who in enumerate(self.seats) if who.user_id == user_id), None)

    def is_automatic(self, seat: int) -> bool:
        """Return whether no person plays in a seat."""
        return self.seats[seat].user_id is None or seat in self.resigned | self.replaced

    def start(self) -> None:
        """Set the game up, as the salt and the seed say."""
        options = self.package.game.info.options.model_validate_json(self.header.options)
        self.state = self.package.game.start(options, len(self.seats), self._chance(0))
        self._remember_state()

    def apply(self, entry: Entry) -> None:
        """Follow one more entry, which is known to be allowed."""
        self.entries.append(entry)
        undo_points, self.undo_points, self.drafts, self.hand_drafts = self.undo_points, [], [], []
        word, _, about = entry.text.partition(" ")
        match word:
            case "!resign":
                self.resigned.add(entry.seat)
                self.replaced.discard(entry.seat)
                self.agreed.discard(entry.seat)
            case "!back":
                self.replaced.discard(entry.seat)
            case "!substitute":
                self.replaced.add(int(about))
            case "!ask":
                self.asked.add(entry.seat)
            case "!close":
                self.agreed.add(entry.seat)
            case "!undo":
                *self.undo_points, (_, self.state, self.news) = undo_points
            case _:
                self._apply_move(entry, undo_points)
        self._remember_state()

    def _remember_state(self) -> None:
        if self._build_hand is not None:
            self.recent_states.append(self.state)

    def _apply_move(self, entry: Entry, undo_points: list[UndoPoint]) -> None:
        game, earlier = self.package.game, UndoPoint(entry.seat, self.state, self.news)
        chance = RecordingChance(self._chance(entry.step))
        self.state, events = game.play(self.state, entry.seat, game.parse_move(entry.text), chance)
        revealed = chance.draws or any(event.reveals_information for event in events)
        if not revealed and not self.is_automatic(entry.seat):
            same_turn = [
                each
                for each in undo_points
                if each.seat == entry.seat and game.turn_of(each.state) == game.turn_of(earlier.state)
            ]
            find, view = self.package.mind.find_forced_end, game.view(earlier.state, None)
            is_forced = find is not None and find(view) is not None
            self.undo_points = same_turn if is_forced else [*same_turn, earlier]
        self.news = [*self.news, events]
        self.asked.clear()
        self.acted.add(entry.seat)
        if not self.is_automatic(entry.seat):
            self.agreed.clear()

    @property
    def people(self) -> set[int]:
        """The seats of people who have not resigned."""
        return {seat for seat, who in enumerate(self.seats) if who.user_id is not None} - self.resigned

    @property
    def needs_agreement_to_close(self) -> bool:
        """Whether no one may close the table alone any more: every seat has acted in a game that is played."""
        is_shared = not self.package.game.info.is_solo
        is_played = self.header.status is Status.PLAYING and is_shared
        return is_played and self.acted == set(range(len(self.seats)))

    def is_closed(self) -> bool:
        """Return whether all players, at least two, have agreed to close the table."""
        return len(self.people) > 1 and self.people <= self.agreed

    def status(self) -> Status:
        """Return how far a game must have come that has begun."""
        if self.is_closed():
            return Status.CANCELLED
        return Status.FINISHED if self.is_over() else Status.PLAYING

    def is_over(self) -> bool:
        """Return whether the game is over, or too many players have resigned."""
        stayed = [who for seat, who in enumerate(self.seats) if seat not in self.resigned]
        left_alone = bool(self.resigned) and (len(stayed) < 2 or all(who.user_id is None for who in stayed))
        return left_alone or self.package.game.seat_to_move(self.state) is None

    def _chance(self, step: int) -> FairChance:
        return FairChance(self.header.seed, self.header.salt, step)

    def effect_of(self, key: str, draft: Draft, viewer: int | None = None) -> Play | Toggle | None:
        """Return the effect of a control of the screen, or of the viewer's hand, or None if it is missing."""
        screen = self.screen(draft) if viewer is None else self.hand(draft, viewer)
        control = screen.find_control(key) if screen else None
        return control.effect if control else None

    def hand(self, draft: Draft, viewer: int) -> Screen | None:
        """Return the hand screen of a seat, or None if the game has no hands."""
        return self._hand_at(self.state, draft, viewer)

    def _hand_at(self, state: Any, draft: Draft, viewer: int) -> Screen | None:
        if self._build_hand is None:
            return None
        view = self.package.game.view(state, viewer)
        return self._build_hand(view, (), [who.name for who in self.seats], draft)

    @property
    def _build_hand(self) -> ScreenBuilder[Any, Any] | None:
        """What builds hands; a challenge is shown to its player alone."""
        return self.package.words.build_screen if self.is_challenge else self.package.words.build_hand_screen

    def shows_hand(self, seat: int, title: str, text: str) -> bool:
        """Tell whether what was shown is the hand of a seat, as it is or was a moment ago, and nothing of another's.

        Nothing is assumed of a hand's layout: a line gives another seat away if only that seat's hand has it.
        """
        own = list(self._recent_hands(seat))
        lines = {line for hand in own for line in hand.text.splitlines()}
        others = {
            line
            for other in range(len(self.seats))
            if other != seat
            for hand in self._recent_hands(other)
            for line in hand.text.splitlines()
        }
        return any(hand.title == title for hand in own) and not (others - lines).intersection(text.splitlines())

    def _recent_hands(self, seat: int) -> Iterator[Screen]:
        hands = (self._hand_at(state, EMPTY_DRAFT, seat) for state in self.recent_states)
        return (hand for hand in hands if hand is not None)

    def screen(self, draft: Draft) -> Screen:
        """Return what everyone sees."""
        view = self.package.game.view(self.state, None)
        newest = self.news[-len(self.seats) :]
        news = [event for events in newest for event in events if event.audience is None]
        names = [who.name for who in self.seats]
        return self.package.words.build_screen(view, to_news(news, names), names, draft)

    def is_at(self, act: Act) -> bool:
        """Return whether a person acts in the table's channel; a challenge is wherever its player is."""
        location = self.header.location
        if self.is_challenge:
            return self.seat_of(act.person.id) is not None
        return (location.guild_id, location.channel_id) == (act.location.guild_id, act.location.channel_id)

    def is_legal(self, entry: Entry) -> bool:
        """Return whether an entry is a legal move of its seat."""
        game = self.package.game
        try:
            move = game.parse_move(entry.text)
        except Refusal:
            return False
        return str(move) == entry.text and game.check(self.state, entry.seat, move) is None

    def is_forced_end(self, entry: Entry) -> bool:
        """Return whether an entry is the only legal move, and one that ends a turn."""
        moves = self.package.game.legal_moves(self.state)
        return [entry.text] == list(map(str, moves)) and entry.text.split(" ")[0] in _ENDS


def parse_draft(mask: str) -> Draft | None:
    """Read the picks in the id of a button, or None if no button of the bot has such an id."""
    return frozenset(_set_bits(int(mask, 16))) if _MASK.fullmatch(mask) else None


def _set_bits(bits: int) -> Iterator[int]:
    return (at for at in range(bits.bit_length()) if bits >> at & 1)
