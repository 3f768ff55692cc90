// All transaction samples.

import { batchSamples } from './batches.ts'
import { coinSamples } from './coin.ts'
import { erc20Samples } from './erc20.ts'
import { erc721Samples } from './erc721.ts'
import { erc1155Samples } from './erc1155.ts'
import { malformedSamples } from './malformed.ts'
import { protocolSamples } from './protocols.ts'
import type { TransactionSample } from './sample.ts'
import { simulationSamples } from './simulations.ts'

/** All transactions and batches. */
export const transactionSamples: readonly TransactionSample[] = [
  ...coinSamples,
  ...erc20Samples,
  ...erc721Samples,
  ...erc1155Samples,
  ...batchSamples,
  ...simulationSamples,
  ...malformedSamples,
  ...protocolSamples,
]
