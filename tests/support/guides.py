"""The texts of guides."""

from typing import Any

from bot.tables.registry import AnyPackage


def guide_text(package: AnyPackage, **options: Any) -> str:
    """Return all pages of a guide for a table with some options."""
    pages = package.guide.build_pages(package.game.info.options(**options))
    return "\n".join(f"{page.title}\n{page.text}" for page in pages)
