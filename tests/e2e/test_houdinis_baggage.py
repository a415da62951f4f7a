"""Mr. Houdini's Baggage through the sandbox: a whole game by buttons and menus."""

from random import Random

from bot.rules.chance import FastChance
from bot.rules.screen import Play
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables.host import Host
from bot.tables.model import Status
from bot.tables.shown.screen import screen_of
from bot.tables.table import Table
from bot.tables.turns import find_forced_end
from tests.support.parlour import Parlour


async def open_started_game(parlour: Parlour, *others: Person, **options: object) -> Message:
    """Open a table, seat everyone and start the game."""
    answer = await parlour.robin.slash(parlour.here, "baggage new", **options)
    assert not answer.ephemeral, answer.text
    message = answer.replies[0]
    for other in others:
        await parlour.press(other, message, "Join")
    await parlour.press(parlour.robin, message, f"Start with {1 + len(others)}")
    await parlour.sandbox.until(lambda: is_shown(message, "open"))
    return message


async def make_move(parlour: Parlour, message: Message, who: Person, table: Table, move: str) -> None:
    """Make a move with the button or the menu that offers it; where it is not shown, its item is chosen first."""
    key = key_of(table, move)
    if not move.startswith("place"):
        # The publisher may still be about to show the table.
        await parlour.sandbox.until(lambda: is_shown(message, key))
    elif not is_shown(message, key):
        await press(message, who, f"item_{move.split()[3]}")
    while not is_shown(message, key):
        await press(message, who, "ways")
    await press(message, who, key)


def key_of(table: Table, move: str) -> str:
    """Return the key of the control that makes a move; placements shown only for a chosen item are numbered."""
    moves = list(map(str, table.package.game.legal_moves(table.state)))
    shown = (each.key for each in screen_of(table).iter_controls() if each.effect == Play(move))
    return next(shown, f"way_{moves.index(move)}")


def is_shown(message: Message, key: str) -> bool:
    lines = [option["value"] for menu in message.selects for option in menu.options]
    return key in lines or any(f":{key}:" in (button.custom_id or "") for button in message.buttons)


async def press(message: Message, who: Person, key: str) -> None:
    """Press the button of a control, or choose it in its menu."""
    for menu in message.selects:
        if key in [option["value"] for option in menu.options]:
            answer = await who.select(message, menu.custom_id, [key])
            break
    else:
        button = next(each for each in message.buttons if f":{key}:" in (each.custom_id or ""))
        answer = await who.click(message, button.custom_id or "")
    assert not answer.replies, answer.text


def choose_move(table: Table) -> str:
    """Choose as the computer player does."""
    state, player = table.state, table.package.mind.strategies["normal"]
    return str(player(state, table.package.game.legal_moves(state), FastChance(Random(1))))


async def wait_for_end(parlour: Parlour, message: Message, table: Table) -> None:
    """Wait until a turn has ended by itself, whose buttons rest until then."""
    await parlour.sandbox.until(lambda: not is_shown(message, f"{table.header.step}:done"))


async def test_a_whole_game_is_played_by_buttons_and_menus(parlour: Parlour) -> None:
    message = await open_started_game(parlour, parlour.wren, target=10)
    table = await parlour.table()
    kinds = set()
    while (now := await parlour.client.app.service(Host).service.table(table.id)).header.status is Status.PLAYING:
        if find_forced_end(now) is not None:
            await wait_for_end(parlour, message, now)
            continue
        move = choose_move(now)
        kinds.add(move.partition(" ")[0])
        await make_move(parlour, message, await parlour.mover(), now, move)
        await parlour.wait_until_settled()
    assert {"open", "stop", "place", "done", "take"} <= kinds
    assert now.outcome is not None
    assert max(now.outcome.scores) >= 10
    assert not message.selects
    assert now.seats[now.outcome.winners[0]].name in message.text
