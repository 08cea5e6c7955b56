"""Files for TensorBoard's projector: a table of points, one of labels, a sheet of small pictures, and a text that names them."""

import math
import os

from ... import _C


def add(logdir, mat, metadata, label_img, global_step, tag, metadata_header):
    """Writes the files of one set of points."""
    if mat.ndim != 2:
        raise AssertionError("mat should be 2D, where mat.size(0) is the number of data points")
    step = 0 if global_step is None else int(global_step)
    part = os.path.join(f"{step:05d}", "".join(c if c.isalnum() or c in "-_." else "%" for c in tag))
    path = os.path.join(logdir, part)
    os.makedirs(path, exist_ok=True)
    lines = [f'tensor_name: "{tag}:{step:05d}"', f'tensor_path: "{part}/tensors.tsv"']
    if metadata is not None:
        if len(metadata) != mat.shape[0]:
            raise AssertionError("#labels should equal with #data points")
        with open(os.path.join(path, "metadata.tsv"), "w", encoding="utf-8") as file:
            if metadata_header:
                file.write("\t".join(metadata_header) + "\n")
            for row in metadata:
                file.write(("\t".join(str(v) for v in row) if metadata_header else str(row)) + "\n")
        lines.append(f'metadata_path: "{part}/metadata.tsv"')
    if label_img is not None:
        if label_img.shape[0] != mat.shape[0]:
            raise AssertionError("#images should equal with #data points")
        side = math.ceil(math.sqrt(label_img.shape[0]))
        count, channels, height, width = label_img.shape
        sheet = _C.ops["zeros"]([channels, side * height, side * width], dtype=label_img.dtype)
        for k in range(count):
            row, column = divmod(k, side)
            sheet[:, row * height:(row + 1) * height, column * width:(column + 1) * width] = label_img[k]
        from ...io import write_png

        write_png(_C._summary_pixels(sheet, "CHW").permute(2, 0, 1).contiguous(), os.path.join(path, "sprite.png"))
        lines += ["sprite {", f'  image_path: "{part}/sprite.png"', f"  single_image_dim: {width}", f"  single_image_dim: {height}", "}"]
    with open(os.path.join(path, "tensors.tsv"), "w") as file:
        for row in mat.to(_C.float64).tolist():
            file.write("\t".join(repr(v) for v in row) + "\n")
    with open(os.path.join(logdir, "projector_config.pbtxt"), "a") as file:
        file.write("embeddings {\n" + "".join(f"  {line}\n" for line in lines) + "}\n")
