"""python -m chapters.c06: tell the lesson, or do what the options ask for."""

import sys

from chapters.c06.lesson.command import main

if __name__ == "__main__":
    sys.exit(main())
