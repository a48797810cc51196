"""Sphinx configuration: MyST pages and notebooks, the furo theme, nothing fetched."""

import logging
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from demur.version import __version__

project = "demur"
author = "The demur contributors"
copyright = "The demur contributors, Apache-2.0"
version = release = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "command_reference",
    "notebook_downloads",
    "public_names",
]
source_suffix = {".md": "myst-nb"}
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

# Notebooks are run each time, so that what a page shows is what this version says; by
# a kernel that takes no settings from whoever makes the pages, and in an empty folder.
os.environ["JUPYTER_PATH"] = str(Path(__file__).parent / "_ext" / "jupyter")
logging.getLogger("traitlets").setLevel("WARNING")
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True

napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_preprocess_types = True  # {"a", "b"} are texts, not names to link
autodoc_typehints = "none"
autodoc_member_order = "bysource"
toc_object_entries = False  # copied into the side of each page, they take half a minute
default_role = "literal"
smartquotes = False  # options keep their two hyphens, code its quotes

html_theme = "furo"
html_title = f"demur {release}"
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["demur.css"]
