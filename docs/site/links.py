"""Checks the links of static pages: each leads somewhere, and no page loads anything from elsewhere."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {("script", "src"), ("img", "src"), ("iframe", "src"), ("link", "href"), ("source", "src"), ("video", "src")}
"""What a browser fetches by itself."""


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kept = {name: value or "" for name, value in attrs}
        self.names |= {kept[name] for name in ("id", "name") if name in kept}
        for name, value in kept.items():
            loaded = (tag, name) in LOADS and kept.get("rel", "") not in ("canonical", "author")
            if name in ("href", "src") and value:
                self.links.append((value, loaded))


def broken_links(site: Path) -> list[str]:
    """What is wrong, one line each: `page: link`."""
    pages: dict[Path, _Page] = {}
    for file in sorted(site.rglob("*.html")):
        pages[file.resolve()] = page = _Page()
        page.feed(file.read_text(encoding="utf-8"))
    found = []
    for file, page in pages.items():
        for link, loaded in page.links:
            parts = urlsplit(link)
            if parts.scheme in ("data", "http", "https", "mailto"):
                wrong = loaded and parts.scheme != "data"
            else:
                target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
                target = target / "index.html" if target.is_dir() else target
                known = pages.get(target)
                named = not parts.fragment or known is None or unquote(parts.fragment) in known.names
                wrong = not target.is_file() or not named
            if wrong:
                found.append(f"{file.relative_to(site.resolve())}: {link}")
    return found
