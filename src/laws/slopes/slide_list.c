// SPDX-License-Identifier: MIT
#include "laws/slopes/slide_list.h"

enum
{
    SLIDE_LIST_FAILURES = 64, // first room
    SLIDE_LIST_CELLS = 1024
};

void wadi_slide_list_destroy(wadi_context* context, slide_list* list)
{
    wadi_free(context, list->failures);
    wadi_free(context, list->cells);
    *list = (slide_list){0};
}

wadi_result wadi_slide_list_begin(wadi_context* context, slide_list* list, double time)
{
    WADI_GROW(context, list->failures, list->count, list->room, SLIDE_LIST_FAILURES, "slides");
    list->failures[list->count] =
        (slide_failure){.number = list->count + 1, .first = list->cell_count, .time = time};
    ++list->count;
    return WADI_OK;
}

wadi_result wadi_slide_list_add(wadi_context* context, slide_list* list, slide_cell cell)
{
    WADI_GROW(context, list->cells, list->cell_count, list->cell_room, SLIDE_LIST_CELLS,
              "cells of slides");
    slide_failure* last = &list->failures[list->count - 1];
    list->cells[list->cell_count] = cell;
    ++list->cell_count;
    ++last->count;
    last->units += cell.depth;
    return WADI_OK;
}
