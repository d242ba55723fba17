"""Sphinx's settings for the documentation site; docs/site/build.py calls it with the folder of pages."""

from __future__ import annotations

import sys
from pathlib import Path

from latex2mathml.converter import convert

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from assets.version import version as armstep_version  # noqa: E402

project, author, copyright = "Armstep", "Armstep contributors", "Armstep contributors"
version = release = armstep_version()
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = "Armstep"
html_static_path: list[str] = []
html_copy_source = False
html_show_sphinx = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
napoleon_use_ivar = True
napoleon_custom_sections = [("Class attributes", "params_style"), ("Signals", "notes_style")]
nitpicky = False
templates_path: list[str] = []
exclude_patterns = ["extra"]
# The pages' own links to files of the source tree are written as code, see pages.py.
suppress_warnings = ["myst.xref_missing"]
# Formulas are MathML, which browsers draw themselves: the pages need no network and no script for them.
html_math_renderer = "mathml"


def setup(app):
    """Let formulas be MathML."""

    def inline(self, node) -> None:
        self.body.append(convert(node.astext()))
        raise _skip()

    def block(self, node) -> None:
        self.body.append(convert(node.astext(), display="block"))
        raise _skip()

    app.add_html_math_renderer("mathml", inline_renderers=(inline, None), block_renderers=(block, None))
    return {"parallel_read_safe": True}


def _skip() -> Exception:
    from docutils.nodes import SkipNode

    return SkipNode()
