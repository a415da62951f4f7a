"""Who may change settings, and what a change of one is."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from bot.features.settings.ids import Setting
from bot.features.settings.preferences import Preferences
from bot.features.settings.server_rules import existing_roles, missing_thread_permissions
from bot.platform.discord.answers import Interaction
from bot.platform.discord.channels import existing_channels, fetch_channels
from bot.platform.discord.context import attach_files_note, location_of
from bot.platform.discord.menus import MAX_CHOSEN, chosen_values
from bot.rules.refusals import Refusal
from bot.tables.refusals import HostReason
from bot.words import format_number, gettext as _, join_items, ngettext


def require_manager(interaction: Interaction) -> None:
    """Raise a Refusal unless the user manages the server; direct messages need no permission."""
    location_of(interaction)
    if interaction.guild_id is not None and not interaction.permissions.manage_guild:
        raise Refusal(HostReason.NOT_MANAGER)


def require_server(interaction: Interaction) -> None:
    """Raise a Refusal in a direct message, which has not these settings."""
    if interaction.guild_id is None:
        raise Refusal(HostReason.NO_SUCH_SETTING)


def ids_in(chosen: Preferences, setting: Setting) -> frozenset[int]:
    """Return the channels or roles of a setting."""
    match setting:
        case Setting.CHANNELS:
            return chosen.channels
        case Setting.OPENERS:
            return chosen.opener_roles
        case Setting.MODERATORS:
            return chosen.moderator_roles
        case _:
            raise Refusal(HostReason.NO_SUCH_SETTING)


def with_ids(chosen: Preferences, setting: Setting, ids: frozenset[int]) -> Preferences:
    """Return preferences with other channels or roles in a setting.

    Raises:
        Refusal: They are too many.
    """
    if len(ids) > MAX_CHOSEN:
        raise Refusal(HostReason.TOO_MANY_CHOSEN)
    match setting:
        case Setting.CHANNELS:
            return replace(chosen, channels=ids)
        case Setting.OPENERS:
            return replace(chosen, opener_roles=ids)
        case _:
            return replace(chosen, moderator_roles=ids)


async def choosing_ids(click: Interaction, setting: Setting) -> Callable[[Preferences], Preferences]:
    """Return the change to what was chosen in a menu of channels or roles, without what does not exist."""
    texts = [each for each in chosen_values(click) if each.isascii() and each.isdecimal()]
    ids = (await existing_ids_of(click, setting))(map(int, texts))
    if setting is not Setting.CHANNELS:
        require_no_everyone(click, setting, ids)
    return lambda chosen: with_ids(chosen, setting, ids)


async def existing_ids_of(interaction: Interaction, setting: Setting) -> Callable[[Iterable[int]], frozenset[int]]:
    """Return a function that keeps those of some channels, or roles, that exist in the server."""
    if setting is not Setting.CHANNELS:
        return lambda ids: existing_roles(interaction, ids)
    channels = await fetch_channels(interaction)
    return lambda ids: existing_channels(channels, ids)


def require_no_everyone(interaction: Interaction, setting: Setting, roles: Collection[int]) -> None:
    """Raise a Refusal that says what it would mean if the role that everybody has is among some roles."""
    if interaction.guild_id in roles:
        raise Refusal(HostReason.EVERYONE_OPENS if setting is Setting.OPENERS else HostReason.EVERYONE_MODERATES)


def with_options(chosen: Preferences, game: str, text: str) -> Preferences:
    """Return preferences with other default options of a game, as JSON without the usual ones."""
    kept = {key: options for key, options in chosen.options.items() if key != game}
    return replace(chosen, options=kept if text == "{}" else {**kept, game: text})


def missing_notes(interaction: Interaction, chosen: Preferences) -> dict[Setting, str]:
    """Return what the bot lacks here for what is chosen."""
    notes = {}
    if chosen.theme is not None:
        notes[Setting.PICTURES] = attach_files_note(interaction)
    if chosen.opens_threads and (missing := missing_thread_permissions(interaction)):
        text = _("⚠️ In this channel I lack **{permissions}** for that.")
        notes[Setting.THREADS] = text.format(permissions=join_items(missing))
    return notes


def saved_text(count: int) -> str:
    """Return that a choice is saved, and how many tables look different now."""
    if not count:
        return _("Saved.")
    text = ngettext(
        "Saved. Updating {count} table.",
        "Saved. Updating {count} tables.",
        count,
    )
    return text.format(count=format_number(count))
