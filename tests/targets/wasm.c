/* WebAssembly without a C library: what libc.c needs, from the program that runs it (wasm.mjs). */
#include "libc/machine.h"

extern unsigned char __heap_base[];
uintptr_t machine_heap;

int main(void);
int start(void);

__attribute__((export_name("start"))) int start(void)
{
    machine_heap = (uintptr_t)__heap_base;
    return main();
}
