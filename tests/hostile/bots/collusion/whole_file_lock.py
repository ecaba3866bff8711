# expects: held
@attempt
def talk():
    """Lock a shared file of the library: another process notices it when it tries the same."""
    import fcntl

    with open(os.path.join(LIBRARY, "random.py")) as shared:
        fcntl.flock(shared, fcntl.LOCK_SH | fcntl.LOCK_NB)
    return "a lock on random.py"
