"""The tables of each game: from the lobby to what can be asked about a finished game."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bot.sandbox import Channel, Message
from bot.tables.handlers.ids import PEOPLE_ONLY
from tests.golden.playing import make_moves, step_of
from tests.golden.scene import Scene, play_scenes
from tests.support.games import load_games_once

MIDDLE: Final = 14
"""How many moves are made before the middle of a game is looked at."""

SHORT_OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "change": {"credits": 20},
    "fortune": {"target": 1000},
    "houdinis_baggage": {"target": 10, "computers": 1},
    "magpie": {"target": 50},
}
"""The options of the shortest games; where people who press anything do not come to an end, a computer player does."""

SEEDS: Final = {"change": 2, "fortune": 5, "houdinis_baggage": 3, "magic_bag": 5}
"""What is pressed where nothing is recommended; with these, games end soon."""


def tables_of_game(key: str) -> str:
    """Return the messages of a game's tables."""
    info = load_games_once()[key].game.info

    async def play(scene: Scene) -> None:
        table = await _open(scene, info.command, scene.here)
        await _look_at_lobby(scene, table)
        await _start(scene, table, min(info.most_seats, 3))
        scene.note("first turn", table)
        await make_moves(scene, table, MIDDLE)
        scene.note("middle", table)
        await _pick(scene, table)
        await _ask(scene, table)
        short = await _open(scene, info.command, scene.elsewhere, **SHORT_OPTIONS.get(key, {}))
        await _start(scene, short, 1 if "computers" in SHORT_OPTIONS.get(key, {}) else min(info.most_seats, 2))
        await make_moves(scene, short, seed=SEEDS.get(key, 1))
        scene.note("finished", short)
        await _look_back(scene, short)

    return play_scenes(play)


async def _open(scene: Scene, command: str, where: Channel, **options: Any) -> Message:
    return (await scene.slash(scene.robin, f"{command} new", where, **options)).replies[0]


async def _look_at_lobby(scene: Scene, lobby: Message) -> None:
    scene.note("lobby", lobby)
    more = await scene.open_more(scene.robin, lobby)
    scene.note("more in the lobby", more)
    if _has(more, "Options"):
        await scene.press(scene.robin, more, "Options")
        scene.note("options", more)
    if lobby.selects:
        await scene.choose(scene.robin, lobby, "OP:", "strong")
        scene.note("lobby with a computer player", lobby)
        await scene.choose(scene.robin, lobby, "OP:", PEOPLE_ONLY)


async def _start(scene: Scene, lobby: Message, seats: int) -> None:
    for person in (scene.wren, scene.jay)[: seats - 1]:
        await scene.press(person, lobby, "Join")
    (start,) = _shown_labels(lobby, ("Start", "Deal"))
    await scene.press(scene.robin, lobby, start)


async def _pick(scene: Scene, table: Message) -> None:
    """Pick the first piece that may be picked, which changes the buttons alone."""
    before = step_of(table)
    button = next((each.custom_id for each in table.buttons if (each.custom_id or "").startswith("t:")), None)
    if button is not None:
        await scene.click(scene.mover(table), table, button)
        scene.note("a piece picked" if step_of(table) == before else "a move later", table)


async def _ask(scene: Scene, table: Message) -> None:
    mover = scene.mover(table)
    if _has(table, "My hand"):
        scene.note("my hand", await scene.press(mover, table, "My hand"))
    scene.note("more", await scene.open_more(mover, table))
    for label in ("Read the table", "Hint", "How to play"):
        more = await scene.open_more(mover, table)
        if not _has(more, label):
            continue
        answer = await scene.press(mover, more, label)
        scene.note(label.lower(), answer, more)
        question = answer.replies[0] if answer.replies else more
        if label == "Hint" and _has(question, "Show the hint"):
            scene.note("hint shown", await scene.press(mover, question, "Show the hint"), question)
    scene.note("news", await scene.slash(scene.wren, "table news"))


async def _look_back(scene: Scene, table: Message) -> None:
    scene.note("more at the end", await scene.open_more(scene.robin, table))
    for label in ("What happened", "Review", "Replay", "Check fairness"):
        more = await scene.open_more(scene.robin, table)
        if not _has(more, label):
            continue
        answer = await scene.press(scene.robin, more, label)
        scene.note(label.lower(), answer, more)
        if label == "Replay":
            replay = answer.replies[0] if answer.replies else more
            await scene.press(scene.robin, replay, "▶")
            scene.note("replay, next", replay)
    for label in _shown_labels(table, ("Share", "Play again", "Deal again")):
        scene.note(label.lower(), await scene.press(scene.robin, table, label))
    scene.note("finished and continued", table)


def _shown_labels(message: Message, labels: Sequence[str]) -> Iterator[str]:
    return (label for label in labels if _has(message, label))


def _has(message: Message, label: str) -> bool:
    return any(label in button.label for button in message.buttons)
