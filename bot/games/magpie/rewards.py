"""The badges of Magpie, and its luckiest rolls."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.games.magpie.facts import find_leaders
from bot.games.magpie.minds.roll_values import chance_of_points
from bot.games.magpie.pieces import DICE_COUNT, Combination, GameEvent, Roll, Rolled, State
from bot.games.magpie.words import COMBINATION_LABELS
from bot.rules.components import die_marks
from bot.rules.game import Seat
from bot.rules.picture import ColourRole, Label, Mark, Sprite
from bot.rules.rewards import MEDAL_FACE, Feat, FeatKind, GameBadge, medal
from bot.words import N_, gettext as _

_FEATHER: Final = 3
"""The most points that a win by a feather is by."""


def _shining_five(_before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Seat]:
    """Rule MP-6."""
    for event in events:
        if isinstance(event, Rolled) and event.combination is Combination.FIVE_OF_A_KIND:
            yield event.seat


def _full_nest(_before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Seat]:
    """Rule MP-6."""
    for event in events:
        match event:
            case Rolled(seat, dice, combination=Combination.FULL_HOUSE) if len(dice) == DICE_COUNT:
                yield seat
            case _:
                pass


def _one_is_enough(_before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Seat]:
    """Rules MP-5 and MP-6."""
    for event in events:
        if isinstance(event, Rolled) and event.combination is Combination.FOUR_OF_A_KIND and len(event.dice) == 1:
            yield event.seat


def _by_a_feather(_before: State, _events: Sequence[GameEvent], after: State) -> Iterator[Seat]:
    """Rules MP-9 and MP-10."""
    winner = _find_winner(after)
    if winner is not None and after.scores[winner] - sorted(after.scores)[-2] <= _FEATHER:
        yield winner


def _snatched(_before: State, _events: Sequence[GameEvent], after: State) -> Iterator[Seat]:
    """Rule MP-9."""
    winner = _find_winner(after)
    if winner is not None and winner != after.trigger:
        yield winner


def _find_winner(state: State) -> Seat | None:
    """Return the only winner over others, or None; each move asks this."""
    if state.mover is not None or state.is_alone:
        return None
    winner, *others = find_leaders(state)
    return None if others else winner


def _medal(*motif: Mark) -> tuple[Mark, ...]:
    return medal(ColourRole.SEAT_1, *motif)


BADGES: Final = (
    GameBadge(
        "shining_five",
        N_("Shining Five"),
        N_("Score five of a kind."),
        _medal(Label("×5", MEDAL_FACE, ColourRole.TEXT, 52, bold=True)),
        _shining_five,
    ),
    GameBadge(
        "full_nest",
        N_("Full Nest"),
        N_("Roll a full house with all five dice."),
        _medal(Label("3+2", MEDAL_FACE, ColourRole.TEXT, 40, bold=True)),
        _full_nest,
    ),
    GameBadge(
        "one_is_enough",
        N_("One Is Enough"),
        N_("Make four of a kind by rolling a single die."),
        _medal(*die_marks(1, MEDAL_FACE.inset(8), ColourRole.RED)),
        _one_is_enough,
    ),
    GameBadge(
        "by_a_feather",
        N_("By a Feather"),
        N_("Win by three points or fewer."),
        _medal(Label("+3", MEDAL_FACE, ColourRole.TEXT, 52, bold=True)),
        _by_a_feather,
    ),
    GameBadge(
        "snatched",
        N_("Snatched"),
        N_("Win three games in which others reached the target first."),
        _medal(Sprite("magpie/magpie", MEDAL_FACE.center(69, 74))),
        _snatched,
        games=3,
    ),
)


def find_feats(before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Feat]:
    """Yield a roll with a combination, by the chance of as many points or more."""
    for event in events:
        if isinstance(event, Rolled) and event.combination is not None:
            chance = chance_of_points(before.options, before.faces, Roll(event.dice), event.points)
            yield Feat(FeatKind.LUCK, event.seat, 1 - chance, event.combination)


def name_roll(combination: int) -> str:
    """Return the name of a combination, by the points that it makes."""
    return _(COMBINATION_LABELS[Combination(combination)])
