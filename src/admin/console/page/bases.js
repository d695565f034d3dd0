export const BASES = ['tst', 'stf', 'stj', 'tjmg', 'trt3', 'eproc'];
