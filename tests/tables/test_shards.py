"""Which servers belong to which shards."""

import pytest

from bot.tables.shards import ALL_SHARDS, ShardRange


# Discord: (guild_id >> 22) % num_shards, and direct messages go to shard 0.
@pytest.mark.parametrize(
    ("guild_id", "shard"), [(None, 0), (1, 0), ((1 << 22) - 1, 0), (1 << 22, 1), (197038439483310086, 2), (7 << 22, 7)]
)
def test_a_server_belongs_to_one_shard(guild_id: int | None, shard: int) -> None:
    assert [number for number in range(8) if ShardRange(number, number, 8).serves(guild_id)] == [shard]
    assert ALL_SHARDS.serves(guild_id)


def test_a_range_includes_both_ends() -> None:
    shards = ShardRange(2, 4, 8)
    assert [number for number in range(8) if shards.serves(number << 22)] == [2, 3, 4] == list(shards.numbers)
