"""Files of other programs: pictures, tables, MNIST's format, numpy's arrays."""

import os

from . import _C

__all__ = ["read_image", "decode_image", "write_png", "write_jpeg", "encode_png", "encode_jpeg", "read_csv", "read_idx",
           "load_npy", "save_npy", "load_npz", "save_npz"]


def _picture(value):
    if not isinstance(value, _C.Tensor):
        raise TypeError(f"expected a uint8 tensor [channels, height, width], not {type(value).__name__}")
    return value.detach()


def read_image(path, mode="UNCHANGED"):
    """A PNG or JPEG file as a uint8 tensor [channels, height, width].

    mode: UNCHANGED, GRAY, GRAY_ALPHA, RGB or RGB_ALPHA.
    """
    return _C._read_image(os.fspath(path), mode)


def decode_image(data, mode="UNCHANGED"):
    """The same from the bytes of a file, or from a uint8 tensor of them."""
    return _C._decode_image(bytes(memoryview(data)), mode)


def encode_png(input, compression_level=6):
    """The bytes of a PNG file of a uint8 tensor [channels, height, width]."""
    return _C._encode_png(_picture(input), compression_level)


def encode_jpeg(input, quality=75):
    """The bytes of a JPEG file of a uint8 tensor [channels, height, width] with 1 or 3 channels."""
    return _C._encode_jpeg(_picture(input), quality)


def write_png(input, filename, compression_level=6):
    """Writes a PNG file."""
    _C._write_png(_picture(input), os.fspath(filename), compression_level)


def write_jpeg(input, filename, quality=75):
    """Writes a JPEG file."""
    _C._write_jpeg(_picture(input), os.fspath(filename), quality)


def read_csv(path, *, delimiter=",", header=True, columns=(), dtype=None, fill=None):
    """The numbers of a CSV file as a tensor [rows, columns], and the names of the columns. `fill`: for missing ones."""
    return _C._read_csv(os.fspath(path), delimiter, header, [str(c) for c in columns], dtype or _C.float32, fill)


def read_idx(path):
    """An idx file, MNIST's format, plain or gzip."""
    return _C._read_idx(os.fspath(path))


def load_npy(path, mmap=False):
    """An array that numpy.save wrote."""
    return _C._load_npy(os.fspath(path), mmap)


def save_npy(tensor, path):
    """Writes a tensor for numpy.load."""
    _C._save_npy(tensor.detach(), os.fspath(path))


def load_npz(path, mmap=False):
    """The arrays that numpy.savez wrote, by name."""
    return dict(_C._load_npz(os.fspath(path), mmap))


def save_npz(tensors, path, compressed=False):
    """Writes a dict of tensors for numpy.load."""
    _C._save_npz(list(tensors.items()), os.fspath(path), compressed)
