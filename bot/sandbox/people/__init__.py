"""People and the validation that Discord's client does before it sends an interaction."""
