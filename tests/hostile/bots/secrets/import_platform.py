# expects: held
@attempt
def read():
    """Import the platform's own code."""
    sys.path.insert(0, HINTS["project"])
    import bots.sandbox.bot_runtime_files

    return bots.sandbox.bot_runtime_files.__file__
