"""What is said when an action on a tournament is refused."""

from collections.abc import Mapping
from typing import Final

from bot.features.tournaments.model import TournamentReason
from bot.rules.refusals import RefusalReason
from bot.words import N_

TOURNAMENT_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    TournamentReason.UNKNOWN: N_("I don't know that tournament. `/tournament list` shows those of this server."),
    TournamentReason.NONE_HERE: N_("There's no tournament here yet. `/tournament new` opens one."),
    TournamentReason.ONLY_IN_SERVERS: N_("Tournaments need a server's channel."),
    TournamentReason.ONE_SEAT: N_("{game} is played alone, so there's no tournament of it. Choose another game."),
    TournamentReason.HAS_STARTED: N_("This tournament has started, so its players are settled."),
    TournamentReason.NOT_RUNNING: N_("This tournament isn't being played now."),
    TournamentReason.OVER: N_("This tournament is over. `/tournament new` opens another."),
    TournamentReason.FULL: N_("This tournament is full."),
    TournamentReason.TOO_FEW: N_("A tournament needs at least two players. Wait until more are here."),
    TournamentReason.CHECK_IN_TOO_LONG: N_(
        "The check-in ends with the start. With `starts`, choose a time that is further away than the check-in is long."
    ),
    TournamentReason.NOT_CHECKING_IN: N_("The check-in isn't open now."),
    TournamentReason.TOO_MANY_OPEN: N_(
        "This server has as many open tournaments as it can have. You can open one once another is over."
    ),
    TournamentReason.OPENED_ONE_ALREADY: N_(
        "A tournament of yours is open in this server. You can open another once it is over; organizers and moderators "
        "can open several."
    ),
    TournamentReason.PLAYS_ALREADY: N_("They are in this tournament already, so they can't take another place."),
    TournamentReason.PLACE_REFUSED: N_("That place can't be given to them. An organizer can offer it to someone else."),
    TournamentReason.OFFERED_ALREADY: N_(
        "They have been asked in the last day, and once a day is the limit. Offer the place to someone else."
    ),
    TournamentReason.TOO_MANY_ASKED: N_(
        "As many members as allowed have been asked in the last day to take a place. Offer this one tomorrow."
    ),
    TournamentReason.NOT_OFFERED: N_("This place isn't offered to you, or not any more."),
    TournamentReason.MAY_NOT_NAME: N_(
        "Only the organizers and moderators of this server name tournaments. Leave out `name`: then yours is called "
        "after its game and the date."
    ),
    TournamentReason.NOT_ORGANIZER: N_(
        "Only the opener of this tournament, and the organizers and moderators of this server, can do that."
    ),
    TournamentReason.HAS_WITHDRAWN: N_("You no longer play in this tournament, so you can't join again."),
    TournamentReason.TAKEN_OUT: N_(
        "An organizer took you out of this tournament, so you can't join again. Ask an organizer to let you back in."
    ),
    TournamentReason.NOT_TAKEN_OUT: N_("No one took them out of this tournament before its start."),
    TournamentReason.NOT_IN_IT: N_("You don't play in this tournament, or have left it already."),
    TournamentReason.THEY_ARE_NOT_IN_IT: N_("They don't play in this tournament, or have left it already."),
}
