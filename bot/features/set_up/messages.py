"""Renders the greeting, the steps of the set-up, and the check of permissions."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any, Final

import discord

from bot.features.set_up.permissions import PermissionCheck
from bot.features.settings.all_settings import CHANNELS, LANGUAGE, TABLES, find_setting
from bot.features.settings.kinds import Setting, SettingsSection
from bot.features.settings.messages import SettingsSectionId, ShownSettings, build_menu, describe_setting
from bot.features.settings.rights import MODERATORS
from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.ids import CustomId
from bot.tables.shown.embeds import PLAIN_COLOUR, SEAT_COLOURS
from bot.words import N_, format_number, gettext as _, join_items, ngettext

_MOST_LINES, _MOST_IN_LINE = 5, 20
"""The most lines about channels that lack the same, and the most channels that each of them names."""


class SetUpStep(StrEnum):
    """The pages of the set-up."""

    PLACES = "places"
    THREADS = "threads"
    LANGUAGE = "language"
    MODERATORS = "moderators"
    CHECK = "check"
    """The last page: what the bot lacks for it."""


STEPS: Final[Mapping[SetUpStep, tuple[str, Setting[Any]]]] = {
    SetUpStep.PLACES: (N_("Where to play"), CHANNELS),
    SetUpStep.THREADS: (N_("Tables and threads"), TABLES),
    SetUpStep.LANGUAGE: (N_("Language"), LANGUAGE),
    SetUpStep.MODERATORS: (N_("Who moderates"), MODERATORS),
}
"""The questions in their order. To ask another one, add a step with its title and setting."""


def asked_steps() -> Sequence[SetUpStep]:
    """Return the steps with a question, without those about settings that are not offered, such as a lone language."""
    return [step for step, (_title, setting) in STEPS.items() if find_setting(setting.key) is not None]


@dataclass(frozen=True)
class SetUpId(CustomId, prefix="SU"):
    """The button that shows a page of the set-up; the click tells the server."""

    stage: SetUpStep


@dataclass(frozen=True)
class SetUpMenuId(CustomId, prefix="SM"):
    """The menu of a question of the set-up."""

    stage: SetUpStep


def render_greeting(titles: Sequence[str], play: Button) -> MessageContent:
    """Render what the bot is, for a server that it has just joined.

    Args:
        titles: The titles of the games.
        play: The button that lists the games.
    """
    text = _(
        "Tabletop games for this server: {games}. Play together, against the computer, or alone, and learn the rules "
        "as you play.\n\n"
        "**Set up** takes a minute: someone with *Manage Server* chooses where to play and who moderates. Until then, "
        "games can be played in every channel."
    )
    embed = discord.Embed(
        title=_("Hello, I'm Parlour!"), description=text.format(games=join_items(titles)), colour=SEAT_COLOURS[0]
    )
    return MessageContent(embed.to_dict(), ((play, _set_up_button(_("Set up"), SetUpStep.PLACES)),))


def render_question(step: SetUpStep, shown: ShownSettings, check: PermissionCheck | None, news: str) -> MessageContent:
    """Render a question of the set-up.

    Args:
        step: The question.
        shown: The present settings.
        check: What the bot lacks for them, for questions about places; None for others, or while it is not known.
        news: What the last click has changed.
    """
    title, setting = STEPS[step]
    order = asked_steps()
    at = order.index(step)
    heading = _("Set up, {number} of {count}: {title}").format(
        number=format_number(at + 1), count=format_number(len(order)), title=_(title)
    )
    lines = [news, describe_setting(setting, shown), *(() if check is None else _missing_lines(check))]
    embed = discord.Embed(title=heading, description="\n\n".join(filter(None, lines)), colour=PLAIN_COLOUR)
    following = order[at + 1] if at + 1 < len(order) else SetUpStep.CHECK
    buttons = [_set_up_button(_("◀ Back"), order[at - 1])] if at else []
    label = _("Finish") if following is SetUpStep.CHECK else _("Next ▶")
    buttons.append(_set_up_button(label, following, discord.ButtonStyle.primary))
    menu = build_menu(setting, shown, SetUpMenuId(step))
    return MessageContent(embed.to_dict(), (tuple(buttons),), () if menu is None else (menu,))


def render_check(check: PermissionCheck | None, play: Button) -> MessageContent:
    """Render what the bot lacks in which channel.

    Args:
        check: What it lacks; None if Discord did not tell the channels.
        play: The button that lists the games.
    """
    if check is None:
        lines = [_("Discord doesn't tell me the channels of this server for now. Check again in a minute.")]
    else:
        lines = [*_missing_lines(check), *_other_lines(check)]
    embed = discord.Embed(title=_("My permissions"), description="\n".join(lines), colour=PLAIN_COLOUR)
    settings = Button(_("All settings"), str(SettingsSectionId(SettingsSection.TABLES)))
    again = _set_up_button(_("Check again"), SetUpStep.CHECK)
    return MessageContent(embed.to_dict(), ((play, again, _set_up_button(_("Set up"), SetUpStep.PLACES), settings),))


def _missing_lines(check: PermissionCheck) -> Iterator[str]:
    alike = defaultdict[tuple[str, ...], list[str]](list)
    for channel_id, names in check.missing.items():
        alike[tuple(names)].append(f"<#{channel_id}>")
    more = len(check.missing)
    for names, channels in islice(alike.items(), _MOST_LINES):
        shown = channels[:_MOST_IN_LINE]
        more -= len(shown)
        line = _("⚠️ In {channels} I lack **{permissions}**.")
        yield line.format(channels=join_items(shown), permissions=join_items(names))
    if more:
        line = ngettext(
            "In {count} more channel I lack permissions.", "In {count} more channels I lack permissions.", more
        )
        yield line.format(count=format_number(more))


def _other_lines(check: PermissionCheck) -> Iterator[str]:
    if check.complete:
        line = ngettext(
            "✅ In {count} channel I have all the permissions I need.",
            "✅ In {count} channels I have all the permissions I need.",
            check.complete,
        )
        yield line.format(count=format_number(check.complete))
    if check.hidden:
        line = ngettext(
            "I can't see {count} other channel, so no games are played there.",
            "I can't see {count} other channels, so no games are played there.",
            check.hidden,
        )
        yield line.format(count=format_number(check.hidden))
    if not (check.complete or check.missing):
        yield _("⚠️ There is no channel in which games can be played.")


def _set_up_button(label: str, step: SetUpStep, style: discord.ButtonStyle = discord.ButtonStyle.secondary) -> Button:
    return Button(label, str(SetUpId(step)), style)
