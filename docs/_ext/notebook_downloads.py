"""A line under the title of each notebook, from which it can be downloaded as it ran.

It is put on the page and not into the notebook, where it would lead nowhere.
"""

import os
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import download_reference
from sphinx.application import Sphinx


def add_download(app: Sphinx, document: nodes.document) -> None:
    """Put the line under the title, where the page is a notebook."""
    name = app.env.current_document.docname
    if "kernelspec" not in app.env.metadata[name]:
        return
    ran = Path(app.env.mystnb_config.output_folder, f"{name}.ipynb")
    target = "/" + os.path.relpath(ran, app.srcdir)
    link = download_reference("", "", reftarget=target)
    link += nodes.Text("Download this notebook")
    line = nodes.paragraph("", "", link, nodes.Text(", with all that is shown here."))
    title = next(document.findall(nodes.title))
    title.parent.insert(title.parent.index(title) + 1, line)


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx when the extension is loaded."""
    app.connect("doctree-read", add_download, priority=100)  # before files are listed
    return {"parallel_read_safe": True, "parallel_write_safe": True}
