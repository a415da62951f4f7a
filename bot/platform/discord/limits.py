"""Discord's limits for texts, in characters."""

from typing import Final

MAX_CONTENT: Final = 2000
"""The text of a message."""

MAX_TITLE: Final = 256
"""The title of an embed, its author, and the title of a field."""

MAX_DESCRIPTION: Final = 4096
"""The description of an embed."""

MAX_FIELD: Final = 1024
"""The text of a field of an embed."""

MAX_FOOTER: Final = 2048
"""The footer of an embed."""

MAX_EMBED: Final = 6000
"""All texts of an embed together."""

MAX_LABEL: Final = 80
"""The label of a button."""

MAX_LINE: Final = 100
"""The label or description of a line of a menu, and a suggestion."""

MAX_PLACEHOLDER: Final = 150
"""What a menu says while nothing is chosen."""
