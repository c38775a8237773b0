"""Bring your own server, with its three lists.

``python -m chapters.c07 --servers FILE`` is c04's program of that name, and adds resources,
resource templates and prompts to it: they are shown, read, loaded and drafted.
"""
