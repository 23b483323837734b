import FuzzCommon

let surface = FuzzTarget.command
