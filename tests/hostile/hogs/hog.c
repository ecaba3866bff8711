/* Takes as much memory as it can get in one way, up to 384 MiB, and answers with how much it got.
 * Started as: hog <way>. All that it counts it has touched and still holds. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MIB (1L << 20)
#define STEP (8 * MIB)
#define MOST (384 * MIB)

static char *mapped(long size, int protection, int flags, int file) {
    char *place = mmap(NULL, size, protection, flags, file, 0);
    return place == MAP_FAILED ? NULL : place;
}

static long by_steps(char *(*one)(long)) {
    long got = 0;
    for (char *place; got < MOST && (place = one(STEP)); got += STEP)
        memset(place, 1, STEP);
    return got;
}

static char *heap(long size) { return malloc(size); }
static char *grown(long size) { char *place = sbrk(size); return place == (char *)-1 ? NULL : place; }
static char *private(long size) { return mapped(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1); }
static char *shared(long size) { return mapped(size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1); }
static char *stack(long size) {
    return mapped(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1);
}
static char *made_writable(long size) {
    char *place = mapped(size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    return place && mprotect(place, size, PROT_READ | PROT_WRITE) == 0 ? place : NULL;
}
static char *nameless_file(long size) {
    int file = syscall(SYS_memfd_create, "hog", 0);
    if (file < 0 || ftruncate(file, size) < 0)
        return NULL;
    char *place = mapped(size, PROT_READ | PROT_WRITE, MAP_SHARED, file);
    close(file);
    return place;
}
static char *segment(long size) {
    int id = shmget(IPC_PRIVATE, size, 0600);
    char *place = id < 0 ? (char *)-1 : shmat(id, NULL, 0);
    if (id >= 0)
        shmctl(id, IPC_RMID, NULL);
    return place == (char *)-1 ? NULL : place;
}

static long moved_away(void) {
    long got = 0;
    char *place = private(STEP);
    while (place && got < MOST) {
        memset(place, 1, STEP);
        got += STEP;
        char *there = mremap(place, STEP, STEP, MREMAP_MAYMOVE | 4 /* MREMAP_DONTUNMAP */, NULL);
        if (there == MAP_FAILED)
            break;
    }
    return got;
}

/* RLIMIT_DATA counts writable memory only */
static long sealed(void) {
    long got = 0;
    for (char *place; got < MOST && (place = private(STEP)); got += STEP) {
        memset(place, 1, STEP);
        if (mprotect(place, STEP, PROT_READ) < 0)
            break;
    }
    return got;
}

static long page_tables(void) {
    long got = 0;
    for (char *place; got < MOST; got += 4096 * 512) {
        place = mapped(1L << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
        if (!place)
            break;
        madvise(place, 1L << 30, 15 /* MADV_NOHUGEPAGE */);
        for (long at = 0; at < 1L << 30; at += 2 * MIB)
            (void)*(volatile char *)(place + at);
    }
    return got;
}

static long file_in(const char *name) {
    static char block[1 << 20];
    long got = 0;
    int file = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file < 0)
        return 0;
    unlink(name);
    memset(block, 1, sizeof block);
    while (got < MOST && write(file, block, sizeof block) == sizeof block)
        got += sizeof block;
    return got;
}
static long files(void) { return file_in("/dev/shm/ftk-hog") + file_in("/tmp/ftk-hog") + file_in("ftk-hog"); }

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long of_threads;
static void *with_stack(void *barrier) {
    char local[6 * MIB];
    memset(local, 1, sizeof local);
    __asm__ volatile("" : : "r"(local) : "memory");
    pthread_mutex_lock(&lock);
    of_threads += sizeof local;
    pthread_mutex_unlock(&lock);
    for (;;)
        usleep(100000);
    return barrier;
}
static long threads(void) {
    pthread_t one;
    long begun = 0;
    while (begun < 64 && pthread_create(&one, NULL, with_stack, NULL) == 0)
        begun++;
    /* until each has what it wants, on a busy machine too */
    for (int wait = 0; wait < 500; wait++) {
        pthread_mutex_lock(&lock);
        long got = of_threads;
        pthread_mutex_unlock(&lock);
        if (got >= begun * 6 * MIB)
            break;
        usleep(10000);
    }
    return of_threads;
}

static long processes(void) {
    long got = 0;
    for (int number = 0; number < 10; number++) {
        int ends[2];
        if (pipe(ends) < 0)
            break;
        int child = fork();
        if (child < 0)
            break;
        if (child == 0) {
            char *place = malloc(64 * MIB);
            if (place)
                memset(place, 1, 64 * MIB);
            (void)!write(ends[1], "x", place != NULL);
            sleep(5);
            _exit(0);
        }
        close(ends[1]);
        char word;
        got += read(ends[0], &word, 1) * 64 * MIB;
    }
    return got;
}

static const struct { const char *name; char *(*step)(long); long (*all)(void); } WAYS[] = {
    {"heap", heap, 0}, {"grown", grown, 0}, {"private", private, 0}, {"made_writable", made_writable, 0},
    {"shared", shared, 0}, {"stack", stack, 0}, {"nameless_file", nameless_file, 0},
    {"segment", segment, 0}, {"moved_away", 0, moved_away}, {"page_tables", 0, page_tables}, {"files", 0, files},
    {"threads", 0, threads}, {"processes", 0, processes},
    {"sealed", 0, sealed}, {"leaderless", 0, sealed},
};

static long taken(const char *way) {
    for (unsigned at = 0; at < sizeof WAYS / sizeof *WAYS; at++)
        if (strcmp(WAYS[at].name, way) == 0)
            return WAYS[at].step ? by_steps(WAYS[at].step) : WAYS[at].all();
    return -1;
}

static void *converse(void *way) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":");
        if (id && strstr(line, "\"ask\""))
            printf("{\"id\": %d, \"choose\": 0, \"note\": \"%ld\"}\n", atoi(id + 5), taken(way) / MIB);
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t other;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (count < 2)
        return 1;
    /* where a thread can be begun, the first one ends: /proc/PID/status then shows no memory */
    if (strcmp(words[1], "leaderless") == 0 && pthread_create(&other, NULL, converse, words[1]) == 0)
        syscall(SYS_exit, 0);
    converse(words[1]);
    return 0;
}
