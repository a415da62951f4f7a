"""How to play Magpie."""

from collections.abc import Iterator
from functools import partial

from bot.games.magpie.picture import how_to_play as pictures
from bot.games.magpie.pieces import MagpieOptions
from bot.rules.guide import Guide, GuidePage
from bot.words import N_, gettext as _


def _build_pages(options: MagpieOptions) -> tuple[GuidePage, ...]:
    return (*_usual_pages(options), *_option_pages(options), _end_page(options))


def _usual_pages(options: MagpieOptions) -> Iterator[GuidePage]:
    """Yield goal, turn and scoring. Rules MP-4 to MP-8."""
    yield GuidePage(
        _("The goal"),
        _(
            "Everyone shares the same five dice. On your turn, re-roll some of them to collect matching faces. "
            "Once someone has **{target}** points, everyone else gets one last turn; then the most points win."
        ).format(target=options.target),
        partial(pictures.draw_goal, options.target),
    )
    yield GuidePage(
        _("Your turn"),
        _(
            "The dice stay on the table from turn to turn. Tap the dice to keep and roll the others, once: one to "
            "five dice. You score the combination that all five make now.\n"
            "The more dice you roll, the more it pays, and the more you risk."
        ),
        pictures.draw_turn,
    )
    yield GuidePage(
        _("Scoring"),
        _(
            "Each combination has a value: two pair **1**, three of a kind **2**, full house **4**, four of a kind "
            "**7**, five of a kind **11**. You score it once for every die you rolled.\n"
            "A full house with two rolled dice: 2 × 4 = 8 points."
        ),
        pictures.draw_scoring,
    )
    yield GuidePage(
        _("No points"),
        _(
            "At least one die that you rolled must be part of the combination. If you leave four ones on the table and "
            "roll only the fifth die, the ones score nothing, unless that die shows a one, too."
        ),
        pictures.draw_nothing,
    )
    yield GuidePage(
        _("Fresh dice"),
        _(
            "After five of a kind, all five dice are re-rolled at once, for no points, so that the next "
            "player starts fresh."
        ),
        pictures.draw_fresh_dice,
    )


def _option_pages(options: MagpieOptions) -> Iterator[GuidePage]:
    """Yield the variations that the table uses. Rules MP-V1 to MP-V3."""
    if options.double_big_rolls:
        yield GuidePage(
            _("Double big rolls"),
            _("At this table, combinations pay double if you roll three, four or five dice."),
            pictures.draw_double,
            "double_big_rolls",
        )
    if options.reroll_fours:
        yield GuidePage(
            _("Re-roll fours"),
            _("At this table, a four of a kind that scores brings fresh dice, too."),
            pictures.draw_reroll_fours,
            "reroll_fours",
        )
    if options.five_dice_bonus:
        yield GuidePage(
            _("Five-dice bonus"),
            _("At this table, rolling all five dice always brings at least 7 points. The 7 is never doubled."),
            pictures.draw_five_dice,
            "five_dice_bonus",
        )


def _end_page(options: MagpieOptions) -> GuidePage:
    """Return start and end. Rules MP-2, MP-3, MP-9 and MP-10."""
    text = _(
        "Everyone rolls five dice at first, and the highest total starts. The opening dice don't score.\n"
        "Once a player has **{target}** points, everyone else gets one last turn. The highest score wins; equal scores "
        "share the win."
    )
    return GuidePage(_("Start and end"), text.format(target=options.target), partial(pictures.draw_end, options.target))


GUIDE = Guide(
    summary=N_("Five dice that everyone shares: re-roll some of them to collect matching faces."),
    build_pages=_build_pages,
)
