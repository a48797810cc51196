"""Run the command line with ``python -m demur``."""

from demur.cli import main

raise SystemExit(main())
