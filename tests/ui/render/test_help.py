"""The help."""

import re

from bot.app.bootstrap import build_client
from bot.features.help.messages import render_about, render_commands, render_guide_list, render_help, render_lesson_list
from bot.platform.discord.content import MessageContent
from bot.words import gettext
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase

GAMES = load_games_once()
PACKAGES = list(GAMES.values())
TOPICS = (
    render_help(PACKAGES, is_direct=False),
    render_commands(),
    render_about(PACKAGES),
    render_guide_list(PACKAGES),
    render_lesson_list(PACKAGES),
)


def text_of(content: MessageContent) -> str:
    embed = content.text_embed
    return "\n".join((str(embed.description), *(str(field.value) for field in embed.fields)))


async def test_every_command_that_help_names_exists() -> None:
    named = {word for content in TOPICS for word in text_of(content).split("`") if word.startswith("/")}
    assert {"/table show", "/table cancel", "/settings show"} <= named
    assert named <= set(await build_client(MemoryDatabase(), GAMES).list_commands())


def test_credits_of_all_games_are_in_about_only() -> None:
    for package in PACKAGES:
        assert gettext(package.game.info.credits) in text_of(render_about(PACKAGES))
        assert not any(
            gettext(package.game.info.credits) in text_of(content) for content in (TOPICS[0], TOPICS[1], TOPICS[3])
        )


def test_credits_without_room_are_counted() -> None:
    shown = text_of(render_about(PACKAGES * 20)).splitlines()
    assert len("\n".join(shown)) <= 4096
    left = 20 * len(PACKAGES) - sum(line.startswith("**") for line in shown)
    assert re.findall(r"…\D+(\d+)", shown[-1]) == [str(left)]
