// SPDX-License-Identifier: MIT
#include "bodies/grains/granular_bond_kernel.h"
#include "bodies/grains/granular_move_kernel.h"

const granular_kernels WADI_ISA_BUILD(granular_kernels) = {
    granular_copy_kernel,    granular_find_kernel,  granular_contacts_kernel,
    granular_touches_kernel, granular_bonds_kernel, granular_move_kernel,
};
