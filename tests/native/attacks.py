"""Programs that attack, each with the verdicts it may get: the corpus in C++.

Most are one line of a `bet`, and share a program, in which the bankroll chooses. The others are
whole files, as they attack before anybody is asked.
"""

from typing import NamedTuple

from tests.native.written import one

HEADERS = "\n".join(
    f"#include <{name}>"
    for name in (
        *("unistd.h", "fcntl.h", "signal.h", "sys/socket.h", "sys/mman.h", "sys/syscall.h"),
        *("sys/wait.h", "sys/ptrace.h", "sys/prctl.h", "sys/resource.h", "cstring", "thread"),
        *("setjmp.h", "sys/auxv.h", "sys/uio.h", "ctime", "random", "iostream"),
    )
)


class Attack(NamedTuple):
    """An attack, and what it comes to."""

    name: str
    act: str  # a line of C++, or a whole file
    causes: str  # of its verdict, with " or " between them; "plays" for none
    words: str = ""  # of its message


def call(act: str, name: str, told: str = "") -> Attack:
    """Give an attack by a system call, which is to be named."""
    return Attack(told or name, act, "syscall", f", {name}(")


CALLS = (
    call("socket(2, 1, 0);", "socket"),
    call("fork();", "clone", "fork"),
    call("vfork();", "vfork"),
    call('execl("/bin/true", "true", (char *)0);', "execve"),
    call("kill(1, 9);", "kill"),
    call("kill(-1, 9);", "kill", "kill_everybody"),
    call("syscall(234, 1, 1, 9);", "tgkill"),
    call("syscall(SYS_rt_sigqueueinfo, 1, 9, 0);", "rt_sigqueueinfo"),
    call("syscall(SYS_pidfd_open, 1, 0);", "pidfd_open"),
    call("mmap(0, 4096, 7, 0x22, -1, 0);", "mmap", "executable_pages"),
    call(
        "static char page[8192]; mprotect((void *)((long)page & -4096), 4096, 7);",
        "mprotect",
        "executable_later",
    ),
    call("mmap(0, 4096, 3, 0x21, -1, 0);", "mmap", "shared_memory"),
    call("mmap(0, 4096, 3, 2, 3, 0);", "mmap", "mapped_file"),
    call("ptrace(PTRACE_TRACEME, 0, 0, 0);", "ptrace"),
    call("prctl(PR_SET_TSC, 1, 0, 0, 0);", "prctl", "counter_back"),
    call("prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);", "prctl", "dumpable"),
    call("syscall(SYS_seccomp, 1, 0, 0);", "seccomp"),
    call("syscall(SYS_personality, 0x0040000);", "personality"),
    call("syscall(425, 1, 0);", "io_uring_setup"),
    call("syscall(319, 0, 0);", "memfd_create"),
    call('syscall(322, 3, "", 0, 0, 0x1000);', "execveat"),
    call(
        'for (int d = 5; d < 16; d++) if (d != 6) syscall(322, d, "", 0, 0, 0x1000);',
        "execveat",
        "execveat_everywhere",
    ),
    call('syscall(322, -100, "/bin/true", 0, 0, 0);', "execveat", "execveat_path"),
    call("syscall(SYS_clone3, 0, 0);", "clone3"),
    call("syscall(SYS_arch_prctl, 0x1001, 0);", "arch_prctl"),
    call("syscall(310, 1, 0, 0, 0, 0, 0);", "process_vm_readv"),
    call("syscall(311, 1, 0, 0, 0, 0, 0);", "process_vm_writev"),
    call("syscall(272, 0x10000000);", "unshare"),
    call("syscall(250, 0, 0);", "keyctl"),
    call("dup2(4, 1);", "dup2"),
    call("syscall(44, 4, 0, 0, 0, 0, 0);", "sendto"),
    call("close(3); syscall(288, 0, 0, 0, 0);", "accept4"),
    call("sigset_t s; sigemptyset(&s); syscall(128, &s, 0, 0, 8);", "rt_sigtimedwait"),
    call("syscall(321, 0, 0, 0);", "bpf"),
    call("syscall(226, 1);", "timer_delete"),
    call("pause();", "pause"),
    call("syscall(35, 0, 0);", "nanosleep"),
    call("std::thread t([] {}); t.join();", "clone3", "thread"),
    call('open("/tmp/left-by-an-attacker", O_CREAT | O_WRONLY, 0600);', "openat", "write_tmp"),
    call('open("/dev/shm/left-by-an-attacker", O_CREAT | O_RDWR, 0600);', "openat", "write_shm"),
    call('mkdir("/tmp/left-by-an-attacker", 0700);', "mkdir"),
    call('unlink("/tmp/x");', "unlink"),
    call("setuid(0);", "setuid"),
    call("setpgid(0, 0);", "setpgid"),
    call("raise(9);", "tgkill", "raise_signal"),
    call("signal(SIGALRM, SIG_IGN); alarm(1);", "alarm"),
)
"""What is called, and as what the kernel reports it."""

ENDS = (
    Attack("junk", "char junk[4096] = {1, 2}; write(4, junk, sizeof junk);", "protocol"),
    Attack(
        "short_frame",
        "unsigned h[8] = {0x59544F54, 5, 1, 16, 9, 0, 0, 0}; write(4, h, sizeof h);",
        "protocol",
    ),
    Attack(
        "answer_twice",
        "unsigned h[14] = {0x59544F54, 5, 1, 40, 3, 0, 0, 0, 10, 0, 10, 0, 10, 0};"
        " write(4, h, sizeof h);",
        "protocol",
    ),
    Attack(
        "illegal_frame",
        "unsigned h[14] = {0x59544F54, 5, 1, 40, 3, 0, 0, 0, 9, 0, 9999, 0, 10, 0};"
        " write(4, h, sizeof h); for (;;) { }",
        "protocol",
    ),
    Attack(
        "huge_frame",
        "unsigned h[8] = {0x59544F54, 5, 1, 0xFFFFFFFF, 3, 0, 0, 0}; write(4, h, 32); for (;;) { }",
        "protocol",
    ),
    Attack("endless_frame", "for (char c[4096] = {};;) write(4, c, sizeof c);", "protocol"),
    Attack("half_a_frame", 'write(4, "TOTY", 4); for (;;) { }', "cpu or protocol"),
    Attack("read_pipe", "char c; read(3, &c, 1);", "stalled"),
    Attack("read_other_pipe", "char c; if (read(4, &c, 1) != -1) return 1;", "plays"),
    Attack("write_wrong_pipe", 'if (write(3, "x", 1) != -1) return 1;', "plays"),
    Attack("close_output", "close(4);", "protocol or died"),
    Attack("close_input", "close(3);", "protocol or died"),
    Attack("close_everything", "for (int d = 0; d < 64; d++) close(d);", "protocol or died"),
    Attack("exit", "_exit(0);", "died"),
    Attack("illegal_instruction", 'asm volatile("ud2");', "died", "does not know"),
    Attack("other_convention", 'asm volatile("int $0x80" : : "a"(1));', "syscall"),
    Attack("x32", "syscall(0x40000000 | 39);", "syscall or died"),
    Attack(
        "rdtsc",
        'unsigned lo, hi; asm volatile("rdtsc" : "=a"(lo), "=d"(hi));',
        "died",
        "the processor's own clock",
    ),
    Attack(
        "rdtscp",
        'unsigned lo, hi; asm volatile("rdtscp" : "=a"(lo), "=d"(hi) : : "rcx");',
        "died",
        "the processor's own clock",
    ),
    Attack(
        "vdso_page",
        "volatile char *page = (char *)getauxval(AT_SYSINFO_EHDR); if (!page[0]) return 1;",
        "plays",
    ),
    Attack("ignored_fault", "signal(SIGSEGV, SIG_IGN); *(volatile int *)0 = 1;", "died"),
    Attack("default_fault", "signal(SIGFPE, SIG_DFL); volatile int z = 0; z = 7 / z;", "died"),
    Attack(
        "returning_handler",
        "signal(SIGSEGV, [](int) {}); *(volatile int *)0 = 1;",
        "cpu",
    ),
    Attack(
        "no_signal_stack",
        "stack_t s = {}; s.ss_flags = SS_DISABLE; sigaltstack(&s, nullptr); return deep(1);",
        "died",
    ),
    Attack(
        "jump_back",
        "static jmp_buf back; static int n; if (!n++) { setjmp(back); } else longjmp(back, 1);",
        "died or plays or protocol or cpu",
    ),
    Attack(
        "loop_behind_signals",
        "sigset_t s; sigfillset(&s); sigprocmask(SIG_BLOCK, &s, 0); for (;;) { }",
        "cpu",
    ),
    Attack(
        "loop_that_answers_signals",
        "for (int n = 1; n < 32; n++) signal(n, [](int) { for (;;) { } }); for (;;) { }",
        "cpu",
    ),
    Attack(
        "loop_that_lies",
        "signal(SIGXCPU, [](int) { _exit(0); });"
        ' std::cerr << "\\n@ended abort 401000\\n" << std::flush; for (;;) { }',
        "cpu",
    ),
    Attack("huge_print", "for (int i = 0; i < 1 << 13; i++) write(1, HEAP, 64);", "plays"),
    Attack(
        "memory_by_mmap",
        "while (mmap(0, 1 << 24, 3, 0x22, -1, 0) != MAP_FAILED) { } return 1;",
        "illegal",
    ),
    Attack(
        "touch_all",
        "for (;;) { char *p = (char *)malloc(1 << 20); if (!p) return 1; memset(p, 1, 1 << 20); }",
        "illegal or cpu",
    ),
    Attack("endless_new", "for (;;) { volatile char *p = new char[1 << 20]; p[5] = 3; }", "memory"),
    Attack("environment", 'return environ[0] || getenv("PATH") ? 1 : minimum;', "plays"),
    Attack(
        "uninitialised",
        "volatile char s[4096]; long n = 0; for (char c : s) n += c; return n == 77 ? 10 : 11;",
        "plays",
    ),
    Attack(
        "other_seats",
        'extern char __start_seat_state[] asm("__start_seat_state");'
        " memset(__start_seat_state, 0, 8); return minimum;",
        "plays or died",
    ),
    Attack(
        "numbers",
        "return getpid() || getuid() || getppid() ? 1 : minimum;",
        "plays",
    ),
    Attack(
        "files",
        'return open("/etc/passwd", 0) != -1 || open("/proc/self/mem", 0) != -1'
        ' || access("/", 0) != -1 || open("/proc/self/exe", 0) != -1 ? 1 : minimum;',
        "plays",
    ),
    Attack(
        "program_again",
        'return syscall(322, 6, "", 0, 0, 0x1000) != -1 ? 1 : minimum;',
        "plays",
    ),
    Attack("limits", "rlimit l; return getrlimit(RLIMIT_AS, &l) != -1 ? 1 : minimum;", "plays"),
    Attack(
        "forged_end",
        'std::cerr << "\\n@ended abort 401000 401001\\n" << std::flush; return minimum;',
        "plays",
    ),
    Attack("raise_limits", "return setrlimit(RLIMIT_AS, nullptr) != -1 ? 1 : minimum;", "plays"),
    Attack("nan", "return 0x80000000;", "illegal"),
)
"""What is done, and which verdicts it may get."""

ASKED = (*CALLS, *ENDS)

RAW = (
    'long r; asm volatile("syscall" : "=a"(r) : "a"(41l), "D"(2l), "S"(0l), "d"(0l)'
    ' : "rcx", "r11", "memory");'
)
RAW_SOCKET = ", socket(0x2"
BEFORE_MAIN = "struct A {{ A() {{ {act} }} }}; static A a;"


def first(top: str) -> str:
    """Write a file that attacks before anybody is asked."""
    return one(top=f"{HEADERS}\n{top}")


WHOLE = (
    Attack("constructor", first(BEFORE_MAIN.format(act="socket(2, 1, 0);")), "syscall", ", socket"),
    Attack("constructor_forks", first(BEFORE_MAIN.format(act="fork();")), "syscall", ", clone"),
    Attack(
        "preinit",
        first(
            f'static void early() {{ {RAW} }} __attribute__((section(".preinit_array"), used))'
            " static void (*first)() = early;"
        ),
        "syscall",
        RAW_SOCKET,
    ),
    Attack(
        "ifunc",
        first(
            'extern "C" { static int real() { return 1; } '
            f"static void *choose() {{ {RAW} return (void *)real; }} "
            'int chosen() __attribute__((ifunc("choose"))); } '
            "__attribute__((used)) static int (*keep)() = chosen;"
        ),
        "syscall",
        RAW_SOCKET,
    ),
    Attack(
        "own_read",
        first('extern "C" ssize_t read(int, void *, size_t) { return -1; }'),
        "protocol or died",
    ),
    Attack(
        "own_write",
        first('extern "C" ssize_t write(int, const void *, size_t) { return -1; }'),
        "protocol or died",
    ),
    Attack(
        "own_malloc",
        first(
            'extern "C" { void *malloc(size_t) { return nullptr; } void free(void *) { }'
            " void *calloc(size_t, size_t) { return nullptr; }"
            " void *realloc(void *, size_t) { return nullptr; } }"
        ),
        "died or memory or protocol or plays",
    ),
    Attack(
        "own_start_of_state",
        first('extern "C" { char __start_seat_state[8] = {1}; }'),
        "died or memory or protocol or plays or raised",
    ),
    Attack(
        "constructor_loops",
        first(BEFORE_MAIN.format(act="for (volatile int i = 0;;) i = 1;")),
        "cpu",
    ),
    Attack(
        "destructor_loops",
        first("struct A { ~A() { for (volatile int i = 0;;) i = 1; } }; static A a;"),
        "plays",
    ),
    Attack(
        "destructor_of_library",
        first(
            "__attribute__((destructor)) static void last() { fork(); }"
            " static int n = atexit([] { fork(); });"
        ),
        "plays",
    ),
    Attack(
        "constructor_answers",
        first(
            BEFORE_MAIN.format(
                act="unsigned h[14] = {0x59544F54, 4, 0, 40, 3, 0, 0, 0, 2, 0, 2, 0, 2, 0};"
                " write(4, h, sizeof h);"
            )
        ),
        "protocol",
    ),
    Attack(
        "no_player",
        one().replace("return &one;", "return nullptr;"),
        "raised",
        "a null pointer from the function",
    ),
    Attack(
        "wild_player",
        one().replace("return &one;", "return (Player *)0x10;"),
        "died",
        "a pointer that leads nowhere",
    ),
    Attack(
        "loop_in_what",
        one(
            "throw E();",
            top=(
                "struct E : std::exception { const char *what() const noexcept override"
                " { for (volatile int i = 0;;) i = 1; return 0; } };"
            ),
        ),
        "cpu",
    ),
    Attack(
        "null_what",
        one(
            "throw E();",
            top=(
                "struct E : std::exception { const char *what() const noexcept override"
                " { return nullptr; } };"
            ),
        ),
        "died or raised",
    ),
)
"""Files that attack before anybody is asked, or by what they are."""

ATTACKS = (*ASKED, *WHOLE)
NUMBERS = {attack.name: number for number, attack in enumerate(ATTACKS)}


DEEP = "static int deep(int n) { volatile char a[999]; a[0] = n; return deep(a[0]) + a[0]; }"


def all_asked() -> str:
    """Write the file of all attacks of which the bankroll chooses one."""
    acts = "\n".join(f"case {at}: {{ {each.act} }} break;" for at, each in enumerate(ASKED))
    top = f"{HEADERS}\n#include <sys/stat.h>\n{DEEP}\nstatic const char HEAP[64] = {{'x'}};"
    return one(f"switch (bankroll - 1000) {{\n{acts}\n}} return minimum;", top=top)
