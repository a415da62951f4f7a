"""Registers the proofs of fairness."""

from bot.features.fairness.handlers import CheckDiceId, DiceProofs, check_dice_buttons
from bot.tables.app import App, Feature
from bot.tables.shown.parts import ButtonPart, Place


def register(app: App) -> Feature:
    """Register the proofs of fairness."""
    proofs = DiceProofs(app.tables, app.find_shared_seed)
    return Feature(
        services=(proofs,),
        buttons={CheckDiceId: proofs.press},
        table_buttons=(ButtonPart(Place.PROOF_BUTTON, check_dice_buttons),),
    )
