"""Real servers on the official low-level server API, each started as a process of its own.

``python -m demo_servers.demo_alpha`` and ``demo_beta`` have tools alone; ``runbook`` and ``wiki``
have resources too, and ``runbook`` prompts. They know nothing of the chapters.
"""
