# SPDX-License-Identifier: MIT
"""Derived maps, `wadi derive`."""
from qgis.core import (QgsProcessingParameterEnum, QgsProcessingParameterRasterDestination,
                       QgsProcessingParameterRasterLayer, QgsProcessingParameterString)

from . import command
from .parameters import Algorithm, hidden

# normals are a picture and a flood wants a point: both are left to the command
MAPS = ("slope", "aspect", "curvature", "profile_curvature", "plan_curvature", "hillshade", "filled", "depression",
        "d8_direction", "d8_area", "dinf_direction", "dinf_area", "edge_fed", "stability")


class Derive(Algorithm):
    title, group_title = "Derived map", "Measures"
    about = "Slope, curvature, flow and stability of an elevation raster, in real units on grids in metres and degrees."

    def initAlgorithm(self, _configuration=None):
        self.addParameter(QgsProcessingParameterRasterLayer("INPUT", "Elevation [m]"))
        self.addParameter(QgsProcessingParameterEnum("MAP", "Map", MAPS, False, "slope", False, True))
        self.addParameter(hidden(QgsProcessingParameterString(
            "SETTINGS", "Settings of the map, such as depth=2m wetness=0.5", None, False, True)))
        self.addParameter(QgsProcessingParameterRasterDestination("OUTPUT", "Map"))

    def processAlgorithm(self, parameters, context, feedback):
        output = self.parameterAsOutputLayer(parameters, "OUTPUT", context)
        settings = self.parameterAsString(parameters, "SETTINGS", context).split()
        arguments = ["derive", self.parameterAsEnumString(parameters, "MAP", context),
                     self.file_of(parameters, "INPUT", context), "-o", output]
        for text in settings:
            arguments += ["--set", text]
        command.run(arguments, feedback, progress=False)
        return {"OUTPUT": output}
