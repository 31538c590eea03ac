// SPDX-License-Identifier: MIT
#include "granular/granular_bond_kernel.h"

const granular_kernels granular_kernels_avx2 = {
    granular_contacts_kernel,
    granular_touches_kernel,
    granular_bonds_kernel,
};
