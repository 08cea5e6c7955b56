"""KleidiAI: not used."""


def is_available():
    """False."""
    return False
