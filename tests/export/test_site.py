"""The documentation site: every link leads somewhere, and a browser finds nothing wrong with any page."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from docs.site.links import broken_links
from tests.export.browser import opened

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site with all pages: an ensemble and a failing run of the presets, and one study, since all take minutes."""
    made = tmp_path_factory.mktemp("site") / "site"
    words = [sys.executable, "docs/site/build.py", "--presets", "rr-hundred,rr-stiff", "--studies", "flexible-e12"]
    done = subprocess.run(
        [*words, "--out", str(made)], cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return made


@pytest.mark.browser
def test_every_page_is_there_and_shows_without_errors(site: Path, tmp_path: Path):
    pages = sorted(site.rglob("*.html"))
    names = {str(page.relative_to(site)) for page in pages}
    assert names >= {
        "index.html", "tour.html", "notebooks/armstep.html", "glossary.html",
        "command-reference.html", "interface.html", "gallery/rr-hundred.html",
        "players/rr-hundred.html", "lessons/order.html", "papers/3-pa10.html", "studies/flexible-e12/index.html",
    }  # fmt: skip
    assert "solve_ivp" in (site / "interface.html").read_text(encoding="utf-8")
    assert "<math" in (site / "lessons/order.html").read_text(encoding="utf-8")
    notebook = (site / "notebooks/armstep.html").read_text(encoding="utf-8")
    assert notebook.count("<iframe srcdoc=") == 2
    assert "<svg" in notebook
    with opened(site / "index.html", tmp_path / "profile") as page:
        troubles = [trouble for path in pages for trouble in page.troubles(path)]
        page.troubles(site / "gallery/rr-hundred.html")
        assert page.value("document.querySelector('iframe').contentDocument !== undefined")
    assert not troubles


def test_broken_links_are_found(tmp_path: Path):
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here">good</a><a href="b.html#there">no place</a><a href="c.html">no file</a>'
        '<a href="https://example.org">elsewhere</a><script src="https://cdn.example/x.js"></script><img src="data:,x">'
    )
    (tmp_path / "b.html").write_text('<p id="here"></p>')
    assert broken_links(tmp_path) == [
        "a.html: b.html#there",
        "a.html: c.html",
        "a.html: https://cdn.example/x.js",
    ]
