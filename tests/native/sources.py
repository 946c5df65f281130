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
    Source("main", 'asm(".globl main\\nmain: ret");', "multiple definition of `main'"),
    Source("start", 'extern "C" void _start() { }', "multiple definition of `_start'"),
    Source(
        "wrapped",
        'extern "C" int __wrap_rand() { return 3; }',
        "multiple definition of `__wrap_rand'",
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
