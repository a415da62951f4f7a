"""Computer players speak at tables, unless the server wants them quiet."""

from bot.features.settings.all_settings import QUIET
from bot.tables.shown.message import render_game
from bot.tables.shown.story_line import tell_remark
from tests.support.chosen_settings import chosen
from tests.support.fakes import HERE, ROBIN, start_game
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter


async def test_a_server_can_have_them_quiet(adapter: Adapter, db: MemoryDatabase) -> None:
    table = await start_game(adapter.service, ROBIN, computers=1)
    parts = adapter.app.table_messages.parts
    for is_quiet in (False, True):
        db.chosen[HERE.scope_id] = chosen({QUIET: is_quiet})
        await adapter.settings.reload(HERE.scope_id)
        await parts.load(table)
        content = render_game(table, frozenset(), parts)
        for embed in (content.text_embed_json, content.picture_embed_json):
            told = str(embed["description"]).replace("\u00a0", " ")
            assert (tell_remark(table) in told) is not is_quiet
        assert str(content.picture_embed_json["description"]).count("\n") == 1
