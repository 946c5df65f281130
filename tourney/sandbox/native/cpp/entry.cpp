// The start of a program: before the C library, and before any code of a competitor's files.
//
// The kernel gives every program a clock with its own pages of code and data, random bytes and
// the number of its user. This code removes all of them. It calls no other function, because the
// library is not ready yet.
#include <cstddef>
#include <cstdint>
#include <elf.h>
#include <sys/syscall.h>

namespace {

const uintptr_t PAGE = 4096;
// The kernel maps its pages of data directly below its page of code. Their number depends on the
// kernel, and there are no other mappings so near.
const uintptr_t NEAR = 64 << 10;
const size_t RANDOM_BYTES = 16;  // at the address of AT_RANDOM

#if defined(__x86_64__)
long unmap(uintptr_t address, size_t size) {
    long result;
    asm volatile("syscall"
                 : "=a"(result)
                 : "a"(long(SYS_munmap)), "D"(address), "S"(size)
                 : "rcx", "r11", "memory");
    return result;
}

asm(".globl tourney_entry\n"
    ".type tourney_entry, @function\n"
    "tourney_entry:\n"
    "    xorl %ebp, %ebp\n"
    "    movq %rdx, %r12\n"
    "    movq %rsp, %rdi\n"
    "    call tourney_take_away\n"
    "    movq %r12, %rdx\n"
    "    jmp _start\n");
#elif defined(__aarch64__)
long unmap(uintptr_t address, size_t size) {
    register long number asm("x8") = SYS_munmap;
    register uintptr_t first asm("x0") = address;
    register size_t second asm("x1") = size;
    asm volatile("svc 0" : "+r"(first) : "r"(second), "r"(number) : "memory");
    return long(first);
}

asm(".globl tourney_entry\n"
    ".type tourney_entry, %function\n"
    "tourney_entry:\n"
    "    mov x19, x0\n"
    "    mov x0, sp\n"
    "    bl tourney_take_away\n"
    "    mov x0, x19\n"
    "    b _start\n");
#else
#error "expected a machine of x86_64 or aarch64"
#endif

// Unmap the kernel's code and data for clocks. If the kernel has sealed them, they stay.
void unmap_clock(uintptr_t code, uintptr_t top_of_stack) {
    uintptr_t first = code - NEAR, last = code + NEAR;
    if (first < top_of_stack && top_of_stack <= code) first = top_of_stack;
    if (code < top_of_stack && top_of_stack < last) last = code + PAGE;
    unmap(first, last - first);
}

}  // namespace

extern "C" __attribute__((used, visibility("hidden"))) void tourney_take_away(uintptr_t *stack) {
    uintptr_t *at = stack + 1 + *stack + 1;  // behind the arguments
    while (*at) at++;                        // behind the environment
    Elf64_auxv_t *first = reinterpret_cast<Elf64_auxv_t *>(at + 1);
    uintptr_t code = 0, name = reinterpret_cast<uintptr_t>(stack);
    for (Elf64_auxv_t *each = first; each->a_type != AT_NULL; each++) {
        uint64_t &value = each->a_un.a_val;
        switch (each->a_type) {
        case AT_SYSINFO_EHDR:
            code = value;
            each->a_type = AT_IGNORE;
            value = 0;
            break;
        case AT_RANDOM:
            for (size_t byte = 0; byte < RANDOM_BYTES; byte++)
                reinterpret_cast<volatile uint8_t *>(value)[byte] = uint8_t(17 * byte + 1);
            break;
        case AT_UID:
        case AT_EUID:
        case AT_GID:
        case AT_EGID:
            value = 0;
            break;
        case AT_EXECFN:  // the highest word on the stack
            name = value;
        }
    }
    if (code) unmap_clock(code, (name + 2 * PAGE) & ~(PAGE - 1));
}
