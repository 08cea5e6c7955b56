"""torch.utils.tensorboard: what is in the files, read back by a small reader of our own."""

import glob
import math
import os
import struct

import pytest
import taut as torch
from taut.utils.tensorboard import SummaryWriter, summary

from taut import io as files


def crc32c(data):
    """By its definition, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(path):
    with open(path, "rb") as file:
        data = file.read()
    while data:
        (n,), length = struct.unpack("<Q", data[:8]), data[:8]
        assert struct.unpack("<I", data[8:12])[0] == masked(length)
        body = data[12:12 + n]
        assert struct.unpack("<I", data[12 + n:16 + n])[0] == masked(body)
        yield body
        data = data[16 + n:]


def message(data):
    """{field: [values]}; bytes stay bytes."""
    fields, at = {}, 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            value = varint()
        elif key & 7 == 1:
            value, at = struct.unpack("<d", data[at:at + 8])[0], at + 8
        elif key & 7 == 5:
            value, at = struct.unpack("<f", data[at:at + 4])[0], at + 4
        else:
            n = varint()
            value, at = data[at:at + n], at + n
        fields.setdefault(key >> 3, []).append(value)
    return fields


def events(directory):
    (path,) = glob.glob(os.path.join(directory, "events.out.tfevents.*"))
    return [message(body) for body in records(path)]


def values(directory):
    """{tag: [(step, value)]} of all summaries."""
    found = {}
    for event in events(directory):
        for s in event.get(5, []):
            for v in message(s).get(1, []):
                v = message(v)
                found.setdefault(v[1][0].decode(), []).append((event.get(2, [0])[0], v))
    return found


def doubles(data):
    return list(struct.unpack(f"<{len(data) // 8}d", data))


def test_scalars(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        for step in range(3):
            writer.add_scalar("loss", 1 / (step + 1), step, walltime=100.0 + step)
        writer.add_scalar("t", torch.tensor([2.5]), 7)
        writer.add_scalar("precise", math.pi, 1, new_style=True, double_precision=True)
    first, *rest = events(tmp_path)
    assert first[3] == [b"brain.Event:2"] and len(rest) == 5
    assert [e[1][0] for e in rest[:3]] == [100, 101, 102]
    found = values(tmp_path)
    assert [(s, v[2][0]) for s, v in found["loss"]] == [(0, 1.0), (1, 0.5), (2, pytest.approx(1 / 3))]
    assert found["t"][0][1][2] == [2.5]
    assert doubles(message(found["precise"][0][1][8][0])[6][0]) == [math.pi]
    with pytest.raises(AssertionError, match="Tensor should contain one element"):
        summary.scalar("x", torch.ones(2))


def test_what_a_writer_adds_is_there_after_flush_and_a_closed_one_goes_on(tmp_path):
    writer = SummaryWriter(tmp_path, flush_secs=1000)
    writer.add_scalar("a", 1, 0)
    assert "a" not in values(tmp_path)
    writer.flush()
    assert "a" in values(tmp_path)
    writer.close()
    writer.add_scalar("b", 1, 0)
    writer.close()
    assert len(os.listdir(tmp_path)) == 2


def test_scalars_of_one_chart_have_directories_of_their_own(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalars("run/x", {"sin": 0.5, "cos": 0.25}, 3)
    assert values(tmp_path / "run_x_sin")["run/x"][0][1][2] == [0.5]
    assert values(tmp_path / "run_x_cos")["run/x"][0][0] == 3


def test_a_run_that_begins_again_says_from_where(tmp_path):
    with SummaryWriter(tmp_path, purge_step=5) as writer:
        writer.add_scalar("a", 1, 5)
    assert events(tmp_path)[1][2] == [5] and message(events(tmp_path)[1][7][0])[1] == [1]


def test_histograms(tmp_path):
    x = torch.tensor([-1.0, 0.0, 0.5, 0.5, 2.0])
    with SummaryWriter(tmp_path) as writer:
        writer.add_histogram("h", x, 0)
        writer.add_histogram("ten", torch.arange(100), 0, bins=10)
        writer.add_histogram_raw("raw", 0, 1, 2, 3, 4, [1, 2], [3, 4], 0)
    found = values(tmp_path)
    h = message(found["h"][0][1][5][0])
    assert [h[k][0] for k in range(1, 6)] == [-1, 2, 5, 2, 5.5]
    limits, counts = doubles(h[6][0]), doubles(h[7][0])
    assert sum(counts) == 5 and len(limits) == len(counts) and counts[0] == 0
    for low, high, count in zip(limits, limits[1:], counts[1:]):
        assert count == sum(low <= v < high for v in x.tolist())
    ten = message(found["ten"][0][1][5][0])
    assert doubles(ten[7][0]) == [0] + [10] * 10
    raw = message(found["raw"][0][1][5][0])
    assert doubles(raw[6][0]) == [1, 2] and doubles(raw[7][0]) == [3, 4]
    with pytest.raises(ValueError, match="The input has no element."):
        summary.histogram("x", torch.empty(0), [])


def picture(found, tag):
    return files.decode_image(message(found[tag][0][1][4][0])[4][0])


def test_pictures(tmp_path):
    image = torch.rand(3, 4, 6)
    with SummaryWriter(tmp_path) as writer:
        writer.add_image("chw", image)
        writer.add_image("hwc", image.permute(1, 2, 0), dataformats="HWC")
        writer.add_image("hw", image[0], dataformats="HW")
        writer.add_image("bytes", (image * 255).to(torch.uint8))
        writer.add_images("many", torch.stack([image] * 10))
        writer.add_image_with_boxes("boxes", torch.zeros(3, 8, 8), torch.tensor([[1, 1, 4, 5]]))
    found = values(tmp_path)
    wanted = (image * 255).to(torch.uint8)
    assert torch.equal(picture(found, "chw"), wanted) and torch.equal(picture(found, "hwc"), wanted)
    assert torch.equal(picture(found, "bytes"), wanted) and torch.equal(picture(found, "hw"), wanted[:1].expand(3, 4, 6))
    many = picture(found, "many")
    assert many.shape == (3, 8, 48) and torch.equal(many[:, 4:, 6:12], wanted) and many[:, 4:, 12:].sum() == 0
    assert picture(found, "boxes")[0].sum() == 255 * (2 * 4 + 2 * 3)
    with pytest.raises(ValueError, match="size of input tensor and input format are different"):
        summary.image("x", image, dataformats="HW")


def test_a_film_is_a_gif(tmp_path):
    film = torch.zeros(1, 3, 3, 20, 30)
    for k in range(3):
        film[0, k, 0, :, :10 * (k + 1)] = 1
    film[0, 2] = torch.rand(3, 20, 30)  # many codes
    data = message(message(message(summary.video("v", film).SerializeToString())[1][0])[4][0])
    assert data[1] == [20] and data[2] == [30] and data[4][0].startswith(b"GIF89a") and data[4][0].endswith(b";")
    frames = gif_frames(data[4][0])
    assert len(frames) == 3
    for frame, wanted in zip(frames, film[0]):
        assert (frame.to(torch.float32) - wanted * 255).abs().max() <= 26  # half a shade


def gif_frames(data):
    """The frames of a GIF as the writer makes them, by the format's own rules."""
    width, height = struct.unpack("<HH", data[6:10])
    palette = torch.tensor(list(data[13:13 + 768]), dtype=torch.uint8).reshape(256, 3)
    at, frames = 13 + 768, []
    while data[at] != 0x3B:
        if data[at] == 0x21:
            at += 2
            while data[at]:
                at += data[at] + 1
            at += 1
            continue
        at += 10
        bits, packed = data[at], b""
        at += 1
        while data[at]:
            packed += data[at + 1:at + 1 + data[at]]
            at += data[at] + 1
        at += 1
        frames.append(palette[torch.tensor(lzw(packed, bits))].reshape(height, width, 3).permute(2, 0, 1))
    return frames


def lzw(packed, bits):
    clear, end = 1 << bits, (1 << bits) + 1
    stream, have, size, out, at = 0, 0, bits + 1, [], 0
    table, before = {}, None
    while True:
        while have < size:
            stream |= packed[at] << have
            at, have = at + 1, have + 8
        code, stream, have = stream & ((1 << size) - 1), stream >> size, have - size
        if code == clear:
            table, size, before = {i: [i] for i in range(end + 1)}, bits + 1, None
            continue
        if code == end:
            return out
        entry = table[code] if code in table else before + before[:1]
        out += entry
        if before is not None and len(table) < 4096:
            table[len(table)] = before + entry[:1]
        before = entry
        if len(table) == 1 << size and size < 12:
            size += 1


def test_sound_text_and_meshes(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_audio("a", torch.tensor([0.0, 0.5, -1.0]), 0, sample_rate=8000)
        writer.add_text("t", "some *text*")
        writer.add_mesh("m", torch.zeros(1, 2, 3), faces=torch.zeros(1, 1, 3, dtype=torch.int64), config_dict={"a": 1})
    found = values(tmp_path)
    sound = message(found["a"][0][1][6][0])
    assert sound[1] == [8000] and sound[3] == [3] and sound[5] == [b"audio/wav"]
    assert struct.unpack("<3h", sound[4][0][-6:]) == (0, 16383, -32767) and sound[4][0][:4] == b"RIFF"
    assert message(found["t/text_summary"][0][1][8][0])[8] == [b"some *text*"]
    assert set(found) == {"a", "t/text_summary", "m_VERTEX", "m_FACE"}
    plugin = message(message(found["m_FACE"][0][1][9][0])[1][0])
    assert plugin[1] == [b"mesh"] and message(plugin[2][0])[5] == [b'{"a": 1}']


def test_curves_of_precision_and_recall():
    labels, guesses = torch.tensor([1, 0, 1, 0]), torch.tensor([0.9, 0.4, 0.6, 0.1])
    tensor = message(message(message(summary.pr_curve("p", labels, guesses, 5).SerializeToString())[1][0])[8][0])
    rows = torch.tensor(struct.unpack("<30f", tensor[5][0])).reshape(6, 5)
    assert rows[0].tolist() == [2, 2, 2, 1, 0] and rows[1].tolist() == [2, 1, 0, 0, 0]  # at thresholds 0, 0.25, ...
    assert rows[2].tolist() == [0, 1, 2, 2, 2] and rows[3].tolist() == [0, 0, 0, 1, 2]
    assert torch.allclose(rows[4], torch.tensor([0.5, 2 / 3, 1, 1, 0])) and torch.allclose(rows[5], torch.tensor([1, 1, 1, 0.5, 0]))


def test_settings_of_a_run(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_hparams({"lr": 0.1, "steps": 3, "name": "sgd", "flag": True}, {"acc": 0.5}, {"lr": [0.1, 0.2]}, run_name="run")
    found = values(tmp_path / "run")
    assert found["acc"][0][1][2] == [0.5]
    plugin = message(message(found["_hparams_/experiment"][0][1][9][0])[1][0])
    assert plugin[1] == [b"hparams"]
    infos = [message(i) for i in message(message(plugin[2][0])[2][0])[4]]
    assert [(i[1][0], i[4][0]) for i in infos] == [(b"lr", 3), (b"steps", 3), (b"name", 1), (b"flag", 2)]
    with pytest.raises(TypeError, match="hparam_domain_discrete"):
        summary.hparams({"a": 1}, {}, {"b": [1]})


def test_points_for_the_projector(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_embedding(torch.ones(3, 2), metadata=["a", "b", "c"], label_img=torch.rand(3, 3, 4, 5), global_step=2, tag="x")
    text = (tmp_path / "projector_config.pbtxt").read_text()
    assert 'tensor_path: "00002/x/tensors.tsv"' in text and "single_image_dim: 5" in text
    assert (tmp_path / "00002" / "x" / "tensors.tsv").read_text().splitlines() == ["1.0\t1.0"] * 3
    assert (tmp_path / "00002" / "x" / "metadata.tsv").read_text() == "a\nb\nc\n"
    assert files.read_image(tmp_path / "00002" / "x" / "sprite.png").shape == (3, 8, 10)


def test_crc32c_of_the_standard():
    assert crc32c(b"123456789") == 0xE3069283
