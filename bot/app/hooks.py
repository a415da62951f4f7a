"""What features do in the transactions that save tables."""

from typing import Final

from bot.features.badges.storage import award_ended
from bot.features.blocks.storage import check_seats
from bot.features.daily_bag import storage as daily_bag
from bot.features.results.accounts.ratings import save_results
from bot.features.turn_clocks.service import schedule
from bot.tables.events import Happened, Hook

# In this order: an attempt at a daily bag may become practice, which has no results, and results earn badges.
TABLE_HOOKS: Final = (
    Hook(Happened.OPENED | Happened.SEATED, check=check_seats),
    Hook(Happened.OPENED, in_transaction=daily_bag.begin),
    Hook(Happened.ENDED, in_transaction=daily_bag.end),
    Hook(Happened.ENDED, in_transaction=save_results),
    Hook(Happened.CLOCK_STARTED, in_transaction=schedule),
    Hook(Happened.ENDED, in_transaction=award_ended),
)
