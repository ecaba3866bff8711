# expects: held
# matches: 2
KEY = int(MARK[-6:], 16)


@attempt
def remember():
    """Leave a segment of System V memory for the next match."""
    try:
        segment = syscall("shmget", KEY, 4096, 0o600)
    except FileNotFoundError:
        syscall("shmget", KEY, 4096, 0o1600)
        return None
    return syscall("shmctl", segment, 0, 0) == 0 and "remembered"
