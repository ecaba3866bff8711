/* One end of a channel through the processor's cache: cache <speaks|hears>. Who speaks overwrites nothing, a
 * little, much or all of the cache, by a row of levels that is agreed upon; who hears notes the nanoseconds in which it
 * reads its own lines, and the level. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LINE 64
#define OWN (512 << 10)
#define WHOLE (32 << 20)

static const unsigned levels[] = {0, 256 << 10, 1 << 20, WHOLE};
static volatile uint8_t own[OWN], whole[WHOLE];

static int level_of(unsigned number) {
    number = (number ^ 61) ^ (number >> 16);
    number *= 9;
    number ^= number >> 4;
    number *= 0x27d4eb2d;
    return (number >> 15) & 3;
}

static long read_own(void) {
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (unsigned at = 0, step = 0; step < OWN / LINE; step++, at = (at + 167 * LINE) % OWN)
        (void)own[at];
    clock_gettime(CLOCK_MONOTONIC, &to);
    return (to.tv_sec - from.tv_sec) * 1000000000L + to.tv_nsec - from.tv_nsec;
}

int main(int count, char **words) {
    static char line[1 << 20];
    int speaks = count > 1 && strcmp(words[1], "speaks") == 0;
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":");
        long told = 0;
        if (!id)
            continue;
        for (unsigned at = 0; speaks && at < levels[level_of(atoi(id + 5))]; at += LINE)
            whole[at]++;
        if (!speaks) {
            told = read_own();
            read_own();
        }
        printf("{\"id\": %d, \"choose\": 0, \"note\": \"%ld %d\"}\n", atoi(id + 5), told, level_of(atoi(id + 5)));
        fflush(stdout);
    }
}
