"""The modules of multiwoz.py for a config; DEMUR_DATA names the folder of data sets."""

import os
from pathlib import Path

from multiwoz import MultiWoz, pipeline_and_policy

_FOLDER = Path(os.environ.get("DEMUR_DATA", "."), "multiwoz_sources")
_PIPELINE, _ = pipeline_and_policy(MultiWoz(_FOLDER))
NLU, TRACKER, POLICY = _PIPELINE.modules
