"""Builds the documentation site with Armstep itself: `python docs/site/build.py`.

Writes `build/site`, static pages that work without a network; *Help > Documentation* opens them. They are the pages of
`docs`, the lessons, a reference of commands and of the Python interface made from their own texts, every preset as a
page that plays, and every study with its figures. It needs the packages that `./test --setup` installs, and several
minutes, most of them for studies.

Sphinx with furo and MyST makes the pages: it reads the docstrings themselves, its search works from files, its theme
loads nothing from elsewhere, and the Markdown stays readable without it. MkDocs with Material was the other choice: it
needs a plug-in for docstrings and one for pages without a network, and its authors only maintain it.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from docs.site.links import broken_links
from docs.site.pages import ROOT, write_pages


def main(words: list[str] | None = None) -> int:
    """Build the site and check its links; 1 if one leads nowhere or a page cannot be made."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site", help="the folder to write")
    parser.add_argument("--presets", help="only these presets, separated by commas")
    parser.add_argument("--studies", help="only these studies, separated by commas")
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="armstep-site-") as folder:
        pages, made = Path(folder) / "pages", Path(folder) / "site"
        write_pages(pages, _chosen(args.presets), _chosen(args.studies))
        sphinx = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
        options = ["-c", str(Path(__file__).parent), "-D", f"html_extra_path={pages / 'extra'}"]
        if subprocess.run([*sphinx, *options, str(pages), str(made)], check=False).returncode:
            return 1
        broken = broken_links(made)
        print("\n".join(broken), file=sys.stderr)
        if broken:
            return 1
        shutil.rmtree(args.out, ignore_errors=True)
        shutil.copytree(made, args.out, ignore=shutil.ignore_patterns(".doctrees", ".buildinfo"))
    print(args.out / "index.html")
    return 0


def _chosen(text: str | None) -> list[str] | None:
    return None if text is None else [word for word in text.split(",") if word]


if __name__ == "__main__":
    sys.exit(main())
