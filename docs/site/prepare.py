#!/usr/bin/env python3
"""Makes the folder of pages that Sphinx reads: docs/ and what lies elsewhere in the tree, with links that lead to pages.

    prepare.py FOLDER ROWAN

Pages are as they are in the repository. A link to a file that is no page becomes a copy of the file; one to a folder becomes
its text. reference/command-line.md is what ROWAN's --help prints; the figures of choices are drawn again.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
# pages from elsewhere
OTHERS = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "models/host-trained.md": "models/host-trained.md",
          "models/h200-trained.md": "models/h200-trained.md", "tests/data/README.md": "test-data.md",
          "packaging/README.md": "packages.md", "packaging/RELEASE.md": "release.md",
          "bench/peers/PROTOCOL.md": "peer-protocol.md", "README.md": "index.md"}
# pages that may not be there yet
OPTIONAL = {f"docs/{name}.md" for name in re.findall(r"^ *\?(.+)$", (DOCS / "site/navigation.txt").read_text(), re.M)}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def sources():
    """Repository path -> page."""
    found = {f"docs/{p.relative_to(DOCS)}": str(p.relative_to(DOCS)) for p in DOCS.rglob("*.md") if "site" not in p.parts}
    return {**found, **OTHERS}


def with_links(text, origin, page, pages, out):
    """The text of `origin` with its links as seen from `page`."""
    here = (ROOT / origin).parent

    def link(match):
        image, words, target = match.groups()
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not path:
            return match[0]
        file = (here / path).resolve()
        inside = os.path.relpath(file, ROOT)
        back = os.path.relpath(".", Path(page).parent)
        if inside in pages:
            return f"{image}[{words}]({back}/{pages[inside]}{'#' + anchor if anchor else ''})"
        if inside in OPTIONAL and not file.exists():
            return words
        if not file.exists():
            sys.exit(f"{origin}: the link {target} leads nowhere")
        if file.is_dir():
            return words
        kept = out / (inside.removeprefix("docs/") if inside.startswith("docs/") else f"tree/{inside}")
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, kept)
        return f"{image}[{words}]({back}/{os.path.relpath(kept, out)})"

    parts = re.split(r"(^ *```.*?^ *```$)", text, flags=re.M | re.S)  # code stays as it is
    return "".join(part if part.lstrip().startswith("```") else LINK.sub(link, part) for part in parts)


def navigation(out):
    """Table of contents, as MyST has it; pages that navigation.txt does not name come last."""
    text, caption = "", None
    listed = set()
    for line in (DOCS / "site/navigation.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        if not line.startswith(" "):
            text += ("```\n" if caption else "") + f"\n```{{toctree}}\n:hidden:\n:caption: {line}\n\n"
            caption = line
            continue
        name = line.strip()
        if name.startswith("?"):
            name = name[1:]
            if not (out / f"{name}.md").exists():
                continue
        text += f"{name}\n"
        listed.add(name)
    pages = {str(p.relative_to(out).with_suffix("")) for p in out.rglob("*.md")} - {"index"}
    if others := sorted(pages - listed):
        text += "```\n\n```{toctree}\n:hidden:\n:caption: More\n\n" + "".join(f"{name}\n" for name in others)
    return text + "```\n"


def command_line(rowan):
    """What --help prints, of all commands."""
    def help_of(*words):
        done = subprocess.run([rowan, *words, "--help"], capture_output=True, text=True, check=True,
                              env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"})
        return done.stdout

    def commands_of(text):
        parts = re.findall(r"^(?:Commands|About rowan):\n((?:  .*\n)+)", text, re.M)
        return [name for part in parts for name in re.findall(r"^  ([a-z]+)  ", part, re.M)]

    top = help_of()
    page = f"# Command line\n\n```text\n{top.strip()}\n```\n\n"
    for command in commands_of(top):
        text = help_of(command)
        page += f"## rowan {command}\n\n```text\n{text.strip()}\n```\n\n"
        for sub in commands_of(text):
            page += f"### rowan {command} {sub}\n\n```text\n{help_of(command, sub).strip()}\n```\n\n"
    kinds = subprocess.run([rowan, "generate", "--list"], capture_output=True, text=True, check=True).stdout
    return page + f"## Generated matrices\n\n`rowan generate --list`:\n\n```text\n{kinds.strip()}\n```\n"


def main():
    out, rowan = Path(sys.argv[1]), str(Path(sys.argv[2]).resolve())
    pages = sources()
    # it does not exist before the site is built, and may be linked to
    pages["docs/reference/command-line.md"] = "reference/command-line.md"
    with_links((ROOT / "README.md").read_text(), "README.md", "index.md", pages, out)  # is no page; its links are checked
    for origin, page in pages.items():
        if origin in ("README.md", "docs/reference/command-line.md"):
            continue
        (out / page).parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / origin).read_text()
        (out / page).write_text(with_links(text, origin, page, pages, out))
    shutil.copytree(ROOT / "examples", out.parent / "examples", dirs_exist_ok=True)  # shown by literalinclude
    subprocess.run([sys.executable, DOCS / "figures/concepts.py", rowan, out / "figures", "--choices"], check=True,
                   stdout=subprocess.DEVNULL)
    (out / "reference/command-line.md").write_text(command_line(rowan))
    with (out / "index.md").open("a") as index:
        index.write(navigation(out))


main()
