"""A finished game with all its positions, and the reasons why there is none."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import Final

from bot.rules.package import ends_turn
from bot.rules.refusals import RefusalReason
from bot.tables.highlights import SeatHighlight, newest_highlight
from bot.tables.model import Entry
from bot.tables.replay import control_entry_of
from bot.tables.table import Table
from bot.words import N_


class ReplayReason(RefusalReason):
    """Why there is no replay, or no animation."""

    NOTHING_TO_REPLAY = "nothing_to_replay"
    UNKNOWN_REPLAY = "unknown_replay"
    NOT_OVER = "not_over"
    NO_REPLAY = "no_replay"
    NO_ANIMATION = "no_animation"
    NO_ANIMATION_OF_CHALLENGES = "no_animation_of_challenges"


REPLAY_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    ReplayReason.NOTHING_TO_REPLAY: N_(
        "No one has finished a game here yet, so there's nothing to replay. `/play` lists the games."
    ),
    ReplayReason.UNKNOWN_REPLAY: N_(
        "That game wasn't played here. Choose one that `/table replay` suggests, or leave it out for the newest."
    ),
    ReplayReason.NO_ANIMATION: N_("This game has no pictures here. *Share* below its result posts it in words."),
    ReplayReason.NO_ANIMATION_OF_CHALLENGES: N_(
        "Its replay would show the dice to people who haven't played yet. *Share* below its result posts it without "
        "them."
    ),
    ReplayReason.NOT_OVER: N_("This game isn't finished, so there's nothing to replay yet: {link}"),
    ReplayReason.NO_REPLAY: N_("The rules have changed since this game was played, so it can't be replayed."),
}
"""The message for each reason."""


_MAX_HIGHLIGHTS: Final = 10


@dataclass(frozen=True)
class Replay:
    """A finished game with all its positions."""

    entries: tuple[Entry, ...]
    stages: tuple[Table, ...]
    """The table after the setup, and after each entry."""

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.entries)

    @cached_property
    def turn_starts(self) -> tuple[int, ...]:
        """The steps at which turns start; the first is step 0."""
        game, states = self.stages[0].package.game, [stage.state for stage in self.stages]
        ends = (ends_turn(game, before, after) for before, after in pairwise(states[:-1]))
        return (0, *(step for step, is_end in enumerate(ends, 1) if is_end))

    @property
    def highlights(self) -> Mapping[int, SeatHighlight]:
        """The weightiest highlights by step, in order: at most one per turn, with good and late ones preferred."""
        found = ((step, newest_highlight(self.stages[step])) for step in self._highlight_steps)
        return {step: highlight for step, highlight in found if highlight is not None}

    @cached_property
    def _highlight_steps(self) -> tuple[int, ...]:
        found = {
            step: highlight
            for step, entry in enumerate(self.entries, 1)
            if control_entry_of(entry) is None and (highlight := newest_highlight(self.stages[step]))
        }

        def rank(step: int) -> tuple[int, bool, int]:
            _seat, highlight = found[step]
            return highlight.weight, highlight.is_good, step

        by_turn: dict[int, int] = {}
        for step in sorted(found, key=rank, reverse=True):
            by_turn.setdefault(self.turn_at(step - 1), step)
        return tuple(sorted(islice(by_turn.values(), _MAX_HIGHLIGHTS)))

    def turn_at(self, step: int) -> int:
        """Return the number of the turn at a step, from 1; after the end, return the last turn."""
        return bisect_right(self.turn_starts, step)

    def start_of_turn(self, number: int) -> int:
        """Return the first step of the turn with the nearest number."""
        return self.turn_starts[max(1, min(len(self.turn_starts), number)) - 1]

    def previous_turn(self, step: int) -> int:
        """Return the start of the turn before a step; in the middle of a turn, return that turn's start."""
        return self.turn_starts[max(0, bisect_left(self.turn_starts, step) - 1)]

    def next_turn(self, step: int) -> int:
        """Return the start of the turn after a step; in the last turn, return the end of the game."""
        number = bisect_right(self.turn_starts, step)
        return self.turn_starts[number] if number < len(self.turn_starts) else self.last
