"""Tables: seats, moves, the order of saving and showing. Asynchronous; knows no Discord and no database."""
