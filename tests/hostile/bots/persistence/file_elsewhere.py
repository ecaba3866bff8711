# expects: held
# matches: 2
@attempt
def remember():
    """Leave a file in any writable place for the next match."""
    places = [f"{folder}/{MARK}" for folder in (".", "/tmp", "/var/tmp", "/dev/shm", "/run", "/dev")]
    if found := [path for path in places if os.path.exists(path)]:
        return found
    for path in places:
        try:
            open(path, "w").close()
        except OSError:
            continue
    return None
