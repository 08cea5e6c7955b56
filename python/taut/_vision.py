"""The ops that torchvision's compiled library has, in ops of Taut: registered when the package torchvision loads that library.

Their gradients are those of the ops they are made of.
"""

from . import library as _library

_SCHEMAS = """
nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor
qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor
roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width, int sampling_ratio, bool aligned) -> Tensor
qroi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width, int sampling_ratio, bool aligned) -> Tensor
roi_pool(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width) -> (Tensor, Tensor)
ps_roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width, int sampling_ratio) -> (Tensor, Tensor)
ps_roi_pool(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width) -> (Tensor, Tensor)
deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, SymInt stride_h, SymInt stride_w, SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w, SymInt groups, SymInt offset_groups, bool use_mask) -> Tensor
_roi_align_backward(Tensor grad, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width, SymInt batch_size, SymInt channels, SymInt height, SymInt width, int sampling_ratio, bool aligned) -> Tensor
_roi_pool_backward(Tensor grad, Tensor rois, Tensor argmax, float spatial_scale, SymInt pooled_height, SymInt pooled_width, SymInt batch_size, SymInt channels, SymInt height, SymInt width) -> Tensor
_ps_roi_align_backward(Tensor grad, Tensor rois, Tensor channel_mapping, float spatial_scale, SymInt pooled_height, SymInt pooled_width, int sampling_ratio, SymInt batch_size, SymInt channels, SymInt height, SymInt width) -> Tensor
_ps_roi_pool_backward(Tensor grad, Tensor rois, Tensor channel_mapping, float spatial_scale, SymInt pooled_height, SymInt pooled_width, SymInt batch_size, SymInt channels, SymInt height, SymInt width) -> Tensor
_deform_conv2d_backward(Tensor grad, Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, SymInt stride_h, SymInt stride_w, SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w, SymInt groups, SymInt offset_groups, bool use_mask) -> (Tensor, Tensor, Tensor, Tensor, Tensor)
_cuda_version() -> int
"""
_made = None


def nms(dets, scores, iou_threshold):
    """The boxes to keep, the best first: those that no better one that is kept covers by more than the threshold."""
    from . import arange, maximum, minimum, stack

    if dets.ndim != 2 or dets.shape[1] != 4:
        raise RuntimeError(f"boxes should be a 2d tensor with 4 columns, got {tuple(dets.shape)}")
    if scores.ndim != 1 or len(scores) != len(dets):
        raise RuntimeError(f"scores should be a 1d tensor as long as boxes, got {tuple(scores.shape)} for {len(dets)} boxes")
    with _no_grad():
        order = scores.argsort(stable=True, descending=True)
        area = (dets[:, 2] - dets[:, 0]) * (dets[:, 3] - dets[:, 1])
        kept = []
        while order.numel():
            best, order = order[0], order[1:]
            kept.append(best)
            box, others = dets[best], dets[order]
            sides = (minimum(box[2:], others[:, 2:]) - maximum(box[:2], others[:, :2])).clamp(min=0)
            common = sides[:, 0] * sides[:, 1]
            order = order[~(common / (area[best] + area[order] - common) > iou_threshold)]
        return stack(kept) if kept else arange(0)


def _no_grad():
    from . import no_grad

    return no_grad()


def _corners(at, size):
    """(lower index, upper index, weight of the upper), each within the picture."""
    at = at.clamp(min=0)
    low = at.floor().long().clamp(max=size - 1)
    high = (low + 1).clamp(max=size - 1)
    return low, high, (at - low).clamp(max=1) * (low < size - 1)


def roi_align(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned):
    """The mean of points, between pixels, in each of pooled_height x pooled_width parts of each box."""
    from . import arange

    height, width = input.shape[2:]
    batch = rois[:, 0].long()
    x1, y1, x2, y2 = (rois[:, 1:] * spatial_scale - (0.5 if aligned else 0.0)).unbind(1)

    def points(start, end, parts, size):
        """Where to look (boxes, parts, points), which of that is inside, how many points a part has."""
        length = end - start if aligned else (end - start).clamp(min=1)
        part = length / parts
        count = part.ceil() if sampling_ratio <= 0 else part * 0 + sampling_ratio
        most = max(int(count.max()), 1) if count.numel() else 1
        i = arange(most, dtype=rois.dtype)
        at = start[:, None, None] + part[:, None, None] * (arange(parts, dtype=rois.dtype)[None, :, None] + (i + 0.5) / count.clamp(min=1)[:, None, None])
        return at, (at >= -1) & (at <= size) & (i < count[:, None, None]), count

    ys, seen_y, rows = points(y1, y2, pooled_height, height)
    xs, seen_x, columns = points(x1, x2, pooled_width, width)
    (y_low, y_high, wy), (x_low, x_high, wx) = _corners(ys, height), _corners(xs, width)
    made = 0
    for y, a in ((y_low, 1 - wy), (y_high, wy)):
        for x, b in ((x_low, 1 - wx), (x_high, wx)):
            taken = input[batch[:, None, None, None, None], :, y[:, :, :, None, None], x[:, None, None]]  # (boxes, rows, points, columns, points, channels)
            made = made + taken * ((a * seen_y)[:, :, :, None, None] * (b * seen_x)[:, None, None])[..., None]
    return (made.sum((2, 4)) / (rows * columns).clamp(min=1)[:, None, None, None]).permute(0, 3, 1, 2).contiguous()


def deform_conv2d(input, weight, offset, mask, bias, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups, offset_groups, use_mask):
    """A convolution that looks at each pixel beside where it would, by offsets."""
    from . import arange, einsum

    n, channels, height, width = input.shape
    made, _, kh, kw = weight.shape
    oh, ow = offset.shape[2:]
    shift = offset.view(n, offset_groups, kh, kw, 2, oh, ow)
    y = arange(oh)[:, None] * stride_h - pad_h + arange(kh)[:, None, None, None] * dilation_h + shift[:, :, :, :, 0]
    x = arange(ow) * stride_w - pad_w + arange(kw)[:, None, None] * dilation_w + shift[:, :, :, :, 1]
    picture = input.view(n, offset_groups, channels // offset_groups, height, width)
    item, part = arange(n).view(-1, 1, 1, 1, 1, 1), arange(offset_groups).view(1, -1, 1, 1, 1, 1)
    columns = 0
    for dy in (0, 1):
        for dx in (0, 1):
            i, j = y.floor() + dy, x.floor() + dx
            share = (1 - (y - i).abs()) * (1 - (x - j).abs()) * ((i >= 0) & (i < height) & (j >= 0) & (j < width))
            taken = picture[item, part, :, i.long().clamp(0, height - 1), j.long().clamp(0, width - 1)]
            columns = columns + taken * share[..., None]
    if use_mask:
        columns = columns * mask.view(n, offset_groups, kh, kw, oh, ow)[..., None]
    columns = columns.permute(0, 1, 6, 2, 3, 4, 5).reshape(n, groups, channels // groups, kh, kw, oh, ow)
    result = einsum("ngcijhw,gocij->ngohw", columns, weight.view(groups, made // groups, channels // groups, kh, kw))
    return result.reshape(n, made, oh, ow) + bias[:, None, None]


def _gradients(function, grad, inputs):
    from . import enable_grad
    from .autograd import grad as gradients

    with enable_grad():
        inputs = [t.detach().requires_grad_() for t in inputs]
        found = gradients(function(*inputs), inputs, grad, allow_unused=True)
    return [t.new_zeros(t.shape) if g is None else g for t, g in zip(inputs, found)]


def _roi_align_backward(grad, rois, spatial_scale, pooled_height, pooled_width, batch_size, channels, height, width, sampling_ratio, aligned):
    picture = grad.new_zeros((batch_size, channels, height, width))
    return _gradients(lambda x: roi_align(x, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned), grad, [picture])[0]


def _deform_conv2d_backward(grad, input, weight, offset, mask, bias, *options):
    return tuple(_gradients(lambda *t: deform_conv2d(*t, *options), grad, [input, weight, offset, mask, bias]))


def register():
    """Defines torch.ops.torchvision."""
    global _made
    if _made is not None:
        return
    _made = made = _library.Library("torchvision", "DEF")
    for schema in _SCHEMAS.strip().splitlines():
        made.define(schema)
    for function in (nms, roi_align, deform_conv2d, _roi_align_backward, _deform_conv2d_backward):
        made.impl(function.__name__, function, "CPU")
    made.impl("_cuda_version", lambda: -1, "CompositeExplicitAutograd")
