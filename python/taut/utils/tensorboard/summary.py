"""What goes into an event: each function makes the bytes of one summary."""

from ... import _C
from ..._refuse import lacking as _lacking


class Summary:
    """A summary as bytes: what FileWriter.add_summary takes."""

    def __init__(self, data):
        self._data = bytes(data)

    def SerializeToString(self):  # as messages of Protocol Buffers have it
        """Its bytes."""
        return self._data


def _tensor(x):
    """A tensor from a tensor, an array, a number or a list."""
    from ... import as_tensor

    if isinstance(x, _C.Tensor):
        x = x.detach()
        return x.to(_C.float32) if x.dtype in (_C.bfloat16, _C.float16) else x
    if isinstance(x, list) and x and isinstance(x[0], _C.Tensor):
        return _C.ops["stack"]([_tensor(t) for t in x])
    if isinstance(x, str):
        raise NotImplementedError(f"Got {type(x)}, but numpy array or torch tensor are expected.")
    return as_tensor(x)


def _number(x):
    x = x.item() if hasattr(x, "item") else x
    return float(x)


def scalar(name, tensor, collections=None, new_style=False, double_precision=False):
    """A number."""
    if hasattr(tensor, "numel") and tensor.numel() != 1 or hasattr(tensor, "size") and not callable(tensor.size) and tensor.size != 1:
        raise AssertionError(f"Tensor should contain one element (0 dimensions). Was given size: {tuple(tensor.shape)}")
    return Summary(_C._summary_scalar(name, _number(tensor), double_precision, new_style))


def tensor_proto(tag, tensor):
    """A tensor of floats."""
    x = _tensor(tensor).to(_C.float32).contiguous()
    shape = _C._proto([(2, "b", _C._proto([(1, "i", n)])) for n in x.shape])
    content = _C._proto([(1, "i", 1), (2, "b", shape), (4, "b", bytes(memoryview(x.view(-1).view(_C.uint8))) if x.numel() else b"")])
    plugin = _C._proto([(1, "b", _C._proto([(1, "b", "tensor")]))])
    return Summary(_C._proto([(1, "b", _C._proto([(1, "b", tag), (8, "b", content), (9, "b", plugin)]))]))


def histogram(name, values, bins, max_bins=None):
    """How values are spread: bins are edges, a number of bins, or a word of numpy's."""
    values = _tensor(values)
    if isinstance(bins, (str, int)):
        import numpy

        bins = numpy.histogram_bin_edges(values.reshape(-1).to(_C.float64).numpy(), bins)
    return Summary(_C._summary_histogram(name, values, [float(b) for b in bins], max_bins or 0))


def histogram_raw(name, min, max, num, sum, sum_squares, bucket_limits, bucket_counts):
    """The same from counts: of bucket i, the values up to bucket_limits[i]."""
    limits, counts = ([float(v) for v in x] for x in (bucket_limits, bucket_counts))
    return Summary(_C._summary_histogram_raw(name, float(min), float(max), float(num), float(sum), float(sum_squares), limits, counts))


def image(tag, tensor, rescale=1, dataformats="NCHW"):
    """A picture."""
    return Summary(_C._summary_image(tag, _resized(_tensor(tensor), rescale, dataformats.upper()), dataformats.upper()))


def _resized(x, rescale, dataformats):
    if rescale == 1:
        return x
    pixels = _C._summary_pixels(x, dataformats).permute(2, 0, 1)
    from ...nn.functional import interpolate

    size = [int(n * rescale) for n in pixels.shape[1:]]
    pixels = interpolate(pixels[None].to(_C.float32), size=size, mode="bilinear", antialias=True)[0].round().to(_C.uint8)
    back = ["CHW".index(c) for c in dataformats if c != "N"]
    return pixels.permute(back) if len(dataformats) == 3 else pixels[None] if dataformats == "NCHW" else pixels[0]


def image_boxes(tag, tensor_image, tensor_boxes, rescale=1, dataformats="CHW", labels=None):
    """A picture with boxes (x1, y1, x2, y2) drawn in red."""
    pixels = _C._summary_pixels(_tensor(tensor_image), dataformats.upper()).clone()  # H, W, 3 or 4
    red = _C._tensor([255, 0, 0], _C.uint8)
    height, width = pixels.shape[:2]
    boxes = _tensor(tensor_boxes).to(_C.float64).tolist()
    for x1, y1, x2, y2 in boxes:
        left, right = (min(max(int(v), 0), width - 1) for v in (x1, x2))
        top, bottom = (min(max(int(v), 0), height - 1) for v in (y1, y2))
        for y in (top, bottom):
            pixels[y, left:right + 1, :3] = red
        for x in (left, right):
            pixels[top:bottom + 1, x, :3] = red
    if labels is not None:
        pixels = _labelled(pixels, boxes, labels)
    return image(tag, pixels, rescale, "HWC")


def _labelled(pixels, boxes, labels):
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.fromarray(pixels.numpy())
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default()
    for (left, _, _, bottom), label in zip(boxes, labels):
        _, _, width, height = pen.textbbox((0, 0), label, font=font)
        pen.rectangle([(left, bottom - height - 2), (left + width, bottom)], fill="red")
        pen.text((left + 1, bottom - height - 1), label, fill="black", font=font)
    import numpy

    return _tensor(numpy.array(picture))


def video(tag, tensor, fps=4):
    """A film, as a GIF."""
    return Summary(_C._summary_video(tag, _tensor(tensor), float(fps)))


def audio(tag, tensor, sample_rate=44100):
    """A sound."""
    x = _tensor(tensor)
    if x.numel() and float(x.abs().max()) > 1:
        print("warning: audio amplitude out of range, auto clipped.")
    if x.squeeze().ndim != 1:
        raise AssertionError("input tensor should be 1 dimensional.")
    return Summary(_C._summary_audio(tag, x, int(sample_rate)))


def text(tag, text):
    """Text in Markdown."""
    return Summary(_C._summary_text(tag, text))


def pr_curve(tag, labels, predictions, num_thresholds=127, weights=None):
    """Precision and recall."""
    return Summary(_C._summary_pr_curve(tag, _tensor(labels), _tensor(predictions), num_thresholds,
                                        None if weights is None else _tensor(weights)))


def pr_curve_raw(tag, tp, fp, tn, fn, precision, recall, num_thresholds=127, weights=None):
    """The same from counts."""
    rows = [_tensor(x).to(_C.float64) for x in (tp, fp, tn, fn, precision, recall)]
    return Summary(_C._summary_pr_curve_raw(tag, _C.ops["stack"](rows)))


def mesh(tag, vertices, colors, faces, config_dict, display_name=None, description=None):
    """Points and triangles in space."""
    import json

    def given(x):
        return None if x is None else _tensor(x)

    return Summary(_C._summary_mesh(tag, _tensor(vertices), given(colors), given(faces), json.dumps(config_dict or {}, sort_keys=True)))


def custom_scalars(layout):
    """How charts of several scalars are laid out: {category: {chart: [kind, [tags]]}}."""
    return Summary(_C._summary_layout([(category, [(title, (kind, list(tags))) for title, (kind, tags) in charts.items()])
                                       for category, charts in layout.items()]))


def _setting(name, value):
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, _C.Tensor) or hasattr(value, "item"):
        return float(value.item())
    raise ValueError("value should be one of int, float, str, bool, or torch.Tensor")


def hparams(hparam_dict=None, metric_dict=None, hparam_domain_discrete=None):
    """The settings of a run and the metrics it gives: three summaries."""
    if not isinstance(hparam_dict, dict):
        raise TypeError("parameter: hparam_dict should be a dictionary, nothing logged.")
    if not isinstance(metric_dict, dict):
        raise TypeError("parameter: metric_dict should be a dictionary, nothing logged.")
    discrete = hparam_domain_discrete or {}
    if not isinstance(discrete, dict):
        raise TypeError("parameter: hparam_domain_discrete should be a dictionary, nothing logged.")
    for name, values in discrete.items():
        if name not in hparam_dict or not isinstance(values, list) or not all(isinstance(v, type(hparam_dict[name])) for v in values):
            raise TypeError(f"parameter: hparam_domain_discrete[{name}] should be a list of same type as hparam_dict[{name}].")
    settings = [(name, _setting(name, value)) for name, value in hparam_dict.items() if value is not None]
    made = _C._summary_hparams(settings, list(metric_dict), {k: [_setting(k, v) for v in values] for k, values in discrete.items()})
    return tuple(map(Summary, made))


def figure_to_image(figures, close=True):
    """Pictures (C, H, W) of figures of matplotlib, or (N, C, H, W) of a list of them."""
    import matplotlib.backends.backend_agg as agg
    import matplotlib.pyplot as plt
    import numpy

    def one(figure):
        canvas = agg.FigureCanvasAgg(figure)
        canvas.draw()
        data = numpy.frombuffer(canvas.buffer_rgba(), dtype=numpy.uint8)
        width, height = figure.canvas.get_width_height()
        if close:
            plt.close(figure)
        return numpy.moveaxis(data.reshape([height, width, 4])[:, :, 0:3], source=2, destination=0)

    return numpy.stack([one(f) for f in figures]) if isinstance(figures, list) else one(figures)


__getattr__ = _lacking("utils.tensorboard.summary")
