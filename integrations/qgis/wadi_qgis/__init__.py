# SPDX-License-Identifier: MIT
"""Wadi in QGIS: a provider of Processing over the command `wadi`."""


def classFactory(_interface):
    from .plugin import Plugin
    return Plugin()
