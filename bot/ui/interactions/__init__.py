"""How interactions are answered: acknowledgements, first answers, private messages and refusals."""
