"""Tools of developers: simulation, training, galleries, the contract kit."""
