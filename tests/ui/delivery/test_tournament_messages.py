"""Messages of tournaments: a picture is sent when it has changed, and words wherever there can be none."""

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from bot.features.tournaments.model import Format, PairedTable, Stage, Tournament
from bot.features.tournaments.sending import DiscordTournamentMessages
from bot.features.tournaments.words import short_name
from bot.pictures.service import DrawingFailed, PictureFile
from bot.platform.catalogues import Catalogues
from bot.platform.discord.http import Request
from bot.platform.discord.languages import Languages
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.rate_limits import Permit
from bot.platform.observability.metrics import Metrics
from bot.platform.places import Location
from bot.rules.picture import Picture, Theme
from bot.tables.model import Status
from bot.tools.gallery_tournaments import play_games, start_tournament
from tests.support.each_case import each_case
from tests.support.fakes import GAMES
from tests.ui.fake_interactions import MISSING_PERMISSIONS, POSTED_ID, FakeMessageClient
from tests.ui.fake_pictures import FakePictureDrawer


class HashDrawer(FakePictureDrawer):
    """Draws equal pictures alike."""

    async def draw(self, picture: Picture, theme: Theme = Theme.STANDARD) -> PictureFile:
        drawn = await super().draw(picture, theme)
        return replace(drawn, data=str(hash(picture)).encode())


@dataclass
class Channel:
    """A channel with messages of tournaments."""

    theme: Theme | None = Theme.STANDARD
    message_client: Any = field(default_factory=FakeMessageClient)
    drawer: HashDrawer = field(default_factory=HashDrawer)

    def __post_init__(self) -> None:
        attacher = PictureAttacher(self.drawer, self._theme_of, Metrics())
        languages = Languages(Catalogues())
        self.messages = DiscordTournamentMessages(self.message_client, GAMES, attacher, languages)

    async def _theme_of(self, _: Location) -> Theme | None:
        return self.theme

    async def show(self, tournament: Tournament, **tables: PairedTable) -> Request:
        """Show a tournament and return the request that does it."""
        assert await self.messages.show(tournament, {each.part: each for each in tables.values()}, "") == POSTED_ID
        request: Request = self.message_client.requests[-1]
        return request


@pytest.fixture
def channel() -> Channel:
    return Channel()


FRESH = start_tournament(Format.SWISS, 4)
SHOWN = replace(FRESH, message_id=POSTED_ID)


def has_standings(request: Request) -> bool:
    """Return whether the words of a message have the points of all players."""
    assert request.json is not None
    texts = "".join(field["value"] for field in request.json["embeds"][0]["fields"])
    return all(f"**{short_name(player)}** · " in texts for player in FRESH.players)


async def test_a_picture_is_uploaded_only_if_it_has_changed(channel: Channel) -> None:
    first = await channel.show(FRESH)
    assert (first.method, first.picture is None, has_standings(first)) == ("POST", False, False)
    (pairing, *_) = SHOWN.in_play
    started = PairedTable(pairing.part, 1, Status.PLAYING, 77, 78)
    same = await channel.show(SHOWN, started=started)
    assert (same.method, same.picture) == ("PATCH", None)
    assert same.json is not None
    assert "/77/78" in str(same.json["embeds"])
    assert same.json["embeds"][0]["image"] == {"url": "attachment://table.png"}
    assert "attachments" not in same.json, "the earlier picture stays"
    after = await channel.show(play_games(SHOWN, 1))
    assert after.picture is not None
    assert first.picture is not None
    assert after.picture.data != first.picture.data


@each_case("trouble", ["off", "drawing", "permission"])
async def test_without_a_picture_the_words_have_all_of_it(
    trouble: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    channel = Channel(None if trouble == "off" else Theme.STANDARD)
    send = channel.message_client.send

    async def refuse_files(request: Request, permit: Permit) -> Any:
        if request.picture is not None:
            raise MISSING_PERMISSIONS
        return await send(request, permit)

    if trouble == "drawing":
        channel.drawer.fault = DrawingFailed("no art")
    if trouble == "permission":
        monkeypatch.setattr(channel.message_client, "send", refuse_files)
    for tournament in (FRESH, SHOWN, play_games(SHOWN, 1)):
        request = await channel.show(tournament)
        assert (request.picture, has_standings(request)) == (None, True)
        assert request.json is not None
        assert request.json["attachments"] == []
    caplog.clear()


async def test_a_picture_comes_back_once_it_can_be_drawn(channel: Channel, caplog: pytest.LogCaptureFixture) -> None:
    await channel.show(FRESH)
    channel.drawer.fault = DrawingFailed("no memory")
    assert (await channel.show(SHOWN)).picture is None
    caplog.clear()
    channel.drawer.fault = None
    assert (await channel.show(SHOWN)).picture is not None


async def test_the_champion_is_announced_with_the_last_picture(channel: Channel) -> None:
    ended = SHOWN
    while ended.stage is Stage.RUNNING:
        ended = play_games(ended)
    shown = await channel.show(ended)
    await channel.messages.announce(ended, Location(1, 88), "won", [501])
    announced: Request = channel.message_client.requests[-1]
    assert (announced.method, announced.channel_id) == ("POST", 88)
    assert announced.picture is not None
    assert announced.picture == shown.picture
    assert announced.json is not None
    assert announced.json["content"] == "won"
    assert announced.json["allowed_mentions"] == {"parse": [], "roles": ["501"]}
    assert [each["description"] for each in announced.json["attachments"]] == [announced.picture.description]
