# expects: held
@attempt
def talk():
    """Lock one byte of a shared file: its four thousand bytes give four thousand signals."""
    import fcntl

    with open(os.path.join(LIBRARY, "bisect.py")) as shared:
        fcntl.lockf(shared, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 7)
    return "a lock on a byte of bisect.py"
