"""Two real servers on the official low-level server API, each started as a process of its own.

``python -m demo_servers.demo_alpha`` and ``python -m demo_servers.demo_beta``. They know nothing
of the chapters.
"""
