# expects: held
@attempt
def look():
    """Search its own memory, where a fork of the worker would still have all data of the worker."""
    word = HINTS["drow"].encode()
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb") as memory:
        for area in (line.split() for line in maps if "[heap]" in line or "[stack]" in line):
            start, end = (int(part, 16) for part in area[0].split("-"))
            memory.seek(start)
            if word in memory.read(min(end - start, 64 << 20))[::-1]:
                return area[-1]
    return None
