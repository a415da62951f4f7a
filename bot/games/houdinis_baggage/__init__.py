"""Mr. Houdini's Baggage: a card game about packing."""

from bot.games.houdinis_baggage.assignments import BaggageContent
from bot.games.houdinis_baggage.balance import tally
from bot.games.houdinis_baggage.guide import ERROR_MESSAGES, GUIDE, describe_options
from bot.games.houdinis_baggage.moves import Move
from bot.games.houdinis_baggage.picture.composition import build_picture
from bot.games.houdinis_baggage.pieces import BaggageOptions, State
from bot.games.houdinis_baggage.reading import build_reading
from bot.games.houdinis_baggage.rules import HoudinisBaggage
from bot.games.houdinis_baggage.screen import build_abandoned_fields, build_screen
from bot.games.houdinis_baggage.showcase import SHOWCASES
from bot.games.houdinis_baggage.strategy import follow_best_plan
from bot.rules.package import GameFactory, GamePackage, ScoreKind
from bot.words import format_points

_SHOWN_MOVES = 4
"""A turn ends with up to three moves: `done`, and two assignments taken."""


def _build(content: BaggageContent) -> GamePackage[BaggageOptions, State, Move, State]:
    return GamePackage(
        game=HoudinisBaggage(content.assignments.build_deck()),
        build_screen=build_screen,
        error_messages=ERROR_MESSAGES,
        guide=GUIDE,
        describe_options=describe_options,
        strategies={"sensible": follow_best_plan},
        score_kind=ScoreKind(format_points),
        build_abandoned_fields=build_abandoned_fields,
        tally=tally,
        build_picture=build_picture,
        build_reading=build_reading,
        showcases=SHOWCASES,
        shown_moves=_SHOWN_MOVES,
    )


PACKAGE = GameFactory(BaggageContent, _build)
