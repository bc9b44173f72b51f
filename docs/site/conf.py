"""Settings of Sphinx for the documentation as a site (scripts/site.py)."""
import os
import pathlib
import re

# of the staged source, not of this file's folder
VERSION = re.search(r"project\(.*?VERSION\s+([0-9.]+)", pathlib.Path(os.environ["SONDE_SOURCE"], "CMakeLists.txt").read_text(), re.S)[1]

project = "Sonde"
author = "the authors of Sonde"
copyright = author
version = release = VERSION
root_doc = "index"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
# anchors as on code hosts: a heading in lowercase with hyphens
myst_heading_anchors = 5
myst_enable_extensions = ["html_image"]
# the first heading of a few pages of tables is of the second level
suppress_warnings = ["myst.header"]
exclude_patterns = ["tests/**", "docs/site/**"]
html_theme = "furo"
html_title = f"Sonde {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}
# a code block without a language is a command or a formula
highlight_language = "none"
# names of options begin with two hyphens
smartquotes = False
