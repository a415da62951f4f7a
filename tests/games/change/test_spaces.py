"""The rules of Change's corners and other spaces, each with its cases (`positions.cases`)."""

from tests.games.change.positions import cases, notate, play_moves, read
from tests.support.each_case import each_case

AT_CORNERS = """
CH-C0: if nobody else can, the lander must, and draws nothing
    120@16 greed / 120@0 / 120@0 -> roll: 12 -> 110@6 greed / 120@0 / 120@0 · 0 free
CH-C0: if the lander can't and one other can, there is no choice
    120@16 / 120@0 / 120@0 greed · top add-1 add-2
        -> roll: 12 -> 120@19 [add-1 add-2] / 120@0 / 110@6 greed · 0 free
CH-C0: if nobody has a card, a marker on the board, or one left, nothing happens
    120@0 / 120@0 -> roll: 13 -> 120@4 / 120@0 · 0 free
    120@16 / 120@0 -> roll: 12 -> 120@19 / 120@0 · 0 free
    120@24 TWELVE / 120@0 TWELVE -> roll: 13 -> 120@28 TWELVE / 120@0 TWELVE · 1 roll
CH-C1: the lander releases 10
    120@0 / 120@0 -> roll: 12, choose myself -> 110@3 / 120@0 · 0 free
CH-C1: if one other does, the lander draws one
    120@0 / 120@0 / 120@0 · top greed any -> roll: 12, choose 2 -> 120@3 [greed] / 120@0 / 110@0 · 0 free
CH-C1, CH-10: no more than there is
    120@0 / 4@0 -> roll: 12, choose 1 -> 120@3 / 0@0 · 0 over travelled
CH-C2: the lander replaces one card
    120@0 [greed any] / 120@0 [add-1] · top envy
        -> roll: 13, choose myself, replace greed -> 120@4 [envy any] / 120@0 [add-1] · 0 free
CH-C2: others replace in turn order, each chooses the card, and the lander draws last, one for each
    120@0 [add-1] / 120@0 [envy any] / 120@0 / 120@0 [greed pride] · top add-2 add-3 add-4 add-5
        -> roll: 13, choose 1 3, replace any, replace greed
        -> 120@4 [add-1 add-4 add-5] / 120@0 [add-2 envy] / 120@0 / 120@0 [add-3 pride] · 0 free
CH-C2: turn order begins after the lander
    120@0 [greed any] / 120@0 [envy] / 120@0 [pride blame] · 1 roll
        -> roll: 13, choose 0 2 -> 120@0 [greed any] / 120@4 [envy] / 120@0 [pride blame] · 1 swap asks 2 0 draws 2
CH-C2: a seat with one card is not asked
    120@0 / 120@0 [envy] · top add-1 add-2 -> roll: 13 -> 120@4 [add-2] / 120@0 [add-1] · 0 free
CH-C3, CH-C6: the lander releases three dice
    120@8 / 120@0 -> roll: 12, choose myself: 264 -> 108@11 / 120@0 · 0 free
    120@16 / 120@0 -> roll: 13, choose myself: 264 -> 108@20 / 120@0 · 0 free
CH-C3, CH-C6: others each roll their own, and the lander draws for each
    120@8 / 120@0 / 120@0 / 120@0 · top greed any add-1
        -> roll: 12, choose 1 3: 111 666 -> 120@11 [greed any] / 117@0 / 120@0 / 102@0 · 0 free
    120@16 / 120@0 / 120@0 / 120@0 · top greed any add-1
        -> roll: 13, choose 1 3: 111 666 -> 120@20 [greed any] / 117@0 / 120@0 / 102@0 · 0 free
CH-C4: the lander releases 15
    120@8 / 120@0 -> roll: 13, choose myself -> 105@12 / 120@0 · 0 free
CH-C4: if others do, the lander draws for each
    120@8 / 120@0 / 120@0 / 120@0 · top greed any
        -> roll: 13, choose 1 2 -> 120@12 [greed any] / 105@0 / 105@0 / 120@0 · 0 free
CH-C5: the lander goes to a marker and releases
    120@16 greed denial / 120@0 envy
        -> roll: 12, choose myself, choose denial -> 95@29 greed denial / 120@0 envy · 0 free
CH-C5: if one other does, it chooses the space, and the lander draws two
    120@16 greed / 120@0 envy fear · top add-1 add-2 add-3
        -> roll: 12, choose 1, choose fear -> 120@19 greed [add-1 add-2] / 100@21 envy fear · 0 free
CH-C9: that is no landing: nobody else releases, and a set does not double
    120@16 denial control selfishness / 120@0 denial · sets
        -> roll: 12, choose myself, choose denial -> 95@29 denial control selfishness / 120@0 denial · 0 free
CH-C7: the lander releases 20
    120@24 / 120@0 / 120@0 -> roll: 12, choose myself -> 100@27 / 120@0 / 120@0 · 0 free
CH-C7: if all others do, the lander draws two, however many they are
    120@24 / 120@0 / 120@0 / 120@0 · top add-1 add-2 add-3
        -> roll: 12, choose 1 2 3 -> 120@27 [add-1 add-2] / 100@0 / 100@0 / 100@0 · 0 free
CH-C8, CH-C9: the lander places a marker and goes there, without credits or a challenge
    120@24 greed / 120@0 denial
        -> roll: 13, choose myself, choose denial -> 120@29 greed denial / 120@0 denial · 0 free
CH-C8: if one other does, the lander draws four
    120@24 fear / 120@0 · top add-1 add-2 add-3 add-4 any
        -> roll: 13, choose 1, choose fear -> 120@28 fear [add-1 add-2 add-3 add-4] / 120@21 fear · 0 free
CH-C8: whoever does it needs a marker left
    120@24 TWELVE / 120@0 -> roll: 13 -> 120@28 TWELVE / 120@0 · 0 place asks 1 draws 4
    120@24 / 120@0 TWELVE -> roll: 13 -> 120@28 / 120@0 TWELVE · 0 place
"""

AT_OTHER_SPACES = """
CH-S1: Start
    120@27 / 120@0 · top greed -> roll: 41 -> 120@0 [greed] / 120@0 · 1 roll
CH-S2: Take a Rest
    120@11 / 120@0 · top greed -> roll: 41 -> 120@0 [greed] / 120@0 · 1 roll
CH-S3: Emotional
    120@5 / 120@0 -> roll: 54 43 -> 140@21 / 120@0 · 0 free challenge
CH-S3: doubles count on the second roll, too
    120@5 / 120@0 · top greed -> roll: 54 33 -> 120@0 [greed] / 120@0 · 1 roll
CH-S4: all with the most release
    120@3 / 110@0 / 90@0 -> roll: 41 -> 110@8 / 110@0 / 90@0 · 0 free
    100@3 / 110@0 / 90@0 -> roll: 41 -> 100@8 / 100@0 / 90@0 · 0 free
    80@3 / 80@0 / 80@0 -> roll: 41 -> 70@8 / 70@0 / 70@0 · 0 free
    110@3 / 90@0 / 110@0 -> roll: 41 -> 100@8 / 90@0 / 100@0 · 0 free
CH-S5: the tied each roll, the lander first
    40@0 / 40@19 / 41@0 · 1 roll -> roll: 41 123 456 -> 55@0 / 46@24 / 41@0 · 1 free
CH-S6: one card is kept, of one's choice if there are several
    120@17 [add-1 greed any] / 120@0 -> roll: 41, keep greed -> 120@22 [greed] / 120@0 · 0 free
    120@17 [greed any] / 120@0 -> roll: 41, keep any -> 120@22 [any] / 120@0 · 0 free
    120@17 [greed] / 120@0 -> roll: 41 -> 120@22 [greed] / 120@0 · 0 free
    120@17 / 120@0 -> roll: 41 -> 120@22 / 120@0 · 0 free
"""


@each_case("rule, position, moves, after", cases(AT_CORNERS + AT_OTHER_SPACES))
def test_spaces_do_what_they_say(rule: str, position: str, moves: str, after: str) -> None:
    """CH-C0, CH-C1, CH-C2, CH-C3, CH-C4, CH-C5, CH-C6, CH-C7, CH-C8 and CH-C9.

    And CH-S1, CH-S2, CH-S3, CH-S4, CH-S5 and CH-S6.
    """
    assert notate(play_moves(read(position), moves)) == after, rule
