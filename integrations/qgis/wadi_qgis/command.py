# SPDX-License-Identifier: MIT
"""Call the command `wadi`: find it, show its progress, stop it, and pass its errors on."""
import functools
import json
import os
import shutil
import signal
import subprocess

from qgis.core import QgsProcessingException

SETTING = "WADI_COMMAND"


def find():
    """The command: as set in the options of Processing, in the environment, or in PATH."""
    from processing.core.ProcessingConfig import ProcessingConfig
    for place in (ProcessingConfig.getSetting(SETTING), os.environ.get("WADI_COMMAND"), shutil.which("wadi")):
        if place and os.access(place, os.X_OK):
            return place
    raise QgsProcessingException("the command wadi was not found: install it, or set its place under "
                                 "Settings > Options > Processing > Providers > Wadi")


@functools.lru_cache(maxsize=4)
def described(command):
    """The processes of a command with their parameters, as `wadi describe --json` lists them."""
    done = subprocess.run([command, "describe", "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["processes"]


def _follow(process, feedback):
    """Read progress until the command ends; return its other lines."""
    told, stopped = [], False
    for line in process.stderr:
        try:
            feedback.setProgress(100 * float(json.loads(line)["share"]))
        except (ValueError, KeyError, TypeError):
            told.append(line.strip())
            feedback.pushInfo(line.strip())
        if feedback.isCanceled() and not stopped:
            process.send_signal(signal.SIGINT)
            stopped = True
    return told


def run(arguments, feedback, progress=True):
    """Run the command; return what it printed. Raises with the command's own words."""
    line = [find(), *map(str, arguments)] + (["--progress", "json"] if progress else [])
    feedback.pushCommandInfo(" ".join(line))
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        told = _follow(process, feedback)
        printed = process.stdout.read()
    if process.returncode != 0 and not feedback.isCanceled():
        raise QgsProcessingException("\n".join(told) or f"wadi ended with status {process.returncode}")
    feedback.pushInfo(printed)
    return printed
