/* Answers each question with what the kernel tells of the machine's memory, load and processes, or that it refused. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

int main(void) {
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":");
        struct sysinfo facts;
        if (!id)
            continue;
        printf("{\"id\": %d, \"choose\": 0, \"note\": \"", atoi(id + 5));
        if (sysinfo(&facts) == 0)
            printf("free %lu load %lu processes %u", facts.freeram, facts.loads[0], facts.procs);
        else
            printf("refused: %s", strerror(errno));
        printf("\"}\n");
        fflush(stdout);
    }
}
