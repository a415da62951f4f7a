"""The buttons and menus of The Magic Bag, and the step that a player is at."""

from collections.abc import Collection
from dataclasses import replace
from enum import Enum, auto
from typing import Final, NamedTuple

from bot.games.magic_bag.advice import (
    CLEAR_LEAD,
    COIN_BUTTONS,
    Advice,
    Aim,
    cost_of,
    find_aims,
    find_tries,
    list_coins,
)
from bot.games.magic_bag.facts import coins_for
from bot.games.magic_bag.pieces import FINISH, PIECES, STOP, Claim, Discard, Move, Piece, Roll, State, Suit
from bot.games.magic_bag.scoring import points_of
from bot.games.magic_bag.words import SUIT_SYMBOLS, piece_name, suit_name
from bot.rules.screen import Control, ControlRow, Draft, Menu, Play, Toggle, Tone, find_clear_best, make_fillers
from bot.words import N_, format_number, format_odds, format_tenths, gettext as _, join_items, ngettext

_CHOICES: Final = 3
"""The buttons above the dice: a line each on a phone."""

_LABEL_LENGTH: Final = 40
"""The letters of a button that fit into a line on a phone."""

_ROLLS_FOR_ROWS: Final = ("{roll}", N_("{roll}: row {row}"), N_("{roll}: row {row} or {other}"))
"""What a roll is for, by the number of rows that are named."""

_FIRST_COIN_TOKEN: Final = len(Suit)
"""The tokens before it are the dice to keep, by suit."""

FINISH_TOKEN: Final = _FIRST_COIN_TOKEN + len(PIECES)
"""The token of the question whether to finish."""


def coin_token(coin: Piece) -> int:
    """Return the token of a coin that is chosen to be given up."""
    return _FIRST_COIN_TOKEN + PIECES.index(coin)


class Step(Enum):
    """What the player decides now; giving up a coin and finishing may take two steps."""

    DICE = auto()
    """Which dice to roll, or which row to take."""
    COIN = auto()
    """Which coin to give up, or whether to finish. Rule MB-8."""
    TILE = auto()
    """Which tile to take away after the coin, if any. Rule MB-9."""
    FINISH = auto()
    """Whether to finish although playing on promises more."""


def step_of(view: State, advice: Advice, draft: Draft) -> Step:
    """Return the step that a draft has led to."""
    if not view.has_failed:
        return Step.DICE
    if FINISH_TOKEN in draft and advice.is_finishing_early:
        return Step.FINISH
    return Step.TILE if view.removable and chosen_coin(view, draft) else Step.COIN


def chosen_coin(view: State, draft: Draft) -> Piece | None:
    """Return the coin that is to be given up, or None."""
    return next((coin for coin in view.layout.collected if coin_token(coin) in draft), None)


class Controls(NamedTuple):
    """The controls of a screen."""

    shortcuts: ControlRow = ()
    rows: tuple[ControlRow, ...] = ()
    menus: tuple[Menu, ...] = ()


def build_controls(view: State, advice: Advice, draft: Draft) -> Controls:
    """Return the controls of a step: one of them is the next step, and perhaps another is clearly the best.

    Each step has five lines on a phone, a menu included, so that nothing moves: what is missing is a disabled button.
    """
    coin = chosen_coin(view, draft)
    match step_of(view, advice, draft):
        case Step.DICE if view.rolls_left:
            return _roll_controls(view, advice, draft)
        case Step.DICE:
            return _claim_controls(view, advice)
        case Step.TILE if coin is not None:
            return _tile_controls(view, advice, coin)
        case Step.FINISH:
            play_on = Control("play_on", _("Play on and give up a coin"), Toggle(FINISH_TOKEN), Tone.CHOSEN)
            (_first, *others), _finish = _coin_controls(view, advice).rows
            rest = [replace(each, is_disabled=True, tone=Tone.QUIET) for each in others]
            finish = _finish_control(view, Play(str(FINISH)))
            return Controls(rows=((play_on, *rest), (finish,)), menus=(_coin_menu(()),))
        case _:
            return _coin_controls(view, advice)


def _roll_controls(view: State, advice: Advice, draft: Draft) -> Controls:
    """Return the best rolls, the best row to take, and the dice. Rules MB-3 to MB-6.

    Once dice are kept, the roll of the others takes the place of the first roll.
    """
    claims = tuple(_claim_control(view, claim) for claim in advice.claims)
    kept = tuple(suit for suit in Suit if suit in draft)
    tries = find_tries(view, advice)
    stop = (_stop_control(view),) if advice.best[0] == STOP and len(kept) < len(Suit) else ()
    shortcuts = (*[_roll_control(view, each, f"try{at}") for at, each in enumerate(tries, 1)], *stop)
    composed = _composed_control(view, kept) if kept else None
    if composed is not None:
        shortcuts = (composed, *shortcuts[1:])
    labels = (_("Or tap the dice to keep"), _("No other roll is as good"))
    below = (*claims[:1], *make_fillers(labels, _CHOICES - len(shortcuts) - len(claims[:1])))
    dice = tuple(_die_control(view, suit, is_kept=suit in kept) for suit in Suit)
    others = (*claims[1:], *_other_rolls(view, {control.effect for control in shortcuts}))
    controls = Controls(shortcuts, (below, dice) if below else (dice,), (_other_menu(others),))
    if kept:
        return _coloured(controls, (composed or claims[0]).key, None)
    # Nothing that may lose a row is the next step while a row fits.
    safe = [each for each, aim in tries.items() if aim.is_safe or not claims]
    best = advice.claims[0] if claims and advice.is_good(advice.claims[0]) else safe[0] if safe else None
    buttons = (*shortcuts, *claims[:1])
    next_step = next((each for each in buttons if each.effect == Play(str(best))), (claims or buttons)[0])
    # A beginner sees first what rows are for: a roll that is better stands out only where no row is good.
    is_row_first = isinstance(best, Claim) and best != advice.clear
    return _coloured(controls, next_step.key, None if is_row_first else advice.clear)


def _claim_controls(view: State, advice: Advice) -> Controls:
    """Return the rows to take after the last roll. Rules MB-4 to MB-6."""
    shown = sorted(advice.claims[:_CHOICES], key=lambda claim: claim.row)
    labels = (_("No other row can be taken"), _("🎲 No roll is left"))
    claims = tuple(_claim_control(view, claim) for claim in shown)
    others = tuple(_claim_control(view, claim) for claim in advice.claims[_CHOICES:])
    rows = ((*claims, *make_fillers(labels, _CHOICES - len(claims))), _fixed_dice(view))
    key = f"row{max(shown, key=lambda claim: coins_for(view, claim.row)).row}"
    return _coloured(Controls(rows=rows, menus=(_other_menu(others),)), key, advice.clear)


def _other_rolls(view: State, shown: Collection[Play | Toggle]) -> ControlRow:
    """Return all rolls that can work and have no button, the likeliest first, and stopping if that is allowed."""
    rolls = [
        _roll_control(view, roll, str(roll).replace(" ", "_"))
        for roll, aim in find_aims(view).items()
        if aim.chance and Play(str(roll)) not in shown
    ]
    stop = () if view.matching else (_stop_control(view),)
    return (*rolls, *[control for control in stop if control.effect not in shown])


def _other_menu(others: ControlRow) -> Menu:
    return Menu("rows", _("Other choices …"), others)


def _coloured(controls: Controls, next_key: str, best: Move | None) -> Controls:
    """Return controls with the next step, and with the clearly best move, if it has a button."""
    main = Play(str(best))

    def colour(control: Control) -> Control:
        tone = Tone.MAIN if control.effect == main else Tone.CHOSEN if control.key == next_key else Tone.QUIET
        return replace(control, tone=tone)

    rows = tuple(tuple(map(colour, row)) for row in controls.rows)
    return controls._replace(shortcuts=tuple(map(colour, controls.shortcuts)), rows=rows)


def _claim_control(view: State, claim: Claim) -> Control:
    """Return the control that takes a row, with the coins that it draws."""
    count = coins_for(view, claim.row)
    label = ngettext("👜 Take row {row} · {count} coin", "👜 Take row {row} · {count} coins", count)
    if count == len(view.layout.bag):
        label = ngettext("👜 Take row {row} · the last coin", "👜 Take row {row} · the last {count} coins", count)
    return Control(f"row{claim.row}", label.format(row=claim.row, count=count), Play(str(claim)))


def _die_control(view: State, suit: Suit, *, is_kept: bool) -> Control:
    die = f"{SUIT_SYMBOLS[suit]} {view.faces[suit]}"
    return Control(f"keep_{suit}", f"✓ {die}" if is_kept else die, Toggle(suit))


def _fixed_dice(view: State) -> ControlRow:
    """Return the dice while none can be kept."""
    return tuple(replace(_die_control(view, suit, is_kept=False), is_disabled=True) for suit in Suit)


def _composed_control(view: State, kept: tuple[Suit, ...]) -> Control | None:
    """Return the control that rolls the dice that are not kept; with none left it stops, if no row can be taken."""
    rest = tuple(suit for suit in Suit if suit not in kept)
    if rest:
        return _roll_control(view, Roll(rest), "others")
    return None if view.matching else _stop_control(view)


def _stop_control(view: State) -> Control:
    """Return the control that ends the rolls although no row fits, with what can be done then. Rules MB-8 and MB-9."""
    label = _("Stop, give up a coin, take a tile") if view.removable else _("Stop and give up a coin")
    if not view.layout.collected:
        label = _("Stop and finish with {points}").format(points=format_number(points_of(view)))
    return Control("stop", label, Play(str(STOP)))


def _roll_control(view: State, roll: Roll, key: str) -> Control:
    """Return the control of a roll: the dice, the rows if there is room, the chance, and what that pays."""
    aim, name = find_aims(view)[roll], _name_roll(roll)
    rest, rows = [_pay_of(aim)], dict(zip(("row", "other"), aim.named_rows, strict=False))
    if aim.is_safe:
        named, short = _("{roll}: row {row} safe").format(roll=name, **rows), _("{roll}: safe").format(roll=name)
    else:
        named, short = _(_ROLLS_FOR_ROWS[len(aim.named_rows)]).format(roll=name, **rows), name
        rest.insert(0, format_odds(aim.chance))
    label = " · ".join((named, *rest))
    return Control(key, label if len(label) <= _LABEL_LENGTH else " · ".join((short, *rest)), Play(str(roll)))


def _name_roll(roll: Roll) -> str:
    """Name the dice of a roll, with the symbol of one die: a button has room for one emoji."""
    if len(roll.suits) == len(Suit):
        return _("🎲 Roll all four")
    kept = [suit for suit in Suit if suit not in roll.suits]
    if len(kept) == 1:
        return _("{symbol} Keep only {die}").format(symbol=SUIT_SYMBOLS[kept[0]], die=suit_name(kept[0]))
    label, dice = _("{symbol} Roll {dice}"), join_items([suit_name(suit) for suit in roll.suits])
    return label.format(symbol=SUIT_SYMBOLS[roll.suits[0]], dice=dice)


def _pay_of(aim: Aim) -> str:
    """Return how many coins a roll brings if a row fits after it."""
    if aim.coins == int(aim.coins):
        return ngettext("{count} coin", "{count} coins", int(aim.coins)).format(count=int(aim.coins))
    # Translators: {average} is a fraction, such as 1.5.
    return _("~{average} coins").format(average=format_tenths(aim.coins))


def _coin_controls(view: State, advice: Advice) -> Controls:
    """Return the coins to give up, the cheapest first, and the end. Rule MB-8."""
    worths, finished, coins = advice.coin_worths, advice.values[FINISH], list_coins(view, advice)
    best = find_clear_best([(finished, None), *((worth, coin) for coin, worth in worths.items())], CLEAR_LEAD)
    end = Toggle(FINISH_TOKEN) if advice.is_finishing_early else Play(str(FINISH))
    finish = _finish_control(view, end)
    tones = {coin: Tone.MAIN if coin == best else Tone.QUIET for coin in coins}
    # A coin that costs nothing is never the wrong one, whatever the estimates say.
    if not coins or (cost_of(view, coins[0]) and advice.worth_of_playing_on < finished):
        finish = replace(finish, tone=Tone.CHOSEN)
    elif coins[0] != best:
        tones[coins[0]] = Tone.CHOSEN
    controls = [replace(_coin_control(view, coin), tone=tone) for coin, tone in tones.items()]
    advised = _advised_discard(advice)
    shown = COIN_BUTTONS - len(advised)
    buttons, others = (*controls[:shown], *advised), tuple(controls[shown:])
    labels = (_("No other coin to give up"), _("A coin buys a new turn"))
    rows = ((*buttons, *make_fillers(labels, COIN_BUTTONS - len(buttons))), (finish,))
    return Controls(rows=rows, menus=(_coin_menu(others),))


def _advised_discard(advice: Advice) -> ControlRow:
    """Return the control that gives up a coin and takes a tile away at once, if that is the best move. Rule MB-9."""
    best = advice.best[0]
    if not isinstance(best, Discard) or best.tile is None:
        return ()
    label = _("{symbol} Give up {coin}, take {tile} away")
    text = label.format(symbol=SUIT_SYMBOLS[best.coin.suit], coin=piece_name(best.coin), tile=piece_name(best.tile))
    return (Control("advised", text, Play(str(best))),)


def _coin_menu(others: ControlRow) -> Menu:
    return Menu("coins", _("Other coins …"), others)


def _coin_control(view: State, coin: Piece) -> Control:
    """Return the control that gives up a coin, or chooses it if a tile may be taken away, too."""
    cost = cost_of(view, coin)
    label = _("{symbol} Give up {coin} · −{cost}") if cost else _("{symbol} Give up {coin} · free")
    text = label.format(symbol=SUIT_SYMBOLS[coin.suit], coin=piece_name(coin), cost=cost)
    effect = Toggle(coin_token(coin)) if view.removable else Play(str(Discard(coin)))
    return Control(f"coin_{coin.suit}_{coin.value}", text, effect)


def _tile_controls(view: State, advice: Advice, coin: Piece) -> Controls:
    """Return the tiles that may be taken away with a coin, and the way on without one, or back. Rule MB-9."""
    moves = {tile: Discard(coin, tile) for tile in view.removable}
    tiles = tuple(_tile_control(view, move, tile) for tile, move in moves.items())
    none = Control("no_tile", _("No, roll on"), Play(str(Discard(coin))))
    back = Control("another_coin", _("Another coin"), Toggle(coin_token(coin)))
    best = find_clear_best(((advice.values[move], move) for move in (Discard(coin), *moves.values())), CLEAR_LEAD)
    # Four tiles leave the others one line, and no menu.
    ends = ((none, back),) if len(tiles) >= _CHOICES else ((none,), (back,))
    menus = (_coin_menu(()),) if len(tiles) <= _CHOICES else ()
    fillers = make_fillers((_("No other tile can be taken"),), _CHOICES - 1 - len(tiles))
    return _coloured(Controls(rows=((*tiles, *fillers), *ends), menus=menus), none.key, best)


def _tile_control(view: State, move: Discard, tile: Piece) -> Control:
    label = _("{symbol} Take {tile} from row {row}")
    text = label.format(symbol=SUIT_SYMBOLS[tile.suit], tile=piece_name(tile), row=view.layout.find_row(tile))
    return Control(f"tile_{tile.suit}", text, Play(str(move)))


def _finish_control(view: State, effect: Play | Toggle) -> Control:
    return Control("finish", _("Finish with {points}").format(points=format_number(points_of(view))), effect)
