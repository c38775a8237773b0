"""python -m chapters.c05: tell the lesson, or do what the options ask for."""

import sys

from chapters.c05.lesson.command import main

if __name__ == "__main__":
    sys.exit(main())
