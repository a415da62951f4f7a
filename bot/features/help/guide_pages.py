"""Renders the pages of a game's guide."""

import discord

from bot.features.help.ids import GuidePageId, HelpId, HelpTopic, LessonId
from bot.platform.discord.content import Button, MessageContent
from bot.platform.paging import Page, clamp_page
from bot.rules.game import GameInfo, Options
from bot.rules.options import encode_options
from bot.rules.package import minutes_of, on_surface
from bot.tables.registry import AnyPackage
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.words import format_minutes, format_number, gettext as _


def render_guide_page(package: AnyPackage, options: Options, number: int) -> MessageContent:
    """Render the page of a guide nearest to a number, with buttons to the pages around it.

    Args:
        package: The game.
        options: The options of the table that the guide is for; they decide which pages there are.
        number: The page, from 1.
    """
    info, pages = package.game.info, package.guide.build_pages(options)
    page = clamp_page(number, len(pages), 1)
    shown = pages[page.number - 1]
    title = _("{game} · {page}").format(game=info.title, page=shown.title)
    embed = discord.Embed(title=title, description=shown.text, colour=SEAT_COLOURS[0])
    place = _("Page {number} of {count}").format(number=format_number(page.number), count=format_number(page.count))
    facts = (player_count_text(info), duration_text(package, options)) if page.number == 1 else ()
    credit = (_(info.credits),) if page.number == page.count else ()
    embed.set_footer(text="\n".join((" · ".join((place, *facts)), *credit)))
    return MessageContent(
        embed.to_dict(),
        _page_buttons(package, page, options),
        make_picture=lambda: on_surface(package, shown.build_picture()),
    )


def _page_buttons(package: AnyPackage, page: Page, options: Options) -> tuple[tuple[Button, ...], ...]:
    """Return a row with buttons to the pages around one; their labels are short, so that they stay in place.

    Before the first page is the list of games, except for a table with options of its own: the list doesn't know them.
    The first and the last page lead to the lesson.
    """
    game, texts = package.game.info.key, encode_options(options)
    buttons = []
    if page.number > 1:
        buttons.append(Button(_("◀ Back"), str(GuidePageId(game, page.number - 1, texts))))
    elif options == package.game.info.options():
        buttons.append(Button(_("◀ Games"), str(HelpId(HelpTopic.GUIDES))))
    if page.number < page.count:
        style = discord.ButtonStyle.primary
        buttons.append(Button(_("Next ▶"), str(GuidePageId(game, page.number + 1, texts)), style))
    if package.lesson is not None and page.number in (1, page.count):
        buttons.append(Button(_("Learn by playing"), str(LessonId(game))))
    return (tuple(buttons),) if buttons else ()


def player_count_text(info: GameInfo[Options]) -> str:
    """Return the number of players of a game as text."""
    if info.is_solo:
        return _("1 player")
    return _("{least} to {most} players").format(least=info.least_seats, most=info.most_seats)


def duration_text(package: AnyPackage, options: Options) -> str:
    """Return how long a game takes, with the fewest and with the most players."""
    info = package.game.info
    return format_minutes(*(minutes_of(package, options, seats) for seats in (info.least_seats, info.most_seats)))
