#!/usr/bin/env python3
"""Writes the small files under tests/golden/files that other programs would write: golden_files.py <directory>.

Needs torch, numpy and safetensors, and Pillow for the pictures. The tests know what is in the files: the numbers
0, 1, 2, ... in the shape (2, 3) wherever nothing else is said.
"""
import io
import pathlib
import struct
import sys
import zipfile
from collections import OrderedDict

import numpy as np
import torch
from safetensors.torch import save_file

DTYPES = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16,
          torch.float32, torch.float64]


def count(dtype, *shape):
    n = int(np.prod(shape))
    return torch.arange(n).reshape(shape).to(dtype)


def all_dtypes():
    return OrderedDict((str(d).removeprefix("torch."), count(d, 2, 3)) for d in DTYPES)


def write_torch(out):
    torch.save(all_dtypes(), out / "torch_dtypes.pt")
    torch.save(count(torch.float32, 2, 3), out / "torch_tensor.pt")
    torch.save([count(torch.float32, 2), count(torch.int64, 3)], out / "torch_list.pt")
    base = count(torch.float32, 3, 4)
    torch.save({"base": base, "column": base[:, 1], "transposed": base.t(), "part": base[1:, 2:],
                "scalar": torch.tensor(7.5), "empty": torch.empty(0, 3)}, out / "torch_shared.pt")
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.125)
    model(count(torch.float32, 2, 3)).sum().backward()
    optimizer.step()
    torch.save(model.state_dict(), out / "torch_state_dict.pt")
    torch.save({"epoch": 3, "big": 2**40, "negative": -5, "loss": 0.5, "name": "b\u00e4r", "nothing": None, "yes": True,
                "shape": torch.Size([2, 3]), "dtype": torch.float32, "tuple": (1, "a"), "list": [1, [2.5]],
                "model": model.state_dict(), "optimizer": optimizer.state_dict(),
                "parameter": torch.nn.Parameter(torch.ones(2))}, out / "torch_checkpoint.pt")
    torch.save(torch.nn.Linear(2, 2), out / "torch_module.pt")
    torch.save(all_dtypes(), out / "torch_legacy.pt", _use_new_zipfile_serialization=False)
    torch.save({"a": count(torch.float32, 2, 3)}, out / "torch_protocol4.pt", pickle_protocol=4)
    torch.save({"a": torch.ones(2, dtype=torch.complex64)}, out / "torch_complex.pt")


def write_safetensors(out):
    tensors = dict(all_dtypes())
    tensors["scalar"] = torch.tensor(7.5)
    tensors["empty"] = torch.empty(0, 3)
    tensors["\u00e4 \"quoted\"\n"] = count(torch.int16, 3)
    save_file(tensors, out / "library.safetensors", metadata={"format": "pt", "note": "tab\tand \u20ac"})


def write_numpy(out):
    for d in DTYPES:
        if d != torch.bfloat16:
            name = str(d).removeprefix("torch.")
            np.save(out / f"numpy_{name}.npy", count(d, 2, 3).numpy())
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.save(out / "numpy_fortran.npy", np.asfortranarray(a))
    np.save(out / "numpy_big.npy", a.astype(">f4"))
    np.save(out / "numpy_big_i2.npy", a.astype(">i2"))
    np.save(out / "numpy_scalar.npy", np.float64(7.5))
    np.save(out / "numpy_empty.npy", np.empty((0, 3), np.float32))
    for version in (2, 3):
        with open(out / f"numpy_version{version}.npy", "wb") as f:
            np.lib.format.write_array(f, a, version=(version, 0))
    np.save(out / "numpy_object.npy", np.array([1, "a"], dtype=object))
    np.save(out / "numpy_complex.npy", a.astype(np.complex64))
    np.savez(out / "numpy_stored.npz", a=a, b=np.arange(3), f=np.asfortranarray(a))
    np.savez_compressed(out / "numpy_deflated.npz", a=a, zeros=np.zeros((100, 100)))
    # zip64 throughout, as archives that are written to a pipe have it
    with zipfile.ZipFile(out / "numpy_zip64.npz", "w") as z:
        for name in ("a", "b"):
            buffer = io.BytesIO()
            np.save(buffer, a)
            with z.open(name + ".npy", "w", force_zip64=True) as f:
                f.write(buffer.getvalue())


def write_idx(out):
    pixels = np.arange(2 * 3 * 4, dtype=np.uint8)
    plain = struct.pack(">BBBBIII", 0, 0, 8, 3, 2, 3, 4) + pixels.tobytes()
    (out / "digits.idx").write_bytes(plain)
    import gzip
    (out / "digits.idx.gz").write_bytes(gzip.compress(plain, mtime=0))


def write_pictures(out):
    try:
        from PIL import Image
    except ImportError:
        print("golden_files: Pillow is not installed, so the pictures stay as they are", file=sys.stderr)
        return
    y, x = np.mgrid[0:5, 0:7]
    rgb = np.stack([x * 30, y * 50, x + y], -1).astype(np.uint8)
    alpha = np.full((5, 7, 1), 128, np.uint8)
    Image.fromarray(rgb).save(out / "rgb.png")
    Image.fromarray(np.concatenate([rgb, alpha], -1)).save(out / "rgba.png")
    Image.fromarray(rgb[..., 0]).save(out / "gray.png")
    Image.fromarray(rgb).quantize(16).save(out / "palette.png")
    Image.fromarray((x * 9000).astype(np.uint16)).save(out / "gray16.png")
    Image.fromarray((x % 2 * 255).astype(np.uint8)).convert("1").save(out / "bits.png")
    smooth = np.full((16, 16, 3), (200, 100, 50), np.uint8)
    Image.fromarray(smooth).save(out / "smooth.jpg", quality=95)
    Image.fromarray(smooth).save(out / "progressive.jpg", quality=95, progressive=True)
    Image.fromarray(smooth).convert("CMYK").save(out / "cmyk.jpg", quality=95)
    Image.fromarray(smooth[..., 0]).save(out / "gray.jpg", quality=95)


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    write_torch(out)
    write_safetensors(out)
    write_numpy(out)
    write_idx(out)
    write_pictures(out)


if __name__ == "__main__":
    main()
