// SPDX-License-Identifier: MIT
/// \file goal.h
/// A goal ends the run of a process before its time is over: when the land has been lowered by so
/// much, or drains as well as mountains do. docs/time.md has the rules.
///
///     wadi_goal goal = wadi_goal_default();
///     goal.denude = 200.0;
///     wadi_goal_course course = {0};
///     wadi_solver_pursue(solver, &goal, 1e6, &course); // at most a million years
#pragma once

#include <wadi/process.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// One of the two is given; the other is 0.
typedef struct wadi_goal
{
    uint32_t cookie; ///< Set by wadi_goal_default(). Do not touch.
    double denude;   ///< mean lowering of the land [m]; 0: no such goal
    double until;    ///< erosion index, 0..1 (land_forms.h); 0: no such goal
} wadi_goal;

WADI_API extern const wadi_field_table wadi_goal_fields;
WADI_API wadi_goal wadi_goal_default(void);                 ///< no goal
WADI_API bool wadi_goal_is_set(const wadi_goal* goal);      ///< NULL: false
WADI_API const char* wadi_goal_name(const wadi_goal* goal); ///< "denude", "until", or "" for none
WADI_API const char* wadi_goal_unit(const wadi_goal* goal); ///< "m", or "1"
WADI_API double wadi_goal_value(const wadi_goal* goal);     ///< what is to be reached

/// What a run towards a goal has reached. All zero before it begins. Plain numbers: a caller that
/// saves the solver and this can go on later.
typedef struct wadi_goal_course
{
    bool begun;
    bool met;
    int64_t steps;  ///< of the model, given to the solver
    int64_t volume; ///< of the land at the begin, above `base` [2^-16 m x cells]
    int64_t area;   ///< of the land at the begin [cells]
    int32_t base;   ///< level of the sea at the begin, or 0 [2^-16 m]
    double years;   ///< since the begin, at the last check [yr]
    double reached; ///< lowering [m] or erosion index at the last check
} wadi_goal_course;

/// Run a process until its goal is met, for at most \p longest years in (0, 1e9]. The goal is
/// checked at the begin and after each step of the model, the erosion index after every tenth, and
/// at the end; the last step may be shorter. So the result does not depend on how calls, stops and
/// checkpoints divide the time.
///
/// The mean lowering of the land is what its volume above the sea has lost, over its area at the
/// begin: matter that a river lays down on land, or above the sea, has not been lost.
///
/// Fails with WADI_ERROR_CANCELLED when the progress hook stops the run: the same call goes on.
/// Fails with WADI_ERROR_ARGUMENT without a goal, with two, and for a model without fixed steps.
/// The clock does not move: advance it by course->years. A goal that is not met in time is no
/// failure: course->met is false.
WADI_API wadi_result wadi_solver_pursue(wadi_solver* solver, const wadi_goal* goal, double longest,
                                        wadi_goal_course* course);

/// Whether a process can have a goal, and the goal is valid: what wadi_solver_pursue() checks
/// first.
WADI_API wadi_result wadi_goal_check(wadi_context* context, const wadi_goal* goal,
                                     const wadi_process* process, const void* params);

#ifdef __cplusplus
}
#endif
