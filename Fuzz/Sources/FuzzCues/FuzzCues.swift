import FuzzCommon

let surface = FuzzTarget.cues
