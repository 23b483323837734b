import FuzzCommon

let surface = FuzzTarget.tracks
