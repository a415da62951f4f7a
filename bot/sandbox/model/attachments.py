"""The files of messages."""

import struct
from dataclasses import dataclass, field

from bot.sandbox.wire import Json


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a message."""

    id: int
    filename: str
    content_type: str
    content: bytes = field(repr=False)
    url: str
    description: str | None = None

    @property
    def size(self) -> int:
        """Number of bytes."""
        return len(self.content)

    def payload(self) -> Json:
        """Return it in Discord's format."""
        return {
            "id": str(self.id),
            "filename": self.filename,
            "size": self.size,
            "url": self.url,
            "proxy_url": self.url,
            "content_type": self.content_type,
            **self.dimensions(),
            **self.description_fields(),
        }

    def description_fields(self) -> Json:
        """Return the description (alternative text), if it has one."""
        return {} if self.description is None else {"description": self.description}

    def dimensions(self) -> Json:
        """Return width and height of a PNG; empty for other files."""
        if not self.content.startswith(b"\x89PNG\r\n\x1a\n") or self.size < 24:
            return {}
        width, height = struct.unpack(">II", self.content[16:24])
        return {"width": width, "height": height}
