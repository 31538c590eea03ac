// SPDX-License-Identifier: MIT
/// \file wadi_mpi.h
/// Windows of a grid on MPI ranks: library wadi_mpi, which the library itself never needs. Each
/// rank has one window, a context with its partition, and makes the same calls as all others:
///
///     MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
///     wadi_windows_def windows = wadi_windows_def_default();
///     // its size, edges, and columns x rows, which is the number of ranks
///     wadi_mpi_create(MPI_COMM_WORLD, context, &windows, &mpi);
///     wadi_context_def def = wadi_context_def_default();
///     def.partition = *wadi_mpi_partition(mpi);
///     wadi_context_create(&def, &window); // terrains of this context hold the rank's window
///
/// Hash, ledger and saved states are those of the whole grid (window.h); a state that ranks have
/// saved goes on with any number of ranks, in windows of one process, and on the whole grid. A rank
/// whose call fails must end all others by MPI_Abort(), since they wait for it.
#pragma once

#include <wadi/window.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_mpi wadi_mpi;

/// The window of this rank. The columns times the rows of windows must be the number of ranks:
/// WADI_ERROR_ARGUMENT otherwise, with its message in \p context. On failure *out is NULL.
wadi_result wadi_mpi_create(MPI_Comm ranks, wadi_context* context, const wadi_windows_def* def,
                            wadi_mpi** out);
/// Destroy it after the contexts with its partition, and before MPI_Finalize(). NULL is allowed.
void wadi_mpi_destroy(wadi_mpi* mpi);
/// For wadi_context_def; valid as long as \p mpi.
const wadi_partition* wadi_mpi_partition(const wadi_mpi* mpi);
/// Exchanges of halos, sums and tables so far: each costs a round of messages.
int64_t wadi_mpi_rounds(const wadi_mpi* mpi);

/// Why an exchange of this rank has failed, such as a lack of memory; NULL: none has.
const char* wadi_mpi_failure(const wadi_mpi* mpi);

#ifdef __cplusplus
}
#endif
