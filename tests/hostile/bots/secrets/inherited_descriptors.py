# expects: held
@attempt
def look():
    """Look for open files that nobody gave it on purpose."""
    found = []
    for descriptor in range(3, 1024):
        try:
            found.append((descriptor, os.fstat(descriptor).st_mode))
        except OSError:
            continue
    return found
