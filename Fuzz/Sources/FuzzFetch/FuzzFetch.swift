import FuzzCommon

let surface = FuzzTarget.fetch
