"""python -m chapters.c01: tell the lesson."""

import sys

from chapters.c01.lesson import tell
from chapters.stage import run

if __name__ == "__main__":
    sys.exit(run("c01", tell))
