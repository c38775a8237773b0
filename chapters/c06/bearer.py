"""Every connection authenticated: a token made at start, without which nothing is answered.

The guard keeps web pages out. It does not keep out another program or another user of this
machine, who can send any Host they like. A secret that only the started client was given does.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chapters.c06.refusal import Refusal, refuse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_TOKEN_BYTES = 32  # of randomness: 256 bits

# A challenge says why only to somebody who tried (RFC 6750 section 3.1). It names no
# `resource_metadata` (RFC 9728 section 5.1): nobody here issues tokens for a client to go and ask.
NO_TOKEN = Refusal(
    401, "This server needs a bearer token.", ((b"www-authenticate", b'Bearer realm="mcp"'),)
)
WRONG_TOKEN = Refusal(
    401,
    "That bearer token is not this server's.",
    ((b"www-authenticate", b'Bearer realm="mcp", error="invalid_token"'),),
)


@dataclass(frozen=True, eq=False)
class BearerToken:
    """A secret that never shows: not in a repr, a traceback, or a log line that formats it.

    ``eq=False`` leaves :meth:`matches` as the only way to compare, since ``==`` on text stops at
    the first difference and its time says where that was.
    """

    value: str = field(repr=False)

    def matches(self, credentials: bytes) -> bool:
        """Whether these bytes are the token, in a time that does not tell how much of it is."""
        return hmac.compare_digest(credentials, self.value.encode("ascii"))

    def header(self) -> dict[str, str]:
        """Return the header a client sends with every request."""
        return {"Authorization": f"Bearer {self.value}"}


def new_token() -> BearerToken:
    """Make a token, new at every start: 43 characters that fit a header, a URL and a shell."""
    return BearerToken(secrets.token_urlsafe(_TOKEN_BYTES))


@dataclass(frozen=True)
class BearerAuth:
    """ASGI middleware that lets in whoever carries the token. It goes inside the guard.

    In that order a request with an evil Host learns nothing about tokens, good or bad: it is told
    that it came to the wrong server. Source: RFC 6750 sections 2.1 and 3.
    """

    app: ASGIApp
    token: BearerToken

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401 or hand the request on. A lifespan scope is no request and passes."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif refusal := self._challenge(scope):
            await refuse(refusal, scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _challenge(self, scope: Scope) -> Refusal | None:
        lines = [value for name, value in scope["headers"] if name == b"authorization"]
        if not lines:
            return NO_TOKEN
        scheme, _, credentials = lines[0].partition(b" ")
        # The scheme's name has no case (RFC 9110 section 11.1). Two lines are one too many: which
        # of them counts is what a proxy and a server would disagree about.
        trusted = len(lines) == 1 and scheme.lower() == b"bearer"
        return None if trusted and self.token.matches(credentials.lstrip(b" ")) else WRONG_TOKEN
