#!/usr/bin/env python3
"""Files across programs: compare_files.py <file_tool> [megabytes].

What Taut saves must open in PyTorch, NumPy and safetensors with equal values, and the other way round. With a number of
megabytes it also times saving and loading, side by side. Skips, loudly, where torch or safetensors is not installed.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
    import torch
    from safetensors import safe_open
    from safetensors.torch import load_file, save_file
except ImportError as error:
    print(f"compare_files: SKIPPED, nothing was compared: {error}", file=sys.stderr)
    sys.exit(0)

DTYPES = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16,
          torch.float32, torch.float64]


def tensors(bfloat16):
    d = {str(t).removeprefix("torch."): torch.arange(6).view(2, 3).to(t) for t in DTYPES
         if bfloat16 or t != torch.bfloat16}
    base = torch.arange(12, dtype=torch.float32).view(3, 4)
    d.update({"base": base, "transposed": base.t(), "part": base[1:, 2:], "scalar": torch.tensor(7.5),
              "empty": torch.empty(0, 3), "n\u00e4me \"x\"": torch.ones(100, 100)})
    return d


def same(what, found, wanted):
    assert set(found) == set(wanted), f"{what}: {sorted(found)} instead of {sorted(wanted)}"
    for name, t in wanted.items():
        f = torch.as_tensor(found[name])
        assert f.dtype == t.dtype and f.shape == t.shape and torch.equal(f, t), f"{what}: tensor {name!r} differs"


def compare(tool, directory):
    subprocess.run([tool, "write", directory], check=True)
    d = pathlib.Path(directory)
    same("taut.safetensors", load_file(d / "taut.safetensors"), tensors(True))
    loaded = torch.load(d / "taut.pt", weights_only=True)
    same("taut.pt", loaded, tensors(True))
    same("taut.pt (mmap)", torch.load(d / "taut.pt", weights_only=True, mmap=True), tensors(True))
    assert loaded["base"].untyped_storage().data_ptr() == loaded["part"].untyped_storage().data_ptr()
    assert loaded["transposed"].stride() == (1, 4)
    for name in ("taut.npz", "taut_deflated.npz"):
        same(name, dict(np.load(d / name)), tensors(False))
    for name, t in tensors(False).items():
        if " " not in name:
            same(name + ".npy", {"x": np.load(d / f"taut_{name}.npy")}, {"x": t})
    o = torch.load(d / "taut_object.pt", weights_only=True)
    same("taut_object.pt", o.pop(7)["model"], tensors(True))
    leaf = o.pop("leaf")
    assert leaf.requires_grad and leaf.is_leaf
    assert o == {"epoch": 3, "big": 2**40, "negative": -5, "loss": 0.5, "name": "b\u00e4r", "nothing": None, "yes": True,
                 "dtype": torch.float32, "tuple": (1, "a"), "list": [1, [2.5]]}, o
    with safe_open(d / "taut_checkpoint.safetensors", "pt") as f:
        assert f.metadata()["taut.epoch"] == "3"
        names = [n for n in f.keys() if n.startswith("model.")]
        same("checkpoint", {n.removeprefix("model."): f.get_tensor(n) for n in names}, tensors(True))

    save_file({k: v.contiguous().clone() for k, v in tensors(True).items()}, d / "python.safetensors")
    torch.save(tensors(True), d / "python.pt")
    arrays = {k: v.numpy() for k, v in tensors(False).items()}
    np.savez(d / "python.npz", **arrays)
    np.savez_compressed(d / "python_deflated.npz", **arrays)
    subprocess.run([tool, "check", directory], check=True)
    print("compare_files: all files agree, in both directions")


def best(f):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        f()
        times.append(time.perf_counter() - start)
    return min(times)


def synced(save, path):
    save(path)
    fd = os.open(path, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)


def take_times(tool, directory, megabytes):
    out = subprocess.run([tool, "time", directory, str(megabytes)], check=True, capture_output=True, text=True).stdout
    taut = {name: float(t) for name, t in (line.split() for line in out.splitlines())}
    d = {f"layer{i}": torch.randn(megabytes * 1000000 // 80) for i in range(20)}
    p, s = os.path.join(directory, "time.pt"), os.path.join(directory, "time.safetensors")
    rows = [
        ("save .pt", taut["save_pt"], best(lambda: torch.save(d, p)), best(lambda: synced(lambda q: torch.save(d, q), p))),
        ("save .safetensors", taut["save_safetensors"], best(lambda: save_file(d, s)),
         best(lambda: synced(lambda q: save_file(d, q), s))),
        ("load .pt", taut["load_pt"], best(lambda: torch.load(p, weights_only=True)),
         best(lambda: torch.load(p, weights_only=True, mmap=True))),
        ("load .pt, copied", taut["load_copy_pt"], best(lambda: torch.load(p, weights_only=True)), None),
        ("load .pt and sum", taut["load_sum_pt"],
         best(lambda: [t.sum() for t in torch.load(p, weights_only=True).values()]),
         best(lambda: [t.sum() for t in torch.load(p, weights_only=True, mmap=True).values()])),
        ("load .safetensors", taut["load_safetensors"], best(lambda: load_file(s)), None),
        ("load .safetensors, copied", taut["load_copy_safetensors"], best(lambda: load_file(s)), None),
        ("load .safetensors and sum", taut["load_sum_safetensors"],
         best(lambda: [t.sum() for t in load_file(s).values()]), None),
    ]
    print(f"{megabytes} MB; seconds, best of five. Second column: with fsync (save), mmap=True (load).")
    for name, ours, theirs, other in rows:
        extra = "" if other is None else f"   {other:8.4f} ({ours / other:.2f} x)"
        print(f"  {name:27} taut {ours:8.4f}   python {theirs:8.4f} ({ours / theirs:.2f} x){extra}")
    print(f"  checkpoint: save {taut['save_checkpoint']:.4f}, load with all checksums {taut['load_checkpoint']:.4f}")


def main():
    with tempfile.TemporaryDirectory() as directory:
        compare(sys.argv[1], directory)
        if len(sys.argv) > 2:
            take_times(sys.argv[1], directory, int(sys.argv[2]))


if __name__ == "__main__":
    main()
