"""python -m chapters.c07: tell the lesson, or do what the options ask for."""

import sys

from chapters.c07.lesson.command import main

if __name__ == "__main__":
    sys.exit(main())
