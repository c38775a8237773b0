"""The specs of the two demo servers."""

import sys
from pathlib import Path

from chapters.c02.spec import ServerSpec

ROOT = str(Path(__file__).parents[3])

DEMO_ALPHA = ServerSpec("demo_alpha", sys.executable, ("-m", "demo_servers.demo_alpha"), cwd=ROOT)
DEMO_BETA = ServerSpec("demo_beta", sys.executable, ("-m", "demo_servers.demo_beta"), cwd=ROOT)
