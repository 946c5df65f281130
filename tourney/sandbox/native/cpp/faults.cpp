// Reporting faults of a program as addresses, from which the referee finds the lines.
#include "faults.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <new>
#include <string>
#include <typeinfo>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

extern "C" {
extern char __executable_start, etext;
void __real___cxa_throw(void *, void *, void (*)(void *)) __attribute__((noreturn));
}

namespace tourney {

const char *call_now = "";

namespace {

const int ABORTED = 134;
const int MOST_ADDRESSES = 24;
uintptr_t addresses[MOST_ADDRESSES];
int found = 0;

_Unwind_Reason_Code note(_Unwind_Context *context, void *) {
    int is_exact = 0;
    uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
    if (found == MOST_ADDRESSES || !address) return _URC_END_OF_STACK;
    addresses[found++] = is_exact ? address : address - 1;
    return _URC_NO_REASON;
}

void look_back() {
    found = 0;
    _Unwind_Backtrace(note, nullptr);
}

int spell(char *to, uintptr_t address) {
    int digits = 0;
    for (uintptr_t rest = address; rest; rest >>= 4) digits++;
    for (int at = digits; at > 0; address >>= 4) to[--at] = "0123456789abcdef"[address & 15];
    return digits;
}

void tell(const char *text, size_t length) {
    if (write(2, text, length) < 0) return;  // the file is full
}

void tell_address(uintptr_t address) {
    char word[20] = " ";
    tell(word, 1 + spell(word + 1, address));
}

// Report the end of the program, its innermost address unless 0, and the calls that were found.
void tell_end(const char *why, uintptr_t innermost) {
    tell("\n@ended ", 8);
    tell(why, strlen(why));
    if (innermost) tell_address(innermost);
    for (int at = 0; at < found; at++) tell_address(addresses[at]);
    tell("\n", 1);
}

bool is_ending = false;

// Report an end at an address, and once more with its calls if they can be found: looking back
// allocates memory, which fails after the program has damaged its heap.
void tell_end_with_calls(const char *why, uintptr_t innermost) {
    found = 0;
    tell_end(why, innermost);
    is_ending = true;
    look_back();
    tell_end(why, innermost);
}

char *top;  // of the stack
const intptr_t NEAR = 64 << 20;

// ---- Parts that depend on the processor. Those for aarch64 are untested.

#if defined(__x86_64__)
uintptr_t program_counter(const ucontext_t *context) {
    return context->uc_mcontext.gregs[REG_RIP];
}

// The place of a call to an address without a function: the call has pushed it on the stack.
uintptr_t caller(const ucontext_t *context) {
    return *reinterpret_cast<uintptr_t *>(context->uc_mcontext.gregs[REG_RSP]) - 1;
}

// Whether an instruction that the kernel has blocked reads the processor's own clock.
bool reads_clock(uintptr_t at) {
    const uint8_t *code = reinterpret_cast<const uint8_t *>(at);
    if (code[0] != 0x0F) return false;
    return code[1] == 0x31 || (code[1] == 0x01 && (code[2] == 0xF9 || code[2] == 0xFD));
}
#elif defined(__aarch64__)
uintptr_t program_counter(const ucontext_t *context) {
    return context->uc_mcontext.pc;
}

uintptr_t caller(const ucontext_t *context) {
    return context->uc_mcontext.regs[30] - 1;
}

// The kernel cannot disable the clock of these processors.
bool reads_clock(uintptr_t) {
    return false;
}
#else
#error "expected a machine of x86_64 or aarch64"
#endif

const char *reason(int number, siginfo_t *told, uintptr_t at) {
    if (number == SIGFPE) return "division";
    if (number == SIGILL) return "instruction";
    if (number == SIGBUS) return "pointer";
    char *address = static_cast<char *>(told->si_addr);
    if (told->si_code == SI_KERNEL && at > 4096 && reads_clock(at)) return "clock";
    intptr_t below = top - address;
    return below > 0 && below < NEAR ? "stack" : "pointer";
}

bool is_code(uintptr_t at) {
    return uintptr_t(&__executable_start) <= at && at < uintptr_t(&etext);
}

void on_signal(int number, siginfo_t *told, void *given) {
    const ucontext_t *context = static_cast<ucontext_t *>(given);
    uintptr_t at = program_counter(context);
    const char *word = reason(number, told, at);
    if (is_code(at) && strcmp(word, "stack")) {  // the trace of a full stack would be endless
        tell_end_with_calls(word, at);
    } else {
        found = 0;
        tell_end(word, is_code(at) ? at : caller(context));
    }
    // The signal occurs again and ends the process, because its handler runs only once.
}

// The referee asks for this after the CPU limit, and waits for a moment.
void on_stop(int, siginfo_t *, void *context) {
    tell_end_with_calls("loop", program_counter(static_cast<ucontext_t *>(context)));
    _exit(ABORTED);
}

// Report the place of an intended exit, and exit.
void end(const char *why, int status) {
    if (is_ending) _exit(status);  // looking back has failed
    is_ending = true;
    fflush(nullptr);
    tell_end_with_calls(why, 0);
    _exit(status);
}

char signal_stack[64 << 10];

// ---- Faults of a seat.

Text addresses_words() {
    Text words;
    for (int at = 0; at < found && words.size + 20 < Text::MOST; at++) {
        char digits[20] = {};
        spell(digits, addresses[at]);
        words += at ? " 0x" : "0x";
        words += digits;
    }
    return words;
}

void add_type(Text &to) {
    const std::type_info *type = abi::__cxa_current_exception_type();
    int status = 0;
    char *name = type ? abi::__cxa_demangle(type->name(), nullptr, nullptr, &status) : nullptr;
    to += name ? name : "an exception";
    free(name);
}

}  // namespace

void watch_signals(char *top_of_stack) {
    top = top_of_stack;
    stack_t other = {};
    other.ss_sp = signal_stack;
    other.ss_size = sizeof signal_stack;
    sigaltstack(&other, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(number, &action, nullptr);
    action.sa_sigaction = on_stop;
    sigaction(SIGXCPU, &action, nullptr);
    signal(SIGXFSZ, SIG_IGN);  // output beyond the limit is dropped
}

Fault thrown(uint32_t place, int64_t round) {
    Fault told{place, round, "raised", call_now, Text(), addresses_words()};
    Text &message = told.message;
    (message += call_now) += ": expected an answer, got ";
    try {
        throw;
    } catch (const std::bad_alloc &) {
        told.cause = "memory";
        message += "std::bad_alloc";
    } catch (const std::exception &error) {
        add_type(message);
        (message += ": ") += error.what();
    } catch (const char *text) {
        message += text;
    } catch (const std::string &text) {
        message += text.c_str();
    } catch (...) {
        message += "a thrown ";
        add_type(message);
    }
    return told;
}

}  // namespace tourney

using namespace tourney;

extern "C" {

void __wrap_abort() { end("abort", ABORTED); }
void __cxa_pure_virtual() { end("virtual", ABORTED); }  // the library's would have no place
void __wrap_exit(int status) { end("exit", status); }

// A program that exits does not run any more code of the competitor.
int __wrap___cxa_atexit(void (*)(void *), void *, void *) { return 0; }
int __wrap_atexit(void (*)()) { return 0; }

void __wrap___cxa_throw(void *thrown, void *type, void (*destroy)(void *)) {
    look_back();
    __real___cxa_throw(thrown, type, destroy);
}
}
