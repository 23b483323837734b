import FuzzCommon

let surface = FuzzTarget.kernels
