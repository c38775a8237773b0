"""A servers file: what is wrong with it is one sentence, with the right line or with none."""

from __future__ import annotations

from pathlib import Path

import pytest

from chapters.c02 import ServerSpec
from chapters.c04.lesson.own.servers_file import read_servers
from chapters.c04.lesson.own.toml_file import FILE_BYTES, ServersFileError
from tests import warm

ROOT = Path(__file__).parent.parent.parent
A_TIME = "should be a number of seconds above 0 and at most 86400"
GOOD = "[servers.a]\ncommand = 'x'\n"


def complaint(tmp_path: Path, text: str | bytes) -> str:
    """Return what is said of a file, without its path."""
    file = tmp_path / "servers.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ServersFileError) as refused:
        read_servers(file)
    said = str(refused.value)
    assert said.startswith(str(file))
    assert said.isprintable()
    assert len(said) < 600
    return said.removeprefix(str(file))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", ": there are no servers; each stands under [servers.ALIAS]."),
        ("servers = 1", ", line 1: there are no servers; each stands under [servers.ALIAS]."),
        ("[servers.a]\ncommand = ", " is no TOML: Invalid value (at line 2)."),
        ("a = '\u2028'\nb = ", " is no TOML: Invalid value (at line 2)."),
        (
            "\n[server.a]\ncommand = 'x'",
            ", line 2: 'server' is not known here; servers stand under [servers.ALIAS].",
        ),
        ("[servers.a]\nargs = []", ", line 1: 'a' has no command."),
        (
            GOOD + "url = 'y'",
            ", line 3: 'url' is not known: servers are started here, over stdio. c06 is about "
            "HTTP.",
        ),
        (
            "[servers.a]\ncomand = 'x'",
            ", line 2: 'comand' is not known. Did you mean command? A server has command, args, "
            "env, cwd, connect_timeout, call_timeout, tools, resources, templates, prompts.",
        ),
        ("[servers.a]\ncommand = 7", ", line 2: 'command' should be a string."),
        (GOOD + "cwd = []", ", line 3: 'cwd' should be a string."),
        (GOOD + "args = 'y'", ", line 3: 'args' should be an array of strings."),
        (GOOD + "args = [1]", ", line 3: 'args' should be an array of strings."),
        (GOOD + "env = []", ", line 3: 'env' should be a table of strings."),
        (GOOD + "env = {A = 1}", ", line 3: 'env' should be a table of strings."),
        (GOOD + "tools = []", ", line 3: 'tools' should be a table of effects."),
        (GOOD + "call_timeout = true", ", line 3: 'call_timeout' should be a number of seconds."),
        (
            GOOD + "call_timeout = 0",
            f", line 3: a: call_timeout {A_TIME}, not 0.",
        ),
        (
            GOOD + "connect_timeout = inf",
            f", line 3: a: connect_timeout {A_TIME}, not inf.",
        ),
        (
            GOOD + "connect_timeout = 1" + "0" * 400,
            f", line 3: a: connect_timeout {A_TIME}, not 1{'0' * 39}.",
        ),
        ("[servers.a]\ncommand = ' '", ", line 2: a: the command is empty."),
        (
            GOOD + 'args = [\n"a",\n"\\u0000"]',
            ", line 3: a: a NUL character cannot be handed to a program.",
        ),
        (
            GOOD + "[servers.a.env]\n'A=B' = ''",
            ", line 3: a: 'A=B' cannot name an environment variable.",
        ),
        (
            "[servers.A-b]\ncommand = 'x'",
            ", line 1: 'A-b' cannot be an alias: use lower-case words and digits joined by single "
            "underscores, at most 24 characters.",
        ),
        (
            GOOD + "[servers.b]\ncommand = 'y'\n[servers.b.tools]\nt = 'rw'",
            ', line 6: the effect of \'t\' should be "read", "write" or "withheld".',
        ),
        (
            GOOD + "[servers.a.tools]\nt = 7",
            ", line 4: 't' should be an effect, or a table with effect, description.",
        ),
        (
            GOOD + "tools = {t = {effect = 'read', description = 7}}",
            ", line 3: the description of 't' should be a string.",
        ),
        ("[servers]\na = 1", ", line 2: 'a' should be a table, such as [servers.time]."),
        (b"\xff", " is no TOML: it is no UTF-8 text."),
        ("a = " + "[" * 50_000, " cannot be read: it is nested too deep."),
        ("a = 1" + "0" * 5_000, " cannot be read: a number in it is too long."),
        ("#" * FILE_BYTES + "\n", " cannot be read: it is larger than 262,144 bytes."),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_file_that_makes_no_sense_is_a_sentence_with_its_line(
    tmp_path: Path, text: str | bytes, sentence: str
) -> None:
    assert complaint(tmp_path, text) == sentence


@pytest.mark.parametrize(
    "before",
    [
        "[servers.b]\ncommand = '[servers.a]'\nenv = {'c#d' = 'x', \"e'f\" = ']'}\n",
        '[servers."b"] # [servers.a]\ncommand = "#"\n',
        '[servers."\\u0062"]\ncommand = "x"\n',
        "[servers.b]\ncommand = '''\n[servers.a]\ncall_timeout = 'x'\n'''\n",
        '[servers.b]\ncommand = "x"\nargs = [\n  "[servers.a]", # call_timeout = 1\n\n  "",\n]\n',
        "[servers.b]\ncommand = 'x\u2028\u0085'\n",
        "[servers.b]\r\ncommand = 'x'\r\n",
        "servers.b.command = 'x'\n",
        "[servers.b]\ncommand = 'x'\n[servers.b.tools]\ncall_timeout = 'read'\na = 'read'\n",
    ],
)
def test_the_line_is_right_whatever_stands_above(tmp_path: Path, before: str) -> None:
    text = f"{before}[servers.a]\ncommand = 'x'\ncall_timeout = 'x'\n"
    line = before.count("\n") + 3
    said = complaint(tmp_path, text)
    assert said == f", line {line}: 'call_timeout' should be a number of seconds."


def test_where_the_line_is_too_much_work_it_is_left_out(tmp_path: Path) -> None:
    long = "args = [\n" + '"x",\n' * 1_000 + "]\n"
    said = complaint(tmp_path, f"{GOOD}{long}cwd = 7")
    assert said == ": 'cwd' should be a string."


@pytest.mark.parametrize(
    "text",
    [
        '[servers."\\u001b[31m\\nall is well"]\ncommand = 7',
        '[servers."\\u202e\\ufe0f"]\nargs = []',
        '["\\u001b"]\na = 1',
        '[servers.a]\ncommand = "x"\n"\\u001b\\n" = 1',
        '[servers.a]\ncommand = "x"\n[servers.a.tools]\n"\\u001b\\u3164" = 1',
        f'[servers.{"a" * 100_000}]\ncommand = "x"',
        f'[servers.a]\ncommand = "x"\n{"a" * 100_000} = 1',
        f'[servers.a]\ncommand = "x"\n[servers.a.tools]\n{"a" * 100_000} = 1',
        f'[servers.a]\ncommand = "x"\n[servers.a.env]\n"={"a" * 100_000}" = ""',
        f"a = {{{'b' * 100_000} = 1, {'b' * 100_000} = 2}}",
        'a = "\x1b"',
    ],
    ids=lambda text: repr(text)[:40],
)
def test_what_is_repeated_of_a_file_is_escaped_and_bounded(tmp_path: Path, text: str) -> None:
    said = complaint(tmp_path, text)
    assert not {"\x1b", "\u202e", "\ufe0f", "\u3164", "\n"} & set(said)


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "servers.toml"
    file.write_text(f"{GOOD}call_timeout = 7\nargs = ['a']\nenv = {{A = 'b'}}", "utf-8-sig")
    assert read_servers(file)["a"].spec == ServerSpec(
        "a", "x", ("a",), {"A": "b"}, call_timeout=7.0
    )


def test_a_path_that_cannot_be_one_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ServersFileError, match="there is a NUL in its name") as refused:
        read_servers(Path("a\0\x1b\n"))
    assert str(refused.value).isprintable()
    with pytest.raises(ServersFileError, match="cannot be read: Is a directory"):
        read_servers(tmp_path)


@pytest.mark.usefixtures("warm_python")
@pytest.mark.parametrize("text", ["a = " + "[" * 50_000, "a = 1" + "0" * 5_000, "servers = 1"])
def test_a_file_that_makes_no_sense_is_status_2(tmp_path: Path, text: str) -> None:
    file = tmp_path / "servers.toml"
    file.write_text(text, encoding="utf-8")
    done = warm.run("chapters.c04", "--servers", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(str(file))
    assert done.stderr.count("\n") == 1
