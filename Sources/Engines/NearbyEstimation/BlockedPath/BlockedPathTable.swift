// Written by Scripts/fit-nlos; Docs/blocked-paths.md names the recordings.

extension BlockedPathModel {
  static let dw1000 = Fit(
    mean: [5.77475, -81.99106, -87.76581, 1.76103, 3.76411, -4.80499, 3.53509, -0.02233],
    spread: [5.21886, 3.39189, 6.67008, 0.81417, 3.13769, 8.09968, 0.73807, 0.22222],
    table: [
      nil,
      nil,
      // power
      Coefficients(0.13205, [0.00000, -1.35026, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000]),
      // range, power
      Coefficients(-0.03716, [0.00000, -2.82641, 0.00000, 0.18688, -1.29560, 1.06910, 0.00000, 0.00000]),
      // first path power
      Coefficients(-0.05401, [0.00000, 0.00000, -1.99585, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000]),
      // range, first path power
      Coefficients(-0.43052, [0.00000, 0.00000, -2.64834, -0.45959, -0.97314, 0.00000, 0.00000, 0.00000]),
      // power, first path power
      Coefficients(-0.01215, [1.43492, -1.20590, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000]),
      // range, power, first path power
      Coefficients(-0.31689, [1.65669, -2.38466, 0.00000, -0.48638, -1.27938, 0.30095, 0.00000, 0.00000]),
      // amplitudes
      Coefficients(0.01350, [0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, -2.01964, 0.00000]),
      // range, amplitudes
      Coefficients(-0.35200, [0.00000, 0.00000, 0.00000, -0.35119, -1.16457, 0.00000, -2.72063, 0.00000]),
      // power, amplitudes
      Coefficients(0.04966, [0.00000, -0.29930, 0.00000, 0.00000, 0.00000, 0.00000, -1.82635, 0.00000]),
      // range, power, amplitudes
      Coefficients(-0.25155, [0.00000, -1.67518, 0.00000, -0.46684, -1.35329, 0.67928, -2.17097, 0.00000]),
      // first path power, amplitudes
      Coefficients(0.00341, [0.00000, 0.00000, -0.94901, 0.00000, 0.00000, 0.00000, -1.15978, 0.00000]),
      // range, first path power, amplitudes
      Coefficients(-0.38589, [0.00000, 0.00000, -1.24298, -0.46737, -1.14366, 0.00000, -1.68997, 0.00000]),
      // power, first path power, amplitudes
      Coefficients(0.03036, [0.70897, -0.68916, 0.00000, 0.00000, 0.00000, 0.00000, -1.04772, 0.00000]),
      // range, power, first path power, amplitudes
      Coefficients(-0.27863, [0.56936, -1.85858, 0.00000, -0.51116, -1.35643, 0.52982, -1.58994, 0.00000]),
      nil,
      nil,
      nil,
      nil,
      nil,
      nil,
      nil,
      nil,
      // amplitudes, noise
      Coefficients(-0.22589, [0.00000, 0.00000, 0.00000, 0.00000, 0.00000, 0.00000, -1.77191, -1.19457]),
      // range, amplitudes, noise
      Coefficients(-0.45560, [0.00000, 0.00000, 0.00000, -0.37219, -1.38862, 0.00000, -2.57945, -1.20709]),
      // power, amplitudes, noise
      Coefficients(-0.11148, [0.00000, 0.71675, 0.00000, 0.00000, 0.00000, 0.00000, -2.35153, -1.39543]),
      // range, power, amplitudes, noise
      Coefficients(-0.47190, [0.00000, -1.21616, 0.00000, -0.54240, -1.21421, 1.09994, -2.37410, -1.14084]),
      // first path power, amplitudes, noise
      Coefficients(-0.22973, [0.00000, 0.00000, -1.11034, 0.00000, 0.00000, 0.00000, -0.74660, -1.20205]),
      // range, first path power, amplitudes, noise
      Coefficients(-0.48293, [0.00000, 0.00000, -1.33046, -0.51370, -1.35082, 0.00000, -1.47753, -1.22020]),
      // power, first path power, amplitudes, noise
      Coefficients(-0.10058, [1.19497, 0.03750, 0.00000, 0.00000, 0.00000, 0.00000, -1.04839, -1.44123]),
      // range, power, first path power, amplitudes, noise
      Coefficients(-0.48750, [0.85580, -1.48501, 0.00000, -0.61850, -1.20368, 0.86408, -1.51534, -1.16858]),
    ])
}
