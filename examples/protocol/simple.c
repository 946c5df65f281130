/* Simple at blackjack, by docs/reference/protocol.md. Build: gcc -O2 -static -o simple simple.c

   Everything but `wager` and `hits` is the kit: copy it, and change those two. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FROM_REFEREE = 3, TO_REFEREE = 4 };
enum { MAGIC = 0x59544F54, VERSION = 1, LOADED = 4, ANSWER = 5 };
enum { WAGER = 1, DRAW = 2, HIT = 1, STAND = 2 };
enum { MINIMUM = 2 }; /* in a row of the table */
enum { UNKNOWN_VERSION = 96, PIPE_LOST = 97, MOST_COLUMNS = 64 };

/* ---- The player. */

static int64_t wager(const int64_t *table) {
    return table[MINIMUM];
}

/* Values as in blackjack, an ace 11; the hand's total, and whether an ace in it counts 11. */
static int hits(int dealer, int total, int soft) {
    if (soft) return total <= 17 || (total == 18 && dealer != 2 && dealer != 7 && dealer != 8);
    if (total <= 11) return 1;
    if (total == 12) return dealer < 4 || dealer > 6;
    return total <= 16 && dealer > 6;
}

/* ---- The kit. */

struct Column {
    char name[32], form;
    unsigned width;
    const char *at; /* in the frame that was read last */
};

static struct Column columns[MOST_COLUMNS];
static int known;

static void read_all(void *to, size_t size) {
    char *at = to;
    while (size) {
        ssize_t got = read(FROM_REFEREE, at, size);
        if (got <= 0) exit(got ? PIPE_LOST : 0); /* no more frames: the end */
        at += got, size -= got;
    }
}

static void write_all(const void *from, size_t size) {
    const char *at = from;
    while (size) {
        ssize_t put = write(TO_REFEREE, at, size);
        if (put <= 0) exit(PIPE_LOST);
        at += put, size -= put;
    }
}

static void answer(uint32_t kind, uint32_t number, const int64_t *answers, uint32_t count) {
    uint32_t head[8] = {MAGIC, kind, number, 16 + 8 * count, count, 0, 0, 0};
    write_all(head, sizeof head);
    write_all(answers, 8 * (size_t)count);
}

/* Note which columns there are; give the number of seats. */
static uint32_t open_seats(char *body) {
    uint32_t head[4];
    memcpy(head, body, sizeof head);
    if (head[0] != VERSION) exit(UNKNOWN_VERSION);
    char *lines = body + sizeof head + (size_t)head[1] * (8 + head[2]);
    lines[head[3]] = 0; /* what follows is for players in Python */
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
        struct Column *each = &columns[known];
        if (known < MOST_COLUMNS &&
            sscanf(line, "column %31s %c %u", each->name, &each->form, &each->width) == 3)
            known++;
    }
    return head[1];
}

/* Find all columns of a frame; give the number of questions. */
static uint32_t find_columns(const char *body) {
    uint32_t head[2];
    memcpy(head, body, sizeof head);
    const char *at = body + 16;
    for (int i = 0; i < known; i++) {
        size_t size = columns[i].form == 'q' ? 8 : columns[i].form == 'i' ? 4 : 1;
        columns[i].at = at;
        at += size * (columns[i].width ? (size_t)head[0] * columns[i].width : head[1]);
    }
    return head[0];
}

static const void *column(const char *name, char form, unsigned width) {
    for (int i = 0; i < known; i++)
        if (!strcmp(columns[i].name, name) && columns[i].form == form && columns[i].width == width)
            return columns[i].at;
    fprintf(stderr, "expected a column %s %c %u, got none\n", name, form, width);
    exit(1);
}

static int value(uint8_t card) {
    int rank = card % 13;
    return rank == 12 ? 11 : rank > 8 ? 10 : rank + 2;
}

static int draws(uint8_t upcard, const uint8_t *hand, const uint8_t *stop) {
    int total = 0, aces = 0;
    for (; hand < stop; hand++) total += value(*hand), aces += value(*hand) == 11;
    for (; aces && total > 21; aces--) total -= 10;
    return hits(value(upcard), total, aces > 0);
}

static void decide(const char *body, int64_t *answers, uint32_t number) {
    uint32_t count = find_columns(body);
    const uint8_t *calls = column("calls", 'B', 1), *dealer = column("dealer", 'B', 2);
    const uint8_t *cards = column("cards", 'B', 0);
    const int64_t *stops = column("card_stops", 'q', 1), *table = column("table", 'q', 22);
    for (uint32_t i = 0; i < count; i++) {
        answers[i] = 0;
        if (calls[i] == WAGER) answers[i] = wager(table + 22 * i);
        if (calls[i] == DRAW) {
            int64_t begin = i ? stops[i - 1] : 0;
            answers[i] = draws(dealer[2 * i], cards + begin, cards + stops[i]) ? HIT : STAND;
        }
    }
    answer(ANSWER, number, answers, count);
}

int main(void) {
    uint32_t header[4];
    int64_t *answers = NULL;
    for (;;) {
        read_all(header, sizeof header);
        char *body = malloc(header[3] + 1); /* for every kind of number aligned */
        if (!body) exit(1);
        read_all(body, header[3]);
        if (answers) {
            decide(body, answers, header[2]);
        } else {
            uint32_t seats = open_seats(body);
            answers = calloc(seats + 1, 8); /* 0: neither to act nor to watch */
            if (!answers) exit(1);
            answer(LOADED, header[2], answers, seats);
        }
        free(body);
    }
}
