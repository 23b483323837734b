import FuzzCommon

let surface = FuzzTarget.subRip
