"""The message of a lobby: who sits there, what is to be played, and the buttons of whoever may act."""

from bot.games.magpie.pieces import MagpieOptions
from bot.platform.discord.ids import parse_id
from bot.platform.places import Person
from bot.tables import lobby as lobby_actions
from bot.tables.handlers.ids import LobbyButton, LobbyId
from bot.tables.shown.lobby import render_lobby
from bot.tables.table import Table
from bot.words import seat_emoji
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN, WREN, as_solo, make_table


def lobby_of(people: int) -> Table:
    """Return a lobby in which so many people have a seat."""
    return make_table(*(lobby_actions.make_occupant(Person(at, f"Player {at}"), at) for at in range(1, people + 1)))


def actions(table: Table) -> list[LobbyButton]:
    ids = [parse_id(press.custom_id) for row in render_lobby(table).rows for press in row]
    return [each.button for each in ids if isinstance(each, LobbyId)]


def labels(table: Table) -> list[list[str]]:
    return [[press.label for press in row] for row in render_lobby(table).rows]


class TestLobbyText:
    def test_the_lobby_shows_the_seats_and_the_opener(self) -> None:
        table = lobby_actions.with_computer(
            make_table(lobby_actions.make_occupant(ROBIN, 1), lobby_actions.make_occupant(WREN, 2))
        )
        seats = render_lobby(table).text_embed.fields[0]
        assert str(seats.name) == "3/6 players · about 15 minutes"
        robin, wren, computer = str(seats.value).splitlines()
        assert robin == f"{seat_emoji(0)} **Robin** (host)"
        assert wren == f"{seat_emoji(1)} Wren"
        assert computer == f"{seat_emoji(2)} Computer 🤖 Normal"

    @each_case(
        "people, title, words",
        [
            (1, "waiting for players", "can play the computer"),
            (2, "waiting for players", "Press Join to play. "),
            (6, "ready to start", "The table is full."),
        ],
    )
    def test_the_lobby_says_how_to_begin(self, people: int, title: str, words: str) -> None:
        embed = render_lobby(lobby_of(people)).text_embed
        assert embed.title == f"Magpie · {title}"
        assert words in str(embed.footer.text)

    def test_how_to_play_ends_the_first_row_of_every_lobby(self) -> None:
        lobbies = [lobby_of(people) for people in range(1, 7)]
        for lobby in (*lobbies, as_solo(lobbies[0])):
            rows = render_lobby(lobby).rows
            assert [row[-1].label == "How to play" for row in rows] == [True, False][: len(rows)]

    def test_no_name_reverses_the_footer_of_the_lobby(self) -> None:
        footers = {
            name: str(render_lobby(make_table(lobby_actions.make_occupant(Person(1, name), 1))).text_embed.footer.text)
            for name in ("\u202eשלום 5", "\u202e\u2800")
        }
        assert [footer.splitlines()[0] for footer in footers.values()] == [
            "Press Join, or \u2068שלום 5\u2069 can play the computer.",
            "Press Join, or Someone can play the computer.",
        ]

    def test_the_lobby_lists_every_option_and_marks_unusual_values(self) -> None:
        special = render_lobby(make_table(options='{"reroll_fours": true}')).text_embed.fields[1]
        shown = str(special.value).split(" · ")
        assert shown[:3] == ["Target: 100", "Double big rolls: off", "Re-roll fours: **on**"]
        assert len(shown) == len(MagpieOptions.model_fields)

    def test_an_option_that_no_longer_fits_has_its_default_in_the_lobby(self) -> None:
        lobby = render_lobby(
            make_table(options='{"target": 7, "moon": true, "five_dice_bonus": true}')
        ).text_embed.fields[1]
        assert str(lobby.value).startswith("Target: 100 ")
        assert "bonus: **on**" in str(lobby.value)

    def test_the_duration_is_that_of_the_fewest_players_until_they_have_joined(self) -> None:
        assert "about 10 minutes" in str(render_lobby(lobby_of(1)).text_embed.fields[0].name)
        assert "about 30 minutes" in str(render_lobby(lobby_of(6)).text_embed.fields[0].name)

    @each_case(
        "options, time",
        [
            ('{"target": 500}', "about 75 minutes"),
            ('{"target": 500, "double_big_rolls": true}', "about 40 minutes"),
            ('{"target": 50, "moon": true}', "about 8 minutes"),
        ],
    )
    def test_the_duration_follows_the_options(self, options: str, time: str) -> None:
        assert str(render_lobby(make_table(options=options)).text_embed.fields[0].name).endswith(f" · {time}")


class TestLobbyButtons:
    def test_a_lobby_offers_the_possible_actions(self) -> None:
        table = make_table(lobby_actions.make_occupant(ROBIN, 1))
        alone = ["Join", "Play the computer", "Leave", "How to play"], ["Options", "Add computer", "Computer: Normal ↻"]
        assert labels(table) == list(alone)
        with_computer = lobby_actions.with_computer(table)
        assert labels(with_computer)[1] == ["Options", "Add computer", "Computer: Normal ↻", "Remove computer"]
        joined = lobby_actions.join(with_computer, WREN, 2)
        assert labels(joined)[1] == ["Options", "Add computer", "Computer: Normal ↻", "Remove player"]

    def test_a_full_table_offers_no_seats(self) -> None:
        assert actions(lobby_of(6)) == [LobbyButton.START, LobbyButton.LEAVE, LobbyButton.REMOVE_PLAYER]

    def test_lobby_buttons_carry_the_revision(self) -> None:
        for row in render_lobby(make_table(revision=7, id=5)).rows:
            for press in row:
                found = parse_id(press.custom_id)
                assert not isinstance(found, LobbyId) or (found.table_id, found.revision) == (5, 7)

    @each_case("people, label", [(1, "Play the computer"), (2, "Start with 2"), (6, "Start with 6")])
    def test_the_start_button_says_what_starting_means(self, people: int, label: str) -> None:
        rows = render_lobby(lobby_of(people)).rows
        assert label in [press.label for row in rows for press in row]
