# expects: held
@attempt_at_import
def multiply():
    """Fork before the first question."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    return child
