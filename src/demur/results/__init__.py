"""What every result has, and how it is shown: one contract, one printer, one gate."""

from demur.results.contract import Bundle as Bundle
from demur.results.contract import Result as Result
from demur.results.contract import document as document
from demur.results.contract import exactly as exactly
from demur.results.contract import joined_recipes as joined_recipes
from demur.results.contract import plain_values as plain_values
from demur.results.contract import shared_recipe as shared_recipe
from demur.results.contract import signature_of as signature_of
from demur.results.kinds import BOUNDS as BOUNDS
from demur.results.kinds import Figure as Figure
from demur.results.kinds import FigureKind as FigureKind
from demur.results.kinds import count as count
from demur.results.kinds import with_noun as with_noun
from demur.results.several import Contender as Contender
from demur.results.several import Results as Results
from demur.results.several import Standings as Standings
from demur.results.text import NONE as NONE
from demur.results.text import Column as Column
from demur.results.text import Table as Table
from demur.results.text import between as between
from demur.results.text import ends_of as ends_of
from demur.results.text import p_text as p_text
from demur.results.text import printable as printable
from demur.results.text import rate as rate
from demur.results.text import span as span
from demur.results.text import table as table
