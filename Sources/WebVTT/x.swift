import ByteScan
