// The process from which programs are forked: it locks each down, and then runs the program in it.
//
// It makes no decisions. The order to start a process contains its restrictions, as bytes that the
// kernel takes; see `launcher.py`, which writes them. Its replies equal those of the Python server.
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

const int FROM_REFEREE = 3, TO_REFEREE = 4, HANDOVER = 5, PROGRAM = 6, PLACES = 7;
const int ABOVE = 64;  // descriptors from here on are free while the others are moved
const int GIVEN = 5;   // two pipes, the socket for the listener, the output, and the program
// Numbers of system calls that the library's headers may be too old for.
const int CLOSE_RANGE = 436, LANDLOCK_CREATE_RULESET = 444, LANDLOCK_RESTRICT_SELF = 446;
const int WORD = 6;  // letters of "start " and the other requests

enum Part { LIMITS, RULES, REPORTING, KILLING, TOLD_WITH, TOLD_WITHOUT, PARTS };

struct Order {
    uint32_t user;            // to switch to; 0 for no switch
    uint32_t takes_counter;   // whether to disable the processor's own clock
    uint32_t sizes[PARTS];    // bytes; 0 for a layer that is left out
};

struct Limit {
    uint64_t kind, most;
};

struct Bytes {
    const char *data;
    size_t size;
};

char message[1 << 16];

template <typename Number> Number checked(Number result, const char *what) {
    if (result < 0) {
        dprintf(2, "%s: %s\n", what, strerror(errno));  // `perror` uses forbidden calls
        _exit(1);
    }
    return result;
}

void die_with_parent(pid_t parent) {
    checked(prctl(PR_SET_PDEATHSIG, SIGKILL), "PR_SET_PDEATHSIG");
    if (getppid() != parent) _exit(1);
}

void take_places(const int *given) {
    int moved[GIVEN];
    for (int at = 0; at < GIVEN; at++)
        moved[at] = checked(fcntl(given[at], F_DUPFD, ABOVE), "F_DUPFD");
    checked(syscall(CLOSE_RANGE, 0, ABOVE - 1, 0), "close_range");
    checked(open("/dev/null", O_RDONLY), "/dev/null");
    const int places[] = {FROM_REFEREE, TO_REFEREE, HANDOVER};
    for (int at = 0; at < 3; at++) checked(dup2(moved[at], places[at]), "dup2");
    for (int at = 1; at < 3; at++) checked(dup2(moved[3], at), "dup2");
    checked(dup3(moved[4], PROGRAM, O_CLOEXEC), "dup3");
    checked(syscall(CLOSE_RANGE, PLACES, ~0U, 0), "close_range");
}

void become(uint32_t user, pid_t parent) {
    checked(setgroups(0, nullptr), "setgroups");
    checked(setresgid(user, user, user), "setresgid");
    checked(setresuid(user, user, user), "setresuid");
    die_with_parent(parent);  // a change of user cancels the request
}

void take_rights(Bytes rules) {
    long ruled = checked(syscall(LANDLOCK_CREATE_RULESET, rules.data, rules.size, 0), "landlock");
    checked(syscall(LANDLOCK_RESTRICT_SELF, ruled, 0), "landlock");
    close(static_cast<int>(ruled));
}

void limit(Bytes limits) {
    for (size_t at = 0; at + sizeof(Limit) <= limits.size; at += sizeof(Limit)) {
        Limit each;
        memcpy(&each, limits.data + at, sizeof each);
        rlimit both = {each.most, each.most};
        checked(setrlimit(static_cast<__rlimit_resource>(each.kind), &both), "setrlimit");
    }
}

long filter(Bytes code, unsigned flags) {
    sock_filter *steps = reinterpret_cast<sock_filter *>(const_cast<char *>(code.data));
    sock_fprog program = {static_cast<unsigned short>(code.size / sizeof(sock_filter)), steps};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

void hand_over(int listener) {
    char word = '!', room[CMSG_SPACE(sizeof(int))] = {};
    iovec line = {&word, 1};
    msghdr gift = {};
    gift.msg_iov = &line, gift.msg_iovlen = 1;
    gift.msg_control = room, gift.msg_controllen = sizeof room;
    cmsghdr *header = CMSG_FIRSTHDR(&gift);
    header->cmsg_level = SOL_SOCKET, header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &listener, sizeof listener);
    checked(sendmsg(HANDOVER, &gift, 0), "handing the listener over");
    close(listener);
}

void tell(Bytes frame) {
    if (write(TO_REFEREE, frame.data, frame.size) != static_cast<ssize_t>(frame.size)) _exit(1);
}

// Become a host: after the filter is installed, only calls that it allows are used.
[[noreturn]] void be_host(const int *given, pid_t launcher) {
    Order order;
    memcpy(&order, message + WORD, sizeof order);
    Bytes parts[PARTS];
    const char *next = message + WORD + sizeof order;
    for (int at = 0; at < PARTS; next += order.sizes[at++]) parts[at] = {next, order.sizes[at]};
    checked(setsid(), "setsid");
    take_places(given);
    die_with_parent(launcher);
    if (order.user) become(order.user, launcher);
    checked(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "PR_SET_NO_NEW_PRIVS");
    checked(prctl(PR_SET_DUMPABLE, 0), "PR_SET_DUMPABLE");
    if (parts[RULES].size) take_rights(parts[RULES]);
    limit(parts[LIMITS]);
    if (order.takes_counter) checked(prctl(PR_SET_TSC, PR_TSC_SIGSEGV), "PR_SET_TSC");
    bool is_reporting = false;
    if (parts[REPORTING].size) {
        long listener = filter(parts[REPORTING], SECCOMP_FILTER_FLAG_NEW_LISTENER);
        is_reporting = listener >= 0;
        if (is_reporting)
            hand_over(static_cast<int>(listener));
        else  // the kernel is old, or an outer filter already has a listener
            checked(filter(parts[KILLING], 0), "seccomp");
    }
    close(HANDOVER);
    tell(parts[is_reporting ? TOLD_WITH : TOLD_WITHOUT]);
    char *const words[] = {const_cast<char *>("player"), nullptr};
    checked(syscall(SYS_execveat, PROGRAM, "", words, nullptr, AT_EMPTY_PATH), "execveat");
    _exit(1);
}

// Receive a message and its file descriptors; return its number of bytes.
ssize_t receive(int line, int *given, size_t *count) {
    char room[CMSG_SPACE(GIVEN * sizeof(int))];
    iovec words = {message, sizeof message - 1};
    msghdr taken = {};
    taken.msg_iov = &words, taken.msg_iovlen = 1;
    taken.msg_control = room, taken.msg_controllen = sizeof room;
    ssize_t size = recvmsg(line, &taken, 0);
    cmsghdr *header = size > 0 ? CMSG_FIRSTHDR(&taken) : nullptr;
    *count = header ? (header->cmsg_len - CMSG_LEN(0)) / sizeof(int) : 0;
    if (*count) memcpy(given, CMSG_DATA(header), *count * sizeof(int));
    return size;
}

void answer(int line, int number) {
    char word[16];
    int size = snprintf(word, sizeof word, "%d", number);
    if (send(line, word, static_cast<size_t>(size), MSG_NOSIGNAL) < 0) _exit(0);
}

}  // namespace

int main(int, char **words) {
    int line = atoi(words[1]);
    die_with_parent(atoi(words[2]));
    // As in Python: these signals are ignored, so writing to a closed pipe only fails.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    const pid_t launcher = getpid();
    for (;;) {
        int given[GIVEN] = {}, status = 0;
        size_t count;
        ssize_t size = receive(line, given, &count);
        if (size <= WORD) return 0;
        message[size] = 0;
        if (!strncmp(message, "start ", WORD) && count == GIVEN) {
            pid_t host = checked(fork(), "fork");
            if (!host) be_host(given, launcher);
            for (int each : given) close(each);
            answer(line, host);
        } else if (waitpid(atoi(strchr(message, ' ')), &status, 0) > 0 && message[0] == 's') {
            answer(line, WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status));
        }
    }
}
