"""Describes changes of settings."""

import json
from collections.abc import Mapping

from bot.features.settings.ids import Setting
from bot.features.settings.preferences import SettingsChange
from bot.features.settings.values import SETTINGS_BY_FIELD, TITLES, VALUE_LABELS, PictureChoice
from bot.tables.registry import AnyPackage
from bot.tables.shown.game_names import title_of
from bot.tables.shown.links import escape_name
from bot.words import gettext as _, join_items

_MENTIONS = {Setting.CHANNELS: "<#{}>", Setting.OPENERS: "<@&{}>", Setting.MODERATORS: "<@&{}>"}


def describe_change(change: SettingsChange, games: Mapping[str, AnyPackage]) -> str:
    """Return who changed what to what, without the time. It must notify no one."""
    setting = SETTINGS_BY_FIELD.get(change.setting)
    name = escape_name(change.setting) if setting is None else _(TITLES[setting])
    who = _("someone") if change.user_id is None else f"<@{change.user_id}>"
    value = _describe_value(setting, change.value or "", games)
    return _("{who} set **{setting}** to {value}").format(who=who, setting=name, value=value)


def _describe_value(setting: Setting | None, value: str, games: Mapping[str, AnyPackage]) -> str:
    match setting:
        case Setting.CHANNELS | Setting.OPENERS | Setting.MODERATORS:
            return join_items([_MENTIONS[setting].format(each) for each in value.split()]) or _("no choice")
        case Setting.GAMES:
            off = join_items([title_of(games, each) for each in value.split()])
            return _("all but {games}").format(games=off) if off else _("all")
        case Setting.OPTIONS:
            titles = [title_of(games, each) for each in json.loads(value or "{}")]
            return _("others for {games}").format(games=join_items(titles)) if titles else _("the usual ones")
        case None:
            return escape_name(value)
        case _:
            label = VALUE_LABELS[setting].get(value or PictureChoice.OFF)
            return escape_name(value) if label is None else _(label)
