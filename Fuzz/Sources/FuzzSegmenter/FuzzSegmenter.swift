import FuzzCommon

let surface = FuzzTarget.segmenter
