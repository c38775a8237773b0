"""c07's wrong answers."""

from __future__ import annotations

from contextlib import asynccontextmanager

from chapters.c03 import Registry
from chapters.c07.admission import admission_of_lists
from chapters.c07.lesson import instead
from chapters.c07.prompts import load_prompt
from chapters.c07.resources import find_resource, read_resource
from chapters.c07.updates import subscribed
from chapters.c07.uris import Template
from chapters.c07.view import for_the_lead
from chapters.stage.gallery import WrongAnswer

WRONG_ANSWERS = [
    WrongAnswer(
        "tools-only",
        ("c07.three-lists",),
        belief="MCP is remote function calls, so its tools are all there is to adapt.",
        cost="""Everything that a server has to read stays out of reach. So its authors wrap it in
        tools, and the model gets to decide about what was the application's and the person's.""",
        instead=((admission_of_lists, instead.admission_of_tools),),
    ),
    WrongAnswer(
        "inline-resources",
        ("c07.in-the-request", "c07.request-bytes"),
        belief="a model reads best what it knows of, so every resource belongs in its request.",
        cost="""A server decides how long your requests are, and its words are in each of them. You
        pay for 200 descriptions with every turn, before anybody has asked for one.""",
        instead=((for_the_lead, instead.with_all_resources),),
    ),
    WrongAnswer(
        "uri-without-alias",
        ("c07.same-uri",),
        belief="a URI is unique, as its name says.",
        cost="""Any server can publish the URI of another. Then it answers in the other's place, and
        whoever reads does not notice.""",
        instead=((find_resource, instead.find_by_uri),),
    ),
    WrongAnswer(
        "template-that-climbs",
        ("c07.climbing",),
        belief="if a URI has the shape of an allowed template, then it is allowed.",
        cost="""The policy meant the pages. With an encoded slash, a model that was talked into it
        asks for whatever lies beside them, and only the server's own care can stop it.""",
        instead=((Template.filled_by, instead.filled_by_anything),),
    ),
    WrongAnswer(
        "fetch-it-ourselves",
        ("c07.fetch",),
        belief="an http link can be read by anybody, so the harness may as well fetch it.",
        cost="""Every server can now make your harness ask any address that it reaches: the router,
        a neighbour's service, the place where a cloud keeps its keys.""",
        instead=((read_resource, instead.read_or_fetch),),
    ),
    WrongAnswer(
        "prompt-as-tool",
        ("c07.who-loads",),
        belief="a prompt has a name and arguments, so a model can call it like a tool.",
        cost="""A server's instructions get into the conversation because a model had the idea, and
        no person has chosen them.""",
        instead=((for_the_lead, instead.with_prompts_as_tools),),
    ),
    WrongAnswer(
        "prompt-as-system-message",
        ("c07.prompt-role",),
        belief="a prompt tells the model how to work, so it belongs in the system message.",
        cost="The words of a server that you do not trust become the rules of your own house.",
        instead=((load_prompt, instead.load_as_the_harness),),
    ),
    WrongAnswer(
        "revoke-tools-only",
        ("c07.vanish",),
        belief="only tools can be called, so only they have to be revoked.",
        cost="""The snapshot goes on offering what nobody can read any more. When the server comes
        back, the names are taken and it cannot publish.""",
        instead=((Registry.revoke, instead.revoke_the_tools),),
    ),
    WrongAnswer(
        "keep-what-was-read",
        ("c07.old-snapshot",),
        belief="a resource is read-only, so what was read once can be kept.",
        cost="""An answer of yesterday passes for one of today, even when the server that gave it is
        gone, and nothing shows the difference.""",
        instead=((read_resource, instead.read_once),),
    ),
    WrongAnswer(
        "subscribe-in-any-era",
        ("c07.eras",),
        belief="a client that wants word of a change sends resources/subscribe.",
        cost="""That request is gone from the newer revision. The server refuses it there, and your
        harness goes on with a topology that has changed.""",
        instead=((subscribed, asynccontextmanager(instead.subscribe)),),
    ),
]
