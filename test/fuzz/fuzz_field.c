// SPDX-License-Identifier: MIT
// Parameters from text: the input is lines of `name=value`, as --set and scene files give them.
// Whatever they say, the parameters stay within their ranges.
#include <wadi/wadi.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void fuzz_line(wadi_context* context, char* line, wadi_hydraulic_params* params)
{
    char* value = strchr(line, '=');
    if (value != NULL)
    {
        *value++ = '\0';
        (void)wadi_field_set_text(context, &wadi_hydraulic_fields, line, value, params);
        (void)wadi_field_nearest(&wadi_hydraulic_fields, line);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    wadi_context* context = NULL;
    char* text = calloc(size + 1, 1);
    if (text == NULL || wadi_context_create(NULL, &context) != WADI_OK)
    {
        free(text);
        return 0;
    }
    memcpy(text, data, size);
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    for (char* line = text; line != NULL;)
    {
        char* end = strchr(line, '\n');
        if (end != NULL)
        {
            *end++ = '\0';
        }
        fuzz_line(context, line, &params);
        line = end;
    }
    if (wadi_fields_check(context, &wadi_hydraulic_fields, &params) != WADI_OK)
    {
        abort();
    }
    wadi_context_destroy(context);
    free(text);
    return 0;
}
