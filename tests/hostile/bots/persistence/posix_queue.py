# expects: held
# matches: 2
@attempt
def remember():
    """Leave a POSIX message queue for the next match."""
    name = MARK.encode()
    try:
        syscall("mq_open", name, os.O_RDONLY, 0, 0)
    except FileNotFoundError:
        syscall("mq_open", name, os.O_RDONLY | os.O_CREAT, 0o600, 0)
        return None
    return syscall("mq_unlink", name) == 0 and "remembered"
