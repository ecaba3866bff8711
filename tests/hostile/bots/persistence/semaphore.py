# expects: held
# matches: 2
KEY = int(MARK[-6:], 16)


@attempt
def remember():
    """Leave a System V semaphore for the next match."""
    try:
        semaphore = syscall("semget", KEY, 1, 0o600)
    except FileNotFoundError:
        syscall("semget", KEY, 1, 0o1600)
        return None
    return syscall("semctl", semaphore, 0, 0, 0) == 0 and "remembered"
