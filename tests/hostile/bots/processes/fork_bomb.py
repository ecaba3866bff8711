# expects: held
@attempt
def multiply():
    """Fork repeatedly (only a few times, because the control runs it without a sandbox)."""
    children = 0
    for _ in range(12):
        child = os.fork()
        if child == 0:
            os.read(0, 1)
            os._exit(0)
        children += 1
    return children
