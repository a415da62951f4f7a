"""Tables beside the usual course of a game, and the messages about them."""

from typing import Any

from bot.sandbox import Message
from bot.sandbox.model.permissions import Permissions
from tests.golden.playing import make_moves
from tests.golden.scene import Scene, play_scenes
from tests.support.lessons import press_next
from tests.support.parlour import is_played


def special_tables(locale: str = "en-US") -> str:
    """Return the messages of tables that are closed, put aside, timed, taught, linked, sealed and so on."""
    plays = (_seats, _closings, _aside, _timed, _computers, _invitations, _taken_back, _series, _lessons, _direct)
    return play_scenes(*plays, _refusals, locale=locale)


async def open_table(scene: Scene, command: str = "magpie new", **options: Any) -> Message:
    """Let Robin open a table."""
    return (await scene.slash(scene.robin, command, **options)).replies[0]


async def start_table(scene: Scene, command: str = "magpie new", **options: Any) -> Message:
    """Let Robin open a table, Wren join it, and Robin start it."""
    table = await open_table(scene, command, **options)
    await scene.press(scene.wren, table, "Join")
    await scene.press(scene.robin, table, "Start")
    return table


async def roll(scene: Scene, table: Message) -> None:
    """Let whose turn it is roll all five dice of Magpie."""
    await scene.press(scene.mover(table), table, "Roll all five")


async def finish(scene: Scene, table: Message) -> None:
    """Play a table of Magpie to its end."""
    while is_played(table):
        await roll(scene, table)


async def _seats(scene: Scene) -> None:
    table = await open_table(scene)
    for person in (scene.wren, scene.jay):
        await scene.press(person, table, "Join")
    scene.note("lobby of three", table)
    more = await scene.open_more(scene.robin, table)
    await scene.press(scene.robin, more, "Remove player")
    scene.note("whom to remove", more)
    await scene.choose(scene.robin, more, "K:", "2")
    scene.note("removed", more)
    more = await scene.open_more(scene.robin, table)
    await scene.press(scene.robin, more, "Leave")
    scene.note("another host", more, table)
    await scene.press(scene.robin, table, "Join")
    await scene.press(scene.wren, table, "Start")
    asked = await scene.slash(scene.robin, "table resign")
    scene.note("resign?", asked)
    await scene.press(scene.robin, asked.replies[0], "Resign")
    scene.note("resigned", asked, table)
    scene.note("ended by a resignation", table)
    await scene.press(scene.wren, table, "Play again")
    scene.note("the next lobby", scene.newest())


async def _closings(scene: Scene) -> None:
    table = await open_table(scene)
    asked = await scene.slash(scene.robin, "table cancel")
    scene.note("close a lobby?", asked)
    scene.note("a closed lobby", table)
    table = await start_table(scene)
    for _ in range(2):
        await roll(scene, table)
    scene.note("somebody else closes it?", await scene.slash(scene.jay, "table cancel"))
    asked = await scene.slash(scene.wren, "table cancel")
    scene.note("close it together?", asked)
    if asked.replies and asked.replies[0].buttons:
        await scene.click(scene.wren, asked.replies[0], asked.replies[0].buttons[0].custom_id or "")
        scene.note("one player agrees", asked, table)
    asked = await scene.slash(scene.robin, "table cancel")
    scene.note("a moderator closes it?", asked)
    if asked.replies and asked.replies[0].buttons:
        await scene.click(scene.robin, asked.replies[0], asked.replies[0].buttons[0].custom_id or "")
        scene.note("closed", asked)
    scene.note("a closed game", table)


async def _aside(scene: Scene) -> None:
    table = await start_table(scene)
    await roll(scene, table)
    scene.note("the channel is taken", await scene.slash(scene.jay, "fortune new"))
    await scene.pass_time(days=1, hours=1)
    asked = await scene.slash(scene.jay, "fortune new")
    scene.note("put the game aside?", asked)
    await scene.press(scene.jay, asked.replies[0], "Put it aside")
    scene.note("put aside", table)
    lobby = scene.newest()
    await scene.press(scene.jay, await scene.open_more(scene.jay, lobby), "Leave")
    scene.note("everybody has left", lobby)
    scene.note("resumed", await scene.press(scene.robin, table, "Resume"))
    scene.note("the resumed game", scene.newest())


async def _timed(scene: Scene) -> None:
    table = await open_table(scene)
    panel = await scene.open_more(scene.robin, table)
    await scene.press(scene.robin, panel, "Options")
    await scene.press(scene.robin, panel, "Page 2")
    scene.note("options, second page", panel)
    await scene.choose(scene.robin, panel, "CM:", "ten_minutes")
    scene.note("a turn clock is chosen", panel, table)
    await scene.press(scene.wren, table, "Join")
    await scene.press(scene.robin, table, "Start")
    scene.note("a timed turn", table)
    await roll(scene, table)
    scene.note("the next timed turn", table)


async def _computers(scene: Scene) -> None:
    table = await open_table(scene, computers=2)
    scene.note("lobby with computer players", table)
    await scene.press(scene.robin, table, "Start")
    scene.note("after the computer players", table)
    await roll(scene, table)
    scene.note("a round later", table)
    scene.note("resign against computer players?", await scene.slash(scene.robin, "table cancel"))
    scene.note("what happened", await scene.slash(scene.robin, "table news"))


async def _invitations(scene: Scene) -> None:
    table = await open_table(scene)
    scene.note("invited", await scene.slash(scene.robin, "table invite", person=scene.wren))
    invitation = scene.newest()
    scene.note("the invitation", invitation)
    scene.note("not invited", await scene.press(scene.jay, invitation, "Join"))
    scene.note("refused", await scene.press(scene.wren, invitation, "No more invitations"))
    scene.note("the refused invitation", invitation)
    scene.note("invited again", await scene.slash(scene.robin, "table invite", person=scene.wren))
    scene.note("blocked", await scene.slash(scene.jay, "block", member=scene.robin))
    scene.note("somebody who blocks the host joins", await scene.press(scene.jay, table, "Join"))
    scene.note(
        "somebody who blocks the host is invited", await scene.slash(scene.robin, "table invite", person=scene.jay)
    )
    scene.note("the block list", await scene.slash(scene.jay, "unblock"))
    scene.note("unblocked", await scene.slash(scene.jay, "unblock", member=scene.robin))


async def _taken_back(scene: Scene) -> None:
    table = await start_table(scene, "baggage new")
    scene.note("a search", table)
    scene.note("nothing to take back", await scene.slash(scene.robin, "table undo"))
    scene.note("nobody to stand in for", await scene.slash(scene.robin, "table substitute"))
    scene.note("nobody to come back", await scene.slash(scene.robin, "table back"))
    scene.note("shown again", await scene.slash(scene.jay, "table show"))
    scene.note("moved to the end", table)
    scene.note("ping me here", await scene.slash(scene.robin, "ping here"))
    scene.note("fairness", await scene.slash(scene.jay, "table verify"))


async def _series(scene: Scene) -> None:
    table = await open_table(scene, "change new", credits=20, games=2)
    scene.note("lobby of a series", table)
    await scene.press(scene.wren, table, "Join")
    await scene.press(scene.robin, table, "Start")
    scene.note("first game of a series", table)
    scene.note("my hand", await scene.press(scene.mover(table), table, "My hand"))
    await make_moves(scene, table, seed=2)
    scene.note("between the games of a series", table)
    await scene.press(scene.robin, table, "Next game")
    scene.note("lobby of the second game", scene.newest())


async def _lessons(scene: Scene) -> None:
    for game in ("magpie", "fortune", "houdinis_baggage", "magic_bag", "change"):
        lesson = (await scene.slash(scene.robin, "learn", game=game)).replies[0]
        scene.note(f"lesson of {game}", lesson)
        while await press_next(scene.robin, lesson):
            await scene.be_quiet()
        scene.note(f"end of the lesson of {game}", lesson)


async def _direct(scene: Scene) -> None:
    direct = scene.robin.direct_channel
    scene.note("games in direct messages", await scene.slash(scene.robin, "play", direct))
    table = (await scene.slash(scene.robin, "magic-bag new", direct)).replies[0]
    await scene.press(scene.robin, table, "Deal")
    scene.note("a bag in direct messages", table)
    alone = (await scene.slash(scene.wren, "magic-bag new")).replies[0]
    await scene.press(scene.wren, alone, "Deal")
    scene.note("someone else's bag", await scene.click(scene.jay, alone, alone.buttons[0].custom_id or ""))
    scene.note("my tables", await scene.slash(scene.robin, "mytables", direct))


async def _refusals(scene: Scene) -> None:
    for command in ("table show", "table read", "table hint", "table resign", "table review", "table replay"):
        scene.note(f"no table: {command}", await scene.slash(scene.jay, command))
    table = await start_table(scene)
    idle = next(who for who in (scene.robin, scene.wren) if who is not scene.mover(table))
    scene.note("not your turn", await scene.press(idle, table, "Roll all five"))
    scene.note("no seat", await scene.press(scene.jay, table, "Roll all five"))
    scene.note("nonsense typed", await scene.slash(scene.mover(table), "magpie roll", dice="7 7"))
    scene.note("another game", await scene.slash(scene.mover(table), "fortune stop"))
    scene.note("a hint for another", await scene.slash(scene.jay, "table hint"))
    scene.elsewhere.bot_permissions &= ~Permissions.ATTACH_FILES
    scene.note("pictures are not permitted", await scene.slash(scene.jay, "magpie new", scene.elsewhere))
