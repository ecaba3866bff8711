/* A library that takes 640 MiB of shared memory when it is loaded: what an upload called table.txt might be. */
#include <string.h>
#include <sys/mman.h>

__attribute__((constructor)) static void take(void) {
    for (int step = 0; step < 80; step++) {
        char *place = mmap(0, 8 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (place != MAP_FAILED)
            memset(place, 1, 8 << 20);
    }
}
