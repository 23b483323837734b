import FuzzCommon

let surface = FuzzTarget.sideload
