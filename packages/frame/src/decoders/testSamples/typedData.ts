// All typed data samples.

import { otherTypedDataSamples } from './otherTypedData.ts'
import { permitSamples } from './permit.ts'
import { permit2Samples } from './permit2.ts'
import type { TypedDataSample } from './sample.ts'
import { seaportSamples } from './seaport.ts'

/** All typed data requests. */
export const typedDataSamples: readonly TypedDataSample[] = [
  ...permitSamples,
  ...permit2Samples,
  ...seaportSamples,
  ...otherTypedDataSamples,
]
