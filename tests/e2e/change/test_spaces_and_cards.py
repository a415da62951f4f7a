"""The other spaces of Change and its cards through the sandbox, by buttons, menus, hands and commands."""

from bot.games.change.pieces import Stage, State
from tests.e2e.change.change_table import ChangeTable
from tests.games.change.positions import CONTENT, at, credits_left, hand, markers, space_of

FULL = "add-1 add-2 add-3 add-4 any"


async def test_every_other_space_is_played(game: ChangeTable) -> None:
    """CH-S1 to CH-S6 and CH-4."""
    robin = game.parlour.robin
    cases = {
        "Start": (at("120@27", "120@0"), "41", (120, 120), 0, 1, 1),
        "Take a Rest": (at("120@11", "120@0"), "41", (120, 120), 0, 1, 1),
        "doubles": (at("120@11", "120@0"), "44", (120, 120), 0, 1, 1),
        "Emotional": (at("120@9", "120@0"), "41 43", (140, 120), 21, 0, 0),
        "Humility": (at("120@3", "110@0"), "41", (110, 110), 8, 0, 0),
        "Arrogance": (at("120@19", "110@0"), "41 123", (120, 116), 24, 0, 0),
        "Backslide": (at("120@17", "120@0"), "41", (120, 120), 22, 0, 0),
        "Start, with a full hand": (at("120@27", "120@0", hands=[FULL]), "41", (120, 120), 0, 5, 1),
        "Take a Rest, with a full hand": (at("120@11", "120@0", hands=[FULL]), "41", (120, 120), 0, 5, 1),
        "Emotional, then doubles": (at("120@9", "120@0"), "41 33", (120, 120), 0, 1, 1),
        "Humility for another": (at("110@3", "120@0"), "41", (110, 110), 8, 0, 0),
        "Humility for both": (at("120@3", "120@0"), "41", (110, 110), 8, 0, 0),
        "Arrogance for another": (at("120@19", "50@0"), "41 123", (120, 56), 24, 0, 0),
        "Arrogance for both": (at("50@19", "50@0"), "41 123 456", (56, 65), 24, 0, 0),
        "Backslide, with one card": (at("120@17", "120@0", hands=["greed"]), "41", (120, 120), 22, 1, 0),
    }
    for name, (state, dice, expected, there, held, turn) in cases.items():
        await game.set_position(state, dice)
        await game.press(robin, "Roll")
        after = await game.state()
        found = (credits_left(after), space_of(after), len(after.hands[0]), after.public.turn)
        assert (name, found) == (name, (expected, there, held, turn))


async def test_backslide_asks_in_the_hand_which_card_is_kept(game: ChangeTable) -> None:
    """CH-S6."""
    robin = game.parlour.robin
    await game.set_position(at("120@17", "120@0", hands=["greed any add-1"]), "41")
    await game.press(robin, "Roll")
    own = await game.open_hand(robin)
    await game.parlour.press(robin, own, "Keep: Greed")
    assert hand(await game.state()) == "greed"
    assert "1 of 5 cards" in own.text


async def test_every_kind_of_card_is_played_from_the_hand(game: ChangeTable) -> None:
    """CH-7, CH-M3 and CH-M4."""
    robin = game.parlour.robin

    async def after(state: State, *labels: str) -> State:
        await game.set_position(state)
        own = await game.open_hand(robin)
        for label in labels:
            if label.startswith(">"):
                await robin.select(own, own.selects[0].custom_id, [label[1:]])
            else:
                await game.parlour.press(robin, own, label)
        return await game.state()

    def free(*cards: str, seat: str = "125@5", missing: int = 0, travel: bool = True) -> State:
        return at(seat, "120@0", hands=[" ".join(cards)], stage=Stage.FREE, missing=missing, travel=travel)

    for points in range(1, 6):
        assert markers(await after(free(f"add-{points}", missing=points), f"Add {points}")) == "desires"
    for most in range(1, 4):
        state = free(f"replace-{most}", "greed", "envy", "fear", travel=False)
        picked = ("Greed", "Envy", "Fear")[:most]
        choices = (*picked, "Replace these") if most > 1 else ("Replace 1: Greed",)
        gone = hand(await after(state, f"Replace {most}", *choices))
        assert not {each.casefold() for each in picked} & set(gone.split())
    for key in (space.name for space in CONTENT.board.spaces if space.set):
        where = "125@3" if key == "Desires" else "125@5"
        assert markers(await after(free(key.casefold(), seat=where), f"{key}: place a marker")) == key.casefold()
    assert markers(await after(free("any"), ">go_denial_any")) == "denial"
    assert markers(await after(free("any"), "Also place a marker", ">go_denial_any")) == ""
    own = await after(free("greed", seat="125@5 greed"), "Greed: release 10")
    assert credits_left(own) == (115, 120)


async def test_cards_that_can_not_be_played_are_not_offered(game: ChangeTable) -> None:
    """CH-7, CH-M2, CH-M3 and CH-M4: typing them is refused with the reason."""
    robin, here = game.parlour.robin, game.parlour.here
    cases = {
        "add 3": (at("125@5", "120@0", hands=["add-3"], stage=Stage.FREE), "only help after a failed challenge"),
        "replace 2": (at("125@5", "120@0", hands=["replace-2"], stage=Stage.FREE), "play a Replace card alone"),
        "greed": (at("125@5", "120@0", hands=["greed"], stage=Stage.FREE, travel=False), "You get one option move"),
        "any fear": (at("125@5", "120@0", hands=["any"]), "Roll the track dice first"),
        "envy": (at("125@5", "120@0", hands=["any", "envy"], turn=1, stage=Stage.FREE), "turn"),
    }
    for typed, (state, sentence) in cases.items():
        await game.set_position(state)
        own = await game.open_hand(robin)
        assert [button.label for button in own.buttons] == ["Look again"], typed
        assert own.selects == []
        answer = await robin.slash(here, "change card", play=typed)
        assert answer.ephemeral
        assert sentence in answer.text, typed


async def test_a_space_card_lets_others_release_too(game: ChangeTable) -> None:
    """CH-M4, CH-5."""
    robin = game.parlour.robin
    await game.set_position(at("120@5", "120@0 denial", hands=["denial"], stage=Stage.FREE))
    await game.parlour.press(robin, await game.open_hand(robin), "Denial: place a marker")
    state = await game.state()
    assert (credits_left(state), markers(state)) == ((145, 95), "denial")


async def test_a_turn_by_commands(game: ChangeTable) -> None:
    robin, here = game.parlour.robin, game.parlour.here
    await game.set_position(at("120@0", "120@0", hands=["add-2 any greed"]), "41 412 41 3 111 11 1")
    for command, options in (
        ("change roll", {}),
        ("change challenge", {}),
        ("change card", {"play": "Add 2"}),
        ("change option", {"space": "Habits"}),
        ("change done", {}),
    ):
        answer = await robin.slash(here, command, **options)
        assert answer.ephemeral
        assert "Done" in answer.text, (command, answer.text)
    state = await game.state()
    assert (markers(state), credits_left(state), state.public.turn) == ("desires", (130, 120), 1)


async def test_corners_by_command_and_names(game: ChangeTable) -> None:
    robin, wren, here = game.parlour.robin, game.parlour.wren, game.parlour.here
    await game.set_position(at("120@0", "120@0"), "12")
    await robin.slash(here, "change roll")
    suggested = await robin.autocomplete(here, "change choose", {"what": ""}, focused="what")
    assert [(each.name, each.value) for each in suggested] == [("myself", "myself"), ("Wren", "2")]
    assert await wren.autocomplete(here, "change choose", {"what": ""}, focused="what") == []
    await robin.slash(here, "change choose", what="wren")
    assert credits_left(await game.state()) == (120, 110)


async def test_cards_are_suggested_to_their_holder_only(game: ChangeTable) -> None:
    robin, wren, here = game.parlour.robin, game.parlour.wren, game.parlour.here
    await game.set_position(at("120@0", "120@0", hands=["greed"], stage=Stage.FREE))
    mine = await robin.autocomplete(here, "change card", {"play": ""}, focused="play")
    assert [each.value for each in mine] == ["greed place", "greed"]
    assert await wren.autocomplete(here, "change card", {"play": ""}, focused="play") == []
    spaces = await robin.autocomplete(here, "change option", {"space": "de"}, focused="space")
    assert [each.value for each in spaces] == ["desires", "denial"]


async def test_a_hand_shown_by_command_is_visible_to_its_owner_only(game: ChangeTable) -> None:
    robin, wren, here = game.parlour.robin, game.parlour.wren, game.parlour.here
    await game.set_position(at("120@0", "120@0", hands=["greed", "fear"]))
    mine, theirs = [await who.slash(here, "change hand") for who in (robin, wren)]
    assert mine.ephemeral
    assert "**Greed**" in mine.text
    assert "**Fear**" not in mine.text
    assert "**Fear**" in theirs.text
    assert mine.replies[0] not in wren.visible_messages(here)
