"""What simulations count besides scores; a module per game, named by its key."""
