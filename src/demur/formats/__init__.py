"""Files of outcomes, responses and references, read and written.

What can be read stands in `demur.formats.reading.FORMATS`, each plain or compressed by
gzip or zstd; ``-`` is the standard input. Reading goes by content, never by name.
"""

from demur.formats.reading import file_names as file_names
from demur.formats.reading import iter_json as iter_json
from demur.formats.reading import iter_records as iter_records
from demur.formats.reading import iter_references as iter_references
from demur.formats.reading import iter_responses as iter_responses
from demur.formats.reading import read_outcomes as read_outcomes
from demur.formats.reading import read_references as read_references
from demur.formats.reading import read_responses as read_responses
from demur.formats.reading import reference_of as reference_of
from demur.formats.streams import read_lines as read_lines
from demur.formats.writing import write_outcomes as write_outcomes
from demur.formats.writing import write_record_files as write_record_files
from demur.formats.writing import write_records as write_records
