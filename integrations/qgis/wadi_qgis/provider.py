# SPDX-License-Identifier: MIT
"""The provider: one algorithm for each process, and those of measures, maps and scenes."""
from processing.core.ProcessingConfig import ProcessingConfig, Setting
from qgis.core import QgsProcessingException, QgsProcessingProvider

from . import command
from .derive import Derive
from .erode import Erode
from .judge import JudgeDunes, JudgeLand
from .scene import RunScene


class Provider(QgsProcessingProvider):
    def id(self):
        return "wadi"

    def name(self):
        return "Wadi"

    def load(self):
        ProcessingConfig.settingIcons["Wadi"] = self.icon()
        ProcessingConfig.addSetting(Setting("Wadi", command.SETTING, "Place of the command wadi", "",
                                            valuetype=Setting.FILE))
        ProcessingConfig.readSettings()
        self.refreshAlgorithms()
        return True

    def unload(self):
        ProcessingConfig.removeSetting(command.SETTING)

    def loadAlgorithms(self):
        try:
            processes = command.described(command.find())
        except (QgsProcessingException, OSError, ValueError):
            processes = []  # without the command there is nothing to list; the options say where to set it
        for process in processes:
            self.addAlgorithm(Erode(process))
        for algorithm in (Derive(), JudgeLand(), JudgeDunes(), RunScene()):
            self.addAlgorithm(algorithm)
