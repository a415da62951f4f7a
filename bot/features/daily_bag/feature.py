"""Registers the daily bag."""

import secrets

from bot.features.daily_bag import storage
from bot.features.daily_bag.commands import DailyBagCog, DailyBags
from bot.features.daily_bag.messages import DailyBagId, daily_bag_buttons, daily_lines, shared_daily_text
from bot.features.daily_bag.model import DAILY_BAG_ERROR_MESSAGES
from bot.features.daily_bag.service import COMMIT_KIND, PUBLISH_KIND, DailyBagService, DailyStandings
from bot.features.settings.service import ServerRules
from bot.platform.registration import JobKind
from bot.tables.app import App, Feature
from bot.tables.events import Happened, Hook
from bot.tables.handlers.hands import Hands
from bot.tables.shown.parts import ButtonPart, Place, TextPart


def register(app: App) -> Feature:
    """Register the daily bag."""
    bags, standings = DailyBagService(app.db, app.clock, secrets.token_bytes), DailyStandings(app.db)
    commands = DailyBags(
        bags,
        app.tables,
        app.ephemeral_messages,
        rules=app.service(ServerRules),
        hands=app.service(Hands),
    )
    app.require_may_see, app.find_daily_bag = bags.require_may_see, bags.bag
    return Feature(
        services=(bags, standings, commands),
        cogs=(DailyBagCog(),),
        buttons={DailyBagId: commands.press},
        refusals=(DAILY_BAG_ERROR_MESSAGES,),
        hooks=(
            Hook(Happened.OPENED, in_transaction=storage.begin),
            # Before results are saved: an attempt that ends too late becomes practice, which has no result.
            Hook(Happened.ENDED, in_transaction=storage.end),
        ),
        follows=(standings.on_table_changed,),
        lines=(
            # The public message of a sealed table shows everyone the place and the streak.
            TextPart(
                Place.RESULT_FACT,
                lambda table: daily_lines(table, None if table.is_sealed else standings.known(table.id)),
            ),
            TextPart(Place.SEALED_NEWS, lambda table: daily_lines(table, standings.known(table.id))),
            TextPart(Place.SHARED_TEXT, lambda table: () if table.daily_day is None else (shared_daily_text(table),)),
        ),
        table_buttons=(ButtonPart(Place.BOARD_BUTTON, daily_bag_buttons),),
        jobs=(JobKind(COMMIT_KIND, bags.commit), JobKind(PUBLISH_KIND, bags.publish)),
        each_minute=(bags.begin,),
        personal_caches=(standings.clear,),
        close=standings.close,
    )
