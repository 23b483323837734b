import FuzzCommon

let surface = FuzzTarget.finalCue
