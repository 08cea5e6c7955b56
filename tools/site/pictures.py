"""Pictures for the gallery, as SVG: what the examples printed, drawn."""

import base64
import math
import re
import struct

import taut

COLOURS = ["#2f7fd6", "#e0762c", "#2a9d6f", "#a05cc4"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 300, 62, 14, 30, 40


def ticks(low, high, log):
    if log:
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        few = [10.0 ** p for p in powers if low <= 10.0 ** p <= high]
        return few if len(few) > 1 else [low, high]
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(k for k in (1, 2, 5, 10) if (high - low) / (k * step) <= 6)
    first = math.ceil(low / step)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def chart(series, x_label, log=False):
    """Lines and dots: [(name, xs, ys, "line" or "dots")]."""
    xs = [x for _, some, _, _ in series for x in some]
    ys = [y for _, _, some, _ in series for y in some]
    log = log and min(ys) > 0 and max(ys) / min(ys) > 10
    if not log:
        spare = (max(ys) - min(ys)) * 0.06 or 1
    low, high = (min(ys) / 1.3, max(ys) * 1.3) if log else (min(ys) - spare, max(ys) + spare)
    scale = math.log10 if log else float
    span = (max(xs) - min(xs)) or 1

    def at(x, y):
        return (LEFT + (x - min(xs)) / span * (WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - (scale(y) - scale(low)) / (scale(high) - scale(low)) * (HEIGHT - TOP - BOTTOM))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="system-ui, sans-serif" font-size="15" fill="#7d8590">']
    for y in ticks(low, high, log):
        _, py = at(min(xs), y)
        out.append(f'<path d="M{LEFT} {py:.1f}H{WIDTH - RIGHT}" stroke="#8888" stroke-width=".6"/>'
                   f'<text x="{LEFT - 8}" y="{py + 4:.1f}" text-anchor="end">{y:.3g}</text>')
    for x in ticks(min(xs), max(xs), False) if len(xs) > 1 else xs:
        px, _ = at(x, high)
        out.append(f'<text x="{px:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{x:g}</text>')
    out.append(f'<text x="{(WIDTH + LEFT) / 2}" y="{HEIGHT - 4}" text-anchor="middle">{x_label}</text>')
    label_at = LEFT
    for (name, some, values, kind), colour in zip(series, COLOURS):
        points = [at(x, y) for x, y in zip(some, values)]
        if kind == "line":
            out.append(f'<path d="M{" L".join(f"{x:.1f} {y:.1f}" for x, y in points)}" fill="none" stroke="{colour}" stroke-width="2.2" stroke-linejoin="round"/>')
        if kind == "dots" or len(points) < 20:
            out.append("".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points))
        out.append(f'<circle cx="{label_at + 5}" cy="13" r="5" fill="{colour}"/><text x="{label_at + 16}" y="18">{name}</text>')
        label_at += 30 + 8 * len(name)
    return "\n".join([*out, "</svg>"]) + "\n"


def losses(output):
    """The curve of "step 50  loss 0.1" or "epoch 1  loss 0.1"; None where there is none."""
    found = re.findall(r"^(step|epoch) (\d+) +(loss|rebuilt) ([-+.\de]+)", output, re.MULTILINE)
    pairs = [(int(x), float(y)) for _, x, _, y in found]
    return chart([(found[0][2], [x for x, _ in pairs], [y for _, y in pairs], "line")], found[0][0], log=True) if len(pairs) > 2 else None


def numbers_after(output, word):
    return [float(v) for v in re.search(rf"^{word} +tensor\(\[([^\]]*)\]", output, re.MULTILINE)[1].split(",")]


def curve_fit(output):
    """The samples of the example, which has this seed, and the curve it found."""
    taut.manual_seed(0)
    truth, fitted = numbers_after(output, "truth"), numbers_after(output, "L-BFGS")
    t = taut.linspace(0, 4, 60, dtype=taut.float64)

    def curve(x, p):
        return p[0] * (-p[1] * x).exp() * (p[2] * x + p[3]).cos()

    y = curve(t, truth) + 0.02 * taut.randn(60, dtype=taut.float64)
    fine = taut.linspace(0, 4, 200, dtype=taut.float64)
    return chart([("fitted curve", fine.tolist(), curve(fine, fitted).tolist(), "line"), ("noisy samples", t.tolist(), y.tolist(), "dots")], "t")


def ode(output):
    """Hares and foxes with the parameters the example found, over those of the truth."""
    def orbit(p, every):
        hares, foxes, found, dt = 10.0, 5.0, [], 0.01
        for step in range(1000):
            if step % every == 0:
                found.append((step * dt, hares, foxes))
            mid = hares + dt / 2 * (p[0] * hares - p[1] * hares * foxes), foxes + dt / 2 * (p[3] * hares * foxes - p[2] * foxes)
            hares, foxes = hares + dt * (p[0] * mid[0] - p[1] * mid[0] * mid[1]), foxes + dt * (p[3] * mid[0] * mid[1] - p[2] * mid[1])
        return list(zip(*found))

    found, truth = orbit(numbers_after(output, "found"), 5), orbit(numbers_after(output, "truth"), 40)
    return chart([("hares, found", found[0], found[1], "line"), ("foxes, found", found[0], found[2], "line"),
                  ("hares", truth[0], truth[1], "dots"), ("foxes", truth[0], truth[2], "dots")], "time")


def vae(output):
    """The pictures that the example prints as characters."""
    shades = " .:-=+*#"
    rows = [line.ljust(48) for line in output.split("\n")[-9:-1]]
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 100" shape-rendering="crispEdges">']
    for picture in range(4):
        for y, row in enumerate(rows):
            for x in range(8):
                light = shades.index(row[picture * 12 + x]) / 7
                level = round(24 + 220 * light)
                out.append(f'<rect x="{picture * 102 + x * 11 + 2}" y="{y * 11 + 6}" width="11" height="11" fill="rgb({level},{level},{min(255, level + 20)})"/>')
    return "\n".join([*out, "</svg>"]) + "\n"


def spectrogram(png):
    """The picture that the example wrote, with its axes: 6 s up to 4 kHz."""
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="system-ui, sans-serif" font-size="15" fill="#7d8590">',
           f'<image x="{LEFT}" y="{TOP}" width="{width}" height="{height}" preserveAspectRatio="none" '
           f'href="data:image/png;base64,{base64.b64encode(png).decode()}"/>']
    for k in range(5):
        out.append(f'<text x="{LEFT - 8}" y="{TOP + height * (1 - k / 4) + 5:.1f}" text-anchor="end">{k}</text>')
    for s in range(7):
        out.append(f'<text x="{LEFT + width * s / 6:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{s}</text>')
    out.append(f'<text x="{(WIDTH + LEFT) / 2}" y="{HEIGHT - 4}" text-anchor="middle">seconds</text><text x="8" y="{TOP - 10}">kHz</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def framed(png):
    """A picture that an example wrote, as it is."""
    width, height = struct.unpack(">II", png[16:24])
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"><image width="{width}" height="{height}" ' \
        f'href="data:image/png;base64,{base64.b64encode(png).decode()}"/></svg>\n'


def from_report(html):
    """The drawings of a training report, each with the report's own style: {name: svg}."""
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1].replace("&", "&amp;").replace("<", "&lt;")
    found = {}
    for svg in re.findall(r"<svg\b.*?</svg>", html, re.DOTALL):
        name = re.search(r'aria-label="([^"]+)"', svg)
        if not name and "<g id=\"graph0\"" not in svg and 'class="graph"' not in svg:
            continue
        head, rest = svg.split(">", 1)
        head = head if "xmlns=" in head else head + ' xmlns="http://www.w3.org/2000/svg"'
        found[name[1] if name else "Computation graph"] = f'{head} class="chart"><style>{style}</style>{rest}'
    return found


def of(name, output, run):
    """[(file name, svg, caption)] for an example."""
    found = []
    if name == "digits":
        drawings = from_report((run / "taut-report.html").read_text())
        found += [(f"digits-{title.lower().replace(' ', '-')}.svg", svg, title) for title, svg in drawings.items()]
    own = {"curve_fit": (curve_fit, "The samples and the curve that was found."),
           "ode": (ode, "What the parameters found give, and the data."), "vae": (vae, "New pictures, as the example prints them.")}.get(name)
    if own:
        found.append((f"{name}.svg", own[0](output), own[1]))
    if name == "spectrogram":
        found.append(("spectrogram.svg", spectrogram((run / "spectrogram.png").read_bytes()), "Two chirps in noise, as the example draws them."))
    for file, caption in re.findall(r"^wrote (\w+)\.png: (.*)$", output, re.MULTILINE):
        found.append((f"{file}.svg", framed((run / f"{file}.png").read_bytes()), caption[0].upper() + caption[1:] + "."))
    curve = losses(output)
    if curve:
        found.append((f"{name}-loss.svg", curve, "The loss, as printed below."))
    return found
