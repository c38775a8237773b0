"""Prompts: listed page by page, and filled in with arguments that are checked first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    PaginatedRequestParams,
    Prompt,
    PromptMessage,
)

from demo_servers.serving import BadArgument, page_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server


@dataclass(frozen=True)
class ServedPrompt:
    """A prompt as it is published, and the function that fills it in.

    The function gets only arguments that the prompt declares, and all that it requires. It may
    raise :class:`BadArgument` for a value.
    """

    prompt: Prompt
    messages: Callable[[Mapping[str, str]], list[PromptMessage]]


def offer_prompts(server: Server[Any], prompts: list[ServedPrompt], *, page: int) -> None:
    """Let a server list ``prompts``, ``page`` of them at a time, and fill them in.

    Whatever is wrong with a name or an argument is the protocol's "Invalid params": MCP
    2026-07-28, "Prompts", "Error Handling".
    """
    by_name = {served.prompt.name: served for served in prompts}

    async def list_prompts(
        _: ServerRequestContext[Any], params: PaginatedRequestParams
    ) -> ListPromptsResult:
        shown, following = page_of(prompts, params, page)
        return ListPromptsResult(prompts=[served.prompt for served in shown], next_cursor=following)

    async def get_prompt(
        _: ServerRequestContext[Any], params: GetPromptRequestParams
    ) -> GetPromptResult:
        if params.name not in by_name:
            raise MCPError(INVALID_PARAMS, f"There is no prompt {params.name!r:.80}.")
        served = by_name[params.name]
        arguments = params.arguments or {}
        try:
            check_names(served.prompt, arguments)
            messages = served.messages(arguments)
        except BadArgument as error:
            raise MCPError(INVALID_PARAMS, str(error)) from error
        return GetPromptResult(description=served.prompt.description, messages=messages)

    server.add_request_handler("prompts/list", PaginatedRequestParams, list_prompts)
    server.add_request_handler("prompts/get", GetPromptRequestParams, get_prompt)


def check_names(prompt: Prompt, arguments: Mapping[str, str]) -> None:
    """Raise :class:`BadArgument` for an argument that is missing, or that no prompt declares."""
    declared = prompt.arguments or []
    for argument in declared:
        if argument.required and argument.name not in arguments:
            raise BadArgument(f"{argument.name} is required.")
    for name in arguments:
        if name not in {argument.name for argument in declared}:
            raise BadArgument(f"There is no argument {name!r:.80}.")


def one_of(arguments: Mapping[str, str], name: str, choices: list[str]) -> str:
    """Return an argument that has few good values. Raises :class:`BadArgument` for another."""
    if arguments[name] not in choices:
        raise BadArgument(f"{name} should be one of: {', '.join(choices)}.")
    return arguments[name]
