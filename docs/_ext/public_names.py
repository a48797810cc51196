"""The directive ``public-names``: every public name of one section, documented.

The sections and names are those of ``demur/__init__.pyi``, which is also where the
package looks its names up, so that neither can lack what the other has.
"""

import inspect

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import demur


def names_of(section: str) -> list[str]:
    """The public names of a section, in the order of the list."""
    return [name for name, (its, _) in demur._homes().items() if its == section]


def directive_of(name: str) -> list[str]:
    """The lines that document a name."""
    thing = getattr(demur, name)
    if inspect.ismodule(thing):
        return []
    if not inspect.isclass(thing):
        return [f".. autofunction:: demur.{name}", ""]
    if issubclass(thing, Exception):
        return [f".. autoexception:: demur.{name}", ""]
    return [f".. autoclass:: demur.{name}", "   :members:", ""]


class PublicNames(SphinxDirective):
    """``{public-names} SECTION``."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """The names of a section, each through autodoc."""
        names = names_of(self.arguments[0])
        if not names:
            raise self.error(f"demur/__init__.pyi has no section {self.arguments[0]!r}")
        lines = [line for name in names for line in directive_of(name)]
        container = nodes.container()
        self.state.nested_parse(StringList(lines, "public-names"), 0, container)
        return container.children


class Comparators(SphinxDirective):
    """``{comparators}``: every comparator that has a name."""

    def run(self) -> list[nodes.Node]:
        """The makers of `demur.answers.COMPARATORS`, each through autodoc."""
        makers = demur.answers.COMPARATORS.values()
        lines = [f".. autofunction:: demur.answers.{it.__name__}" for it in makers]
        container = nodes.container()
        self.state.nested_parse(StringList(lines, "comparators"), 0, container)
        return container.children


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directives."""
    app.add_directive("public-names", PublicNames)
    app.add_directive("comparators", Comparators)
    return {"parallel_read_safe": True}
