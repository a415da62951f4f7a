"""Renders the help: short texts with buttons to further topics."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import discord

from bot.platform.discord.content import Button, MessageContent, embed_fields
from bot.platform.discord.ids import CustomId
from bot.platform.discord.menus import SelectMenu, SelectOption
from bot.platform.paging import Page, clamp_page
from bot.reading_order import whole_in_reading_order
from bot.rules.components import cover_marks
from bot.rules.game import GameInfo, Options
from bot.rules.options import encode_options
from bot.rules.package import minutes_of, on_surface
from bot.rules.picture import PICTURE_WIDTH, Align, Box, ColourRole, Label, Mark, Picture, Rect
from bot.rules.screen import MAX_MENU_LINES, MAX_ROW_WIDTH, Field
from bot.tables.handlers.ids import GuideId
from bot.tables.registry import AnyPackage
from bot.tables.shown.buttons import MAX_ROWS
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.words import (
    N_,
    format_minutes,
    format_number,
    gettext as _,
    join_items,
    ngettext,
    pgettext,
    round_minutes,
    wrap_words,
)


class HelpTopic(StrEnum):
    """The topics of the help."""

    START = "start"
    PLAY = "play"
    GUIDES = "guides"
    LEARN = "learn"
    COMMANDS = "commands"
    ABOUT = "about"


@dataclass(frozen=True)
class GuidePageId(CustomId, prefix="e"):
    """A page of a guide. The id carries the options that decide which pages exist, in the order of their fields."""

    game: str
    page: int
    options: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.prefix}:{self.game}:{self.page}:{','.join(self.options)}"


@dataclass(frozen=True)
class HelpId(CustomId, prefix="f"):
    """A button of the help."""

    topic: HelpTopic


@dataclass(frozen=True)
class LessonId(CustomId, prefix="L"):
    """The button that opens a game's lesson."""

    game: str


@dataclass(frozen=True)
class GameMenuId(CustomId, prefix="1"):
    """A menu of games, whose values are custom ids."""

    page: int


def render_guide_page(package: AnyPackage, options: Options, number: int) -> MessageContent:
    """Render the page of a guide nearest to a number, with buttons to the neighbouring pages.

    Args:
        package: The game.
        options: The options of the table whose guide it is; they decide which pages exist.
        number: The page, from 1.
    """
    info, pages = package.game.info, package.study.guide.build_pages(options)
    page = clamp_page(number, len(pages), 1)
    shown = pages[page.number - 1]
    title = _("{game} · {page}").format(game=_(info.title), page=shown.title)
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
    """Return the row of buttons to the neighbouring pages; short labels keep the buttons in place.

    The list of games precedes the first page, except for a table with its own options, which the list doesn't know. The
    first and the last page lead to the lesson.
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
    if package.study.lesson is not None and page.number in (1, page.count):
        buttons.append(Button(_("Learn by playing"), str(LessonId(game))))
    return (tuple(buttons),) if buttons else ()


def player_count_text(info: GameInfo[Options]) -> str:
    """Return the number of players of a game as text."""
    if info.is_solo:
        return _("1 player")
    line = ngettext("{least} to {most} player", "{least} to {most} players", info.most_seats)
    return line.format(least=info.least_seats, most=info.most_seats)


def duration_text(package: AnyPackage, options: Options) -> str:
    """Return the duration of a game, with the fewest and with the most players."""
    info = package.game.info
    short, long = (minutes_of(package, options, seats) for seats in (info.least_seats, info.most_seats))
    if round_minutes(short) == round_minutes(long):
        return format_minutes(short)
    # Translators: {least} and {most} are numbers of players: "about 10 minutes for 2, 40 for 6".
    return _("{time} for {least}, {longer} for {most}").format(
        time=format_minutes(short), least=info.least_seats, longer=round_minutes(long), most=info.most_seats
    )


MAX_BUTTONS = 15
"""With more games than this, menus replace the buttons and the picture."""

_MARGIN, _GAP, _PADDING = 24, 16, 14
_ROW_HEIGHT = 212
_COVER_SIZE = (300, 132)
_TITLE_HEIGHT, _LINE_HEIGHT = 58, 44
_TITLE_SIZE, _TEXT_SIZE = 44, 36
_LINE_LENGTH = 29
"""The most characters of a line, which stands next to the cover."""

_MAX_LINES = 3


def render_game_list(
    packages: Sequence[AnyPackage], id_of: Callable[[AnyPackage], CustomId], text: str, *more: Button
) -> MessageContent:
    """Render the games, with a button or a line of a menu for each.

    Args:
        packages: The games.
        id_of: Returns the custom id of a game's button.
        text: The text above the list.
        more: Further buttons, below the games.
    """
    buttons, menus = _choices(packages, id_of)
    line = _("**{game}** ({players}): {summary}")
    summaries = "\n".join(
        line.format(
            game=_(package.game.info.title),
            players=player_count_text(package.game.info),
            summary=_(package.study.guide.summary),
        )
        for package in packages
    )
    fields = (Field(_("The games in short"), summaries),) if buttons else ()
    embed = discord.Embed(title=_("Games"), description=text, colour=SEAT_COLOURS[0]).to_dict()
    make_picture = game_list_picture(packages)
    rows = (*buttons, more)
    # The picture shows the content of the field.
    text_embed = {**embed, "fields": embed_fields(fields)}
    return MessageContent(text_embed, rows, menus, make_picture, picture_embed_json={"fields": []})


def _choices(
    packages: Sequence[AnyPackage], id_of: Callable[[AnyPackage], CustomId]
) -> tuple[tuple[tuple[Button, ...], ...], tuple[SelectMenu, ...]]:
    """Return a button for each game, or menus if there are many games."""
    if len(packages) <= MAX_BUTTONS:
        buttons = [
            Button(_(package.game.info.title), str(id_of(package)), discord.ButtonStyle.primary) for package in packages
        ]
        return tuple(tuple(buttons[at : at + MAX_ROW_WIDTH]) for at in range(0, len(buttons), MAX_ROW_WIDTH)), ()
    parts = [packages[at : at + MAX_MENU_LINES] for at in range(0, len(packages), MAX_MENU_LINES)][: MAX_ROWS - 1]
    menus = (
        SelectMenu(
            pgettext("games", "{first} to {last}").format(
                first=_(part[0].game.info.title), last=_(part[-1].game.info.title)
            ),
            str(GameMenuId(number)),
            tuple(
                SelectOption(_(package.game.info.title), str(id_of(package)), _(package.study.guide.summary))
                for package in part
            ),
        )
        for number, part in enumerate(parts, 1)
    )
    return (), tuple(menus)


def game_list_picture(packages: Sequence[AnyPackage]) -> Callable[[], Picture] | None:
    """Return a function that lays out the picture of the games; None for no games, or for too many."""
    return partial(draw_game_list, tuple(packages)) if 0 < len(packages) <= MAX_BUTTONS else None


def draw_game_list(packages: Sequence[AnyPackage]) -> Picture:
    """Return a picture with a row for each game, in its colours: its cover, title, players and a sentence."""
    marks: list[Mark] = []
    for number, package in enumerate(packages):
        at = Rect(_MARGIN, _MARGIN + number * (_ROW_HEIGHT + _GAP), PICTURE_WIDTH - 2 * _MARGIN, _ROW_HEIGHT)
        marks += _row_marks(package, at)
    height = 2 * _MARGIN + len(packages) * (_ROW_HEIGHT + _GAP) - _GAP
    titles = join_items([_(package.game.info.title) for package in packages])
    surfaces = tuple(dict.fromkeys(package.look.surface for package in packages))
    description = _("The games: {games}.").format(games=titles)
    return whole_in_reading_order(
        Picture((PICTURE_WIDTH, height), (), tuple(marks), description, more_surfaces=surfaces)
    )


def _row_marks(package: AnyPackage, at: Rect) -> Iterator[Mark]:
    yield Box(at, ColourRole.SURFACE, ColourRole.SURFACE_LINE, 22, 3, surface=package.look.surface)
    cover = Rect(at.x + _PADDING, at.y + _PADDING, *_COVER_SIZE)
    if package.look.cover is not None:
        yield from cover_marks(package.look.cover, cover, package.look.surface)
    info = package.game.info
    players = Rect(cover.x, cover.bottom + 4, cover.width, at.bottom - cover.bottom - _PADDING)
    yield Label(player_count_text(info), players, ColourRole.SURFACE_TEXT_FAINT, 32)
    words = Rect(cover.right + 24, at.y + 8, at.right - cover.right - 24 - _PADDING, _TITLE_HEIGHT)
    yield Label(_(info.title), words, ColourRole.SURFACE_TEXT, _TITLE_SIZE, Align.LEFT, bold=True)
    line = words._replace(y=words.bottom, height=_LINE_HEIGHT)
    lines = wrap_words(_(package.study.guide.summary), _LINE_LENGTH, _MAX_LINES)
    size = _TEXT_SIZE * _LINE_LENGTH // max(_LINE_LENGTH, *map(len, lines))
    for text in lines:
        yield Label(text, line, ColourRole.SURFACE_TEXT, size, Align.LEFT)
        line = line.shift(down=_LINE_HEIGHT)


_MAX_CREDITS_LENGTH = 3600
"""The most characters of the credits, which leaves room for the text above them: a description may have 4096."""


_START = N_(
    "Tabletop games to play together, right here in the channel.\n\n"
    "1. Press *Play* and pick a game: its table opens here.\n"
    "2. Others press *Join*, and you press *Start*. You can also play the computer.\n"
    "3. From then on, the buttons under the table do everything.\n\n"
    "One table at a time per channel or thread. Solo games leave it free."
)
_DIRECT_START = N_(
    "Tabletop games to play alone or against the computer here, and with others in a server.\n\n"
    "1. Press *Play* and pick a game: its table opens here.\n"
    "2. Press *Start with Rusty*, who is a computer, or *Deal* in a solo game.\n"
    "3. From then on, the buttons under the table do everything.\n\n"
    "One table at a time here. Solo games leave it free."
)


def render_help(packages: Sequence[AnyPackage], *, is_direct: bool) -> MessageContent:
    """Render the start of the help, in a server or in a direct message, with a picture of the games."""
    text = _(_DIRECT_START if is_direct else _START)
    buttons = (
        Button(_("Play"), str(HelpId(HelpTopic.PLAY)), discord.ButtonStyle.success),
        Button(_("Learn"), str(HelpId(HelpTopic.LEARN)), discord.ButtonStyle.primary),
        Button(_("How to play"), str(HelpId(HelpTopic.GUIDES)), discord.ButtonStyle.primary),
        Button(_("Commands and settings"), str(HelpId(HelpTopic.COMMANDS))),
        Button(_("About"), str(HelpId(HelpTopic.ABOUT))),
    )
    return MessageContent(_embed_json(_("Parlour"), text), (buttons,), make_picture=game_list_picture(packages))


def render_guide_list(packages: list[AnyPackage]) -> MessageContent:
    """Render the list of games that leads to their guides."""
    return render_game_list(packages, lambda package: GuideId(package.game.info.key), _("Which game?"), _back_button())


def render_lesson_list(packages: list[AnyPackage]) -> MessageContent:
    """Render the list of games with a lesson, which opens it."""
    text = _("Pick a game to learn it by playing, step by step. Only you see it.")
    taught = [package for package in packages if package.study.lesson is not None]
    return render_game_list(taught, lambda package: LessonId(package.game.info.key), text, _back_button())


def render_commands() -> MessageContent:
    """Render an overview of the commands."""
    fields = (
        Field(
            _("At a table"),
            _(
                "`/table show` moves the table to the end of the channel. *Move table here* does the same.\n"
                "`/table invite` invites someone to a free seat.\n"
                "`/table read` describes the table in plain words.\n"
                "`/table undo` takes back your newest move, and then the one before it, unless something was rolled, "
                "drawn or revealed. *Take back* does the same.\n"
                "`/table news` tells what happened. *What happened* does the same.\n"
                "`/table resign` gives up: you rank last. A computer player plays on for you, or the game ends if "
                "too few players are left.\n"
                "`/table cancel` closes the table; once everyone has moved, all players must agree."
            ),
        ),
        Field(
            _("Every day"),
            _(
                "`/daily` has today's ten rolls, a puzzle, and the week's bag, the same for everyone.\n"
                "`/puzzle` asks for the best move of a position. One puzzle a day is the same for everyone."
            ),
        ),
        Field(
            _("Tournaments"),
            _("`/tournament new` opens one in the channel: I pair the players, open their tables and keep the score."),
        ),
        Field(
            _("After the game"),
            _(
                "`/table replay` replays a finished game, and `/table verify` checks that it was fair.\n"
                "`/leaderboard`, `/profile` and `/history` show who has won and played what."
            ),
        ),
        Field(
            _("Settings"),
            _(
                "*More …* and *Options* in the lobby change a table's rules.\n"
                "`/settings show` is for server managers, and for you in direct messages: where games are played, by "
                "whom, and how.\n"
                "`/block` keeps you and someone else at different tables; they get no notice."
            ),
        ),
    )
    return MessageContent(_embed_json(_("Commands and settings"), "", fields), ((_back_button(),),))


def render_about(packages: Iterable[AnyPackage]) -> MessageContent:
    """Render Parlour's promises, and the credits of the games."""
    text = _(
        "Every move is saved before anyone sees it, so games survive restarts.\n"
        "Every game is provably fair: its rolls and draws are sealed before it and opened after it. Press "
        "*Check fairness* once a game is over.\n"
        "Parlour stores no messages."
    )
    lines = [
        _("**{game}:** {credits}").format(game=_(package.game.info.title), credits=_(package.game.info.credits))
        for package in packages
    ]
    return MessageContent(_embed_json(_("About Parlour"), f"{text}\n\n{_join_while_room(lines)}"), ((_back_button(),),))


def _join_while_room(lines: Sequence[str]) -> str:
    """Join the lines that fit into an embed, and count the rest."""
    shown = list(lines)
    while len("\n".join(shown)) > _MAX_CREDITS_LENGTH:
        shown.pop()
    if left := len(lines) - len(shown):
        shown.append(ngettext("… and {count} more game", "… and {count} more games", left).format(count=left))
    return "\n".join(shown)


def _back_button() -> Button:
    return Button(_("◀ Help"), str(HelpId(HelpTopic.START)))


def _embed_json(title: str, text: str, fields: Iterable[Field] = ()) -> dict[str, object]:
    embed = discord.Embed(title=title, description=text or None, colour=SEAT_COLOURS[0])
    return {**embed.to_dict(), "fields": embed_fields(fields)}
