"""python -m chapters.c02: tell the lesson."""

import sys

from chapters.c02.lesson import tell
from chapters.stage import run

if __name__ == "__main__":
    sys.exit(run("c02", tell))
