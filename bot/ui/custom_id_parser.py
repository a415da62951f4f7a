"""Parses custom ids strictly: text that none of our buttons has is refused."""

import re
from collections.abc import Callable
from typing import cast

from bot.rules.refusals import Refusal
from bot.rules.screen import Draft
from bot.tables.model import Company
from bot.tables.refusals import HostReason
from bot.ui import custom_ids

_NUMBER = r"(\d{1,18})"
_SNOWFLAKE = r"(\d{1,20})"
_GAME = r"([a-z_]{1,32})"
_PAGE = r"(\d{1,6})"
_CONTROL = rf"{_NUMBER}:{_NUMBER}:([a-z0-9_]{{1,24}}):([0-9a-f]{{1,16}})"


def _decode_draft(mask: str) -> Draft:
    bits = int(mask, 16)
    return frozenset(token for token in range(bits.bit_length()) if bits >> token & 1)


_PATTERNS: dict[type[custom_ids.CustomId], tuple[str, Callable[..., custom_ids.ComponentId]]] = {
    custom_ids.ControlId: (
        _CONTROL,
        lambda table_id, step, key, mask: custom_ids.ControlId(int(table_id), int(step), key, _decode_draft(mask)),
    ),
    custom_ids.MenuId: (
        _CONTROL,
        lambda table_id, step, key, mask: custom_ids.MenuId(int(table_id), int(step), key, _decode_draft(mask)),
    ),
    custom_ids.HandId: (_NUMBER, lambda table_id: custom_ids.HandId(int(table_id))),
    custom_ids.HandControlId: (
        r"([tmy]:.{1,97})",
        lambda inner: custom_ids.HandControlId(
            cast("custom_ids.ControlId | custom_ids.MenuId | custom_ids.HandId", parse_id(inner))
        ),
    ),
    custom_ids.LobbyId: (
        rf"{_NUMBER}:{_NUMBER}:({'|'.join(custom_ids.LobbyButton)})",
        lambda table_id, revision, action: custom_ids.LobbyId(
            int(table_id), int(revision), custom_ids.LobbyButton(action)
        ),
    ),
    custom_ids.OptionPanelId: (_NUMBER, lambda table_id: custom_ids.OptionPanelId(int(table_id))),
    custom_ids.OptionPageId: (
        rf"{_NUMBER}:{_PAGE}",
        lambda table_id, page: custom_ids.OptionPageId(int(table_id), int(page)),
    ),
    custom_ids.OptionMenuId: (
        rf"{_NUMBER}:([0-9a-f]{{16}}):([a-z][a-z0-9_]{{0,31}})",
        lambda table_id, shown, option: custom_ids.OptionMenuId(int(table_id), shown, option),
    ),
    custom_ids.SeatId: (
        rf"{_NUMBER}:{_NUMBER}:({'|'.join(custom_ids.SeatButton)})",
        lambda table_id, step, action: custom_ids.SeatId(int(table_id), int(step), custom_ids.SeatButton(action)),
    ),
    custom_ids.InvitationId: (
        rf"{_NUMBER}:{_SNOWFLAKE}:({'|'.join(custom_ids.InvitationButton)})",
        lambda table_id, guest, action: custom_ids.InvitationId(
            int(table_id), int(guest), custom_ids.InvitationButton(action)
        ),
    ),
    custom_ids.GuideId: (_GAME, custom_ids.GuideId),
    custom_ids.CancelTableId: (_NUMBER, lambda table_id: custom_ids.CancelTableId(int(table_id))),
    custom_ids.CheckDiceId: (_NUMBER, lambda table_id: custom_ids.CheckDiceId(int(table_id))),
    custom_ids.ReadTableId: (_NUMBER, lambda table_id: custom_ids.ReadTableId(int(table_id))),
    custom_ids.ReadOnlyId: (
        rf"{_NUMBER}:{_NUMBER}:([yrg]:.{{1,32}})",
        lambda table_id, revision, inner: custom_ids.ReadOnlyId(
            int(table_id),
            int(revision),
            cast("custom_ids.HandId | custom_ids.ReadTableId | custom_ids.GuideId", parse_id(inner)),
        ),
    ),
    custom_ids.ReplayId: (
        rf"{_NUMBER}:{_NUMBER}:({'|'.join(custom_ids.ReplayButton)})",
        lambda table_id, step, turn: custom_ids.ReplayId(int(table_id), int(step), custom_ids.ReplayButton(turn)),
    ),
    custom_ids.PlayAgainId: (_NUMBER, lambda table_id: custom_ids.PlayAgainId(int(table_id))),
    custom_ids.NextTableId: (_NUMBER, lambda table_id: custom_ids.NextTableId(int(table_id))),
    custom_ids.OpenTableId: (
        rf'{_GAME}:(\d):([a-z0-9_",.-]{{0,60}})',
        lambda game, computers, texts: custom_ids.OpenTableId(
            game, int(computers), tuple(texts.split(",")) if texts else ()
        ),
    ),
    custom_ids.ResumeId: (_NUMBER, lambda table_id: custom_ids.ResumeId(int(table_id))),
    custom_ids.PutAsideId: (
        rf"{_NUMBER}:([qaxk]:.{{1,90}})",
        lambda table_id, inner: custom_ids.PutAsideId(
            int(table_id),
            cast(
                "custom_ids.OpenTableId | custom_ids.PlayAgainId | custom_ids.NextTableId | custom_ids.ResumeId",
                parse_id(inner),
            ),
        ),
    ),
    custom_ids.StillPlayingId: (_NUMBER, lambda table_id: custom_ids.StillPlayingId(int(table_id))),
    custom_ids.LeaderboardId: (
        rf"{_GAME}:({'|'.join(Company)}):{_PAGE}",
        lambda game, company, page: custom_ids.LeaderboardId(game, Company(company), int(page)),
    ),
    custom_ids.HistoryId: (
        rf"({'|'.join(custom_ids.HistoryScope)}):{_PAGE}",
        lambda scope, page: custom_ids.HistoryId(custom_ids.HistoryScope(scope), int(page)),
    ),
}
"""For each kind of id: what follows its prefix, and what its groups make."""

_PARSERS = {kind.prefix: (re.compile(pattern, re.ASCII), make) for kind, (pattern, make) in _PATTERNS.items()}


def parse_id(text: str) -> custom_ids.ComponentId:
    """Parse a custom id.

    Raises:
        Refusal: None of our buttons has it.
    """
    prefix, _, rest = text.partition(":")
    if prefix in _PARSERS:
        pattern, make = _PARSERS[prefix]
        if match := pattern.fullmatch(rest):
            return make(*match.groups())
    raise Refusal(HostReason.UNKNOWN_BUTTON)
