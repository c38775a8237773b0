"""Several connections at once, each held by a task of its own."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    from anyio.abc import TaskStatus

    from chapters.c02 import Connection


# --8<-- [start:side-by-side]
@asynccontextmanager
async def side_by_side(
    *opening: AbstractAsyncContextManager[Connection],
) -> AsyncIterator[list[Connection]]:
    """Open connections side by side, yield them in their order, and close them side by side.

    The SDK's client has to be left by the task that entered it, and one task can only leave its
    clients in reverse order. So each connection gets a task that does nothing else.
    """
    connections: dict[int, Connection] = {}
    released = anyio.Event()

    async def hold(
        opens: AbstractAsyncContextManager[Connection], *, task_status: TaskStatus[Connection]
    ) -> None:
        async with opens as connection:
            task_status.started(connection)
            await released.wait()

    async def connect(number: int, opens: AbstractAsyncContextManager[Connection]) -> None:
        connections[number] = await holders.start(hold, opens)

    async with anyio.create_task_group() as holders:
        async with anyio.create_task_group() as connecting:
            for number, opens in enumerate(opening):
                connecting.start_soon(connect, number, opens)
        yield [connections[number] for number in range(len(opening))]
        released.set()
    # --8<-- [end:side-by-side]
