"""People who click and type at random: allowed, forbidden and forged actions."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from random import Random

from bot.platform.places import Location, Person
from bot.rules.screen import Play
from bot.tables.model import Status, TableId
from tests.fuzz.acts import Act, ActKind, Json, Pressable, ShownMessage
from tests.fuzz.command_generator import (
    ODD_WORDS,
    CommandGenerator,
    CommandPath,
    build_command_data,
    build_member_command,
    walk_commands,
)
from tests.fuzz.fake_transport import FakeTransport
from tests.fuzz.forged_ids import mutate_id, odd_ids
from tests.fuzz.people_and_places import DIRECT_PLACES, MODERATOR, PEOPLE, SERVER_PLACES, person_with
from tests.fuzz.reference_model import ReferenceModel
from tests.fuzz.table_model import TableModel, parse_draft

MAX_OLD_PRESSES = 2000
"""The number of remembered components that may be pressed again later."""

SEAT_ACTIONS = ("back", "undo", "substitute")
SEAT_COMMANDS = {("table", word) for word in ("invite", "kick", "substitute", "undo", "back", "cancel")}


class ActionGenerator:
    """Makes up what people do next; the same seed leads to the same as long as the bot shows the same."""

    def __init__(self, seed: int, wire: FakeTransport, book: ReferenceModel, commands: Sequence[Json]) -> None:
        self._random = Random(seed)
        self._command_generator = CommandGenerator(self._random, PEOPLE)
        self._transport = wire
        self._model = book
        self._ids = count(1 << 32)
        self._leaves = [leaf for command in commands for leaf in walk_commands(command)]
        self._openers = [path for path, _ in self._leaves if path[-1] == "new"]
        self._old_presses: deque[tuple[ShownMessage, Pressable]] = deque(maxlen=MAX_OLD_PRESSES)
        self._weights: Mapping[Callable[[], Sequence[Act]], int] = {
            self._offered_press: 34,
            self._open: 6,
            self._wrong_person: 12,
            self._wrong_place: 8,
            self._wrong_message: 4,
            self._stale_press: 8,
            self._mutated_press: 12,
            self._odd_id: 3,
            self._forged_choice: 3,
            self._outdated_choice: 2,
            self._seat_action: 8,
            self._guest_action: 4,
            self._modal: 2,
            self._odd_command: 10,
            self._autocomplete: 2,
            self._doubled_act: 6,
            self._press_on_deleted_message: 6,
        }

    def next(self) -> Sequence[Act]:
        """Return what happens next; several acts happen at once."""
        (way,) = self._random.choices(list(self._weights), list(self._weights.values()))
        return way()

    def open_every_game(self) -> Iterator[Act]:
        """Yield commands that open a table of every game, in a direct message and in channels of both servers."""
        places = (DIRECT_PLACES[PEOPLE[0].id], *SERVER_PLACES[1:])
        games = [path for path in self._openers if path[0] != "tournament"]
        for path, person, location in zip(games, PEOPLE, places, strict=False):
            yield Act(next(self._ids), ActKind.COMMAND, person, location, build_command_data(path, []))

    def ask_puzzle(self, person: Person, location: Location) -> Act:
        """Return the command that shows the puzzle of the day."""
        return Act(next(self._ids), ActKind.COMMAND, person, location, build_command_data(("puzzle",), []))

    def ask_daily(self, person: Person, location: Location) -> Act:
        """Return the command that shows what there is to play today."""
        return Act(next(self._ids), ActKind.COMMAND, person, location, build_command_data(("daily",), []))

    def press(self, person: Person, location: Location, custom_id: str, values: Sequence[str] | None = None) -> Act:
        """Return the press of a button, or a choice in a menu, on a message that is nowhere any more."""
        return self._press(person, ShownMessage(1, location, ()), custom_id, values)

    # --- what is offered

    def _offered_press(self) -> Sequence[Act]:
        def press(shown: ShownMessage, pressable: Pressable) -> Act:
            moves = [each for each in shown.pressables if self._is_move(each)]
            if moves and self._chance(0.5):
                pressable = self._random.choice(moves)
            self._old_presses.append((shown, pressable))
            person = self._right_person(shown, pressable)
            return self._press(person, shown, pressable.custom_id, self._values(pressable))

        return self._press_shown(press)

    def _open(self) -> Sequence[Act]:
        path = self._random.choice(self._openers)
        leaf = dict(self._leaves)[path]
        person = self._random.choice(PEOPLE)
        location = self._random.choice((*SERVER_PLACES, DIRECT_PLACES[person.id]))
        return [self._type(path, leaf, person, location, nonsense=0.0)]

    # --- what is not

    def _wrong_person(self) -> Sequence[Act]:
        return self._press_shown(
            lambda shown, each: self._press(self._random_person(), shown, each.custom_id, self._values(each))
        )

    def _wrong_place(self) -> Sequence[Act]:
        (act,) = self._offered_press()
        return [replace(act, location=self._random.choice((*SERVER_PLACES, DIRECT_PLACES[act.person.id])))]

    def _wrong_message(self) -> Sequence[Act]:
        (act,) = self._offered_press()
        if act.kind is not ActKind.COMPONENT:
            return [act]
        return [replace(act, message_id=self._random.choice((1, *self._transport.shown)))]

    def _stale_press(self) -> Sequence[Act]:
        if not self._old_presses:
            return self._open()
        shown, pressable = self._random.choice(self._old_presses)
        return [self._press(self._random_person(), shown, pressable.custom_id, self._values(pressable))]

    def _mutated_press(self) -> Sequence[Act]:
        def press(shown: ShownMessage, pressable: Pressable) -> Act:
            person = self._right_person(shown, pressable) if self._chance(0.7) else self._random_person()
            return self._press(person, shown, self._mutate_id(pressable.custom_id), self._values(pressable))

        return self._press_shown(press)

    def _odd_id(self) -> Sequence[Act]:
        return self._press_shown(
            lambda shown, _: self._press(self._random_person(), shown, self._random.choice(odd_ids()), None)
        )

    def _forged_choice(self) -> Sequence[Act]:
        menus = [(shown, each) for shown in self._transport.shown.values() for each in shown.pressables if each.values]
        if not menus:
            return self._mutated_press()
        shown, menu = self._random.choice(menus)
        values = self._random.choice(
            (
                [],
                [self._random.choice(ODD_WORDS)],
                [*menu.values, "1"],
                [self._random.choice(menu.values)],
                [str(self._random.randrange(-9, 10**9))],
                ["true", "false"],
            )
        )
        person = self._right_person(shown, menu) if self._chance(0.7) else self._random_person()
        custom_id = menu.custom_id if self._chance(0.6) else self._mutate_id(menu.custom_id)
        return [self._press(person, shown, custom_id, values)]

    def _outdated_choice(self) -> Sequence[Act]:
        """Choose from a panel as if it had been shown with other options."""
        shown = self._transport.shown.values()
        menus = [(each, menu) for each in shown for menu in each.pressables if menu.custom_id.startswith("d:")]
        if not menus:
            return self._seat_action()
        where, menu = self._random.choice(menus)
        prefix, table, _, option = menu.custom_id.split(":")
        other = f"{self._random.getrandbits(64):016x}"
        person = self._right_person(where, menu)
        return [self._press(person, where, f"{prefix}:{table}:{other}:{option}", self._values(menu))]

    def _seat_action(self) -> Sequence[Act]:
        """Act on the seats of an open table with several players, mostly as one of them."""
        accounts = [self._model.tables[table_id] for table_id in sorted(self._model.open_tables)]
        shared = [each for each in accounts if len(each.seats) > 1 and each.header.location.guild_id is not None]
        if not shared:
            return self._open()
        # Lobbies are many; moves that can be taken back are few.
        playing = [each for each in shared if each.to_move is not None]
        undoable = [each for each in playing if each.undo_points]
        account = self._random.choice(self._random.choice((shared, playing, undoable)) or shared)
        seated = [each for each in PEOPLE if account.seat_of(each.id) is not None]
        person = self._random.choice(seated if self._chance(0.7) else PEOPLE)
        location = replace(account.header.location, solo_id=0)
        if account.to_move is not None and self._chance(0.5):
            pressed = f"p:{account.id}:{account.header.step}:{self._random.choice(SEAT_ACTIONS)}"
            act = self._press(person, ShownMessage(1, location, ()), pressed, None)
            return [replace(act, mentions=account.seats[account.to_move].user_id)]
        path, leaf = self._random.choice([(path, leaf) for path, leaf in self._leaves if path in SEAT_COMMANDS])
        act = self._type(path, leaf, person, location, nonsense=0.0)
        if act.options.get("person") is not None and self._chance(0.6):
            return [replace(act, data=build_member_command(path, self._random.choice(seated)))]
        return [act]

    def _guest_action(self) -> Sequence[Act]:
        """Fill a lobby in a server, whose opener sometimes removes a guest: tables with three people are rare else."""
        accounts = [self._model.tables[table_id] for table_id in sorted(self._model.open_tables)]
        lobbies = [each for each in accounts if each.header.status is Status.LOBBY and each.header.location.guild_id]
        if not lobbies:
            return self._open()
        account = self._random.choice(lobbies)
        location, opener = account.header.location, account.header.opener_id
        guests = [each for each in PEOPLE if account.seat_of(each.id) is not None and each.id != opener]
        if not guests or self._chance(0.7):
            return [self.press(self._random_person(), location, f"l:{account.id}:{account.header.revision}:join")]
        data = build_member_command(("table", "kick"), self._random.choice(guests))
        return [Act(next(self._ids), ActKind.COMMAND, person_with(opener), location, data)]

    def _modal(self) -> Sequence[Act]:
        (act,) = self._offered_press()
        custom_id = act.custom_id if self._chance(0.6) else self._random.choice(odd_ids())
        field = {"type": 4, "custom_id": self._random.choice(odd_ids()), "value": self._random.choice(ODD_WORDS)}
        data = {"custom_id": custom_id, "components": [{"type": 1, "components": [field]}]}
        return [replace(act, kind=ActKind.MODAL, data=data)]

    def _odd_command(self) -> Sequence[Act]:
        path, leaf = self._random.choice(self._leaves)
        person, location = self._random_person_and_place()
        act = self._type(path, leaf, person, location, nonsense=0.25)
        if self._chance(0.05):
            return [replace(act, data={**act.data, "name": self._random.choice(("poker", "", "TABLE", "table "))})]
        return [act]

    def _random_person_and_place(self) -> tuple[Person, Location]:
        """Return a user and a location, often one where the user has a seat at a table."""
        if self._model.open_tables and self._chance(0.7):
            account = self._model.tables[self._random.choice(sorted(self._model.open_tables))]
            seated = [person for person in PEOPLE if account.seat_of(person.id) is not None]
            return self._random.choice(seated), replace(account.header.location, solo_id=0)
        person = self._random_person()
        return person, self._random.choice((*SERVER_PLACES, DIRECT_PLACES[person.id]))

    def _autocomplete(self) -> Sequence[Act]:
        fitting = [
            (path, leaf)
            for path, leaf in self._leaves
            if any(each.get("autocomplete") for each in leaf.get("options") or ())
        ]
        path, leaf = self._random.choice(fitting)
        spec = self._random.choice([each for each in leaf["options"] if each.get("autocomplete")])
        typed = {"name": spec["name"], "type": spec["type"], "value": self._random.choice(ODD_WORDS), "focused": True}
        person = self._random_person()
        act = Act(
            next(self._ids),
            ActKind.SUGGEST,
            person,
            self._random.choice(SERVER_PLACES),
            build_command_data(path, [typed]),
        )
        return [act]

    def _doubled_act(self) -> Sequence[Act]:
        (act,) = self._offered_press() if self._chance(0.7) else self._stale_press()
        if self._chance(0.3):
            # Discord may hand over the very same interaction again.
            return [act, act]
        other = replace(act, id=next(self._ids))
        if act.location.guild_id is not None and self._chance(0.3):
            other = replace(other, person=self._random_person())
        return [act, replace(other, is_moderator=other.person == MODERATOR)]

    def _press_on_deleted_message(self) -> Sequence[Act]:
        """Press a button of a message that is deleted or replaced before the bot can answer."""
        (act,) = self._stale_press() if self._chance(0.3) else self._offered_press()
        if act.kind is not ActKind.COMPONENT or act.message_id is None:
            return [act]
        self._transport.refuses_deferrals = self._chance(0.5)
        if self._chance(0.4):
            self._transport.delete_message(act.message_id)
            return [act]
        # Its table is posted again, or its reader asks for a new private message.
        other = self._reposts_table(act) if self._chance(0.7) else replace(act, id=next(self._ids))
        acts = [act, other]
        self._random.shuffle(acts)
        return acts

    def _reposts_table(self, act: Act) -> Act:
        path, leaf = next((path, leaf) for path, leaf in self._leaves if path == ("table", "show"))
        return self._type(path, leaf, act.person, act.location, nonsense=0.0)

    # --- parts

    def _press_shown(self, press: Callable[[ShownMessage, Pressable], Act]) -> Sequence[Act]:
        """Press something that is shown; open a table where nothing is."""
        found = self._random_pressable()
        return self._open() if found is None else [press(*found)]

    def _random_pressable(self) -> tuple[ShownMessage, Pressable] | None:
        """Return something to press: mostly at open tables, sometimes what one person was shown, or anything."""
        shown = list(self._transport.shown.values())
        own = [each for each in shown if each.reader_id is not None][-4:]
        live = [each for each in shown if each.reader_id is None and self._table_of(each) in self._model.open_tables]
        (choice,) = self._random.choices((live, own, shown), (70, 15, 15))
        if not (choice or shown):
            return None
        found = self._random.choice(choice or shown)
        return found, self._random.choice(found.pressables)

    def _table_of(self, shown: ShownMessage) -> TableId | None:
        accounts = (self._table_model(pressable.custom_id) for pressable in shown.pressables)
        return next((account.id for account in accounts if account is not None), None)

    def _is_move(self, pressable: Pressable) -> bool:
        account, parts = self._table_model(pressable.custom_id), pressable.custom_id.split(":")
        if account is None or account.to_move is None or parts[0] != "t":
            return False
        draft = parse_draft(parts[4])
        return draft is not None and isinstance(account.effect_of(parts[3], draft), Play)

    def _right_person(self, shown: ShownMessage, pressable: Pressable) -> Person:
        if shown.location.guild_id is None:
            return next(person for person in PEOPLE if DIRECT_PLACES[person.id] == shown.location)
        if shown.reader_id is not None:
            return person_with(shown.reader_id)
        account = self._table_model(pressable.custom_id)
        if account is None or self._chance(0.1):
            return self._random_person()
        if account.to_move is not None and (who := account.seats[account.to_move]).user_id is not None:
            return person_with(who.user_id)
        if self._chance(0.5):
            return person_with(account.header.opener_id)
        return self._random_person()

    def _table_model(self, custom_id: str) -> TableModel | None:
        _, _, rest = custom_id.partition(":")
        number = rest.split(":")[0]
        return self._model.tables.get(int(number)) if number.isascii() and number.isdecimal() else None

    def _press(self, person: Person, shown: ShownMessage, custom_id: str, values: Sequence[str] | None) -> Act:
        location = DIRECT_PLACES[person.id] if shown.location.guild_id is None else shown.location
        data: Json = {"custom_id": custom_id, "component_type": 2 if values is None else 3}
        if values is not None:
            data["values"] = list(values)
        moderates = person == MODERATOR and location.guild_id is not None
        return Act(next(self._ids), ActKind.COMPONENT, person, location, data, shown.message_id, moderates)

    def _type(self, path: CommandPath, leaf: Json, person: Person, location: Location, *, nonsense: float) -> Act:
        data = self._command_generator.command_data(path, leaf, location, nonsense=nonsense)
        moderates = person == MODERATOR and location.guild_id is not None
        return Act(next(self._ids), ActKind.COMMAND, person, location, data, None, moderates)

    def _mutate_id(self, custom_id: str) -> str:
        return mutate_id(self._random, custom_id, self._model.tables, [each.custom_id for _, each in self._old_presses])

    def _values(self, pressable: Pressable) -> list[str] | None:
        return [self._random.choice(pressable.values)] if pressable.values else None

    def _random_person(self) -> Person:
        return self._random.choice(PEOPLE)

    def _chance(self, share: float) -> bool:
        return self._random.random() < share
