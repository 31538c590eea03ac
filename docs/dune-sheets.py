#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Pictures and tables of the docs on sand that need several runs, each with its measures.

  docs/dune-sheets.py types WADI FOLDER     dunes-types.jpg, slab-types.jpg: sand by winds
  docs/dune-sheets.py stars WADI FOLDER     dunes-stars.jpg: simulated beside surveyed
  docs/dune-sheets.py laws WADI FOLDER      wind-laws.jpg, dunes-laws.jpg: the articles' and default
  docs/dune-sheets.py fangar WADI FOLDER    fangar.jpg: effect of the height of the anemometer

Run from the root of the sources; takes up to a minute of processor time. The numbers are results of
`wadi judge dunes`. Needs python3-pil; fangar reads two surveys and winds that
test/data/outside.sh finds.
"""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

TILE = 300  # pixels
GAP = 4
LINE = 18
SCENES = Path("scenes")
FONT = ImageFont.load_default()


def run(*words):
    return subprocess.run([str(w) for w in words], check=True, capture_output=True,
                          text=True).stdout


def simulate(wadi, scene, settings, out, scenes=SCENES):
    options = [word for setting in settings for word in ("--set", setting)]
    run(wadi, "run", scenes / f"{scene}.yaml", "-o", out, "--set", "render.width=16", *options)
    return out


def judge(wadi, surface, *options):
    return json.loads(run(wadi, "judge", "dunes", surface, "--json", *options))


def shade(wadi, surface, work, *options, height=TILE):
    picture = work / "tile.png"
    run(wadi, "render", surface, "-o", picture, "--view", "map", "--width", TILE, "--height",
        height, "--set", "palette=desert", *options)
    return Image.open(picture).convert("RGB")


def sheet(tiles, columns, path):
    """Tiles with a line of text under each, a row after the other."""
    height = max(picture.height for picture, _ in tiles)
    rows = (len(tiles) + columns - 1) // columns
    across, down = TILE + GAP, height + LINE + GAP
    image = Image.new("RGB", (columns * across - GAP, rows * down - GAP), "white")
    draw = ImageDraw.Draw(image)
    for i, (picture, text) in enumerate(tiles):
        x, y = i % columns * across, i // columns * down
        image.paste(picture, (x, y))
        draw.text((x + 4, y + height + 3), text, fill="black", font=FONT)
    image.save(path, quality=82)
    print(f"wrote {path}")


def print_table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")


# ---- sand by winds ------------------------------------------------------------------------------

WINDS = [("unimodal", "1", "90"), ("acute", "0.87", "90"), ("obtuse", "0.50", "90"),
         ("five", "0", "none")]  # regime, RDP/DP, drift
DEPTHS = {"dunes-types": ["0.5", "2.5", "5"], "slab-types": ["0.5", "1.5", "4"]}


def types_cell(wadi, scene, depth, wind, work):
    regime, ratio, drift = wind
    out = simulate(wadi, scene, [f"terrain.noise.base={depth} m", f"dunes.regime={regime}"], work)
    m = judge(wadi, out / "height.tif", "--sand", out / "sand.tif", "--drift", drift, "--edges",
              "periodic")
    text = f"{depth} m, RDP/DP {ratio}: {m['type']}"
    numbers = f"{m['type']}: order {m['order']:.2f}, bare {100 * m['bare']:.0f} %"
    picture = shade(wadi, out / "height.tif", work, "--sediment", out / "sand.tif")
    return (picture, text), numbers


def types(wadi, folder, work):
    for scene, depths in DEPTHS.items():
        cells = [[types_cell(wadi, scene, depth, wind, work) for wind in WINDS]
                 for depth in depths]
        print_table([scene] + [f"RDP/DP {ratio}" for _, ratio, _ in WINDS],
                    [[f"{depth} m"] + [numbers for _, numbers in row]
                     for depth, row in zip(depths, cells)])
        sheet([tile for row in cells for tile, _ in row], len(WINDS), folder / f"{scene}.jpg")


# ---- stars --------------------------------------------------------------------------------------


def stars(wadi, folder, work):
    out = simulate(wadi, "dunes-stars", [], work)
    survey = Path("test/data/rub-al-khali-star-dunes-30m.tif")
    found = [("dunes-stars", out / "height.tif", judge(wadi, out / "height.tif", "--edges",
                                                       "periodic")),
             ("Rub' al Khali", survey, judge(wadi, survey))]
    print_table(["", "order", "skew", "height", "spacing", "height / spacing", "face"],
                [[name, f"{m['order']:.2f}", f"{m['skew']:.2f}", f"{m['height_m']:.0f} m",
                  f"{m['spacing_m']:.0f} m", f"1/{m['spacing_m'] / m['height_m']:.0f}",
                  f"{m['face_deg']:.0f}°"] for name, _, m in found])
    sheet([(shade(wadi, surface, work), name) for name, surface, _ in found], 2,
          folder / "dunes-stars.jpg")


# ---- the articles' laws and the defaults --------------------------------------------------------

LAW = """wadi: 1
name: law
seed: 1
terrain:
  size: [256, 256]
  cell: {cell} m
  edges: periodic
  noise: {{kind: fbm, relief: 0.4 m, wavelength: 16 m, octaves: 2}}
layers:
  sediment: {sand} m
steps:
  - {process}: {{preset: {preset}, for: {years} yr, direction: 270 deg}}
  - {{render: after.png}}
  - {{write: height.tif}}
  - {{write: sand.tif, layer: sediment}}
"""
LAWS = {"wind": [(2, 6, 10, "paper"), (2, 6, 10, "paper-repo"), (2, 6, 10, "default")],
        "dunes": [(1, 3, 20, "paper"), (1, 0.5, 20, "paper"), (1, 3, 20, "default")]}


def law(wadi, process, settings, work):
    cell, sand, years, preset = settings
    scene = LAW.format(process=process, cell=cell, sand=sand, years=years, preset=preset)
    (work / "law.yaml").write_text(scene, encoding="utf-8")
    out = simulate(wadi, "law", [], work, work)
    surface, depth = out / "height.tif", out / "sand.tif"
    m = judge(wadi, surface, "--sand", depth, "--drift", "90", "--edges", "periodic")
    name = f"{preset}, {sand} m"
    numbers = [name, m.get("type", "no dunes"), f"{m['height_m']:.1f} m", f"{m['order']:.2f}",
               f"{100 * m['bare']:.0f} %", f"{m['face_deg']:.0f}°"]
    return (shade(wadi, surface, work, "--sediment", depth), name), numbers


def laws(wadi, folder, work):
    for process, all_settings in LAWS.items():
        found = [law(wadi, process, settings, work) for settings in all_settings]
        print_table([process, "kind", "height", "order", "bare", "face"],
                    [numbers for _, numbers in found])
        sheet([tile for tile, _ in found], len(found), folder / f"{process}-laws.jpg")


# ---- El Fangar ----------------------------------------------------------------------------------

HEIGHTS = ["2", "4", "10"]  # of the anemometer [m]
ROUGHNESSES = ["0.1", "1", "10"]  # [mm]


# 249 x 204 cells, all of them sand.
def fangar_shade(wadi, surface, work):
    return shade(wadi, surface, work, "--sediment", surface, "--set", "exaggeration=2", "--sun",
                 "330,25", height=TILE * 204 // 249)


def fangar(wadi, folder, work):
    files = ["dem/fangar-dune-2012-04-15.asc", "dem/fangar-dune-2012-04-18.asc",
             "wind/fangar-wind-2012-04-15-to-18.txt"]
    data = Path(run("test/data/outside.sh", *files).strip())
    before, survey, wind = (data / file for file in files)
    for file in ("test/cli/fangar.yaml", before, wind):
        shutil.copy(file, work)
    found = judge(wadi, survey, "--before", before, "--reach", "14m")
    real = f"{found['moved_m']:.1f} m towards {found['moved_deg']:.0f} deg"
    tiles = [(fangar_shade(wadi, before, work), "surveyed 15 April"),
             (fangar_shade(wadi, survey, work), "18 April: " + real)]
    rows = []
    for height in HEIGHTS:
        rows.append([f"{height} m"])
        for roughness in ROUGHNESSES:
            out = simulate(wadi, "fangar", [f"dunes.anemometer={height} m",
                                            f"dunes.roughness={roughness} mm"], work, work)
            m = judge(wadi, out / "after.tif", "--before", out / "before.tif", "--reach", "14m")
            moved = f"{m['moved_m']:.1f} m towards {m['moved_deg']:.0f}"
            rows[-1].append(moved + "°")
            tiles.append((fangar_shade(wadi, out / "after.tif", work),
                          f"{height} m, {roughness} mm: {moved} deg"))
    print_table(["anemometer at", *(f"roughness {r} mm" for r in ROUGHNESSES)], rows)
    sheet(tiles[:2] + tiles[3:4] + tiles[2:3] + tiles[4:5] + tiles[-1:], 3, folder / "fangar.jpg")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder_of_work:
        {"types": types, "stars": stars, "laws": laws, "fangar": fangar}[sys.argv[1]](
            sys.argv[2], Path(sys.argv[3]), Path(folder_of_work))
