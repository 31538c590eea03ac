# SPDX-License-Identifier: MIT
"""Parameters of algorithms: what all have in common, and those made from the command's tables."""
from qgis.core import (QgsProcessingAlgorithm, QgsProcessingException, QgsProcessingParameterBoolean,
                       QgsProcessingParameterDefinition, QgsProcessingParameterEnum, QgsProcessingParameterNumber)

ADVANCED = QgsProcessingParameterDefinition.FlagAdvanced


class Algorithm(QgsProcessingAlgorithm):
    """What the algorithms of this provider share: names, help, and files of layers."""

    title, group_title, about = "", "", ""

    def name(self):
        return type(self).__name__.lower()

    def displayName(self):
        return self.title

    def group(self):
        return self.group_title

    def groupId(self):
        return self.group_title.lower()

    def shortHelpString(self):
        return self.about

    def createInstance(self):
        return type(self)()

    def file_of(self, parameters, name, context):
        """The file of a raster, or None."""
        layer = self.parameterAsRasterLayer(parameters, name, context)
        if layer is None:
            return None
        if layer.providerType() != "gdal":
            raise QgsProcessingException(f"{layer.name()} is no file but comes from '{layer.providerType()}': "
                                         "export it as GeoTIFF first")
        return layer.source()

    def given(self, parameters, name, context):
        """A number, or None where it was left empty."""
        return None if parameters.get(name) is None else self.parameterAsDouble(parameters, name, context)


def number(name, label, default=None, low=None, high=None, integer=False, advanced=False):
    """A number that may be left empty."""
    kind = QgsProcessingParameterNumber.Integer if integer else QgsProcessingParameterNumber.Double
    made = QgsProcessingParameterNumber(name, label, kind, default, True)
    if low is not None:
        made.setMinimum(low)
    if high is not None:
        made.setMaximum(high)
    return hidden(made) if advanced else made


def hidden(parameter):
    parameter.setFlags(parameter.flags() | ADVANCED)
    return parameter


def from_field(field, advanced):
    """A parameter of a process. Empty or unchanged: its default, or that of the preset."""
    name, unit = field["name"], field["unit"]
    label = f"{field['doc']}" + ("" if unit == "1" else f" [{unit}]")
    if field["type"] == "enum":
        made = QgsProcessingParameterEnum(name, label, field["values"], False, None, True, True)
    elif field["type"] == "bool":
        made = QgsProcessingParameterBoolean(name, label, None, True)
    else:
        made = number(name, f"{label}, default {field['default']:g}", None, field["min"], field["max"],
                      field["type"] == "int")
    made.setHelp(field.get("source") or "")
    return hidden(made) if advanced else made


def setting(algorithm, field, parameters, context):
    """The value of a parameter as the command's text, or None where it was left empty."""
    name = field["name"]
    if parameters.get(name) in (None, ""):
        return None
    if field["type"] == "enum":
        return algorithm.parameterAsEnumString(parameters, name, context)
    if field["type"] == "bool":
        return "true" if algorithm.parameterAsBool(parameters, name, context) else "false"
    if field["type"] == "int":
        return str(algorithm.parameterAsInt(parameters, name, context))
    return repr(algorithm.parameterAsDouble(parameters, name, context))
