# expects: held
# matches: 2
@attempt
def remember():
    """Leave a key in its user's keyring for the next match."""
    try:
        key = syscall("keyctl", 10, -4, b"user", MARK.encode(), 0)  # search
    except OSError as error:
        if error.errno in REFUSALS:
            raise
        syscall("add_key", b"user", MARK.encode(), b"x", 1, -4)
        return None
    return syscall("keyctl", 3, key) == 0 and "remembered"  # revoke
