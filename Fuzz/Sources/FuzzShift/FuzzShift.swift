import FuzzCommon

let surface = FuzzTarget.shift
