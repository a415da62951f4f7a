"""The guide to Magpie, its error messages and the names of combinations."""

from bot.games.magpie.pieces import Combination, MagpieOptions, MagpieReason
from bot.rules.package import Guide
from bot.rules.refusals import RefusalReason
from bot.rules.screen import make_fields
from bot.words import N_, gettext as _

COMBINATION_NAMES = {
    Combination.TWO_PAIR: N_("two pair"),
    Combination.THREE_OF_A_KIND: N_("three of a kind"),
    Combination.FULL_HOUSE: N_("full house"),
    Combination.FOUR_OF_A_KIND: N_("four of a kind"),
    Combination.FIVE_OF_A_KIND: N_("five of a kind"),
}

ERROR_MESSAGES: dict[RefusalReason, str] = {
    MagpieReason.NO_DICE: N_("Pick at least one die to roll."),
    MagpieReason.NO_SUCH_DIE: N_("There's no die {die}. The dice are numbered 1 to 5, left to right."),
    MagpieReason.DIE_TWICE: N_("You named die {die} twice. Name each die once."),
    MagpieReason.OUT_OF_ORDER: N_("Name the dice in order, lowest number first."),
}

GUIDE = Guide(
    summary=N_("Five dice that everyone shares: re-roll some of them to collect matching faces."),
    sections=make_fields(
        {
            N_("Your turn"): N_(
                "The five dice stay on the table from turn to turn. Pick one to five of them and roll just "
                "those, once. You score the combination that all five now make, as long as at least one die you "
                "rolled is part of it. The more dice you risk, the more it pays."
            ),
            N_("Points for each die you rolled"): N_(
                "two pair **1**\nthree of a kind **2**\nfull house **4**\nfour of a kind **7**\nfive of a kind **11**"
            ),
            N_("Fresh dice"): N_(
                "After five of a kind you re-roll all five dice for no points, so the next player starts fresh."
            ),
            N_("Start and end"): N_(
                "Everyone rolls five dice, and the highest total starts. The opening dice don't score. Once "
                "someone reaches the target (100 unless you chose another), everyone else gets one last turn. "
                "The highest score wins; equal scores share the win."
            ),
        }
    ),
)


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
