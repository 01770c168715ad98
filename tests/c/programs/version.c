/* Prints the version of the library that it runs with, if it is the header's. */
#include <stdio.h>

#include <dxil_translator.h>

int main(void) {
    puts(dxtr_version_text());
    return dxtr_version() == DXTR_VERSION ? 0 : 1;
}
