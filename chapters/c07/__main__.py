"""python -m chapters.c07: tell the lesson."""

import sys

from chapters.c07.lesson import tell
from chapters.stage import run

if __name__ == "__main__":
    sys.exit(run("c07", tell))
