# SPDX-License-Identifier: MIT
"""Run processes on the active mesh: work in a thread, so that Blender stays alive and Esc stops it."""
import threading

import bpy
import numpy as np

from . import grid, settings, wadi


class Job:
    """Work in a thread; `share` of it is done. What it returns or raises is kept for the operator."""

    def __init__(self, work):
        self.share, self.stopped, self.value, self.error = 0.0, False, None, None
        self._work = work
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        try:
            self.value = self._work(self)
        except Exception as error:  # shown to the user by the operator
            self.error = error

    def progress(self, share, _what):
        self.share = share
        return not self.stopped

    def start(self):
        self._thread.start()

    @property
    def done(self):
        return not self._thread.is_alive()

    def finish(self):
        self._run()


def terrain(heights, cell, layers, chosen, progress):
    """A terrain with the settings of the scene; layers by name lie on it or in it."""
    land = wadi.Terrain.from_array(heights, cell, edges=chosen["edges"], seed=chosen["seed"],
                                   threads=chosen["threads"], progress=progress)
    for name, values in layers.items():
        land[name] = values
    land["surface"] = heights  # layers lie in the ground, not on it
    return land


def choice(context):
    """The settings as plain values, which a thread may read."""
    chosen = settings.of(context)
    names = [chosen.process] + sorted(chosen.partners - {chosen.process})
    groups = {name: getattr(chosen, name) for name in names}
    return {"process": chosen.process, "years": settings.typed(chosen.years) or None, "seed": chosen.seed,
            "edges": chosen.edges, "threads": chosen.threads, "maps": chosen.maps,
            "processes": {name: (group.preset, settings.parameters(group)) for name, group in groups.items()}}


def layers_of(field):
    """Layers that an earlier run, or the user, left as attributes."""
    found = {name: field.attribute(name) for name in grid.LAYERS}
    return {name: values for name, values in found.items() if values is not None and values.any()}


def results(land, process, with_maps):
    """Layers and maps of a run by name."""
    found = {name: land[name] for name in grid.LAYERS if name in land.layers}
    found = {name: values for name, values in found.items() if values.any()}
    if with_maps and process is not None:
        found.update({f"{process.process_name}.{name}": process.map(name) for name in process.maps})
    return found


def run(heights, cell, layers, chosen, progress):
    """Erode heights by the chosen process; returns new heights, layers and maps, and facts."""
    land = terrain(heights, cell, layers, chosen, progress)
    name = chosen["process"]
    preset, parameters = chosen["processes"][name]
    process = settings.KINDS[name](land, preset=preset, **parameters)
    process.run(chosen["years"])
    facts = {"version": wadi.__version__, "process": name, "preset": preset, "parameters": parameters,
             "years": land.clock, "seed": land.seed, "cell": cell, "state_hash": f"{land.state_hash:016x}"}
    return land["surface"], results(land, process, chosen["maps"]), facts


class Worker:
    """Base of operators that work in a thread when a person runs them, and at once in scripts."""

    _job = _timer = None

    def begin(self, context):
        """Read all that the work needs; return a function of the job. Raises ValueError on bad input."""
        raise NotImplementedError

    def end(self, context, value):
        """Put the results where they belong."""
        raise NotImplementedError

    def _start(self, context):
        try:
            return Job(self.begin(context))
        except ValueError as error:
            self.report({"ERROR"}, str(error))
            return None

    def _close(self, context, job):
        if isinstance(job.error, wadi.Cancelled):
            self.report({"INFO"}, "stopped; nothing was changed")
            return {"CANCELLED"}
        if job.error is not None:
            self.report({"ERROR"}, str(job.error))
            return {"CANCELLED"}
        self.end(context, job.value)
        return {"FINISHED"}

    def execute(self, context):
        job = self._start(context)
        if job is None:
            return {"CANCELLED"}
        job.finish()
        return self._close(context, job)

    def invoke(self, context, _event):
        self._job = self._start(context)
        if self._job is None:
            return {"CANCELLED"}
        self._job.start()
        manager = context.window_manager
        manager.progress_begin(0, 1)
        self._timer = manager.event_timer_add(0.1, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self._job.stopped = True
        if event.type == "TIMER":
            context.window_manager.progress_update(self._job.share)
        if not self._job.done:
            return {"RUNNING_MODAL"}
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        return self._close(context, self._job)


class WADI_OT_erode(Worker, bpy.types.Operator):
    """Run the chosen process on the active grid mesh; layers and maps become attributes of its vertices"""

    bl_idname, bl_label, bl_options = "wadi.erode", "Erode mesh", {"REGISTER", "UNDO"}

    def begin(self, context):
        field, chosen = grid.Grid(context.active_object), choice(context)
        self._field = field
        heights, layers = field.heights, layers_of(field)
        return lambda job: run(heights, field.cell, layers, chosen, job.progress)

    def end(self, context, value):
        heights, layers, facts = value
        change = np.abs(heights - self._field.heights).mean()
        self._field.set_heights(heights)
        for name, values in layers.items():
            self._field.set_attribute(name, values)
        self._field.note(**facts)
        self.report({"INFO"}, f"{facts['process']}: {facts['years']:g} yr, mean change {change:.3g} m, "
                              f"state {facts['state_hash']}")


class WADI_OT_resample(bpy.types.Operator):
    """Make a grid mesh with the chosen cell from the active mesh, by vertical rays"""

    bl_idname, bl_label, bl_options = "wadi.resample", "Resample as grid", {"REGISTER", "UNDO"}

    def execute(self, context):
        thing = context.active_object
        if thing is None or thing.type != "MESH":
            self.report({"ERROR"}, "select a mesh object")
            return {"CANCELLED"}
        try:
            made = grid.resample(thing, settings.typed(settings.of(context).cell))
        except ValueError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        context.view_layer.objects.active = made
        return {"FINISHED"}


CLASSES = WADI_OT_erode, WADI_OT_resample


def register():
    for kind in CLASSES:
        bpy.utils.register_class(kind)


def unregister():
    for kind in reversed(CLASSES):
        bpy.utils.unregister_class(kind)
