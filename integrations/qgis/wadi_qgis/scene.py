# SPDX-License-Identifier: MIT
"""A scene file, `wadi run`."""
import json
import os

from qgis.core import (QgsProcessingOutputString, QgsProcessingParameterBoolean, QgsProcessingParameterFile,
                       QgsProcessingParameterFolderDestination)

from . import command
from .parameters import Algorithm


class RunScene(Algorithm):
    title, group_title = "Run a scene", "Erosion"
    about = "Run a scene file: terrain, several processes in one timeline, edits and outputs."

    def initAlgorithm(self, _configuration=None):
        self.addParameter(QgsProcessingParameterFile("SCENE", "Scene", extension="yaml"))
        self.addParameter(QgsProcessingParameterBoolean("CHECK", "Only check it", False))
        self.addParameter(QgsProcessingParameterFolderDestination("OUTPUT", "Outputs"))
        self.addOutput(QgsProcessingOutputString("STATE_HASH", "Hash of the final state"))

    def processAlgorithm(self, parameters, context, feedback):
        folder = self.parameterAsString(parameters, "OUTPUT", context)
        os.makedirs(folder, exist_ok=True)
        scene = self.parameterAsFile(parameters, "SCENE", context)
        if self.parameterAsBool(parameters, "CHECK", context):
            command.run(["run", scene, "-o", folder, "--check"], feedback, progress=False)
            return {"OUTPUT": folder, "STATE_HASH": ""}
        report = os.path.join(folder, "report.json")
        command.run(["run", scene, "-o", folder, "--report", report], feedback)
        with open(report, encoding="utf-8") as file:
            return {"OUTPUT": folder, "STATE_HASH": json.load(file)["state_hash"]}
