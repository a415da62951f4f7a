"""Renders the boards of challenges, and their seeds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import discord
from discord.utils import format_dt

from bot.features.challenges.ids import ChallengeButton, ChallengeId, OthersMenuId, challenge_button
from bot.features.challenges.menu import NAMES
from bot.features.challenges.messages import menu_button
from bot.features.challenges.model import Board, BoardKey, BoardRow, current_editions
from bot.platform.discord.content import Button, MessageContent, drop_empty_rows, page_buttons, page_note
from bot.platform.discord.menus import SelectMenu, SelectOption
from bot.platform.paging import Page
from bot.platform.places import Day, start_of_day
from bot.rules.package import ScoreKind
from bot.tables.kinds import Edition, SharedSeed, edition_on
from bot.tables.shown.embeds import PLAIN_COLOUR, SEAT_COLOURS, edition_title
from bot.tables.shown.links import escape_name, sanitize_name
from bot.tables.shown.words import write_date
from bot.words import format_number, gettext as _, ngettext, place_label

_OLDER_SEEDS = 2
"""The number of older seeds shown: an unfinished attempt delays the publication of its edition's seed."""


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """A page of a board, with the board's key."""

    board: Board
    key: BoardKey
    page: Page


def render_board(shown: ShownBoard, today: Day, kind: ScoreKind, asker_id: int) -> MessageContent:
    """Render a page of a board.

    Args:
        shown: The page.
        today: The present day.
        kind: How scores are written.
        asker_id: The asker; their own row is always shown if they have a result.
    """
    board, key, page = shown.board, shown.key, shown.page
    title = _("{title} · this server") if key.guild_id is not None else _("{title} · all servers")
    lines = [_row_line(row, kind, asker_id) for row in board.rows] or [_("No one is on this board.")]
    if board.own is not None and board.own.user_id not in {row.user_id for row in board.rows}:
        lines += ["⋯", _row_line(board.own, kind, asker_id, is_hidden=not board.is_shown)]
    if key.guild_id is None:
        consent = _(
            "This board only shows people who have agreed to it, by the name of their account. Others don't see you."
        )
        if board.is_shown:
            consent = _(
                "Everyone can see the name of your account and your results here. You can hide them at any time."
            )
        lines += ["", consent]
    embed = discord.Embed(
        title=title.format(title=edition_title(key.edition)), description="\n".join(lines), colour=SEAT_COLOURS[0]
    )
    players = ngettext("{count} player", "{count} players", board.total).format(count=format_number(board.total))
    is_over = key.edition not in current_editions(today)
    notes = (players, page_note(page), _("The final board.") if is_over else "")
    embed.set_footer(text=" · ".join(filter(None, notes)))
    return MessageContent(embed.to_dict(), _board_buttons(shown, today), _others_menus(shown, kind))


def _row_line(row: BoardRow, kind: ScoreKind, asker_id: int, *, is_hidden: bool = False) -> str:
    name = f"**{escape_name(row.name)}**"
    if row.user_id == asker_id:
        name = (_("{name} (you, not shown to others)") if is_hidden else _("{name} (you)")).format(name=name)
    return f"{place_label(row.place)} {name} · {kind.format_score(row.score)}"


def _others_menus(shown: ShownBoard, kind: ScoreKind) -> tuple[SelectMenu, ...]:
    """Return the menu that opens the games of the people on a server's board."""
    key, rows = shown.key, shown.board.rows
    if key.guild_id is None or not rows:
        return ()
    options = tuple(
        SelectOption(f"{sanitize_name(row.name)} · {kind.format_score(row.score)}", str(row.table_id)) for row in rows
    )
    custom_id = str(OthersMenuId(key.edition.cadence, key.edition.day))
    return (SelectMenu(_("See how they played …"), custom_id, options),)


def _board_buttons(shown: ShownBoard, today: Day) -> tuple[tuple[Button, ...], ...]:
    board, key, page = shown.board, shown.key, shown.page
    edition, this = key.edition, ChallengeButton.EVERYWHERE if key.guild_id is None else ChallengeButton.SERVER
    others = [challenge_button(_("◀ The one before"), this, edition.previous)]
    if edition not in current_editions(today):
        others.append(challenge_button(_("The one after ▶"), this, edition.next))
    consent: tuple[Button, ...] = ()
    if key.guild_id is None:
        label, button = (
            (_("Hide me from the board of all servers"), ChallengeButton.WITHDRAW)
            if board.is_shown
            else (_("Show me on the board of all servers"), ChallengeButton.CONSENT)
        )
        consent = (challenge_button(label, button, edition, page=page.number),)
    pages = page_buttons(page, lambda number: ChallengeId(this, edition.cadence, edition.day, number))
    return drop_empty_rows(pages, consent, (*others, menu_button(edition)))


def render_seeds(seeds: Mapping[Edition, SharedSeed], today: Day) -> MessageContent:
    """Render the commitments of the present and the next editions, and the published seeds of the last ones."""
    embed = discord.Embed(title=_("Seeds and proof"), colour=PLAIN_COLOUR)
    embed.description = _(
        "All dice follow from a seed, whose SHA-256 is promised before the day or week begins. The seed is "
        "published once the day or week is over and every attempt that counts has ended. To check one: "
        "`printf SEED | xxd -r -p | openssl sha256`\n"
        "Then *Check fairness* in *More …* under your result attaches its record for `python -m bot record "
        "verify`."
    )
    for edition in current_editions(today):
        before = [each for each in seeds if each.cadence is edition.cadence and each < edition.previous]
        older = sorted(before, reverse=True)[:_OLDER_SEEDS]
        for each in (edition.next, edition, edition.previous, *older):
            day = write_date(start_of_day(each.day), "long")
            title = _("{name}, {day}").format(name=_(NAMES[each.cadence]), day=day)
            text = "\n".join(_seed_lines(seeds.get(each), each, today))
            embed.add_field(name=title, value=text, inline=False)
    back = menu_button(edition_on(edition.cadence, today))
    return MessageContent(embed.to_dict(), ((back,),))


def _seed_lines(shared: SharedSeed | None, edition: Edition, today: Day) -> Iterator[str]:
    is_over = edition.next.day <= today
    if shared is None:
        yield _("There is none: I wasn't running.") if is_over else _("Not promised yet.")
        return
    promised = _("Promised {when}:\n`{commitment}`")
    if shared.is_late:
        promised = _("⚠️ Promised late, {when}, because I wasn't running before:\n`{commitment}`")
    yield promised.format(when=format_dt(shared.committed_at, "f"), commitment=shared.commitment)
    if shared.published_at is not None:
        yield _("The seed:\n`{seed}`").format(seed=shared.seed.hex())
    elif is_over:
        yield _("The seed stays secret until everyone who is still playing has finished.")
