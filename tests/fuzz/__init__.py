"""Random clicks and commands, forged ones among them."""
