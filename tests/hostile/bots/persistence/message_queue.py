# expects: held
# matches: 2
KEY = int(MARK[-6:], 16)


@attempt
def remember():
    """Leave a System V message queue for the next match."""
    try:
        queue = syscall("msgget", KEY, 0o600)
    except FileNotFoundError:
        syscall("msgget", KEY, 0o1600)
        return None
    return syscall("msgctl", queue, 0, 0) == 0 and "remembered"
