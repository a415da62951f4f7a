"""Offers of players' places to other members: queries, and their limits.

An offer stays stored for a day after it is closed, so that no member is asked too often.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Index,
    bindparam,
    delete,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)

from bot.features.tournaments.model import Tournament, TournamentId, TournamentReason, UserId
from bot.platform.database.sql import UtcDateTime, lock, rowless_table
from bot.rules.refusals import Refusal

OFFER_AGAIN_AFTER: Final = timedelta(days=1)
"""The time before a member can be asked again in the same tournament."""

MOST_OFFERS: Final = 3
"""The most offers to a member within that time, in all tournaments."""

ALWAYS_OFFERED: Final = 5
"""How many members can be asked within that time in any tournament; in a larger one, as many as it has players."""

# The members who were asked to take the place of a player.
tournament_offers = rowless_table(
    "tournament_offers",
    Column("tournament_id", BigInteger, primary_key=True, autoincrement=False),
    Column("guest_id", BigInteger, primary_key=True, autoincrement=False),
    # The player who has the place.
    Column("user_id", BigInteger, nullable=False),
    Column("offered_at", UtcDateTime, nullable=False),
    # Whether the guest can still take the place.
    Column("is_open", Boolean, nullable=False),
    Index("tournament_offers_to", "guest_id"),
)

_IN: Final = tournament_offers.c.tournament_id == bindparam("of_tournament")
_TO: Final = tournament_offers.c.guest_id == bindparam("of_guest")
_SELECT_PLACE: Final = select(tournament_offers.c.user_id).where(_IN, _TO, tournament_offers.c.is_open)
_SELECT_RECENT: Final = select(tournament_offers.c.tournament_id).where(
    _TO, tournament_offers.c.offered_at > bindparam("since")
)
_COUNT_ASKED: Final = select(func.count()).where(_IN, tournament_offers.c.offered_at > bindparam("since"))
_DELETE: Final = delete(tournament_offers).where(_IN, _TO)
_DELETE_OLD: Final = delete(tournament_offers).where(
    not_(tournament_offers.c.is_open), tournament_offers.c.offered_at <= bindparam("since")
)
_CLOSE: Final = update(tournament_offers).where(_IN, tournament_offers.c.is_open).values(is_open=False)


def add(connection: Connection, tournament: Tournament, player_id: UserId, guest_id: UserId, now: datetime) -> None:
    """Offer a player's place to a member; this closes an earlier offer of that place.

    Raises:
        Refusal: The member, or members of the tournament's server, have been asked too often within a day.
    """
    lock(connection, tournament.id)
    lock(connection, guest_id)
    key = {"of_tournament": tournament.id, "of_guest": guest_id}
    since = {"since": now - OFFER_AGAIN_AFTER}
    recent = connection.execute(_SELECT_RECENT, key | since).scalars().all()
    if tournament.id in recent:
        raise Refusal(TournamentReason.OFFERED_ALREADY)
    if len(recent) >= MOST_OFFERS:
        raise Refusal(TournamentReason.PLACE_REFUSED)
    if connection.execute(_COUNT_ASKED, key | since).scalar_one() >= max(ALWAYS_OFFERED, len(tournament.players)):
        raise Refusal(TournamentReason.TOO_MANY_ASKED)
    connection.execute(_DELETE, key)
    connection.execute(_CLOSE.where(tournament_offers.c.user_id == player_id), {"of_tournament": tournament.id})
    row = {"tournament_id": tournament.id, "guest_id": guest_id, "user_id": player_id}
    connection.execute(insert(tournament_offers), row | {"offered_at": now, "is_open": True})


def find_place(connection: Connection, tournament_id: TournamentId, guest_id: UserId) -> UserId | None:
    """Return the player whose place is offered to a member; None without an offer."""
    key = {"of_tournament": tournament_id, "of_guest": guest_id}
    return connection.execute(_SELECT_PLACE, key).scalar_one_or_none()


def withdraw(connection: Connection, tournament_id: TournamentId, guest_id: UserId) -> None:
    """Delete an offer that has not reached its member."""
    connection.execute(_DELETE, {"of_tournament": tournament_id, "of_guest": guest_id})


def close_void(connection: Connection, tournament: Tournament) -> None:
    """Close the offers of places whose players are gone, and to members who play; all once the tournament is over."""
    players = [player.user_id for player in tournament.players]
    active = [player.user_id for player in tournament.active] if tournament.stage.is_open else []
    is_void = or_(tournament_offers.c.user_id.not_in(active), tournament_offers.c.guest_id.in_(players))
    connection.execute(_CLOSE.where(is_void), {"of_tournament": tournament.id})


def prune(connection: Connection, now: datetime) -> None:
    """Delete closed offers that no longer count towards a limit."""
    connection.execute(_DELETE_OLD, {"since": now - OFFER_AGAIN_AFTER})
