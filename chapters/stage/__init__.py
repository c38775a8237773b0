"""How a lesson is told: options, narration, traces. The stage teaches nothing.

A lesson is an async function that takes a :class:`Stage`. It announces steps, says what is going
on, and states claims: *this goal's answer, as I have just observed it, is …*. The stage compares
each with the manifest, prints it in the form the reader asked for, and keeps the exit status.
"""

from chapters.stage.manifest import ManifestError, find_chapter, read_manifest
from chapters.stage.options import option_parser, read_options, refuse_lesson_options
from chapters.stage.programs import Log, run_program
from chapters.stage.running import run
from chapters.stage.telling import Stage

__all__ = [
    "Log",
    "ManifestError",
    "Stage",
    "find_chapter",
    "option_parser",
    "read_manifest",
    "read_options",
    "refuse_lesson_options",
    "run",
    "run_program",
]
