"""A book of runnable chapters: how an agent harness takes in tools it does not trust.

``python -m chapters`` prints the table of contents; ``python -m chapters.c01`` runs a chapter.
"""

import os
import signal
import sys

if sys.argv[:1] == ["-m"]:
    # Only true while `python -m chapters…` is still importing, which takes a second or two.
    # Nothing has been started yet, so Ctrl-C may leave at once and without a traceback.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
