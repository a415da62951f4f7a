"""The buttons of a table's message besides the controls of its game."""

from itertools import islice

import discord

from bot.features.daily_bag.ids import DailyBagButton, DailyBagId
from bot.features.hints.actions import offers_hint
from bot.features.lessons.actions import scripted_move_of
from bot.features.results.ids import LeaderboardId, ReplayButton, ReplayId, ReviewId, ShareId
from bot.features.series.messages import next_table_label
from bot.platform.discord.content import Button
from bot.rules.screen import Screen, Tone
from bot.tables.forced_ends import offers_take_back
from bot.tables.handlers.ids import (
    GuideId,
    HandId,
    HintId,
    NextTableId,
    PlayAgainId,
    ReadOnlyId,
    ReadTableId,
    SeatButton,
    SeatId,
    WhatHappenedId,
)
from bot.tables.results import results_of
from bot.tables.seat_result import Company
from bot.tables.series import tally_of
from bot.tables.shown.button_rows import check_dice_rows, with_buttons
from bot.tables.table import Table
from bot.words import N_, gettext as _

BUTTON_STYLES = {
    Tone.QUIET: discord.ButtonStyle.secondary,
    Tone.CHOSEN: discord.ButtonStyle.primary,
    Tone.MAIN: discord.ButtonStyle.success,
}


def hand_button(table: Table, screen: Screen) -> tuple[Button, ...]:
    """Return the button that opens a hand, if the game has hands; it is highlighted while the turn waits for one."""
    if table.package.build_hand_screen is None:
        return ()
    is_awaited = screen.waits_for_hand and not table.header.awaits_computer
    return (_read_only_button(table, _("My hand"), HandId(table.id), Tone.MAIN if is_awaited else Tone.QUIET),)


def read_button(table: Table) -> Button:
    """Return the button that describes the table in words."""
    return _read_only_button(table, _("Read the table"), ReadTableId(table.id))


def hint_button(table: Table, screen: Screen) -> tuple[Button, ...]:
    """Return the button that gives the player to move a hint, while there is a choice.

    Whether there is one follows from what everyone sees: legal moves would tell of hidden cards.
    """
    has_choice = screen.waits_for_hand or len(tuple(islice(screen.iter_controls(), 2))) > 1
    return (Button(_("Hint"), str(HintId(table.id, table.header.step))),) if has_choice and offers_hint(table) else ()


def news_button(table: Table) -> tuple[Button, ...]:
    """Return the button that tells what happened, once something has."""
    has_news = table.package.narration is not None and bool(table.news)
    return (_read_only_button(table, _("What happened"), WhatHappenedId(table.id)),) if has_news else ()


def _read_only_button(
    table: Table, label: str, custom_id: HandId | ReadTableId | WhatHappenedId | GuideId, tone: Tone = Tone.QUIET
) -> Button:
    """Return a button that does not change the table. Its id carries the revision that the message shows."""
    return Button(label, str(ReadOnlyId(table.id, table.header.revision, custom_id)), BUTTON_STYLES[tone])


def guide_button(table: Table) -> Button:
    """Return the button that explains the game."""
    return _read_only_button(table, _("How to play"), GuideId(table.header.game))


def seat_buttons(table: Table) -> tuple[Button, ...]:
    """Return the buttons of the seat actions that are possible now."""
    possible = (
        (SeatButton.CLOSE, N_("Agree to close"), table.closers),
        (SeatButton.TAKE_BACK, N_("Take back"), offers_take_back(table)),
        (SeatButton.COME_BACK, N_("I'm back"), table.seat_status.substituted),
        (SeatButton.SKIP_LESSON, N_("Skip the lesson"), scripted_move_of(table)),
    )
    return tuple(
        [Button(_(label), str(SeatId(table.id, table.header.step, button))) for button, label, now in possible if now]
    )


def finished_buttons(table: Table) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons of a finished table, in the order that takes the fewest lines on a phone."""
    replay = Button(_("Replay"), str(ReplayId(table.id, 0, ReplayButton.OPEN)))
    check_dice = (button for row in check_dice_rows(table) for button in row)
    results = (*_share_button(table), replay, *_review_button(table), *_best_scores_button(table))
    return with_buttons((_next_game_buttons(table),), *results, read_button(table), *news_button(table), *check_dice)


def _best_scores_button(table: Table) -> tuple[Button, ...]:
    """Return the button that shows a player's best score and the server's, for a solo game; or the daily bag's."""
    if table.daily_day is not None:
        return (Button(_("Daily bag"), str(DailyBagId(DailyBagButton.SHOW, table.daily_day, 1))),)
    is_shown = table.outcome is not None and table.package.game.info.is_solo
    return (Button(_("Best scores"), str(LeaderboardId(table.header.game, Company.ALONE, 1))),) if is_shown else ()


def _review_button(table: Table) -> tuple[Button, ...]:
    """Return the button that reviews the game, if it has a result, somebody moved, and moves have values."""
    is_shown = table.outcome is not None and table.acted and table.package.evaluate is not None and not table.is_lesson
    return (Button(_("Review"), str(ReviewId(table.id))),) if is_shown else ()


def _share_button(table: Table) -> tuple[Button, ...]:
    """Return the button that posts the result, if there is one and anyone else to see it."""
    # The text of a daily bag is meant to be copied elsewhere.
    has_readers = table.header.location.guild_id is not None or table.daily_day is not None
    if not has_readers or not results_of(table):
        return ()
    return (Button(_("Share"), str(ShareId(table.id))),)


def _next_game_buttons(table: Table) -> tuple[Button, ...]:
    """Return the button of the next table in the series, and "Play again" unless a tournament goes on."""
    again = Button(_("Play again"), str(PlayAgainId(table.id)), discord.ButtonStyle.primary)
    label = next_table_label(table)
    if not label:
        return (again,)
    following = Button(label, str(NextTableId(table.id)), discord.ButtonStyle.success)
    return (following,) if tally_of(table) else (following, again)
