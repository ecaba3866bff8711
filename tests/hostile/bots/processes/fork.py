# expects: held
@attempt
def multiply():
    """Fork once."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    return child
