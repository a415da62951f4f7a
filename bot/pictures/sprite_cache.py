"""The bitmaps of all art in one theme, kept on disk between starts."""

import hashlib
import logging
import secrets
import zipfile
from collections.abc import Iterable, Mapping
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Final, TypeAlias

import resvg_py
from cachetools import LRUCache
from PIL import Image, __version__ as pillow_version

from bot.pictures.art import ArtFile, BrokenArt
from bot.pictures.encoding import encode_with_pillow
from bot.pictures.themes import hex_of, is_of_surface
from bot.rules.picture import COVER_SIZE, FELT, ColourRole, Sprite, Surface, Theme

log = logging.getLogger(__name__)

MAX_PIXELS: Final = 4_000_000
"""Pixels of bitmaps kept, 4 bytes each."""

_FORMAT: Final = 2
"""To be counted up whenever art is saved in another way."""

_SMALL_PIECES: Final = 8
"""How many small pieces are drawn at once, in 20 ms or so."""

_READ_ERRORS = (OSError, EOFError, RuntimeError, zipfile.BadZipFile)
"""What a damaged archive may raise: one wrong bit can make it look encrypted, or like one of a later version."""

_FileKey: TypeAlias = tuple[str, ColourRole | None, Surface | None]
"""None is a colour or a surface that the file does not depend on."""

_Key: TypeAlias = tuple[_FileKey, int, int, int]


class SpriteCache:
    """Returns sprites as bitmaps; not thread-safe."""

    def __init__(
        self,
        art: Mapping[str, ArtFile],
        theme: Theme,
        folder: Path | None,
        surfaces: Mapping[str, Surface] | None = None,
    ) -> None:
        """Set up the cache; nothing is read yet.

        Args:
            art: All art by name.
            theme: The theme.
            folder: Where bitmaps are kept between starts, or None.
            surfaces: The surfaces of games by their folders.
        """
        self._art = art
        self._theme = theme
        self._folder = folder
        self._surfaces = surfaces or {}
        self._files: dict[_FileKey, bytes] = {}
        """As many as there are pieces of art, in the few colours and on the few surfaces that games name."""
        self._was_looked_for = False
        """Whether the art on disk was loaded, or there is none."""
        self._is_saved = False
        self._bitmaps: LRUCache[_Key, Image.Image] = LRUCache(MAX_PIXELS, _pixel_count)

    def prepare(self) -> None:
        """Load all art from the disk, or draw it and save it there; that of a game in the colours of its surface."""
        while self.prepare_more():
            pass

    def prepare_cover(self) -> bool:
        """Load all art, or draw a cover, which the first lobbies show; return whether any is left."""
        self.load()
        names = [name for name in self._art if name.endswith("/cover") and self._prepared_key(name) not in self._files]
        self._draw(names[:1])
        return len(names) > 1

    def prepare_more(self) -> bool:
        """Load all art, or draw a few small pieces, one of scenery or a cover; return whether any is left.

        That takes 20 to 130 ms, and a picture may be waiting. It need not wait for more than its own art.
        """
        self.load()
        if names := [name for name in self._art if self._prepared_key(name) not in self._files]:
            small = [name for name in names if not self._art[name].is_of_surface]
            self._draw(small[:_SMALL_PIECES] or names[:1])
        elif not self._is_saved:
            self._save_archive({name: self._files[self._prepared_key(name)] for name in self._art})
            self._is_saved = True
        return not self._is_saved

    def load(self) -> None:
        """Load the art that is kept on disk, unless this was tried before."""
        if self._was_looked_for:
            return
        self._was_looked_for = True
        if archive := self._load_archive():
            self._files = {self._prepared_key(name): file for name, file in archive.items()}
            self._is_saved = True

    def bitmap(self, sprite: Sprite, surface: Surface = FELT) -> Image.Image:
        """Return the bitmap of a sprite, scaled and rotated."""
        key = (self._file_key(sprite, sprite.surface or surface), sprite.at.width, sprite.at.height, sprite.rotation)
        found = self._bitmaps.get(key)
        if found is None:
            found = self._bitmaps[key] = self._make_bitmap(sprite, surface)
        return found

    def _file_key(self, sprite: Sprite, surface: Surface) -> _FileKey:
        piece = self._art.get(sprite.name)
        if piece is None:
            raise BrokenArt(f"There is no art called {sprite.name}.")
        colour = sprite.colour if piece.is_tinted else None
        needs_surface = piece.is_of_surface or (colour is not None and is_of_surface(colour))
        return sprite.name, colour, surface if needs_surface else None

    def _make_bitmap(self, sprite: Sprite, surface: Surface) -> Image.Image:
        if sprite.rotation:
            # Dice lie in several ways, and reading and scaling takes longer than turning.
            upright = self.bitmap(sprite._replace(rotation=0), surface)
            return upright.rotate(-sprite.rotation, Image.Resampling.BICUBIC, expand=True)
        file = self._png_of(self._file_key(sprite, sprite.surface or surface))
        whole, size = Image.open(BytesIO(file)).convert("RGBA"), (sprite.at.width, sprite.at.height)
        return whole if whole.size == size else whole.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)

    def _png_of(self, key: _FileKey) -> bytes:
        self.load()
        if key not in self._files:
            name, colour, surface = key
            if key == self._prepared_key(name):
                self._draw([name])
            else:
                self._files[key] = self._art[name].draw_png(self._theme, colour, surface=surface or FELT)
        return self._files[key]

    def _draw(self, names: Iterable[str]) -> None:
        """Draw pieces in the colours that they mostly have."""
        for name in names:
            file = self._art[name].draw_png(self._theme, None, surface=self._surface_of(name))
            is_scenery = self._art[name].is_of_surface and self._art[name].size != COVER_SIZE
            self._files[self._prepared_key(name)] = self._shrink(file, self._surface_of(name)) if is_scenery else file

    def _shrink(self, file: bytes, surface: Surface) -> bytes:
        """Return opaque scenery in the colours of its pictures: it is read in 1 ms instead of 7.

        Covers lie on other surfaces as well, whose colours are others.
        """
        image = Image.open(BytesIO(file)).convert("RGBA")
        is_opaque = image.getchannel("A").getextrema() == (255, 255)
        return encode_with_pillow(image.convert("RGB"), self._theme, surface) if is_opaque else file

    def _prepared_key(self, name: str) -> _FileKey:
        return name, None, self._surface_of(name) if self._art[name].is_of_surface else None

    def _surface_of(self, name: str) -> Surface:
        """Return the surface of the game that some art belongs to."""
        return self._surfaces.get(name.partition("/")[0], FELT)

    @cached_property
    def _archive(self) -> Path | None:
        """The file on disk. Its name is a digest of everything that its content depends on."""
        if self._folder is None:
            return None
        digest = hashlib.sha256(f"{_FORMAT} {resvg_py.__version__} {pillow_version}".encode())
        for role in ColourRole:
            digest.update(f"{role.value} {hex_of(self._theme, role)}\n".encode())
        for name, piece in sorted(self._art.items()):
            digest.update(f"{name}\n{piece.source}\n{self._surface_of(name)}\n".encode())
        return self._folder / f"{self._theme}-{digest.hexdigest()[:16]}.zip"

    def _load_archive(self) -> Mapping[str, bytes] | None:
        if self._archive is None:
            return None
        try:
            with zipfile.ZipFile(self._archive) as archive:
                return {name: archive.read(name) for name in archive.namelist()}
        except FileNotFoundError:
            return None
        except _READ_ERRORS as fault:
            log.warning("The art in %s can't be read and is drawn again: %s", self._archive, fault)
            return None

    def _save_archive(self, files: Mapping[str, bytes]) -> None:
        """Save the bitmaps, and delete the files of earlier versions."""
        archive = self._archive
        if archive is None:
            return
        try:
            archive.parent.mkdir(parents=True, exist_ok=True)
            _write_archive(archive, files)
            for other in archive.parent.glob(f"{self._theme}-*.zip"):
                if other != archive:
                    other.unlink(missing_ok=True)
        except OSError as fault:
            log.warning("Art can't be saved in %s and is drawn again at every start: %s", archive.parent, fault)


def _write_archive(archive: Path, files: Mapping[str, bytes]) -> None:
    """Write an archive under a temporary name first: another process may be writing the same one."""
    unfinished = archive.with_suffix(f".{secrets.token_hex(8)}")
    try:
        with zipfile.ZipFile(unfinished, "w") as written:
            for name, file in files.items():
                written.writestr(name, file)
        unfinished.replace(archive)
    finally:
        unfinished.unlink(missing_ok=True)


def _pixel_count(bitmap: Image.Image) -> int:
    return min(bitmap.width * bitmap.height, MAX_PIXELS)
