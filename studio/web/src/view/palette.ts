// SPDX-License-Identifier: MIT
// Colours of the ground, linear light.

export type Colour = [number, number, number];

export interface Palette {
  sandDark: Colour;
  sandLight: Colour;
  rockDark: Colour;
  rockLight: Colour;
  plain: Colour;
  plant: Colour;
  sandFull: number; // m of loose matter that hide the rock
}

export const desert: Palette = {
  sandDark: [0.52, 0.285, 0.115],
  sandLight: [0.62, 0.38, 0.175],
  rockDark: [0.2, 0.122, 0.083],
  rockLight: [0.385, 0.26, 0.175],
  plain: [0.36, 0.25, 0.165],
  plant: [0.1, 0.125, 0.04],
  sandFull: 0.5,
};

export const land: Palette = {
  sandDark: [0.21, 0.185, 0.115],
  sandLight: [0.31, 0.27, 0.175],
  rockDark: [0.105, 0.097, 0.09],
  rockLight: [0.3, 0.275, 0.245],
  plain: [0.155, 0.155, 0.08],
  plant: [0.055, 0.105, 0.025],
  sandFull: 2.0,
};
