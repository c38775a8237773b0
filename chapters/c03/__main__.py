"""python -m chapters.c03: tell the lesson."""

import sys

from chapters.c03.lesson import tell
from chapters.stage import run

if __name__ == "__main__":
    sys.exit(run("c03", tell))
