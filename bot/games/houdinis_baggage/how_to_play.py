"""How to play Mr. Houdini's Baggage."""

from collections.abc import Iterator
from functools import partial

from bot.games.houdinis_baggage.picture import how_to_play as pictures
from bot.games.houdinis_baggage.pieces import BaggageOptions
from bot.rules.guide import Guide, GuidePage
from bot.words import N_, gettext as _


def _build_pages(options: BaggageOptions) -> tuple[GuidePage, ...]:
    return (*_search_pages(options), *_placement_pages(), *_bonus_pages(), _end_page(options))


def _search_pages(options: BaggageOptions) -> Iterator[GuidePage]:
    """Yield goal, values and search. Rules HB-1 to HB-5."""
    yield GuidePage(
        _("The goal"),
        _(
            "Open coloured shapes and pack them into your two assignments. A complete assignment scores its points and "
            "gives you a bonus for the next ones. Reach **{target}** points."
        ).format(target=options.target),
        partial(pictures.draw_goal, options.target),
    )
    yield GuidePage(
        _("Baggage and values"),
        _(
            "Each baggage card has one of four colours and one of four shapes; there are four copies of each. The "
            "value of a colour is how many cards of that colour you have open, and the same goes for shapes."
        ),
        pictures.draw_values,
    )
    yield GuidePage(
        _("1. Search"),
        _("Open at least one card, one at a time, and stop whenever you like. More cards make higher values."),
        pictures.draw_search,
    )
    yield GuidePage(
        _("Twins"),
        _(
            "If you draw a card that looks exactly like an open one, your turn ends immediately: keep one of the open "
            "cards in your bank, and discard the rest."
        ),
        pictures.draw_twin,
    )


def _placement_pages() -> Iterator[GuidePage]:
    """Yield placement and completion. Rules HB-6 to HB-11."""
    yield GuidePage(
        _("2. Placing cards"),
        _(
            "Put open cards on free items of your assignments, one at a time. *Triangle 3* takes a triangle while the "
            "value of triangles is exactly 3, no more and no less."
        ),
        pictures.draw_placing,
    )
    yield GuidePage(
        _("Order and bank"),
        _(
            "Placed cards no longer count, so values fall and the order matters. While placing, you can add cards "
            "from your bank, but not twins of open cards. Open cards left at the end are discarded; cards on an "
            "assignment stay until it is complete."
        ),
        pictures.draw_order,
    )
    yield GuidePage(
        _("3. Completing"),
        _(
            "Fill every item of an assignment to score its points. Its bonus is yours from your next turn on. Then "
            "choose from the open assignments until you have two again."
        ),
        pictures.draw_completion,
    )


def _bonus_pages() -> Iterator[GuidePage]:
    """Yield the bonuses. Rules HB-12 and HB-B1 to HB-B5."""
    yield GuidePage(
        _("Bonuses: changes"),
        _(
            "You can use each bonus once a turn, for a single placement, and combine several.\n"
            "With *red counts as green*, all your open red cards are green. Changes chain, colours and shapes "
            "separately."
        ),
        pictures.draw_changes,
    )
    yield GuidePage(
        _("More bonuses"),
        _(
            "*+1*: the colour or shape that the item asks for is worth one more, after all changes.\n"
            "*Move baggage*: move a card from an item to another free one with its colour or shape, whatever the "
            "number. This isn't a placement.\n"
            "*Another's bonus*: use a bonus from another player's completed assignments. They lose nothing."
        ),
        pictures.draw_other_bonuses,
    )


def _end_page(options: BaggageOptions) -> GuidePage:
    """Return start and end. Rules HB-1, HB-E1 and HB-E2."""
    text = _(
        "Everyone starts with a 1-point and a 2-point assignment; the first player is random. Once a player has "
        "**{target}** points, finish the round so that everyone has had the same number of turns. Most points win. "
        "Ties go to the player with more completed 6-point assignments, then 5-point ones, and so on; if all are "
        "equal, the win is shared."
    )
    return GuidePage(_("Start and end"), text.format(target=options.target), partial(pictures.draw_end, options.target))


GUIDE = Guide(
    summary=N_("Open coloured shapes for as long as you dare, and pack them into assignments."),
    build_pages=_build_pages,
)
