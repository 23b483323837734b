// The kernels for every processor of the architecture.
#include "bytescan_kernels.h"

#define K(name) bytescan_base_##name
#include "../arch/base.h"
#include "../arch/common.h"
#include "../kernels/kernels.h"
