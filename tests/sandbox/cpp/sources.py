"""Sources that attack whoever compiles them, each with what their author must be told.

Written as the head of a player's file. `BUILDS` is expected of those that do no harm.
"""

from typing import NamedTuple

BUILDS = ""


class Source(NamedTuple):
    """A source that attacks."""

    name: str
    top: str
    told: str  # words of the refusal


def doubled(name: str, first: str, last: str, times: int) -> str:
    """Write macros, each of which is four times the one before."""
    steps = [f"#define {name}{n + 1} {' '.join([f'{name}{n}'] * 4)}" for n in range(times)]
    return "\n".join([f"#define {name}0 {first}", *steps, last.format(f"{name}{times}")])


READ = (
    Source("include", '#include "/etc/passwd"', "/etc/passwd: Permission denied"),
    Source("include_next", '#include_next "/etc/passwd"', "Permission denied"),
    Source("include_macro", "#define F </etc/passwd>\n#include F", "Permission denied"),
    Source("import", '#import "/etc/passwd"', "Permission denied"),
    Source("zero", '#include "/dev/zero"', "/dev/zero: Permission denied"),
    Source("environ", '#include "/proc/self/environ"', "/proc/self/environ: Permission denied"),
    Source("cmdline", '#include "/proc/1/cmdline"', "Permission denied"),
    Source("own_output", '#include "/proc/self/fd/1"', BUILDS),
    Source("above", '#include "../../../../../../etc/hostname"', "Permission denied"),
    Source("above_us", '#include "../../../proc/self/maps"', "Permission denied"),
    Source("shadow", '#include "/etc/shadow"', "Permission denied"),
    Source("dependency", '#pragma GCC dependency "/etc/passwd"', "Permission denied"),
    Source("embed", '#embed "/etc/passwd"', "expected C++ that compiles"),
    Source("incbin", 'asm(".incbin \\"/etc/passwd\\"");', "file not found: /etc/passwd"),
    Source("incbin_memory", 'asm(".incbin \\"/proc/self/mem\\"");', "file not found"),
    Source("asm_include", 'asm(".include \\"/etc/passwd\\"");', "can't open /etc/passwd"),
    Source("itself", '#include "player.cpp"', "expected C++ that compiles"),
    Source("nothing", "#include <sys/nothing.h>", "No such file or directory"),
)
"""To see what is not theirs."""


def section(name: str, flags: str, content: str = "", kind: str = "@progbits") -> str:
    """Write a section of the author's own."""
    return f'asm(".section {name},\\"{flags}\\",{kind}\\n{content}\\n.text");'


NO_SECTION = "expected variables in no section of their own, got one in "
FLAGS = "expected sections as the compiler makes them, got "
NAMES = "expected names of your own, got a definition of "

SHAPES = (
    Source("init_flags", section(".init", "awx"), f"{NO_SECTION}.init"),
    Source("fini_flags", section(".fini", "awx"), f"{NO_SECTION}.fini"),
    Source("plt_flags", section(".plt", "awx"), f"{NO_SECTION}.plt"),
    Source("iplt_flags", section(".iplt", "awx"), f"{NO_SECTION}.iplt"),
    Source("got_flags", section(".got.plt", "awx"), f"{NO_SECTION}.got.plt"),
    Source("text_flags", section(".text.mine", "awx"), f"{FLAGS}seat_code"),
    Source("once_flags", section(".gnu.linkonce.t.mine", "awx"), f"{FLAGS}seat_code"),
    Source("rodata_flags", section(".rodata.mine", "aw"), f"{FLAGS}.rodata.mine"),
    Source("frames_flags", section(".eh_frame", "ax"), f"{FLAGS}.eh_frame"),
    Source("data_flags", section(".data.mine", "awx"), f"{FLAGS}seat_state"),
    Source("bss_flags", section(".bss.mine", "awx", kind="@nobits"), f"{FLAGS}seat_state"),
    Source("relro_flags", section(".data.rel.ro.mine", "awx"), f"{FLAGS}.data.rel.ro"),
    Source("init_array_flags", section(".init_array.5", "awx"), f"{FLAGS}seat_init"),
    Source("thread_flags", section(".tdata.mine", "awxT"), f"{FLAGS}thread_state"),
    Source("our_code", section("seat_code", "awx"), f"{FLAGS}seat_code"),
    Source("our_state", section("seat_state", "awx"), f"{FLAGS}seat_state"),
    Source("empty_interpreter", section(".interp", "a"), f"{NO_SECTION}.interp"),
    Source("dynamic", section(".dynamic", "aw", ".quad 0, 0"), f"{NO_SECTION}.dynamic"),
    Source("note", section(".note.mine", "a", ".long 4, 4, 1, 2, 3"), f"{NO_SECTION}.note.mine"),
    Source("bound", section("bound", "ad", ".quad 1"), f"{NO_SECTION}bound"),
    Source("large_model", section(".lbss", "awl", ".skip 8", "@nobits"), f"{NO_SECTION}.lbss"),
    Source("ctors", section(".ctors", "a", ".quad main"), f"{NO_SECTION}.ctors"),
    Source(
        "preinit",
        section(".preinit_array", "aw", ".quad main", "@preinit_array"),
        f"{NO_SECTION}.preinit_array",
    ),
    Source(
        "ifunc",
        'extern "C" { static int real() { return 1; }'
        " static void *choose() { return (void *)real; }"
        ' int chosen() __attribute__((ifunc("choose"))); }'
        " __attribute__((used)) static int (*keep)() = chosen;",
        "player.cpp:8: expected functions, got one that is chosen as the program starts: chosen",
    ),
    Source(
        "clones",
        '__attribute__((target_clones("avx2", "default"))) int three(int x) { return 3 * x; }',
        "leave out target_clones and ifunc",
    ),
    Source("choice", section(".rela.iplt", "a", ".quad 0, 37, 0"), f"{NO_SECTION}.rela.iplt"),
    Source(
        "transactions",
        '__attribute__((section(".tm_clone_table"), used)) int kept = 3;',
        f"{NO_SECTION}.tm_clone_table",
    ),
    Source("thread_common", 'asm(".tls_common mine, 4, 4");', "thread_local"),
    Source(
        "unique",
        'asm(".type mine, @gnu_unique_object\\n.globl mine\\n.data\\nmine: .quad 1\\n.text");',
        "expected names that stay among your files, got mine",
    ),
    Source(
        "later_code",
        section(".gnu.lto_.mine", "e", ".byte 1"),
        "expected no section of their own, got .gnu.lto_.mine",
    ),
    Source(
        "hidden_object",
        section(".gnu_object_only", "e", ".byte 1"),
        "expected no section of their own, got .gnu_object_only",
    ),
    Source("main", 'asm(".globl main\\nmain: ret");', f"{NAMES}main"),
    Source(
        "weak_main",
        'extern "C" __attribute__((weak)) int main() { return 0; }',
        f"player.cpp:8: {NAMES}main",
    ),
    Source("start", 'extern "C" void _start() { }', f"player.cpp:8: {NAMES}_start"),
    Source(
        "malloc",
        'extern "C" void *malloc(size_t) { return nullptr; }',
        f"player.cpp:8: {NAMES}malloc; give it another name, or replace operator new",
    ),
    Source("free", 'extern "C" void free(void *) { }', f"player.cpp:8: {NAMES}free"),
    Source("wrapped", 'extern "C" int __wrap_rand() { return 3; }', BUILDS),
    Source("entry", 'extern "C" void tourney_entry() { }', BUILDS),
    Source("linker_option", '#pragma comment(linker, "-e evil")', BUILDS),
    Source("retained", "__attribute__((used, retain)) static int kept = 3;", BUILDS),
    Source(
        "unique_of_library",
        '#include <regex>\nstatic std::regex word("a+b"); inline int shared = 3;'
        " template <class T> struct Q { static T v; }; template <class T> T Q<T>::v = 4;"
        " int *use() { return &Q<int>::v; }",
        BUILDS,
    ),
)
"""To have a program that begins elsewhere, or whose memory is not as the page on confinement says.
A name that builds stays among the author's files, and does nothing to the rest of the program."""

MAKE = (
    Source("large", "char large[3u << 30] = {1};", "at most 32 MiB"),
    Source("skip", 'asm(".data\\n.skip 1 << 40, 1\\n.text");', "expected"),
    Source("many", "static char many[1 << 20]; char *use() { return many; }", "at most 65,536"),
    Source("thread", "thread_local int mine = 3; int *use() { return &mine; }", "thread_local"),
    Source(
        "section",
        '__attribute__((section("mine"), used)) static int kept = 3;',
        "expected variables in no section of their own, got one in mine",
    ),
    Source(
        "writable_code",
        'asm(".section both,\\"awx\\",@progbits\\n.quad 1\\n.text");',
        "expected variables in no section of their own, got one in both",
    ),
    Source(
        "interpreter",
        'asm(".section .interp,\\"a\\",@progbits\\n.asciz \\"/bin/sh\\"\\n.text");',
        "expected variables in no section of their own, got one in .interp",
    ),
    Source(
        "forged_sections",
        'asm(".section \\"a b\\\\n  9 c\\",\\"aw\\",@progbits\\n.quad 1\\n.text");',
        "expected",
    ),
    Source("error", "#error \x1b[2J", "expected C++ that compiles"),
    Source("long_error", "#error " + "x" * 60_000, "expected C++ that compiles"),
    Source(
        "escapes", 'static_assert(0, "\\x1b]0;title\\x07\\r\\n");', "expected C++ that compiles"
    ),
    Source("forged_line", '#line 7 "/etc/shadow"\nint x = y;', "expected C++ that compiles"),
    Source("forged_marker", '# 7 "\\033[2Jother.cpp" 1\nint x = y;', "expected C++ that compiles"),
    Source("output_name", 'asm(".file \\"/tmp/left-by-a-compiler\\"");', BUILDS),
    Source(
        "plugin",
        '#pragma GCC optimize ("-fplugin=/tmp/x.so", "-wrapper=/bin/sh", "-B/tmp")',
        BUILDS,
    ),
    Source("optimize", '#pragma GCC optimize ("-o/tmp/left-by-a-compiler")', BUILDS),
    Source("stack", 'asm(".section .note.GNU-stack,\\"x\\",@progbits\\n.text");', BUILDS),
    Source("print", 'asm(".print \\"\\\\033[2J@ended loop\\"");', BUILDS),
)
"""To leave something, to lie, or to have a program that the linker should not make."""

BOMBS = (
    Source("templates", "template <int n> struct T { typename T<n+1>::x y; }; T<0> t;", "expected"),
    Source(
        "constants",
        "constexpr long f(long n, long k) { return n < 2 ? n : f(n-1, 2*k) + f(n-2, 2*k+1); }\n"
        "constexpr long x = f(60, 1);",
        "expected",
    ),
    Source(
        "endless_constant",
        "constexpr int f() { for (;;) { } return 1; } constexpr int x = f();",
        "expected",
    ),
    Source("macros", doubled("A", "int a,", "{}", 20), "expected"),
    Source("nested", "int x = " + "(" * 200_000 + "1" + ")" * 200_000 + ";", "expected"),
    Source("repeated", 'asm(".rept 1 << 30\\n.quad 1\\n.endr");', "expected"),
    Source("asm_macros", 'asm(".macro m\\nm\\nm\\n.endm\\nm");', "expected"),
)
"""To take all of the machine."""
