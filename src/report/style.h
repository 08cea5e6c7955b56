// The style sheet of a report: light and dark, narrow and wide.
#pragma once

namespace taut::report {

inline constexpr const char* kStyle = R"css(
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #16181d; --soft: #5b6270; --line: #e3e6eb; --grid: #eceef2;
  --good: 22, 163, 74; --bad: 220, 38, 38; --heat: 37, 99, 235; --warn: #9a6700;
  --c1: #2563eb; --c2: #ea580c; --c3: #0d9488; --c4: #9333ea; --c5: #db2777; --c6: #65a30d; --c7: #0284c7; --c8: #a16207;
  --op: #f4f4f5; --op-line: #a1a1aa; --leaf: #dbeafe; --leaf-line: #2563eb; --result: #dcfce7; --result-line: #16a34a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #101216; --card: #191c22; --ink: #eceef2; --soft: #9ea5b3; --line: #2b2f38; --grid: #262a32;
    --good: 74, 222, 128; --bad: 248, 113, 113; --heat: 96, 165, 250; --warn: #e3b341;
    --c1: #6ea8fe; --c2: #fb923c; --c3: #2dd4bf; --c4: #c084fc; --c5: #f472b6; --c6: #a3e635; --c7: #38bdf8; --c8: #facc15;
    --op: #262a32; --op-line: #565d6b; --leaf: #172a4d; --leaf-line: #6ea8fe; --result: #12331f; --result-line: #4ade80;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto,
  "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 32px 20px 48px; }
h1 { font-size: 28px; line-height: 1.2; letter-spacing: -0.015em; margin: 0; }
h2, h3 { font-size: 16px; line-height: 1.3; margin: 0; font-weight: 650; }
p { margin: 0; }
.subtitle { color: var(--soft); margin-top: 6px; max-width: 76ch; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 24px 0 0; padding: 0; }
.facts div { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px 16px; }
.facts dt { color: var(--soft); font-size: 13px; }
.facts dd { margin: 2px 0 0; font-size: 22px; line-height: 1.25; font-weight: 650; font-variant-numeric: tabular-nums; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 18px 20px; margin-top: 16px; }
.card > p, figcaption p { color: var(--soft); font-size: 13.5px; margin-top: 3px; }
.halves { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 460px), 1fr)); gap: 16px; margin-top: 16px; }
.halves .card { margin: 0; } .halves figure { height: 100%; }
figure { margin: 0; display: flex; flex-direction: column; }
.chart > svg { display: block; width: 100%; height: auto; margin-top: auto; padding-top: 10px; overflow: visible; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 8px 0 0; padding: 0; font-size: 13px;
  color: var(--soft); }
.legend li { display: flex; align-items: center; gap: 6px; }
.chart text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; fill: var(--soft);
  font-variant-numeric: tabular-nums; }
.chart .label { fill: var(--soft); }
.middle { text-anchor: middle; } .end { text-anchor: end; }
.grid { stroke: var(--grid); fill: none; } .axis, .mark { stroke: var(--op-line); fill: none; }
.curve { fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.curve.raw { opacity: .28; stroke-width: 1.2; } .dashed { stroke-dasharray: 5 4; }
.dot { fill: currentColor; stroke: none; }
.c1 { color: var(--c1); } .c2 { color: var(--c2); } .c3 { color: var(--c3); } .c4 { color: var(--c4); }
.c5 { color: var(--c5); } .c6 { color: var(--c6); } .c7 { color: var(--c7); } .c8 { color: var(--c8); }
.hover > rect { fill: none; pointer-events: all; } .tip { opacity: 0; pointer-events: none; }
.hover:hover .tip { opacity: 1; } .cross { stroke: var(--soft); stroke-dasharray: 3 3; fill: none; }
.box { fill: var(--card); stroke: var(--line); filter: drop-shadow(0 2px 6px rgb(0 0 0 / .18)); }
.tip text { fill: var(--ink); } .chart .head { font-weight: 650; }
.warning { color: var(--warn); font-size: 13px; margin-top: 8px; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(120px, 1fr)); gap: 14px 12px; margin-top: 14px; }
.gallery figure { gap: 6px; } .gallery img { width: 100%; border-radius: 6px; border: 1px solid var(--line);
  image-rendering: pixelated; display: block; background: #000; }
.gallery figcaption { font-size: 12.5px; line-height: 1.35; color: var(--soft); white-space: pre-line;
  font-variant-numeric: tabular-nums; }
.gallery figcaption::first-line { color: var(--ink); font-weight: 600; }
.scroll { overflow: auto; margin-top: 12px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; }
.table { width: 100%; }
.table th { text-align: left; font-weight: 600; color: var(--soft); font-size: 13px; border-bottom: 1px solid var(--line);
  padding: 6px 14px 6px 0; white-space: nowrap; }
.table td { border-bottom: 1px solid var(--grid); padding: 6px 14px 6px 0; }
.table .number { text-align: right; }
.table tr:last-child td { border-bottom: 0; }
.matrix th { font-weight: 500; color: var(--soft); font-size: 13px; padding: 2px 6px; }
.matrix td { min-width: 30px; height: 28px; text-align: center; border-radius: 5px; font-size: 13px; }
.matrix { border-collapse: separate; border-spacing: 2px; width: 100%; max-width: 620px; }
.matrix .zero { color: var(--op-line); }
.matrix .corner { text-align: left; white-space: nowrap; } .matrix .across { text-align: center; letter-spacing: .02em; }
.drawing { max-height: 720px; text-align: center; }
.drawing svg { height: auto; }
.drawing .node path, .drawing .node polygon { fill: var(--op); stroke: var(--op-line); }
.drawing .node.leaf path { fill: var(--leaf); stroke: var(--leaf-line); }
.drawing .node.result path { fill: var(--result); stroke: var(--result-line); }
.drawing text { fill: var(--ink); } .drawing .edge path { stroke: var(--op-line); }
.drawing .edge polygon { fill: var(--op-line); stroke: var(--op-line); }
footer { color: var(--soft); font-size: 13px; margin-top: 28px; }
@media (max-width: 560px) { .gallery { grid-template-columns: repeat(4, 1fr); gap: 10px 8px; } .table td { white-space: nowrap; }
  main { padding: 20px 12px 32px; } .card { padding: 14px; } .chart text { font-size: 16px; } }
@media print { body { background: none; } .card, .facts div { break-inside: avoid; } }
)css";

}  // namespace taut::report
