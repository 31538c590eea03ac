# SPDX-License-Identifier: MIT
"""A process of the library as an algorithm, `wadi erode`."""
import json

from qgis.core import (QgsProcessingOutputString, QgsProcessingParameterEnum, QgsProcessingParameterFile,
                       QgsProcessingParameterFileDestination, QgsProcessingParameterFolderDestination,
                       QgsProcessingParameterRasterDestination, QgsProcessingParameterRasterLayer, QgsProcessingUtils)

from . import command
from .parameters import Algorithm, from_field, hidden, number, setting

SHORT = 8  # parameters that are shown first; the tables name the most used ones first
LAYERS = {"sediment": "loose ground [m]", "water": "standing water [m]", "hardness": "hardness of the rock, 0 to 1",
          "vegetation": "plant cover, 0 to 1", "moisture": "moisture, 0 to 1"}


class Erode(Algorithm):
    group_title = "Erosion"

    def __init__(self, process):
        super().__init__()
        self.process = process
        self.title = process["name"].capitalize()
        self.about = process["doc"] + "\n\nA field that is left empty has the default of the process or of the preset."

    def name(self):
        return self.process["name"]

    def createInstance(self):
        return Erode(self.process)

    def initAlgorithm(self, _configuration=None):
        self.addParameter(QgsProcessingParameterRasterLayer("INPUT", "Elevation [m]"))
        self.addParameter(number("YEARS", "Years, default of the process", None, 0))
        presets = [preset["name"] for preset in self.process["presets"]]
        if presets:
            self.addParameter(QgsProcessingParameterEnum("PRESET", "Preset", presets, False, None, True, True))
        for i, field in enumerate(self.process["fields"]):
            self.addParameter(from_field(field, i >= SHORT))
        self._add_ground()
        self.addParameter(QgsProcessingParameterRasterDestination("OUTPUT", "Eroded elevation"))
        self.addParameter(QgsProcessingParameterFolderDestination("MAPS", "Maps and layers", None, True, False))
        self.addParameter(QgsProcessingParameterFileDestination("REPORT", "Report", "JSON (*.json)", None, True,
                                                                False))
        self.addOutput(QgsProcessingOutputString("STATE_HASH", "Hash of the final state"))

    def _inputs(self):
        """Layers, and the maps that the process takes."""
        maps = {m["name"]: f"{m['doc']} [{m['unit']}]" for m in self.process["maps"] if m["input"]}
        return {**LAYERS, **maps}

    def _add_ground(self):
        for name, label in self._inputs().items():
            self.addParameter(hidden(QgsProcessingParameterRasterLayer(f"LAYER_{name}", f"Map of {label}", None,
                                                                       True)))
        self.addParameter(number("SEDIMENT", "Loose ground everywhere [m]", None, 0, 1000))
        for table in self.process["tables"]:
            columns = ", ".join(column["name"] for column in table["columns"])
            self.addParameter(hidden(QgsProcessingParameterFile(
                f"TABLE_{table['name']}", f"Table of {table['doc']}: {columns}", extension="csv", optional=True)))
        self.addParameter(hidden(number("SEA", "Level of the sea [m]")))
        self.addParameter(number("SEED", "Seed of all random numbers", 0, 0, integer=True, advanced=True))

    def _arguments(self, parameters, context):
        """Options of the command."""
        options = []
        years = self.given(parameters, "YEARS", context)
        options += ["--for", f"{years!r}yr"] if years is not None else []
        if parameters.get("PRESET") not in (None, ""):
            options += ["--preset", self.parameterAsEnumString(parameters, "PRESET", context)]
        for field in self.process["fields"]:
            value = setting(self, field, parameters, context)
            options += ["--set", f"{field['name']}={value}"] if value is not None else []
        for name in self._inputs():
            file = self.file_of(parameters, f"LAYER_{name}", context)
            options += ["--layer", f"{name}={file}"] if file else []
        for table in self.process["tables"]:
            file = self.parameterAsFile(parameters, f"TABLE_{table['name']}", context)
            options += ["--layer", f"{table['name']}={file}"] if file else []
        depth, sea = (self.given(parameters, name, context) for name in ("SEDIMENT", "SEA"))
        options += ["--layer", f"sediment={depth!r}m"] if depth is not None else []
        options += ["--sea", f"{sea!r}m"] if sea is not None else []
        return options + ["--seed", self.parameterAsInt(parameters, "SEED", context)]

    def processAlgorithm(self, parameters, context, feedback):
        output = self.parameterAsOutputLayer(parameters, "OUTPUT", context)
        report = (self.parameterAsFileOutput(parameters, "REPORT", context)
                  or QgsProcessingUtils.generateTempFilename("report.json"))
        maps = self.parameterAsString(parameters, "MAPS", context)
        arguments = ["erode", self.process["name"], self.file_of(parameters, "INPUT", context), "-o", output,
                     "--report", report, *(["--maps", maps] if maps else []), *self._arguments(parameters, context)]
        command.run(arguments, feedback)
        with open(report, encoding="utf-8") as file:
            told = json.load(file)
        return {"OUTPUT": output, "MAPS": maps, "REPORT": report, "STATE_HASH": told["state_hash"]}
