"""Why a server of one's own could not be connected, as far as that can be seen from here."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from chapters.c02 import ConnectFailed, ConnectTimedOut, Fault, ServerSpec
from chapters.c03 import NameCollision, NameRefused
from chapters.c04.admission import SchemaFault
from chapters.c04.lesson.own.toml_file import named
from chapters.c04.policy import PolicyMismatch

if TYPE_CHECKING:
    from chapters.c02 import Spec


SET_ASIDE = "--draft {alias} prints a policy that sets such tools aside."
HINTS: dict[type[Fault], str] = {
    PolicyMismatch: "--detail names them, and --draft {alias} prints a policy to start from.",
    SchemaFault: SET_ASIDE,
    NameRefused: SET_ASIDE,
    NameCollision: SET_ASIDE,
    ConnectTimedOut: "--detail shows what it printed meanwhile.",
}
"""What to do, by kind of fault. It stands in each case after the fault's own sentence."""


def reason_of(fault: Fault, spec: Spec) -> str:
    """Return why a server was not connected, and what to do: all in local words.

    It is what can be seen here, or else the fault's sentence.
    """
    if hint := HINTS.get(type(fault)):
        return f"{fault.sentence} {hint.format(alias=spec.alias)}"
    if not (isinstance(fault, ConnectFailed) and isinstance(spec, ServerSpec)):
        return fault.sentence
    if spec.cwd is not None and not Path(spec.cwd).is_dir():
        return f"There is no directory {named(spec.cwd)} to start the server in."
    if _is_found(spec):
        return (
            f"{fault.sentence} --detail shows why, and what it wrote on stderr. Relative paths in "
            "its args start from its cwd, or else from here."
        )
    if len(spec.command.split()) > 1:
        return f"The command {named(spec.command)} is not found. Do arguments of it go into args?"
    return f"The command {named(spec.command)} is not found, or is no program."


def _is_found(spec: ServerSpec) -> bool:
    """Tell whether there is a program to start, looking where the server's own shell looks."""
    command = spec.command
    if os.path.dirname(command):  # noqa: PTH120 - "./program" is a path, and pathlib drops the dot
        command = str(Path(spec.cwd or ".").absolute() / command)
    return shutil.which(command, path=spec.env.get("PATH")) is not None
