# expects: held
@attempt
def keep():
    """Open its own source 200 times; without a sandbox, 10,000 times."""
    kept = [os.open(os.path.abspath(__file__), os.O_RDONLY) for _ in range(200)]
    return f"{len(kept)} open files"
