import FuzzCommon

let surface = FuzzTarget.mediaStart
