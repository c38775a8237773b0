"""The policies of the two demo servers."""

from chapters.c02.lesson.demo import DEMO_ALPHA, DEMO_BETA
from chapters.c04.policy import AllowedServer, ToolPolicy

READ = ToolPolicy("read")
WRITE = ToolPolicy("write")

ALPHA = AllowedServer(
    DEMO_ALPHA, {"lookup": READ, "wait": READ, "fail": READ, "crash": WRITE, "witness": READ}
)
BETA = AllowedServer(DEMO_BETA, {"lookup": READ, "history": WRITE})
"""beta claims that history only reads. Its owner here has looked, and says what it does."""
