# expects: held
# control: needs root
@attempt
def look():
    """Read the secret from the worker's memory by its file in /proc."""
    memory = os.open(f"/proc/{HINTS['parent']}/mem", os.O_RDONLY)
    return os.pread(memory, 24, HINTS["address"])[::-1] == HINTS["drow"].encode() and "the worker's memory"
