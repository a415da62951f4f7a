"""What moves of The Magic Bag are worth."""
