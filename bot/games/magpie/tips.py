"""Tips for people who are new to Magpie."""

from collections.abc import Iterator, Sequence

from bot.games.magpie.events import GameEvent, Rolled, TableCleared
from bot.games.magpie.guide import COMBINATION_NAMES
from bot.games.magpie.pieces import Combination, State
from bot.games.magpie.scoring import combination_of
from bot.rules.tips import Tip
from bot.words import gettext as _, ngettext


def find_tips(view: State, events: Sequence[GameEvent]) -> Iterator[Tip]:
    """Yield the combinations that were just rolled for points, then what to do with the dice."""
    for event in reversed(events):
        if isinstance(event, TableCleared):
            text = _("Fresh dice: all five were re-rolled at once, for no points.")
            yield Tip("fresh", text, is_explanation=True)
        if isinstance(event, Rolled) and event.combination is not None:
            yield _explain(event.combination)
    if view.trigger is not None:
        yield Tip("last", _("This is your last turn: roll enough dice to catch up."))
    yield from _dice_tips(view)
    yield Tip("count", _("You score once for every die you roll: more dice pay more, but risk more."))
    if view.options.double_big_rolls:
        yield Tip("double", _("At this table, rolling three or more dice pays double."))


def _explain(combination: Combination) -> Tip:
    name = _(COMBINATION_NAMES[combination])
    line = ngettext(
        "{combination} pays {points} point for each die you roll.",
        "{combination} pays {points} points for each die you roll.",
        combination,
    )
    text = line.format(combination=name[:1].upper() + name[1:], points=int(combination))
    return Tip(f"combination-{int(combination)}", text, is_explanation=True)


def _dice_tips(view: State) -> Iterator[Tip]:
    """Yield what the dice on the table suggest. Rules MP-4 to MP-7."""
    combination, _members = combination_of(view.faces)
    match combination:
        case Combination.TWO_PAIR:
            if not view.options.five_dice_bonus:
                yield Tip("two-pair", _("Keep only one of the pairs: rolling three dice pays three times."))
        case Combination.FULL_HOUSE | Combination.FOUR_OF_A_KIND:
            yield Tip("matches", _("This combination pays only if a die you roll becomes part of it."))
        case _ if len(set(view.faces)) == len(view.faces):
            yield Tip("nothing", _("No dice match. Roll all five: whatever they make pays five times."))
        case _:
            yield Tip("keep", _("Tap the dice that match to keep them, then roll the others."))
