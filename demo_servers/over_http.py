"""A demo server over Streamable HTTP, on this machine's loopback address and nowhere else."""

from __future__ import annotations

import logging
import socket
import sys
from typing import TYPE_CHECKING, Any

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server


def run_http(server: Server[Any], port: int, *, unguarded: bool) -> None:
    """Serve on 127.0.0.1 until the process is told to end; say where on stdout, in one line.

    The SDK checks Host and Origin here, unless ``unguarded``: then whatever a browser can be made
    to send gets in, which is what c06 shows. Raises SystemExit with status 2 for a taken port.
    """
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    try:
        sock = socket.create_server(("127.0.0.1", port))
    except OSError as error:
        sys.stderr.write(f"Port {port} cannot be had: {error.strerror}.\n")
        raise SystemExit(2) from error
    bound = sock.getsockname()[1]
    app = server.streamable_http_app(
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=not unguarded,
            allowed_hosts=[f"127.0.0.1:{bound}", f"localhost:{bound}"],
            allowed_origins=[f"http://127.0.0.1:{bound}", f"http://localhost:{bound}"],
        )
    )
    print(f"http://127.0.0.1:{bound}/mcp", flush=True)
    config = uvicorn.Config(app, log_config=None, access_log=False, ws="none")
    uvicorn.Server(config).run(sockets=[sock])
