"""Tables on which nobody moves are put aside, announced and closed."""
