"""What rolls of Magpie are worth."""
