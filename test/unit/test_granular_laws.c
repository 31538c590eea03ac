// SPDX-License-Identifier: MIT
// Contacts between materials: springs in series, friction in the geometric mean, mud over dry
// grains.
#include "support/soil.h"

#include "bodies/grains/granular.h"

static void contacts_join_two_materials(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 4);
    s.material_count = 2;
    s.materials[1] = s.materials[0];
    s.materials[0].stiffness = 1000.0;
    s.materials[1].stiffness = 3000.0;
    s.materials[0].friction = 0.2;
    s.materials[1].friction = 0.8;
    s.materials[0].mud_friction = 0.25;
    s.materials[1].mud_friction = 1.0;
    (void)soil_add(&s, 0.0, 0.0, 0.0, 0.01);
    soil_add(&s, 1.0, 0.0, 0.0, 0.01)->material = 1;
    soil_make(&s);
    const granular_contact* table = s.grains->contacts;
    const int32_t kinds = s.grains->kinds;
    assert_int_equal(kinds, 4);
    CHECK_NEAR(table[0].stiffness, 1000.0, 1e-9);
    CHECK_NEAR(table[1].stiffness, 1500.0, 1e-9); // 2 a b / (a + b)
    CHECK_NEAR(table[1].friction, 0.4, 1e-12);
    CHECK_NEAR(table[2].friction, 0.2 * 0.5, 1e-12); // dry on mud of the same: sqrt(1 / 4)
    CHECK_NEAR(table[2 * kinds + 2].friction, 0.05, 1e-12);
    soil_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_join_two_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
