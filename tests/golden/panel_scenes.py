"""What people see outside tables: help, settings, results, privacy, and what waits for them."""

from typing import Any

from bot.features.settings.kinds import SettingsSection
from bot.sandbox import Message
from tests.golden.scene import Scene, play_scenes
from tests.golden.table_scenes import finish, start_table


def panels(locale: str = "en-US") -> str:
    """Return the messages of panels for people who use Discord in a language."""
    plays = (_help, _settings, _set_up, _moderation, _results, _privacy, _pings, _puzzles)
    return play_scenes(*plays, locale=locale)


async def turn_pages(scene: Scene, name: str, panel: Message, *buttons: str) -> None:
    """Let Robin press buttons of a panel, and note each page."""
    for button in buttons:
        answer = await scene.press(scene.robin, panel, button)
        scene.note(f"{name}: {button}", panel, *answer.replies)


async def _help(scene: Scene) -> None:
    helped = await scene.slash(scene.robin, "help")
    scene.note("help", helped)
    await turn_pages(
        scene, "help", helped.replies[0], "Commands", "◀ Help", "About", "◀ Help", "Learn", "◀ Help", "How to play"
    )
    scene.note("games", await scene.slash(scene.robin, "play"))
    scene.note("lessons", await scene.slash(scene.robin, "learn"))
    scene.note("rules", await scene.slash(scene.robin, "rules", game="change"))
    scene.note("rules of no game", await scene.slash(scene.robin, "rules", game="chess"))


async def _settings(scene: Scene) -> None:
    shown = await scene.slash(scene.robin, "settings show")
    (panel,) = shown.replies
    scene.note("settings", panel)
    for section in SettingsSection:
        await scene.choose(scene.robin, panel, "Sm:", section.value)
        scene.note(f"settings: {section}", panel)
    await scene.choose(scene.robin, panel, "Sm:", SettingsSection.GAMES.value)
    await scene.choose(scene.robin, panel, "S:options", "magpie")
    scene.note("settings: default options", panel)
    for command, options in (
        ("settings set", {"setting": "pictures", "value": "dark"}),
        ("settings set", {"setting": "season", "value": "month"}),
        ("settings set", {"setting": "hints", "value": "off"}),
        ("settings channels", {"add": scene.elsewhere}),
        ("settings roles", {"setting": "openers", "add": 1100000000000000041}),
        ("settings game", {"game": "fortune", "on": False}),
        ("settings options", {"game": "magpie", "option": "target", "value": "50"}),
        ("settings changes", {}),
        ("settings show", {}),
    ):
        scene.note(f"/{command} {' '.join(map(str, options))}", await scene.slash(scene.robin, command, **options))
    scene.note("not here", await scene.slash(scene.robin, "magpie new"))
    scene.note("not this game", await scene.slash(scene.wren, "fortune new", scene.elsewhere))
    scene.note("not they", await scene.slash(scene.linnet, "magpie new", scene.elsewhere))
    scene.note("in the dark", await scene.slash(scene.wren, "magpie new", scene.elsewhere))
    scene.note("own settings", await scene.slash(scene.robin, "settings show", scene.robin.direct_channel))


async def _set_up(scene: Scene) -> None:
    await scene.slash(scene.robin, "settings channels", add=scene.here)
    checked = await scene.slash(scene.robin, "server check")
    scene.note("check", checked)
    (panel,) = checked.replies
    buttons = ("Set up", "Next ▶", "◀ Back", "Next ▶", "Next ▶", "Next ▶", "Finish", "All settings")
    await turn_pages(scene, "set-up", panel, *buttons)


async def _moderation(scene: Scene) -> None:
    await scene.slash(scene.robin, "settings log", channel=scene.elsewhere)
    scene.note("no bans", await scene.slash(scene.robin, "server bans"))
    scene.note("no open tables", await scene.slash(scene.robin, "server tables"))
    await start_table(scene)
    await scene.slash(scene.jay, "magpie new", scene.elsewhere)
    tables = await scene.slash(scene.robin, "server tables")
    scene.note("open tables", tables)
    await turn_pages(scene, "open tables", tables.replies[0], "Close all …", "◀ Open tables")
    await scene.choose(scene.robin, tables.replies[0], "VK:", "2")
    scene.note("open tables: close one", tables)
    await turn_pages(scene, "open tables", tables.replies[0], "Close the table")
    told: dict[str, Any] = {"reason": "spam", "time": "week", "tell": True}
    for who, options in ((scene.wren, told), (scene.jay, {})):
        scene.note(f"ban of {who.name}", await scene.slash(scene.robin, "server ban", member=who, **options))
        scene.note(f"{who.name} is banned", await scene.slash(who, "play"))
    scene.note("table without the banned", scene.linnet.visible_messages(scene.here)[-1])
    scene.note("bans", await scene.slash(scene.robin, "server bans"))
    await scene.slash(scene.robin, "server unban", member=scene.jay)
    scene.note("not a moderator", await scene.slash(scene.jay, "server tables"))
    scene.note("log", *scene.linnet.visible_messages(scene.elsewhere)[-5:])


async def _results(scene: Scene) -> None:
    for command in ("profile", "history", "badges", "season"):
        scene.note(f"before any game: {command}", await scene.slash(scene.robin, command))
    scene.note("before any game: leaderboard", await scene.slash(scene.robin, "leaderboard", game="magpie"))
    for _ in range(2):
        table = await start_table(scene, target=50)
        await scene.pass_time(minutes=20)
        await finish(scene, table)
    board = await scene.slash(scene.robin, "leaderboard", game="magpie")
    scene.note("leaderboard", board)
    await scene.choose(scene.robin, board.replies[0], "lm:span", "lb:magpie:people:rating:week:1:show")
    scene.note("leaderboard of the week", board)
    for order in ("wins", "points", "best"):
        scene.note(f"leaderboard by {order}", await scene.slash(scene.linnet, "leaderboard", game="magpie", by=order))
    await scene.press(scene.robin, board.replies[0], "Post here")
    scene.note("posted board", scene.newest())
    scene.note("own profile", await scene.slash(scene.robin, "profile"))
    scene.note("profile of another", await scene.slash(scene.robin, "profile", member=scene.wren))
    scene.note("profile without games", await scene.slash(scene.robin, "profile", member=scene.jay))
    scene.note("versus", await scene.slash(scene.robin, "versus", member=scene.wren))
    history = await scene.slash(scene.robin, "history")
    scene.note("history", history)
    await turn_pages(scene, "history", history.replies[0], "Whole server", "My games")
    scene.note("own badges", await scene.slash(scene.robin, "badges"))
    scene.note("badges of another", await scene.slash(scene.robin, "badges", member=scene.wren))
    scene.note("season", await scene.slash(scene.robin, "season"))
    scene.note("games in direct messages", await scene.slash(scene.robin, "history", scene.robin.direct_channel))


async def _privacy(scene: Scene) -> None:
    await start_table(scene)
    for name, who, where in (
        ("of a manager", scene.robin, scene.here),
        ("of a person", scene.wren, scene.here),
        ("in direct messages", scene.wren, scene.wren.direct_channel),
    ):
        scene.note(f"privacy {name}", await scene.slash(who, "privacy", where))
    panel = (await scene.slash(scene.robin, "privacy")).replies[0]
    scene.note("exported", await scene.press(scene.robin, panel, "Export my data"))
    await turn_pages(scene, "privacy", panel, "Delete my data")
    panel = (await scene.slash(scene.robin, "privacy")).replies[0]
    await turn_pages(scene, "privacy", panel, "server's data")


async def _pings(scene: Scene) -> None:
    scene.note("no tables", await scene.slash(scene.robin, "mytables"))
    await start_table(scene)
    await scene.slash(scene.robin, "magpie new", scene.elsewhere)
    scene.note("my tables", await scene.slash(scene.robin, "mytables"))
    here = await scene.slash(scene.robin, "ping here")
    scene.note("ping here", here)
    await scene.choose(scene.robin, here.replies[0], "PM:", here.replies[0].selects[0].options[1]["value"])
    scene.note("ping here, changed", here)
    scene.note("ping always", await scene.slash(scene.robin, "ping always"))
    scene.note("quiet hours", await scene.slash(scene.robin, "ping quiet", start=22, end=7, zone="Europe/Berlin"))
    scene.note("quiet hours nowhere", await scene.slash(scene.robin, "ping quiet", start=22, end=7, zone="Nowhere"))
    scene.note("no quiet hours", await scene.slash(scene.robin, "ping anytime"))


async def _puzzles(scene: Scene) -> None:
    asked = await scene.slash(scene.robin, "puzzle")
    scene.note("daily puzzle", asked)
    (puzzle,) = asked.replies
    await scene.click(scene.robin, puzzle, next(button.custom_id or "" for button in puzzle.buttons))
    scene.note("daily puzzle answered", puzzle)
    await turn_pages(scene, "daily puzzle", puzzle, "This server", "Daily puzzle")
    await scene.press(scene.robin, puzzle, "Share result")
    scene.note("shared puzzle", scene.newest())
    for game in ("magpie", "fortune", "houdinis_baggage", "magic_bag", "change"):
        asked = await scene.slash(scene.robin, "puzzle", game=game)
        scene.note(f"puzzle of {game}", asked)
        if buttons := [button.custom_id or "" for button in asked.replies[0].buttons]:
            await scene.click(scene.robin, asked.replies[0], buttons[0])
            scene.note(f"puzzle of {game} answered", asked)
