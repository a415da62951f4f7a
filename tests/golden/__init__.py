"""Golden files: what people, Discord and the database see, as text, to compare with what is made now."""
