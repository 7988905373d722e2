"""Sphinx builds docs/ with this: scripts/site/build."""

# pylint: disable=invalid-name
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import references  # pylint: disable=wrong-import-position

project = html_title = "Phaseload"
extensions = ["myst_parser"]
# Pages that index.md doesn't name are decisions; check.py finds others.
suppress_warnings = ["myst.header", "toc.not_included"]
myst_heading_anchors = 4
smartquotes = False
highlight_language = "none"
html_theme = "furo"
html_theme_options = {"footer_icons": []}
html_static_path = [str(HERE / "static")]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False


def link_files(app, name, source):
    """Markdown outside docs/ is a file beside the site, as other files that pages link to are."""
    def file(match):
        path = (Path(app.srcdir) / name).parent / match[1]
        return match[0] if path.resolve().is_relative_to(app.srcdir) else f"](path:{match[1]})"
    source[0] = re.sub(r"\]\(((?:\.\./)+[^)#:]*\.md)\)", file, source[0])


def leave_out_of_search(_app, env):
    """Decisions are about the code; readers search for its use."""
    for name in env.found_docs:
        if name.startswith("decisions/"):
            env.metadata[name]["nosearch"] = ""


def setup(app):
    references.write(Path(app.srcdir))
    app.connect("source-read", link_files)
    app.connect("env-updated", leave_out_of_search)
