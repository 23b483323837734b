import FuzzCommon

let surface = FuzzTarget.timestampMap
