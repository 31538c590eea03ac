// SPDX-License-Identifier: MIT
#include "io/raster/projection_file.h"

#include "io/raster/gdal_session.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PROJECTION_MOST = 1 << 16 // bytes of a file
};

// FILE.prj of FILE.asc. False for a name without an extension.
static bool projection_name(const char* path, char name[PATH_MAX])
{
    const char* dot = strrchr(path, '.');
    const char* slash = strrchr(path, '/');
    const bool has = dot != NULL && (slash == NULL || dot > slash) &&
                     (size_t)(dot - path) + sizeof ".prj" <= PATH_MAX;
    if (has)
    {
        (void)snprintf(name, PATH_MAX, "%.*s.prj", (int)(dot - path), path);
    }
    return has;
}

// The text of a file without its byte order mark, as a definition for GDAL; NULL: no such file, or
// no memory.
static char* projection_text(const char* name)
{
    static const char kind[] = "ESRI::";
    static const char mark[] = "\xEF\xBB\xBF";
    const size_t room = sizeof kind - 1;
    FILE* file = fopen(name, "rb");
    char* text = file != NULL ? calloc(PROJECTION_MOST + sizeof kind, 1) : NULL;
    if (text != NULL)
    {
        memcpy(text, kind, room);
        const size_t size = fread(text + room, 1, PROJECTION_MOST, file);
        if (size >= sizeof mark - 1 && memcmp(text + room, mark, sizeof mark - 1) == 0)
        {
            memmove(text + room, text + room + sizeof mark - 1, size + 2 - sizeof mark);
        }
    }
    if (file != NULL)
    {
        (void)fclose(file);
    }
    return text;
}

// The same as WKT; NULL: it is none.
static char* projection_wkt(const char* definition)
{
    char* exported = NULL;
    OGRSpatialReferenceH system = OSRNewSpatialReference(NULL);
    const bool reads = OSRSetFromUserInput(system, definition) == OGRERR_NONE &&
                       OSRExportToWkt(system, &exported) == OGRERR_NONE;
    char* wkt = reads && exported[0] != '\0' ? strdup(exported) : NULL;
    CPLFree(exported);
    OSRDestroySpatialReference(system);
    return wkt;
}

char* wadi_io_projection_beside(wadi_context* context, const char* path)
{
    char name[PATH_MAX];
    char* text = projection_name(path, name) ? projection_text(name) : NULL;
    char* wkt = text != NULL ? projection_wkt(text) : NULL;
    if (text != NULL && wkt == NULL)
    {
        wadi_log_line(context,
                      "%s is no projection in ESRI's text form, so it is left out; write it with "
                      "gdalsrsinfo -o wkt_esri EPSG:CODE",
                      name);
    }
    free(text);
    return wkt;
}
