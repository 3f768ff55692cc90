import { keysRpcPath } from '@latchkey/protocol/http/keys'
import { readLimitedText } from '../../http/readLimitedBody.ts'
import { callBytes } from '../../memoryLimits/inFlightBytes.ts'
import type { RpcProxy } from '../../serverDependencies.ts'
import type { KeysApp } from '../http/defineKeysRoute.ts'
import type { IpRateLimit } from '../http/ipRateLimit.ts'
import { KeysError } from '../keysError.ts'

/** Adds the route through which the frame calls blockchain nodes. `rpcBytes` is the maximum size of a request. */
export function nodeRpcRoute(
  app: KeysApp,
  { chain, rpcBytes, limitRate }: { chain: RpcProxy; rpcBytes: number; limitRate: IpRateLimit },
): void {
  app.post(keysRpcPath, async (c) => {
    const body = await readLimitedText(c.req.raw, rpcBytes)
    if (body === undefined) throw new KeysError('input/invalid', 'The call is too long')
    // The body is in memory twice: as it was received, and as it is forwarded.
    c.var.lease.take(callBytes + body.length)
    const answer = await chain.send(c.req.query('chainId') ?? '', body, c.req.raw.signal, {
      // The first call in a batch was already counted as the request itself.
      calls: (count) => (count > 1 ? limitRate(c.env.address, count - 1) : undefined),
      bytes: c.var.lease.take,
    })
    if (answer.kind === 'unsupported') throw new KeysError('input/invalid', 'This network is not supported')
    if (answer.kind === 'unavailable')
      throw new KeysError('server/unavailable', 'No node is available', { seconds: answer.seconds ?? 1 })
    return new Response(answer.body, { headers: { 'content-type': 'application/json' } })
  })
}
