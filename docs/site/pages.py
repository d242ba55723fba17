"""The pages of the documentation site as Markdown: those of `docs`, and those made from Armstep itself."""

from __future__ import annotations

import argparse
import contextlib
import html
import importlib
import io
import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import armstep
from gui.cli import main
from gui.command import COMMANDS
from robots.lessons.library import find_lesson, shipped_lessons
from robots.papers.study import studies
from robots.scenario.presets import group_of, presets_by_robot

ROOT = Path(__file__).resolve().parents[2]
USERS = ("tour", "scenarios", "arms", "robot-files", "command-line", "scripting")
BUILDERS = (
    *("architecture", "glossary", "extending", "add-an-integrator", "add-a-robot", "add-a-plot", "write-a-lesson"),
    *("plugins", "contributing", "changes"),
)
EXTENSIONS = (
    "solvers.method.Method", "solvers.method.Family", "solvers.problem.OdeProblem", "solvers.solution.Solution",
    "robots.model.robot.Robot", "robots.papers.study.Study", "robots.model.chart.Chart", "robots.model.chart.Curve",
    "robots.model.chart.Axis", "assets.fields.Field", "gui.charts.plot.Plot", "gui.compose.overlay.Overlay",
    "gui.qt.window.panel.Panel", "gui.qt.export.layout.Layout", "scene.format.Format", "gui.command.Command",
    "gui.front.runs.Run", "gui.front.runs.Comparison", "gui.front.figure.Figure",
)  # fmt: skip
"""What additions are made of, and what scripts get."""


def write_pages(folder: Path, presets: Sequence[str] | None = None, chosen: Sequence[str] | None = None) -> None:
    """Write every page.

    Args:
        folder: where to; it does not exist yet.
        presets: the presets of the gallery; all if None.
        chosen: the studies whose figures are computed; all if None.
    """
    shutil.copytree(
        ROOT / "docs", folder, ignore=shutil.ignore_patterns("site", "plugin", "*.py", "__pycache__", "index.md")
    )
    for name, page in (("CONTRIBUTING.md", "contributing.md"), ("CHANGELOG.md", "changes.md")):
        shutil.copyfile(ROOT / name, folder / page)
    for page in folder.rglob("*.md"):
        page.write_text(_relinked(page.read_text(encoding="utf-8"), page, folder), encoding="utf-8")
    (folder / "extra").mkdir()
    _gallery(folder, presets)
    _studies(folder, chosen)
    _lessons(folder)
    _commands(folder)
    _interface(folder)
    _notebooks(folder)
    _index(folder)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text.rstrip() + "\n", encoding="utf-8")


def _relinked(text: str, page: Path, folder: Path) -> str:
    """The text with links that stay within the site; what lies outside of it is named only."""
    moved = {
        "CONTRIBUTING.md": "contributing.md",
        "CHANGELOG.md": "changes.md",
        "docs": "index.md",
        "README.md": "index.md",
    }

    def relink(match: re.Match[str]) -> str:
        words, target, rest = match[1], match[2], match[3] or ""
        if "://" in target or not target:
            return match[0]
        inside = target.removeprefix("docs/") if page.parent == folder else target
        place = (page.parent / inside).resolve()
        name = moved.get(Path(target).name) if not place.exists() or Path(target).name == "index.md" else None
        if name:
            return f"[{words}]({os.path.relpath(folder / name, page.parent)}{rest})"
        return f"[{words}]({inside}{rest})" if place.is_file() else words

    return re.sub(r"(?<!!)\[([^\]]*)\]\(([^)#\s]*)(#[^)]*)?\)", relink, text)


def _gallery(folder: Path, chosen: Sequence[str] | None) -> None:
    """A page with a picture of every preset; each leads to one where it plays."""
    players, groups = _made(folder / "extra" / "players"), dict[str, list[str]]()
    for key, preset in presets_by_robot().items():
        if chosen is not None and key not in chosen:
            continue
        shutil.copyfile(ROOT / "assets" / "thumbnails" / f"{key}.png", players / f"{key}.png")
        # A page that plays shows one run, so an ensemble is left out. Some presets show how a run fails.
        _run("render", key, "--members", "0", "--out", str(players / f"{key}.html"), worst=1)
        title = html.escape(preset.title)
        picture = f'<img src="../players/{key}.png" alt="" width="220"><br>{title}'
        card = f'<a href="{key}.html" style="width: 220px; text-align: center">{picture}</a>'
        groups.setdefault(group_of(preset), []).append(card)
        frame = f'<iframe src="../players/{key}.html" title="{title}" width="100%" height="560"></iframe>'
        notes = preset.notes.replace("\n", "\n\n")
        text = f"# {preset.title}\n\n{_raw(frame)}\n\n{notes}\n\n    armstep open {key}\n"
        _write(folder / "gallery" / f"{key}.md", f"---\norphan: true\n---\n{text}")
    parts = ["# Gallery", "Every preset, to play in this browser."]
    for group, cards in groups.items():
        row = f'<div style="display: flex; flex-wrap: wrap; gap: 16px">{"".join(cards)}</div>'
        parts += [f"## {group}", _raw(row)]
    _write(folder / "gallery" / "index.md", "\n\n".join(parts))


def _raw(text: str) -> str:
    return f"```{{raw}} html\n{text}\n```"


def _studies(folder: Path, chosen: Sequence[str] | None) -> None:
    """The page of every study with its figures, as `armstep study` writes it."""
    for key, study in studies().items():
        place = folder / "studies" / key
        if chosen is None or key in chosen:
            _run("study", key, "--out", str(folder / "studies"))
            for file in place.glob("*.pdf"):
                file.unlink()
            (place / "README.md").rename(place / "index.md")
        else:
            _write(place / "index.md", f"# {study.title}\n\n{study.paper}\n\n{study.summary}")
    papers: list[str] = []
    for page in sorted((folder / "papers").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        papers.append(page.stem)
        keys = re.findall(r"<!-- study: ([\w-]+) -->", text)
        named = [f"- [{studies()[key].title}](../studies/{key}/index.md)" for key in keys]
        _write(page, "\n".join([text, "", "## Figures", "", *named]))
    listed = [f"../studies/{key}/index" for key in studies()]
    text = "# Papers\n\nWhat the papers say and what we get.\n\n"
    _write(folder / "papers" / "index.md", text + _tree([*papers, *listed]))


def _lessons(folder: Path) -> None:
    """Each lesson as a page to read: without its answers, which the window computes."""
    keys = []
    for entry in shipped_lessons():
        find_lesson(entry.key)
        body = entry.path.read_text(encoding="utf-8").partition("+++")[2].partition("+++")[2]
        keys.append(entry.key)
        about = f"{entry.minutes:g} minutes. `armstep open lesson:{entry.key}` opens it."
        _write(folder / "lessons" / f"{entry.key}.md", f"# {entry.title}\n\n{about}\n\n{_readable(body)}")
    _write(folder / "lessons" / "index.md", "# Lessons\n\nPredict, see, explain.\n\n" + _tree(keys))


HEADINGS = {"scene": "Runs", "predict": "Predict", "hint": "Hint"}


def _readable(body: str) -> str:
    """A lesson's text with its blocks as boxes; checks and the teacher's notes are left out."""

    def box(match: re.Match[str]) -> str:
        kind = match[1].partition(" ")[0]
        lines = [line for line in match[2].splitlines() if not line.startswith(("answer:", "near:"))]
        if kind not in HEADINGS:
            return ""
        if kind == "scene":
            return "```text\n" + "\n".join(lines) + "\n```\n"
        text = "\n\n".join(line.removeprefix("why: ") for line in lines)
        return f":::{{admonition}} {HEADINGS[kind]}\n{text}\n:::\n"

    return re.sub(r"^```([^\n]*)\n(.*?)^```\n?", box, body, flags=re.MULTILINE | re.DOTALL)


def _commands(folder: Path) -> None:
    """The help of every command, as the command line prints it."""
    parts = [
        "# Reference of the command line",
        "",
        "What `armstep COMMAND --help` prints. [Command line](command-line.md) explains it.",
        "",
    ]
    os.environ["COLUMNS"] = "100"
    for name in COMMANDS:
        command = COMMANDS.find(name)
        parser = argparse.ArgumentParser(prog=f"armstep {name}", description=command.description)
        command.add_arguments(parser)
        parts += [
            f"## armstep {name}",
            "",
            command.summary[0].upper() + command.summary[1:] + ".",
            "",
            "```text",
            parser.format_help(),
            "```",
            "",
        ]
    _write(folder / "command-reference.md", "\n".join(parts))


def _interface(folder: Path) -> None:
    """The Python interface from its docstrings."""
    scripts = [
        f".. auto{_kind(getattr(armstep, name))}:: armstep.{name}" for name in armstep.__all__ if name != "__version__"
    ]
    made = [_directive(path) for path in EXTENSIONS]
    text = "\n\n".join(
        [
            "# Python interface",
            "## For scripts and notebooks",
            _rst(scripts),
            "## What additions are made of, and what runs are",
            _rst(made),
        ]
    )
    _write(folder / "interface.md", text)


def _notebooks(folder: Path) -> None:
    """Every notebook with what its cells show, executed now."""
    import nbclient  # pyright: ignore[reportMissingImports]
    import nbformat  # pyright: ignore[reportMissingImports]

    shutil.rmtree(folder / "notebooks")
    for file in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")):
        notebook = nbformat.read(file, as_version=4)
        nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(ROOT)}}).execute()
        parts = [f"{{download}}`{file.name} <{file.name}>`"]
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                parts.append(cell.source)
            else:
                parts += [f"```python\n{cell.source}\n```", *map(_shown, cell.outputs)]
        parts[0], parts[1] = parts[1], parts[0]
        _write(folder / "notebooks" / f"{file.stem}.md", "\n\n".join(parts))
        shutil.copyfile(file, folder / "notebooks" / file.name)


def _shown(output: Mapping[str, Any]) -> str:
    """What a cell shows, as a page can have it."""
    data = output.get("data", {"text/plain": output.get("text", "")})
    for kind in ("text/html", "image/svg+xml"):
        if kind in data:
            return _raw(data[kind])
    return f"```text\n{data['text/plain']}\n```"


def _kind(thing: object) -> str:
    """What Sphinx calls such a thing."""
    if not isinstance(thing, type):
        return "function"
    return "exception" if issubclass(thing, Exception) else "class"


def _directive(path: str) -> str:
    module, _, name = path.rpartition(".")
    kind = _kind(getattr(importlib.import_module(module), name))
    return f".. auto{kind}:: {path}\n   :members:"


def _rst(directives: Iterable[str]) -> str:
    return "```{eval-rst}\n" + "\n\n".join(directives) + "\n```"


def _index(folder: Path) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first = text.partition("\n## ")[0].replace("](docs/", "](")
    more = sorted({page.stem for page in folder.glob("*.md")} - {*USERS, *BUILDERS})
    trees = {
        "Use it": [*USERS, *more],
        "See it": ["gallery/index", "lessons/index", "papers/index", "notebooks/armstep"],
        "Build on it": BUILDERS,
    }
    parts = [first, *(_tree(pages, name) for name, pages in trees.items())]
    _write(folder / "index.md", "\n\n".join(parts))


def _tree(pages: Iterable[str], caption: str = "") -> str:
    options = [":maxdepth: 1", *([f":caption: {caption}"] if caption else [])]
    return "\n".join(["```{toctree}", *options, "", *pages, "```"])


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _run(*words: str, worst: int = 0) -> None:
    """An Armstep command; raises RuntimeError if its exit status is above `worst`."""
    with contextlib.redirect_stdout(io.StringIO()):
        if main(words) > worst:
            raise RuntimeError(f"armstep {' '.join(words)} failed")
