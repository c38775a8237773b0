"""What the pool leaves behind, and how it stops servers that take their time."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from chapters.c03 import NamedTool, Registry, name_tools, open_pool
from chapters.c03.lesson.looking import connect
from chapters.c03.lesson.odd_servers import going_together, how_they_went

if TYPE_CHECKING:
    from chapters.stage import Stage


async def closing(stage: Stage, running: int, left: int) -> None:
    """Look at what the pool has left, and at how it stops two servers that take their time."""
    await stage.step(
        "Closing",
        """We left the pool with both servers connected. Each of them also has a shell that ends its
        process group. Two more servers get a pool of their own, and these two go only when both
        have been asked to.""",
    )
    stage.table(["when", "processes"], ["before", running], ["after closing", left])
    stage.claim("c03.closing", left)
    registry: Registry[NamedTool] = Registry()
    with tempfile.TemporaryDirectory() as folder:
        async with open_pool(going_together(Path(folder)), registry, name_tools) as pool:
            await stage.wait_for("connecting the two", connect(pool, "first", "second"))
        went = how_they_went(Path(folder))
    stage.claim("c03.stopping", went)
