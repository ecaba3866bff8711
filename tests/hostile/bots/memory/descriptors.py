# expects: held
@attempt
def keep():
    """Open its own source 200 times (10,000 times only where nobody minds)."""
    kept = [os.open(os.path.abspath(__file__), os.O_RDONLY) for _ in range(200)]
    return f"{len(kept)} open files"
