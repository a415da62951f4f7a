"""The message of a lobby: names, options, duration, and the revision in its buttons."""

import re

from bot.platform.discord.ids import parse_id
from bot.platform.places import Person
from bot.tables import lobby as lobby_actions
from bot.tables.handlers.ids import LobbyId
from bot.tables.shown.lobby import render_lobby
from bot.words import gettext
from tests.support.each_case import each_case
from tests.support.fakes import make_table


class TestLobbyText:
    def test_no_name_reverses_the_footer_of_the_lobby(self) -> None:
        footers = {
            name: str(render_lobby(make_table(lobby_actions.make_occupant(Person(1, name), 1))).text_embed.footer.text)
            for name in ("\u202eשלום 5", "\u202e\u2800")
        }
        first, second = (footer.splitlines()[0] for footer in footers.values())
        assert "\u2068שלום 5\u2069" in first
        assert gettext("Someone") in second
        assert "\u202e" not in first + second

    def test_an_option_that_no_longer_fits_has_its_default_in_the_lobby(self) -> None:
        shown, usual, meant = (
            render_lobby(make_table(options=options)).text_embed.fields[1].value
            for options in (
                '{"target": 7, "moon": true, "five_dice_bonus": true}',
                "{}",
                '{"five_dice_bonus": true}',
            )
        )
        assert shown == meant != usual

    @each_case(
        "options, minutes",
        [
            ('{"target": 500}', "75"),
            ('{"target": 500, "double_big_rolls": true}', "40"),
            ('{"target": 50, "moon": true}', "8"),
        ],
    )
    def test_the_duration_follows_the_options(self, options: str, minutes: str) -> None:
        title = str(render_lobby(make_table(options=options)).text_embed.fields[0].name)
        assert re.findall(r"\d+", title)[-1] == minutes


class TestLobbyButtons:
    def test_lobby_buttons_carry_the_revision(self) -> None:
        for row in render_lobby(make_table(revision=7, id=5)).rows:
            for press in row:
                found = parse_id(press.custom_id)
                assert not isinstance(found, LobbyId) or (found.table_id, found.revision) == (5, 7)
