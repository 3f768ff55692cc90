// The whole corpus of typed data.

import { otherTypedDataSamples } from './otherTypedData.ts'
import { permitSamples } from './permit.ts'
import { permit2Samples } from './permit2.ts'
import type { TypedDataSample } from './sample.ts'
import { seaportSamples } from './seaport.ts'

/** Every request for typed data of the corpus. */
export const typedDataSamples: readonly TypedDataSample[] = [
  ...permitSamples,
  ...permit2Samples,
  ...seaportSamples,
  ...otherTypedDataSamples,
]
