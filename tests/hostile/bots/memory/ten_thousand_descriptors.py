# expects: crash
# detail: Too many open files
for _ask in asks():
    KEPT = [os.open(os.path.abspath(__file__), os.O_RDONLY) for _ in range(10_000)]
    answer(_ask)
