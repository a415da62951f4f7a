"""Tables: their model, what people can do at them, and their host. Knows no Discord and no database."""
