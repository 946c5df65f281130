"""Programs that attack, each with the verdicts it may get: the corpus in C++.

Most are one line of a `bet`, and share a program, in which the bankroll chooses. The others are
whole files, as they attack before anybody is asked.
"""

from typing import NamedTuple

from tests.sandbox.cpp.written import one

HEADERS = "\n".join(
    f"#include <{name}>"
    for name in (
        *("unistd.h", "fcntl.h", "signal.h", "sys/socket.h", "sys/mman.h", "sys/syscall.h"),
        *("sys/wait.h", "sys/ptrace.h", "sys/prctl.h", "sys/resource.h", "cstring", "thread"),
        *("setjmp.h", "sys/auxv.h", "sys/uio.h", "ctime", "random", "iostream", "new"),
        *("sched.h", "sys/time.h"),
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
    call("timespec t; syscall(228, 0, &t);", "clock_gettime"),
    call("timespec t; syscall(229, 0, &t);", "clock_getres"),
    call("syscall(201, 0);", "time"),
    call("timeval t; syscall(96, &t, 0);", "gettimeofday"),
    call("syscall(100, 0);", "times"),
    call("unsigned c; syscall(309, &c, 0, 0);", "getcpu"),
    call("syscall(158, 0x1012, 0);", "arch_prctl", "instruction_back"),
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
        "page_of_clocks",
        "volatile char *page = (char *)getauxval(AT_SYSINFO_EHDR); if (!page[0]) return 1;",
        "died",
        "a pointer that leads nowhere",
    ),
    Attack(
        "words_of_clocks",
        "volatile long *page = (long *)0x7ffff7ff7000; if (!page[16]) return 1;",
        "died",
        "a pointer that leads nowhere",
    ),
    Attack(
        "code_of_clocks",
        "volatile char *page = (char *)0x7ffff7ffd000; if (!page[0]) return 1;",
        "died",
        "a pointer that leads nowhere",
    ),
    Attack(
        "cpu_number",
        'unsigned long c; asm volatile(".byte 0xf3,0x48,0x0f,0xc7,0xf8" : "=a"(c));'
        " std::cerr << c; return VSYSCALL(0x400)(0, 0) == 0 ? 1 : minimum;",
        "syscall",
        ", time(",
    ),
    Attack("day", "timeval t; VSYSCALL(0)((long)&t, 0);", "syscall", ", gettimeofday("),
    Attack("processor", "unsigned c; VSYSCALL(0x800)((long)&c, 0);", "syscall", ", getcpu("),
    Attack(
        "processor_of_library", "return sched_getcpu() < 0 ? 1 : minimum;", "syscall", "getcpu("
    ),
    Attack(
        "clock_of_library",
        "timespec t; return __real_clock_gettime(0, &t) ? 1 : minimum;",
        "syscall",
        ", clock_gettime(",
    ),
    Attack(
        "performance",
        'asm volatile(".byte 0x0f,0x01,0xfd" : : "c"(0) : "rax", "rdx");',
        "died",
    ),
    Attack(
        "random_bytes",
        "auto r = (const unsigned char *)getauxval(AT_RANDOM);"
        " return r[0] == 1 && r[15] == 0 ? minimum : 1;",
        "plays",
    ),
    Attack(
        "guard_of_stack",
        'unsigned long guard; asm("movq %%fs:0x28, %0" : "=r"(guard));'
        " return guard == 0x7867564534231200 ? minimum : 1;",
        "plays",
    ),
    Attack(
        "user_by_vector",
        "return getauxval(AT_UID) || getauxval(AT_EGID) || getauxval(AT_SYSINFO_EHDR)"
        " ? 1 : minimum;",
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
    Attack("constructor_raw", first(BEFORE_MAIN.format(act=RAW)), "syscall", RAW_SOCKET),
    Attack(
        "own_read",
        first('extern "C" ssize_t read(int, void *, size_t) { return -1; }'),
        "plays",
    ),
    Attack(
        "own_write",
        first('extern "C" ssize_t write(int, const void *, size_t) { return -1; }'),
        "plays",
    ),
    Attack(
        "own_names_of_the_library",
        first(
            'extern "C" { void *memcpy(void *to, const void *, size_t) { return to; }'
            " void *memset(void *to, int, size_t) { return to; }"
            " void abort() { for (;;) { } } void _exit(int) { for (;;) { } }"
            " int __cxa_atexit(void (*)(void *), void *, void *) { return 1; }"
            " int sigaction(int, const struct sigaction *, struct sigaction *) { return -1; }"
            " int munmap(void *, size_t) { return -1; } char environ_[8]; }"
        ),
        "plays",
    ),
    Attack(
        "own_instance_of_a_template",
        first(
            "struct Other { long a; }; extern char evil[]"
            ' asm("_ZNSt6vectorIlN7tourney13HostAllocatorIlEEE6resizeEm"); char evil[64] = {1};'
        ),
        "plays",
    ),
    Attack(
        "own_start_of_state",
        first('extern "C" { char __start_seat_state[8] = {1}; }'),
        "plays",
    ),
    Attack(
        "own_new_from_statics",
        first(
            "static char room[1 << 14]; static size_t used;"
            " void *operator new(size_t n) { void *p = room + used; used += (n + 15) & -16;"
            " if (used > sizeof room) throw std::bad_alloc(); return p; }"
            " void operator delete(void *) noexcept { }"
            " void operator delete(void *, size_t) noexcept { }"
        ),
        "plays",
    ),
    Attack(
        "own_new_forks",
        one(
            "return *new int(minimum);",
            top=f"{HEADERS}\nvoid *operator new(size_t n) {{ fork(); return calloc(n, 1); }}",
        ),
        "syscall",
        "clone(",
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

HONEST = one("static int n = 0; return minimum + (n++ + rand()) % 7;")
"""Whose wagers depend on all rounds before, and on its own chance."""
ATTACKS = (*ASKED, *WHOLE)
NUMBERS = {attack.name: number for number, attack in enumerate(ATTACKS)}


CLOCKS = (
    'extern "C" int __real_clock_gettime(int, timespec *);\n'
    "static long (*VSYSCALL(long at))(long, long) "
    "{ return (long (*)(long, long))(0xffffffffff600000 + at); }"
)
"""How the library's own clock is called, and the kernel's page of clocks at its fixed address."""
DEEP = "static int deep(int n) { volatile char a[999]; a[0] = n; return deep(a[0]) + a[0]; }"


def all_asked() -> str:
    """Write the file of all attacks of which the bankroll chooses one."""
    acts = "\n".join(f"case {at}: {{ {each.act} }} break;" for at, each in enumerate(ASKED))
    top = (
        f"{HEADERS}\n#include <sys/stat.h>\n{DEEP}\n{CLOCKS}\nstatic const char HEAP[64] = {{'x'}};"
    )
    return one(f"switch (bankroll - 1000) {{\n{acts}\n}} return minimum;", top=top)
