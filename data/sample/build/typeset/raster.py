"""Pages as images: drawn four times as large and averaged down, so letters keep their exact places."""

from __future__ import annotations

from pathlib import Path

from PIL import ExifTags, Image, ImageDraw

from typeset.fonts import loaded
from typeset.surface import INK, CircleOp, Colour, PathOp, Surface, TextOp

_OVERSAMPLE = 4
_GREYS = 32
_TURN_CLOCKWISE = 6  # EXIF: the first row of the file is the right side of the page


def page_image(surface: Surface, *, width: int) -> Image.Image:
    """The page as an RGB image `width` pixels wide."""
    height = pixel_height(surface, width)
    scale = width / surface.width * _OVERSAMPLE
    image = Image.new("RGB", (width * _OVERSAMPLE, height * _OVERSAMPLE), (255, 255, 255))
    draw = ImageDraw.Draw(image)
    for op in surface.ops:
        if isinstance(op, TextOp):
            _text(image, draw, op, scale)
        elif isinstance(op, PathOp):
            _path(draw, op, scale)
        else:
            _circle(draw, op, scale)
    return image.reduce(_OVERSAMPLE)


def pixel_height(surface: Surface, width: int) -> int:
    """Rows of the image of a page that is `width` pixels wide."""
    return round(surface.height * width / surface.width)


def save(image: Image.Image, surface: Surface, path: Path) -> None:
    """Write the image in the colours drawn on `surface` and their tints: a PNG, or a lossless WebP (name in .webp).

    A JPEG (name in .jpg) keeps all its colours; one wider than high is stored on its side, as a camera does it, with the
    EXIF orientation that turns it back.
    """
    import numpy as np

    if path.suffix == ".jpg":
        _save_jpeg(image, path)
        return

    tones = np.array(_palette(surface), dtype=np.int32)
    pixels = np.asarray(image, dtype=np.int32)
    packed = (pixels[..., 0] << 16) | (pixels[..., 1] << 8) | pixels[..., 2]
    shades, where = np.unique(packed, return_inverse=True)
    parts = np.stack([shades >> 16, (shades >> 8) & 255, shades & 255], axis=1)
    nearest = ((parts[:, None, :] - tones[None, :, :]) ** 2).sum(axis=2).argmin(axis=1).astype(np.uint8)
    small = Image.fromarray(nearest[where].reshape(packed.shape))
    small.putpalette([int(part) for tone in tones for part in tone])
    if path.suffix == ".webp":
        small.convert("RGB").save(path, lossless=True, quality=100, method=6)
    else:
        small.save(path, optimize=True)


def _save_jpeg(image: Image.Image, path: Path) -> None:
    exif = Image.Exif()
    if image.width > image.height:
        image = image.transpose(Image.Transpose.ROTATE_90)
        exif[ExifTags.Base.Orientation] = _TURN_CLOCKWISE
    image.save(path, quality=78, subsampling="4:2:0", optimize=True, exif=exif)


def _palette(surface: Surface) -> list[Colour]:
    # Greys for the edges of letters, and for every other colour a ramp of mixtures with white and with ink.
    used: dict[Colour, None] = {}
    for op in surface.ops:
        used[op.colour] = None
        if not isinstance(op, TextOp) and op.fill is not None:
            used[op.fill] = None
    tones: dict[Colour, None] = {(255, 255, 255): None}
    for step in range(_GREYS + 1):
        tones[_mixed((255, 255, 255), INK, step / _GREYS)] = None
    tones |= used
    hues = [colour for colour in used if max(colour) - min(colour) > 3]
    steps = min(12, (256 - len(tones)) // max(len(hues), 1) - 2)
    for colour in hues:
        for step in range(1, steps):
            tones[_mixed((255, 255, 255), colour, step / steps)] = None
        for share in (1 / 3, 2 / 3):
            tones[_mixed(colour, INK, share)] = None
    return list(tones)[:256]


def _mixed(first: Colour, second: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def _text(image: Image.Image, draw: ImageDraw.ImageDraw, op: TextOp, scale: float) -> None:
    font = loaded(op.face.family, op.face.style, op.face.size * scale)
    if not op.angle:
        draw.text((op.x * scale, op.y * scale), op.text, font=font, fill=op.colour, anchor="ls")
        return
    left, top, right, bottom = font.getbbox(op.text, anchor="ls")
    pad = 4
    mask = Image.new("L", (int(right - left) + 2 * pad, int(bottom - top) + 2 * pad), 0)
    ImageDraw.Draw(mask).text((pad - left, pad - top), op.text, font=font, fill=255, anchor="ls")
    turned = mask.transpose(Image.Transpose.ROTATE_90)
    # The baseline point (pad - left, pad - top) of the mask lands at x = pad - top, counted from the left.
    x = round(op.x * scale - (pad - top))
    y = round(op.y * scale) - turned.height + round(pad - left)
    image.paste(op.colour, (x, y), turned)


def _path(draw: ImageDraw.ImageDraw, op: PathOp, scale: float) -> None:
    points = [(x * scale, y * scale) for x, y in op.points]
    if op.fill is not None:
        draw.polygon(points, fill=op.fill)
    if op.stroke:
        ring = [*points, points[0], points[1]] if op.closed else points
        draw.line(ring, fill=op.colour, width=max(1, round(op.stroke * scale)), joint="curve")


def _circle(draw: ImageDraw.ImageDraw, op: CircleOp, scale: float) -> None:
    x, y, radius = op.x * scale, op.y * scale, op.radius * scale
    draw.ellipse(
        (x - radius, y - radius, x + radius, y + radius),
        fill=op.fill,
        outline=op.colour if op.stroke else None,
        width=max(1, round(op.stroke * scale)),
    )
