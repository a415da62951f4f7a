"""Renders tables: embed, buttons, menus and picture."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

import discord

from bot.languages import current_language
from bot.platform.discord.content import Button, MessageContent, Suspense
from bot.platform.discord.menus import SelectMenu
from bot.rules.banner import LEFT_OUT, shown_pieces, with_banner
from bot.rules.components import Nameplate, Species
from bot.rules.game import Seat, visible_events
from bot.rules.hero import Hero
from bot.rules.motion import Motion, Played
from bot.rules.package import PictureBuilder, on_surface
from bot.rules.picture import Picture
from bot.rules.screen import (
    EMPTY_DRAFT,
    LONGEST_DESCRIPTION,
    MAX_TITLE_LENGTH,
    Control,
    Draft,
    Screen,
    ScreenBuilder,
    Tone,
    find_coloured_control,
)
from bot.rules.story import Highlight, HighlightPiece
from bot.rules.study import Tip
from bot.tables.characters import species_of
from bot.tables.handlers.ids import (
    ControlId,
    HandControlId,
    HandId,
    MenuId,
    ResumeId,
)
from bot.tables.highlights import heavy_highlight
from bot.tables.model import Pace, Status
from bot.tables.shown.buttons import (
    BUTTON_STYLES,
    MAX_ROWS,
    finished_buttons,
    more_button,
    playing_buttons,
    with_buttons,
)
from bot.tables.shown.embeds import (
    PLAIN_COLOUR,
    SMALL_PRINT,
    Embeds,
    add_clock,
    add_line,
    add_missed_news,
    heading_of,
    picture_embed_json,
    text_embed_json,
)
from bot.tables.shown.links import fit_title, nameplates_of, table_link
from bot.tables.shown.parts import NO_PARTS, Place, TableParts
from bot.tables.shown.result import (
    FinalResult,
    describe_result_of,
    overall_result_of,
    rank_facts,
    shared_line,
    strongest_level,
    with_result,
)
from bot.tables.shown.result_picture import Dare, after_last_roll, result_picture, share_card
from bot.tables.shown.screen import screen_of
from bot.tables.shown.story import news_for, resignation_outcome, seat_names
from bot.tables.shown.story_line import heard_badges, tell_story
from bot.tables.table import Table
from bot.words import N_, format_number, gettext as _, join_items, pgettext, truncate


def render_game(
    table: Table,
    draft: Draft,
    parts: TableParts = NO_PARTS,
    tip: Tip | None = None,
) -> MessageContent:
    """Render a table that is being played or is finished.

    Args:
        table: The table.
        draft: The picked tokens.
        parts: The parts that features add.
        tip: A tip for beginners.
    """
    if table.header.status is Status.FINISHED:
        return render_result(table, parts)
    screen = screen_of(table, draft)
    told = "" if tip is None else f"{SMALL_PRINT}💡 {tip.text}"
    remark, badge = ("".join(parts.lines(place, table)) for place in (Place.REMARK, Place.BADGE))
    embeds = _make_embeds(screen, table, tell_story(table, screen.rule, told, remark=remark, badge=badge))
    add_missed_news(embeds, table)
    add_line(embeds.text, badge)
    add_line(embeds.text, remark)
    add_line(embeds.text, told)
    add_clock(embeds, table)
    rows, menus = screen_components(screen, table, draft, is_beginner=parts.is_beginner(table))
    rows = (*rows, playing_buttons(table, screen, parts))
    return MessageContent(embeds.text, rows, menus, embeds.make_picture, picture_embed_json=embeds.picture)


def render_suspense(before: Table, parts: TableParts | None = None) -> Suspense:
    """Render what stands next to a picture while dice move in it: who rolls, and what was told before the roll.

    Args:
        before: The table before the roll.
        parts: The parts that features add to its buttons, which stay and can't be pressed; None for no buttons.
    """
    screen = screen_of(before)
    embeds = _make_embeds(replace(screen, title=screen.busy or screen.title), before, tell_story(before, screen.rule))
    add_clock(embeds, before)
    embed = {"title": embeds.text["title"], "color": embeds.text["color"], **embeds.picture}
    if parts is None:
        return Suspense(embed)
    rows, menus = screen_components(screen, before, EMPTY_DRAFT)
    rows = (*rows, playing_buttons(before, screen, parts))
    disabled = tuple(tuple(button._replace(is_disabled=True) for button in row) for row in rows)
    return Suspense(embed, disabled, tuple(replace(menu, is_disabled=True) for menu in menus))


class ScreenIds(NamedTuple):
    """How the ids of a screen's controls and menus are formatted, by key."""

    control_id: Callable[[str], str]
    menu_id: Callable[[str], str]


def screen_components(
    screen: Screen,
    table: Table,
    draft: Draft,
    *,
    in_hand: bool = False,
    is_beginner: bool = True,
    ids: ScreenIds | None = None,
) -> tuple[tuple[tuple[Button, ...], ...], tuple[SelectMenu, ...]]:
    """Return the buttons and menus of a screen; while a computer player is to move, a hand has none.

    Those of a table stay, but can't be pressed.

    Args:
        screen: The screen.
        table: Its table.
        draft: The picked pieces.
        in_hand: Whether it is the private screen of a hand.
        is_beginner: Whether the best move is coloured if there is a clear one, and not the safest.
        ids: The ids of a screen that is not a table's.
    """
    is_disabled = table.header.awaits_computer
    if is_disabled and in_hand:
        return (), ()
    position, start = (table.id, table.header.step, draft), f"{HandControlId.prefix}:" if in_hand else ""
    ids = ids or ScreenIds(ControlId.formatter(*position), MenuId.formatter(*position))
    waits = is_disabled or (screen.waits_for_hand and not in_hand)
    coloured = None if waits else find_coloured_control(screen, is_beginner=is_beginner)
    if in_hand and coloured is not None and coloured.tone is Tone.QUIET:
        coloured = None  # The best moves are at the table.

    def to_button(control: Control) -> Button:
        is_best = is_beginner and control.tone is Tone.MAIN
        tone = Tone.QUIET if control is not coloured else Tone.MAIN if is_best else Tone.CHOSEN
        is_off = is_disabled or control.is_disabled
        return Button(control.label, start + ids.control_id(control.key), BUTTON_STYLES[tone], is_off)

    rows = tuple(tuple([to_button(control) for control in row]) for row in screen.rows)
    menus = (SelectMenu.from_menu(menu, f"{start}{ids.menu_id(menu.key)}") for menu in screen.menus)
    return rows, tuple(replace(menu, is_disabled=True) if is_disabled else menu for menu in menus)


def render_result(table: Table, parts: TableParts = NO_PARTS) -> MessageContent:
    """Render a finished table: the winner first."""
    if table.outcome is None:
        return replace(render_position(table), rows=finished_buttons(table, parts))
    screen, facts = with_result(table, screen_of(table), parts)
    content = render_screen(screen, table, facts)
    # Only here: a replay shows the last position in the game's own picture.
    make_picture = None if content.make_picture is None else partial(_make_result_picture, table)
    return replace(content, rows=finished_buttons(table, parts), make_picture=make_picture)


def _make_result_picture(table: Table) -> Picture:
    """Lay out the picture of a result; if the last move was a roll, its dice tumble over the table before that."""
    result, look = overall_result_of(table), table.package.look
    picture = result_picture(result, _hero_of(table, result), look.cover, look.surface, describe_result_of(table))
    motion = None if table.state is None else _find_motion(table, table.package.game.view(table.state, None))
    return picture if motion is None else after_last_roll(picture, motion)


def _hero_of(table: Table, result: FinalResult) -> Hero | None:
    """Return what the seat did best that the pictures of a result are about; None without anything to show."""
    if table.package.look.build_hero is None:
        return None
    best_turn = table.best_turns[result.featured] if table.best_turns else None
    return table.package.look.build_hero(table.package.game.view(table.state, None), result.featured, best_turn)


def render_shared_result(table: Table, parts: TableParts = NO_PARTS) -> MessageContent:
    """Render the result of a finished table in one line and a card, without buttons."""
    content, line = render_result(table), {"description": shared_line(table)}
    embed = {name: part for name, part in content.text_embed_json.items() if name in ("type", "flags", "color")}
    beside = {name: part for name, part in content.picture_embed_json.items() if name == "footer"}
    make_picture = None if content.make_picture is None else partial(_make_card, table, parts)
    return MessageContent({**embed, **line}, make_picture=make_picture, picture_embed_json=beside)


def _make_card(table: Table, parts: TableParts) -> Picture:
    result, look = overall_result_of(table), table.package.look
    dare = Dare(
        _challenge_of(table, result, parts),
        _("/{command} in Parlour").format(command=table.package.game.info.command),
    )
    hero = _hero_of(table, result)
    return share_card(result, hero, look.cover, look.surface, dare, describe_result_of(table))


_SPECIES_DARES: Final[Mapping[Species, str]] = {
    Species.MOUSE: N_("Beat the mouse?"),
    Species.FOX: N_("Beat the fox?"),
    Species.OWL: N_("Beat the owl?"),
}


def _challenge_of(table: Table, result: FinalResult, parts: TableParts) -> str:
    """Return what a card says to those who see it: about what was done, who was played against, or the score."""
    dares = (fact.dare for fact in rank_facts(table, result, parts) if fact.seat == result.featured and fact.dare)
    if dare := next(dares, ""):
        return dare
    if level := strongest_level(table):
        return _(_SPECIES_DARES[species_of(level)])
    if result.scores is None or result.score_kind.lower_is_better:
        return _("Your turn?")
    return _("Beat my {score}?").format(score=format_number(result.scores[result.featured]))


def render_position(table: Table, draft: Draft = EMPTY_DRAFT) -> MessageContent:
    """Render the position of a table, without buttons."""
    screen = screen_of(table, draft)
    return render_screen(screen, table, tell_story(table, screen.rule, by_name=True))


def render_screen(screen: Screen, table: Table, story: str, heading: str = "") -> MessageContent:
    """Render a screen of a table, without buttons.

    Args:
        screen: The screen.
        table: Its table.
        story: The text next to the picture.
        heading: The line above the title; by default it names the game and what ends it.
    """
    embeds = _make_embeds(screen, table, story, heading)
    return MessageContent(embeds.text, make_picture=embeds.make_picture, picture_embed_json=embeds.picture)


def _make_embeds(screen: Screen, table: Table, story: str, heading: str = "") -> Embeds:
    """Make the embeds of a table.

    Args:
        screen: Its screen.
        table: The table.
        story: The text next to the picture.
        heading: The line above the title; by default it names the game and what ends it.
    """
    make_picture = picture_maker_of(table, table.package.look.build_picture)
    beside = {} if make_picture is None else picture_embed_json(screen, story)
    title = screen.busy if table.header.awaits_computer and screen.busy else screen.title
    screen = replace(screen, title=fit_title(title, seat_names(table), MAX_TITLE_LENGTH))
    return Embeds(text_embed_json(screen, heading or heading_of(table), screen.note), beside, make_picture)


def picture_maker_of(
    table: Table, build: PictureBuilder[Any, Any] | None, seat: Seat | None = None
) -> Callable[[], Picture] | None:
    """Return a function that lays out the picture for a seat, or spectators (None); None if there is no picture.

    If resignations make the table's outcome differ from the game's, the game's picture would show a turn or another
    ranking. Then spectators get the picture of the result, and seats get none.
    """
    if build is None:
        return None
    if resignation_outcome(table) is None:
        return partial(table_picture, table, build, seat)
    return partial(_make_result_picture, table) if seat is None else None


def _nameplates_with_medals(table: Table) -> tuple[Nameplate, ...]:
    """Return who has the seats, with medals for those who have just earned a badge."""
    medals = {badge.seat for badge in heard_badges(table)}
    return tuple(
        nameplate._replace(has_medal=True) if seat in medals else nameplate
        for seat, nameplate in enumerate(nameplates_of(table))
    )


def table_picture(table: Table, build: PictureBuilder[Any, Any], viewer: Seat | None) -> Picture:
    """Lay out a picture. If the game draws no moments, add a banner for a highlight while it is played or replayed."""
    view = table.package.game.view(table.state, viewer)
    picture = on_surface(table.package, build(view, table.recent_events_for(viewer), _nameplates_with_medals(table)))
    if viewer is not None or table.header.status not in (Status.PLAYING, Status.FINISHED):
        return picture
    found = heavy_highlight(table, view)
    if found is not None:
        seat = found.seat if len(table.seats) > 1 else None
        if table.package.look.draws_moments:
            text = f"{picture.description} {tell_moment(found.highlight, seat, found.highlight.pieces)}"
            picture = replace(picture, description=truncate(text, LONGEST_DESCRIPTION))
        else:
            picture = add_banner(picture, found.highlight, seat, _nameplates_with_medals(table))
    motion = _find_motion(table, view)
    if motion is None:
        return picture
    is_moment = motion.is_moment or found is not None
    is_brisk = not is_moment and table.header.pace is Pace.QUICK
    return picture if is_brisk else replace(picture, motion=replace(motion, is_moment=is_moment))


def _find_motion(table: Table, view: Any) -> Motion | None:
    """Return the dice that tumble into a table's picture because they were rolled since people saw it last."""
    before, find_motion = table.before, table.package.look.find_motion
    if before is None or find_motion is None:
        return None
    moves = table.news[before.header.step - table.header.step :]
    events = tuple(event for move in moves for event in visible_events(None, move.events))
    played = Played(before.package.game.view(before.state, None), before.recent_events_for(None), view, events)
    motion: Motion | None = find_motion(played, nameplates_of(table))
    if motion is None:
        return None
    return replace(
        motion,
        before=on_surface(table.package, motion.before),
        staging=tuple(on_surface(table.package, staged) for staged in motion.staging),
    )


def add_banner(
    picture: Picture, highlight: Highlight, seat: Seat | None, nameplates: Sequence[Nameplate] = ()
) -> Picture:
    """Add a banner, and what it shows to the alternative text."""
    text = tell_moment(highlight, seat, shown_pieces(highlight, seat))
    return with_banner(picture, highlight, seat, text, nameplates, runs_left=current_language().runs_left)


def tell_moment(highlight: Highlight, seat: Seat | None, pieces: Sequence[HighlightPiece]) -> str:
    """Return a sentence about a highlight for an alternative text, which names players by number."""
    counts = Counter(piece.name for piece in pieces if piece.name)
    names = [name if count == 1 else f"{count} × {name}" for name, count in counts.items()]
    if names and names[-1] == LEFT_OUT:
        names[-1] = pgettext("end of a list", "more")
    line = _("Moment: {moment}.") if seat is None else _("Moment of player {number}: {moment}.")
    if names:
        line = (
            _("Moment: {moment}, with {pieces}.")
            if seat is None
            else _("Moment of player {number}: {moment}, with {pieces}.")
        )
    told = f"{highlight.word} {highlight.number}"
    return line.format(number=(seat or 0) + 1, moment=told, pieces=join_items(names))


def render_hand(table: Table, seat: Seat, build_screen: ScreenBuilder[Any, Any], draft: Draft) -> MessageContent:
    """Render the hand of a seat at a table that is being played."""
    view = table.package.game.view(table.state, seat)
    screen = build_screen(view, news_for(table, seat), seat_names(table), draft)
    rows, menus = screen_components(screen, table, draft, in_hand=True)
    look_again = Button(_("Show my hand again"), str(HandControlId(HandId(table.id))))
    make_picture = picture_maker_of(table, table.package.look.build_hand_picture, seat)
    return MessageContent(
        text_embed_json(screen), with_buttons(rows, look_again, room=MAX_ROWS - len(menus)), menus, make_picture
    )


def render_ended_hand(table: Table) -> MessageContent:
    """Render the message that replaces a hand at the end of its game."""
    text = _("The game is over: {link}").format(link=table_link(table))
    return MessageContent(discord.Embed(description=text, colour=PLAIN_COLOUR).to_dict())


def render_private_table(table: Table, draft: Draft) -> MessageContent:
    """Render the whole table for its player, in a message that nobody else sees."""
    screen = screen_of(table, draft)
    content = render_screen(screen, table, tell_story(table, screen.rule))
    # Everyone has the same dice, so the best move is shown to nobody.
    rows, menus = screen_components(screen, table, draft, in_hand=True, is_beginner=False)
    return replace(content, rows=with_buttons(rows, more_button(table), room=MAX_ROWS - len(menus)), menus=menus)


def render_private_result(table: Table, parts: TableParts) -> MessageContent:
    """Render the end of a private table for its player, in the game's own picture."""
    screen, text = screen_of(table), "\n".join(parts.lines(Place.PRIVATE_RESULT, table))
    content = render_screen(replace(screen, text=f"{text}\n{screen.text}"), table, text)
    rows = (parts.buttons(Place.PRIVATE_RESULT_BUTTON, table), (more_button(table),))
    return replace(content, rows=rows)


def render_closed(table: Table, text: str, parts: TableParts = NO_PARTS) -> MessageContent:
    """Render a table that ended without a result or can't go on."""
    embed = discord.Embed(title=_(table.package.game.info.title), description=text, colour=PLAIN_COLOUR)
    return MessageContent(embed.to_dict(), with_buttons((), *parts.buttons(Place.PROOF_BUTTON, table)))


def render_put_aside(table: Table) -> MessageContent:
    """Render a table that was put aside."""
    text = _(
        "This game was put aside to make room for another table, since no one had played for a while.\n"
        "Nothing is lost. Any of its players can bring it back with *Resume* or `/table resume` once "
        "this channel is free."
    )
    resume = Button(_("Resume"), str(ResumeId(table.id)), discord.ButtonStyle.primary)
    return MessageContent(render_closed(table, text).text_embed_json, ((resume,),))
