"""Shows the commitment of a table's dice, and the proof once the table is over."""

import asyncio
import io
from collections.abc import Awaitable, Callable

import discord

from bot.features.fairness.records import record_error_message
from bot.features.fairness.verification import (
    VerificationResult,
    edition_of,
    is_seed_secret,
    make_record_in_slices,
    verify_record_in_slices,
)
from bot.platform.discord.answers import Interaction, deferred_if_slow, send_ephemeral
from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.context import channel_of
from bot.platform.discord.ids import TableButtonId
from bot.rules.refusals import Refusal
from bot.tables.handlers.controls import is_here
from bot.tables.kinds import Edition, SharedSeed
from bot.tables.model import StoredTable, TableId
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage
from bot.tables.service import TableService
from bot.tables.shown.embeds import PLAIN_COLOUR
from bot.tables.table import Table, commitment_of
from bot.words import format_number, gettext as _

_VALID_COLOUR = 0x78B159
_INVALID_COLOUR = 0xDD2E44


class CheckDiceId(TableButtonId, prefix="v"):
    """The button that checks a table's dice."""


def check_dice_buttons(table: Table) -> tuple[Button, ...]:
    """Return the button that checks the dice, unless no dice were rolled."""
    return (Button(_("Check fairness"), str(CheckDiceId(table.id))),) if table.header.salt else ()


class DiceProofs:
    """Shows the commitment of a table's dice. Once the table is over, verifies the dice and attaches the record.

    For a challenge, the proof waits until its seed is published.
    """

    def __init__(
        self, service: TableService, find_shared_seed: Callable[[Edition], Awaitable[SharedSeed | None]]
    ) -> None:
        self._service = service
        self._find_shared_seed = find_shared_seed

    @deferred_if_slow
    async def show_here(self, command: Interaction) -> None:
        """Check the dice of this channel's newest table, or of the user's own solo game."""
        table_id = await self._service.newest_table_id_in(channel_of(command), command.user.id)
        if table_id is None:
            raise Refusal(HostReason.NO_TABLE_YET)
        await self._show(command, table_id)

    async def press(self, click: Interaction, pressed: CheckDiceId) -> None:
        """Check the dice of the table to which a button belongs."""
        await self._show(click, pressed.table_id)

    async def _show(self, interaction: Interaction, table_id: TableId) -> None:
        stored = await self._service.load_stored(table_id)
        is_own = any(occupant.user_id == interaction.user.id for occupant in stored.seats)
        if not is_here(interaction, stored.header) and not (is_own and stored.header.is_private):
            raise Refusal(HostReason.UNKNOWN_TABLE)
        package, edition = self._service.games[stored.header.game], edition_of(stored)
        shared = None if edition is None else await self._find_shared_seed(edition)
        if is_seed_secret(stored, shared):
            await send_ephemeral(interaction, **MessageContent(_sealed_embed(stored, package).to_dict()).send_kwargs())
            return
        embed, record_json = await _build_proof(stored, package, self._service, shared)
        name = f"{stored.header.game}-{table_id}.json"
        await send_ephemeral(
            interaction,
            embed=MessageContent(embed.to_dict()).embed_to_send(),
            file=discord.File(io.BytesIO(record_json), name),
        )


def _sealed_embed(stored: StoredTable, package: AnyPackage) -> discord.Embed:
    if edition_of(stored) is not None:
        text = _(
            "🔒 **All rolls are sealed** until this day or week is over and everyone who began it has finished: "
            "everyone plays with the same seed. *Seeds and proof* in `/daily` shows when it is published."
        )
        embed = _make_embed(package, text, PLAIN_COLOUR)
        _add_commitment(embed, stored, commitment_of(stored.header.seed))
        return embed
    embed = _make_embed(package, _("🔒 **All rolls and draws are sealed** until this table is over."), PLAIN_COLOUR)
    _add_commitment(embed, stored, commitment_of(stored.header.seed))
    return _add_section(
        embed,
        _("How this keeps the game fair"),
        _(
            "Every roll and draw is computed from a secret seed and the clicks with which people joined and started. "
            "The seed was fixed before those clicks, and no one knew it when they clicked. Once the table is "
            "over, the seed is shown here, and anyone can recompute them all."
        ),
    )


async def _build_proof(
    stored: StoredTable, package: AnyPackage, service: TableService, shared: SharedSeed | None
) -> tuple[discord.Embed, bytes]:
    """Verify a table that is over, and return the embed and the record as JSON.

    Replaying a long game takes a while, so it runs in time slices.
    """
    record = await service.time_slices.run_to_end(make_record_in_slices(stored, package, shared))
    try:
        result = await service.time_slices.run_to_end(verify_record_in_slices(record, service.games))
        embed = _make_embed(package, _verdict_text(result), _VALID_COLOUR)
    except Refusal as flaw:
        text = _("⚠️ **The check failed.** {flaw}").format(flaw=record_error_message(flaw))
        embed = _make_embed(package, text, _INVALID_COLOUR)
    _add_commitment(embed, stored, record.commitment)
    revealed = _("The seed:\n`{seed}`").format(seed=record.seed)
    if record.salt is not None:
        salt_text = _("It was mixed with this salt, made from every seat's contribution:\n`{salt}`")
        revealed = f"{revealed}\n{salt_text.format(salt=record.salt)}"
    _add_section(embed, _("Revealed now"), revealed)
    how = _(
        "In a terminal, this recomputes the promise:\n"
        "`printf {seed} | xxd -r -p | openssl sha256`\n"
        "The attached record holds every move and every number. `python -m bot record verify {file}` "
        "checks them all; `docs/fair-dice.md`, which comes with Parlour, explains how to check them "
        "without Parlour."
    ).format(seed=record.seed, file=f"{record.game}-{stored.header.id}.json")
    if (next_seed := service.next_seeds.get(stored.header.id)) is not None:
        text = _("The SHA-256 of the secret seed of the game that *Play again* starts.\n`{commitment}`")
        _add_section(embed, _("Promised for the next game"), text.format(commitment=commitment_of(next_seed)))
    return _add_section(embed, _("Check it yourself"), how), (await asyncio.to_thread(str, record)).encode()


def _verdict_text(result: VerificationResult) -> str:
    if not result.numbers:
        return _("This table ended before anything was rolled or drawn.")
    text = _(
        "✅ **This game was fair.** All its rolls and draws check out ({count}). They follow from a seed that was "
        "promised in advance, so no one chose or changed any of them."
    )
    return text.format(count=format_number(result.numbers))


def _add_commitment(embed: discord.Embed, stored: StoredTable, commitment: str) -> None:
    if edition_of(stored) is not None:
        text = _(
            "The SHA-256 of the seed of this day or week; `/daily` shows it from the day before on.\n`{commitment}`"
        )
        _add_section(embed, _("Promised before anyone could play"), text.format(commitment=commitment))
        return
    text = _("The SHA-256 of a secret seed; `/table verify` has shown it since the opening.\n`{commitment}`")
    _add_section(embed, _("Promised before anyone could join"), text.format(commitment=commitment))


def _make_embed(package: AnyPackage, text: str, colour: int) -> discord.Embed:
    title = _("{game} · fairness").format(game=_(package.game.info.title))
    return discord.Embed(title=title, description=text, colour=colour)


def _add_section(embed: discord.Embed, title: str, text: str) -> discord.Embed:
    return embed.add_field(name=title, value=text, inline=False)
