import FuzzCommon

let surface = FuzzTarget.lines
