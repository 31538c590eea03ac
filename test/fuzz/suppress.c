// SPDX-License-Identifier: MIT
// What the leak sanitizer finds in libfyaml 0.7.12 itself: a quoted scalar with eight doubled
// quotes or more ('it''s ...') loses the 2048 bytes of one realloc(). Documents come from malloc(),
// so a document that we forget is still found.
const char* __lsan_default_suppressions(void);

const char* __lsan_default_suppressions(void)
{
    return "leak:realloc";
}
