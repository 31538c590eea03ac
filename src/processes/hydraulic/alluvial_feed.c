// SPDX-License-Identifier: MIT
// Load that rivers bring by the capacity of their flow, with `inflow_capacity`.
//
// A load from a table does not know the bed. Water that is spread carries little, so the head of a
// plain rises until its slope is steep enough, and one channel on that slope carries far more than
// comes in. A river that enters in equilibrium with its bed brings what its flow carries there: the
// equilibrium boundary of mobile-bed models.
#include "processes/hydraulic/alluvial.h"

enum
{
    // Moves of a parcel between which the capacity is taken. Cells of the first two have half of
    // their flow, since parcels begin in them. Measured on the plain of test_alluvial_threads, as
    // rise of its head in 4 years: -0.3 to -0.5 m up to move 8, +0.5 m up to move 20.
    FEED_FROM = 2,
    FEED_TO = 14
};

// Load over the volume of water, at equilibrium where a parcel enters.
static double feed_capacity(const alluvial* a, const alluvial_parcel* parcel,
                            const alluvial_node* nodes)
{
    // the last node of a parcel that leaves lies beyond the cells
    const int32_t inside = parcel->end == ALLUVIAL_WALK ? parcel->count : parcel->count - 1;
    const int32_t end = inside < FEED_TO ? inside : FEED_TO;
    double sum = 0.0;
    for (int32_t k = FEED_FROM; k < end; ++k)
    {
        sum += (double)a->offers[nodes[k].cell].capacity;
    }
    return end > FEED_FROM ? sum / (end - FEED_FROM) : 0.0;
}

static void feed_parcel(alluvial* a, alluvial_parcel* parcel, const alluvial_node* nodes)
{
    const double volume = (double)a->rivers[parcel->river].parcel * a->seconds;
    const double water = volume * WADI_UNITS_PER_METRE / (a->cell * a->cell);
    const double want = a->params.inflow_capacity * water * feed_capacity(a, parcel, nodes);
    const int64_t load = want < (double)a->feed ? (int64_t)want : a->feed;
    parcel->load[ALLUVIAL_COARSE] += load;
    a->tally.in[WADI_MATERIAL_SEDIMENT] += load;
    a->feed -= load;
}

// One after the other: all take from the room that the map has for load.
void wadi_alluvial_feed(alluvial* a)
{
    const bool feeds = a->params.inflow_capacity > 0.0 && a->reach.cells == NULL;
    for (int32_t i = 0; i < a->fleet_count && feeds; ++i)
    {
        feed_parcel(a, &a->fleet[i], a->nodes + (int64_t)i * a->longest);
    }
}
