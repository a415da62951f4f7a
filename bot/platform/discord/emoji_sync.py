"""Keeps the bot's emoji at Discord in step with the art, and lets texts use them."""

import asyncio
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final

import discord

from bot.pictures.symbols import SymbolPainter
from bot.platform.clock import utc_now
from bot.platform.discord.emoji import OWN_EMOJI, Emoji
from bot.rules.picture import Symbol

log = logging.getLogger(__name__)

_DIGEST_LENGTH: Final = 6
_OWN_NAME: Final = re.compile(r"parlour_\w+_[0-9a-f]{6}")
"""The names of emoji made by this module; other emoji belong to the person who runs the bot."""

KEPT_AFTER_UPDATE: Final = timedelta(days=1)
"""How long outdated emoji stay after newer ones exist, because another process may not be updated yet."""


class EmojiSync:
    """Creates missing emoji and removes outdated ones.

    The name of an emoji ends with a digest of its art, so every process can tell which emoji are up to date.
    """

    def __init__(
        self, drawer: SymbolPainter, symbols: Iterable[Symbol], clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._drawer = drawer
        self._symbols = tuple(symbols)
        self._clock = clock

    async def use_existing(self, client: discord.Client) -> None:
        """Use the emoji if all exist, as at every start except the first after a change of the art."""
        try:
            names = await asyncio.to_thread(self._name_all)
            existing = await _fetch_by_name(client)
        except Exception as fault:  # noqa: BLE001 - `run` tries again
            log.info("the bot's own emoji can't be used yet: %s", fault)
            return
        if existing.keys() >= names.keys():
            _use(names, existing)

    async def run(self, client: discord.Client) -> None:
        """Bring the emoji up to date and use them; if that fails, texts stay unchanged."""
        try:
            await self._sync(client)
        except Exception as fault:  # noqa: BLE001 - the bot works without emoji, whatever the error
            log.warning("the bot's own emoji can't be used, and symbols are Unicode: %s", fault)

    async def _sync(self, client: discord.Client) -> None:
        names = await asyncio.to_thread(self._name_all)
        existing = await _fetch_by_name(client)
        missing = [(name, symbol) for name, symbol in names.items() if name not in existing]
        for name, symbol in missing:
            if name not in existing:
                image = await asyncio.to_thread(self._drawer.draw, symbol)
                existing |= await _create(client, name, image)
        _use(names, existing)
        removed = await _remove_outdated(existing, names, self._clock())
        log.info("%d emoji of the bot are in use (%d new, %d removed)", len(names), len(missing), removed)

    def _name_all(self) -> dict[str, Symbol]:
        """Return the symbols by the names of their emoji."""
        return {f"parlour_{each.name}_{self._drawer.digest(each)[:_DIGEST_LENGTH]}": each for each in self._symbols}


def _use(names: Mapping[str, Symbol], existing: Mapping[str, discord.Emoji]) -> None:
    OWN_EMOJI.use(
        {symbol.text: Emoji(symbol.name, existing[name].id, bool(symbol.more_looks)) for name, symbol in names.items()}
    )


async def _fetch_by_name(client: discord.Client) -> dict[str, discord.Emoji]:
    """Return the emoji made by this module; of two with the same name, every process uses the older one."""
    found = sorted(await client.fetch_application_emojis(), key=lambda emoji: emoji.id, reverse=True)
    return {emoji.name: emoji for emoji in found if _OWN_NAME.fullmatch(emoji.name)}


async def _create(client: discord.Client, name: str, image: bytes) -> dict[str, discord.Emoji]:
    """Create an emoji and return it; if another process was faster, return all existing emoji."""
    try:
        return {name: await client.create_application_emoji(name=name, image=image)}
    except discord.HTTPException:
        existing = await _fetch_by_name(client)
        if name not in existing:
            raise
        return existing


async def _remove_outdated(existing: dict[str, discord.Emoji], wanted: Iterable[str], now: datetime) -> int:
    """Remove outdated emoji once newer ones have existed for a while; return the number removed."""
    newest = max(emoji.created_at for emoji in existing.values())
    if now - newest < KEPT_AFTER_UPDATE:
        return 0
    outdated = sorted(existing.keys() - set(wanted))
    for name in outdated:
        try:
            await existing[name].delete()
        except discord.HTTPException as fault:
            # Another process may have removed it, or else the next start will.
            log.info("the emoji %s could not be removed: %s", name, fault)
    return len(outdated)
