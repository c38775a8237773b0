"""Bring your own server: connect, show published beside exposed, call, close.

``python -m chapters.c04 --servers FILE`` is this. With ``--json`` each event is an object on a line
of its own; ``--detail`` adds the operator's view on stderr.
"""
