"""The help."""

from bot.app.bootstrap import build_client
from bot.features.help.ids import HelpId, HelpTopic
from bot.features.help.messages import render_about, render_commands, render_guide_list, render_help, render_lesson_list
from bot.platform.discord.content import MessageContent
from bot.platform.discord.ids import parse_id
from bot.rules.picture import Sprite
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


def topics_of(content: MessageContent) -> list[HelpTopic]:
    ids = [parse_id(button.custom_id) for row in content.rows for button in row]
    return [each.topic for each in ids if isinstance(each, HelpId)]


def test_help_is_short_and_leads_everywhere() -> None:
    topics = [HelpTopic.PLAY, HelpTopic.LEARN, HelpTopic.GUIDES, HelpTopic.COMMANDS, HelpTopic.ABOUT]
    for is_direct in (False, True):
        assert len(text_of(render_help(PACKAGES, is_direct=is_direct)).split()) <= 90
        assert topics_of(render_help(PACKAGES, is_direct=is_direct)) == topics


def test_help_shows_the_covers_of_all_games() -> None:
    make_picture = render_help(PACKAGES, is_direct=False).make_picture
    assert make_picture is not None
    shown = {mark.name for mark in make_picture().marks if isinstance(mark, Sprite)}
    assert {package.cover for package in PACKAGES if package.cover is not None} <= shown
    assert render_help([], is_direct=False).make_picture is None


def test_in_a_direct_message_nobody_is_said_to_join() -> None:
    assert "*Join*" in text_of(render_help(PACKAGES, is_direct=False))
    assert "*Join*" not in text_of(render_help(PACKAGES, is_direct=True))


def test_every_topic_leads_back() -> None:
    assert [topics_of(content) for content in TOPICS[1:]] == [[HelpTopic.START]] * 4


async def test_every_command_that_help_names_exists() -> None:
    named = {word for content in TOPICS for word in text_of(content).split("`") if word.startswith("/")}
    assert {"/table show", "/table cancel", "/settings show"} <= named
    assert named <= set(await build_client(MemoryDatabase(), GAMES).list_commands())


def test_credits_of_all_games_are_in_about_only() -> None:
    for package in PACKAGES:
        assert package.game.info.credits in text_of(render_about(PACKAGES))
        assert not any(package.game.info.credits in text_of(content) for content in (TOPICS[0], TOPICS[1], TOPICS[3]))


def test_credits_without_room_are_counted() -> None:
    shown = text_of(render_about(PACKAGES * 20)).splitlines()
    assert len("\n".join(shown)) <= 4096
    assert shown[-1] == f"… and {20 * len(PACKAGES) - sum(line.startswith('**') for line in shown)} more games"
