# SPDX-License-Identifier: MIT
"""Measures of land and of dunes, `wadi judge`: a JSON file, and each number as an output of its own."""
from qgis.core import (QgsProcessing, QgsProcessingParameterEnum, QgsProcessingParameterFile,
                       QgsProcessingParameterFileDestination, QgsProcessingParameterMultipleLayers,
                       QgsProcessingParameterRasterLayer, QgsProcessingParameterString)

from . import command
from .parameters import Algorithm, number

JSON = "JSON (*.json)"


class Judge(Algorithm):
    group_title = "Measures"

    def common(self):
        self.addParameter(QgsProcessingParameterRasterLayer("INPUT", "Elevation [m]"))

    def measures(self):
        self.addParameter(QgsProcessingParameterFileDestination("OUTPUT", "Measures", JSON))

    def judge(self, kind, options, parameters, context, feedback):
        arguments = ["judge", kind, self.file_of(parameters, "INPUT", context), "--json", *options]
        printed = command.run(arguments, feedback, progress=False)
        output = self.parameterAsFileOutput(parameters, "OUTPUT", context)
        with open(output, "w", encoding="utf-8") as file:
            file.write(printed)
        return {"OUTPUT": output, "MEASURES": printed}


class JudgeLand(Judge):
    title = "Judge land"
    about = "Measures of land that running water shaped, each beside its gate; with an earlier raster also wear."

    def initAlgorithm(self, _configuration=None):
        self.common()
        self.addParameter(QgsProcessingParameterRasterLayer("BEFORE", "Earlier elevation [m]", None, True))
        self.addParameter(number("YEARS", "Years between the two", None, 0))
        self.addParameter(number("SEA", "Level of the sea [m]"))
        self.addParameter(QgsProcessingParameterEnum("GATES", "Gates", ("noise", "range", "none"), False, "noise",
                                                     False, True))
        self.measures()

    def processAlgorithm(self, parameters, context, feedback):
        before = self.file_of(parameters, "BEFORE", context)
        years, sea = (self.given(parameters, name, context) for name in ("YEARS", "SEA"))
        options = ["--gates", self.parameterAsEnumString(parameters, "GATES", context)]
        options += ["--before", before] if before else []
        options += ["--years", f"{years!r}yr"] if years is not None else []
        options += ["--sea", f"{sea!r}m"] if sea is not None else []
        return self.judge("land", options, parameters, context, feedback)


class JudgeDunes(Judge):
    title = "Judge dunes"
    about = "Height, spacing, crests, slip faces and kinds of dunes; with earlier rasters their motion and collisions."

    def initAlgorithm(self, _configuration=None):
        self.common()
        self.addParameter(QgsProcessingParameterRasterLayer("SAND", "Thickness of the sand [m]", None, True))
        self.addParameter(QgsProcessingParameterString("DRIFT", "Azimuth of the resultant drift, or none", None, False,
                                                       True))
        self.addParameter(QgsProcessingParameterFile("SERIES", "Winds: hours, direction, speed", extension="csv",
                                                     optional=True))
        self.addParameter(QgsProcessingParameterMultipleLayers("BEFORE", "Earlier elevations, the oldest first",
                                                               QgsProcessing.TypeRaster, None, True))
        self.addParameter(QgsProcessingParameterFileDestination("PICTURE", "Picture of what is counted", "PNG (*.png)",
                                                                None, True, False))
        self.measures()

    def processAlgorithm(self, parameters, context, feedback):
        sand, picture = self.file_of(parameters, "SAND", context), self.parameterAsString(parameters, "PICTURE", context)
        drift, series = (self.parameterAsString(parameters, name, context) for name in ("DRIFT", "SERIES"))
        options = ["--sand", sand] if sand else []
        options += ["--drift", drift] if drift else []
        options += ["--series", series] if series else []
        options += ["--picture", picture] if picture else []
        for layer in self.parameterAsLayerList(parameters, "BEFORE", context) or []:
            options += ["--before", layer.source()]
        return {**self.judge("dunes", options, parameters, context, feedback), "PICTURE": picture}
