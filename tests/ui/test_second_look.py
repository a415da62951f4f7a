"""What can't be undone is marked for a second look at the clock."""

from bot.features.privacy.service import LEFT_SERVER, RETENTION
from bot.features.seasons.service import SEASON_JOB
from tests.support.apps import shared_app


def test_ends_of_seasons_and_deletions_look_at_the_clock_again() -> None:
    found = {kind.name for kind in shared_app().jobs.values() if kind.is_irrevocable}
    assert found == {SEASON_JOB, RETENTION, LEFT_SERVER}
