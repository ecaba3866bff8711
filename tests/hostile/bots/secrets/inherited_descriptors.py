# expects: held
@attempt
def look():
    """Look for open files that it inherited by mistake."""
    found = []
    for descriptor in range(3, 1024):
        try:
            found.append((descriptor, os.fstat(descriptor).st_mode))
        except OSError:
            continue
    return found
