// SPDX-License-Identifier: MIT
#include "support/registered.h"

#include "support/fixture.h"

#include <ice.h>

static fixture registered_fixture;

void registered_add(wadi_context* context)
{
    CHECK_OK(context, wadi_process_register(context, &ice_process));
}

const wadi_context* registered_open(void)
{
    fixture_on_open(registered_add);
    fixture_open(&registered_fixture, 1);
    return registered_fixture.context;
}

void registered_close(void)
{
    fixture_close(&registered_fixture);
    fixture_on_open(NULL);
}
