// Prints the table of public functions, as it is built: module, signature and doc of each, apart by tabs. tools/ reads it.
#include <cstdio>

#include "api/function_table.h"

int main() {
  for (const cotan::table::Function& f : cotan::table::all_functions())
    std::printf("%s\t%s\t%s\n", f.module.c_str(), f.record->signature, f.record->doc);
}
