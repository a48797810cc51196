"""Where answers lie that an engine reads, and what is wrong with them, by file."""

from demur.engines.sources.opening import SourceRelation as SourceRelation
from demur.engines.sources.opening import named_table as named_table
from demur.engines.sources.opening import open_sources as open_sources
