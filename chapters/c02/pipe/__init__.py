"""What comes out of a server's two pipes besides messages, and how none of it does harm.

Lines without an end, half a character, a greeting, another protocol's headers, and all that a
server writes on stderr.
"""
