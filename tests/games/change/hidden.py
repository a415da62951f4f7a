"""Other deals of Change's message cards that look the same to one seat."""

from dataclasses import replace

from bot.games.change.pieces import State
from bot.rules.chance import Chance, shuffle
from bot.rules.game import Seat


def redeal_hidden(state: State, viewer: Seat | None, chance: Chance) -> State:
    """Redeal the deck and all hands except the viewer's own."""
    others = [seat for seat in range(len(state.hands)) if seat != viewer]
    unknown = [*(card for seat in others for card in state.hands[seat]), *state.deck]
    cards, hands = list(shuffle(chance, unknown)), list(state.hands)
    for seat in others:
        hands[seat] = tuple(sorted(cards.pop() for _ in state.hands[seat]))
    return replace(state, hands=tuple(hands), deck=tuple(cards))
