import { vaultRpcPath } from '@latchkey/protocol/http/vault'
import { readLimitedText } from '../http/readLimitedBody.ts'
import type { VaultApp } from '../keysOrigin/defineRoute.ts'
import type { IpRateLimit } from '../keysOrigin/ipRateLimit.ts'
import { VaultError } from '../keysOrigin/vaultError.ts'
import { callBytes } from '../memoryLimits/inFlightBytes.ts'
import type { RpcProxy } from '../serverDependencies.ts'

/** Adds the route through which the frame calls blockchain nodes. `rpcBytes` is the maximum size of a request. */
export function vaultRpcRoute(
  app: VaultApp,
  { chain, rpcBytes, limitRate }: { chain: RpcProxy; rpcBytes: number; limitRate: IpRateLimit },
): void {
  app.post(vaultRpcPath, async (c) => {
    const body = await readLimitedText(c.req.raw, rpcBytes)
    if (body === undefined) throw new VaultError('input/invalid', 'The call is too long')
    // The body is in memory twice: as it was received, and as it is forwarded.
    c.var.lease.take(callBytes + body.length)
    const answer = await chain.send(c.req.query('chainId') ?? '', body, c.req.raw.signal, {
      // The first call in a batch was already counted as the request itself.
      calls: (count) => (count > 1 ? limitRate(c.env.address, count - 1) : undefined),
      bytes: c.var.lease.take,
    })
    if (answer.kind === 'unsupported') throw new VaultError('input/invalid', 'This network is not supported')
    if (answer.kind === 'unavailable')
      throw new VaultError('server/unavailable', 'No node is available', { seconds: answer.seconds ?? 1 })
    return new Response(answer.body, { headers: { 'content-type': 'application/json' } })
  })
}
