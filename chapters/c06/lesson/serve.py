"""``python -m chapters.c06 --serve``: the guarded demo server, to try a client of your own on."""

from __future__ import annotations

import json

import anyio

from chapters.c06.bearer import new_token
from chapters.c06.binding import bind_address
from chapters.c06.guarded import PATH, guarded_app
from chapters.c06.serving import bound_socket, serving
from demo_servers.demo_alpha import make_alpha


async def serve(port: int, *, as_json: bool) -> int:
    """Serve demo_alpha behind guard and token until cancelled; say where, and with which token.

    Returns 2 for a port that cannot be had.
    """
    try:
        sock = bound_socket(bind_address("127.0.0.1"), port)
    except OSError as error:
        print(f"We cannot have port {port}: {error.strerror}.")
        return 2
    token = new_token()
    bound = sock.getsockname()[1]
    app = guarded_app(make_alpha(), port=bound, token=token)
    async with serving(app, sock):
        url = f"http://127.0.0.1:{bound}{PATH}"
        event = {"event": "serving", "url": url, "token": token.value}
        told = (
            f"Serving {url} until Ctrl-C.\n"
            f"Every request needs this header, which is good for this run only:\n"
            f"  Authorization: Bearer {token.value}\n"
            f"Try: curl -i {url}"
        )
        print(json.dumps(event) if as_json else told, flush=True)
        await anyio.sleep_forever()
    return 0
