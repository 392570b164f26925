#!/usr/bin/env python3
"""Takes the plots out of a report of `rowan train`, as pictures that stand for themselves.
  plots.py REPORT.html FOLDER"""
import pathlib
import re
import sys

STYLE = """<style>svg { background: #fff; } text { fill: #5b6673; font: 12px system-ui, sans-serif; } .name { fill: #1b2430; }
.grid { stroke: #d9dee5; } .curve { fill: none; stroke-width: 1.8; }</style>"""
COLOURS = {"var(--rowan)": "#c2410c", "var(--ink)": "#1b2430", "var(--soft)": "#5b6673", "var(--line)": "#d9dee5"}


def main(report: str, folder: str) -> None:
    page = pathlib.Path(report).read_text()
    for label, body in re.findall(r"<svg viewBox='0 0 1000 400' role=img aria-label='([^']*)'>(.*?)</svg>", page, re.S):
        for name, colour in COLOURS.items():
            body = body.replace(name, colour)
        body = re.sub(r"(\s[\w-]+)=([^'\"\s/>]+)", r"\1='\2'", re.sub(r"<title>.*?</title>", "", body, flags=re.S))
        picture = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1000 400'>{STYLE}{body}</svg>\n"
        pathlib.Path(folder, label.replace(" ", "-") + ".svg").write_text(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
