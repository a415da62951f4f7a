"""Magpie's error messages, and the names of combinations and options."""

from bot.games.magpie.pieces import Combination, MagpieOptions, MagpieReason
from bot.rules.refusals import RefusalReason
from bot.words import N_, gettext as _

COMBINATION_NAMES = {
    Combination.TWO_PAIR: N_("two pair"),
    Combination.THREE_OF_A_KIND: N_("three of a kind"),
    Combination.FULL_HOUSE: N_("full house"),
    Combination.FOUR_OF_A_KIND: N_("four of a kind"),
    Combination.FIVE_OF_A_KIND: N_("five of a kind"),
}

ERROR_MESSAGES: dict[RefusalReason, str] = {
    MagpieReason.NO_DICE: N_("Tap at least one die to roll."),
    MagpieReason.NO_SUCH_DIE: N_("There's no die {die}. The dice are numbered 1 to 5, left to right."),
    MagpieReason.DIE_TWICE: N_("You named die {die} twice. Name each die once."),
    MagpieReason.OUT_OF_ORDER: N_("Name the dice in order, lowest number first."),
}

_DEFAULTS = MagpieOptions()


def describe_options(options: MagpieOptions) -> tuple[str, ...]:
    """Name the options that differ from the defaults."""
    variations = (
        (options.target != _DEFAULTS.target, _("first to {target}").format(target=options.target)),
        (options.double_big_rolls, _("double points for three or more dice")),
        (options.reroll_fours, _("fresh dice after four of a kind")),
        (options.five_dice_bonus, _("7+ points for rolling all five")),
    )
    return tuple(text for chosen, text in variations if chosen)
