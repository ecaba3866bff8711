/* Starts threads until there are no more, up to 2,000, and answers with how many it has. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *idle(void *nothing) {
    for (;;)
        pause();
    return nothing;
}

int main(void) {
    static char line[1 << 16];
    pthread_attr_t small;
    pthread_t one;
    int count = 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":");
        while (count < 2000 && pthread_create(&one, &small, idle, NULL) == 0)
            count++;
        if (id && strstr(line, "\"ask\""))
            printf("{\"id\": %d, \"choose\": 0, \"note\": \"%d\"}\n", atoi(id + 5), count);
    }
    return 0;
}
