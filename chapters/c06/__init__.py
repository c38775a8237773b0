"""c06: DNS rebinding.

Streamable HTTP on this machine is reachable from a web page. The attack, five guards that do not
hold, the one that does, binding to loopback alone, and a token on every request.
"""

from chapters.c06.bearer import BearerAuth, BearerToken, new_token
from chapters.c06.binding import BindRefused, bind_address
from chapters.c06.guard import Allowed, HostGuard, allowed_on
from chapters.c06.guarded import guarded_app
from chapters.c06.http_spec import AuthRequired, HttpServerSpec, open_any, open_http
from chapters.c06.serving import bound_socket, serving

__all__ = [
    "Allowed",
    "AuthRequired",
    "BearerAuth",
    "BearerToken",
    "BindRefused",
    "HostGuard",
    "HttpServerSpec",
    "allowed_on",
    "bind_address",
    "bound_socket",
    "guarded_app",
    "new_token",
    "open_any",
    "open_http",
    "serving",
]
