// SPDX-License-Identifier: MIT
#include "granular/granular_bond_kernel.h"
#include "granular/granular_move_kernel.h"

const granular_kernels granular_kernels_base = {
    granular_copy_kernel,    granular_find_kernel,  granular_contacts_kernel,
    granular_touches_kernel, granular_bonds_kernel, granular_move_kernel,
};
