import {
  bundlerMethods,
  paymasterMethods,
  type VaultConfig,
  vaultBundlerPath,
  vaultPaymasterPath,
} from '@latchkey/protocol/http/vault'
import { originAllowed } from '@latchkey/protocol/origins'
import { parseJson } from '@latchkey/protocol/parseJson'
import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import { HttpError } from '../httpError.ts'
import { callBytes } from '../inFlightRequests.ts'
import { readLimitedText } from '../readLimitedBody.ts'
import type { Lease, RpcResponse } from '../serverDependencies.ts'
import type { VaultApp } from '../vault/defineRoute.ts'
import type { Embedders } from '../vault/embedderOrigins.ts'
import { VaultError } from '../vault/vaultError.ts'
import type { Vault } from '../vault/vaultServices.ts'

const dayMs = 24 * 60 * 60_000

/** Returns the public configuration of bundlers and paymasters. */
export function smartAccountConfig({ smart }: Vault): Pick<VaultConfig, 'bundlers' | 'sponsored' | 'paymasters'> {
  if (!smart) return { bundlers: [], sponsored: [], paymasters: [] }
  const bundlers = smart.bundlers.supported()
  return {
    bundlers,
    sponsored: smart.sponsors.supported().filter((chain) => bundlers.includes(chain)),
    paymasters: smart.pagePaymasters,
  }
}

const idSchema = v.union([v.string(), v.number()])
const bundlerCall = v.object({
  jsonrpc: v.literal('2.0'),
  id: idSchema,
  method: v.picklist(bundlerMethods),
  params: v.array(v.unknown()),
})
const publicReads: ReadonlySet<string> = new Set([
  'eth_getUserOperationReceipt',
  'eth_getUserOperationByHash',
  'eth_supportedEntryPoints',
])
const paymasterCall = v.object({ ...bundlerCall.entries, method: v.picklist(paymasterMethods) })

/** Adds the routes for bundlers and paymasters. Calls that can cost the operator money require a sign-in. */
export function smartAccountRoutes(
  app: VaultApp,
  vault: Vault,
  { embedders, rpcBytes }: { embedders: Embedders; rpcBytes: number },
): void {
  const { limits, smart } = vault
  if (!smart) return

  app.post(vaultBundlerPath, async (c) => {
    const call = await callIn(c.req.raw, { schema: bundlerCall, maxBytes: rpcBytes })
    // These results are as public as a block, and a frame on a cross-site page has no cookie to authenticate with.
    if (!publicReads.has(call.method)) await c.var.context.requireSignedIn()
    const { lease } = c.var
    lease.take(callBytes)
    const chainId = c.req.query('chainId') ?? ''
    return answerOf(await smart.bundlers.send(chainId, JSON.stringify(call), c.req.raw.signal, { bytes: lease.take }))
  })

  app.post(vaultPaymasterPath, async (c) => {
    const { user } = await c.var.context.requireSignedIn()
    const call = await callIn(c.req.raw, { schema: paymasterCall, maxBytes: rpcBytes })
    const body = JSON.stringify(call)
    c.var.lease.take(callBytes)
    const url = c.req.query('url')
    if (url !== undefined) return pagesOwn(url, body, c.req.raw.signal, c.var.lease)
    const page = c.req.query('page') ?? ''
    if (!(await canBeSponsored(page))) return refused(call.id, 'Fees are not sponsored for this page')
    const { network } = c.var.context
    const spend = () =>
      limits.spend(
        { action: 'sponsored', key: user.id, max: smart.sponsorDailyPerAccount, windowMs: dayMs },
        { action: 'sponsored-from', key: network, max: smart.sponsorDailyPerAddress, windowMs: dayMs },
        { action: 'sponsored-in-all', max: smart.sponsorDailyTotal, windowMs: dayMs },
      )
    // Stub data is free and is requested before the gas limits are set. Signed data costs money, and final stub data is signed.
    if (call.method === 'pm_getPaymasterData') {
      const cost = costOf(call.params[0])
      if (cost === undefined || cost > smart.sponsorMaxCostWei)
        return refused(call.id, 'The cost is above the sponsoring limit')
      await spend()
    }
    const answer = await smart.sponsors.send(c.req.query('chainId') ?? '', body, c.req.raw.signal, {
      bytes: c.var.lease.take,
    })
    if (call.method === 'pm_getPaymasterStubData' && answer.kind === 'answered' && isFinal(answer.body)) await spend()
    return answerOf(answer)
  })

  // The frame, which runs on the user's machine, reports `page`, so it can be spoofed. The limit per account bounds the cost.
  async function canBeSponsored(page: string): Promise<boolean> {
    if (!(await embedders.may(page))) return false
    const { sponsorOrigins = [] } = smart ?? {}
    if (sponsorOrigins.length === 0) return true
    // Local pages can embed the wallet without being registered, but their fees are sponsored only if they are listed.
    const isUnnamed = originAllowed(page, ['none.invalid'])
    return isUnnamed ? sponsorOrigins.includes(page) : originAllowed(page, sponsorOrigins)
  }

  async function pagesOwn(url: string, body: string, signal: AbortSignal, { take }: Lease): Promise<Response> {
    // Only listed origins are allowed, because a page could otherwise reach the operator's internal network.
    // URLs with credentials are rejected because `fetch` throws on them.
    const request = URL.canParse(url) ? new URL(url) : undefined
    if (!request || request.username || request.password || !smart?.pagePaymasters.includes(request.origin))
      throw new VaultError('input/invalid', 'This paymaster is not allowed here')
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const limit = AbortSignal.any([signal, AbortSignal.timeout(30_000)])
    const answer = await vault
      .fetch(new Request(url, { method: 'POST', body, headers, redirect: 'error', signal: limit }))
      .then((response) => readLimitedText(response, rpcBytes, take))
      .catch((error: unknown) => {
        if (error instanceof HttpError) throw error
        return undefined
      })
    return answerOf(answer === undefined ? { kind: 'unavailable' } : { kind: 'answered', body: answer })
  }
}

const gas = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{1,32}$/i),
  v.transform((text) => BigInt(text)),
)
const costs = v.object({
  callGasLimit: gas,
  verificationGasLimit: gas,
  preVerificationGas: gas,
  paymasterVerificationGasLimit: v.nullish(gas),
  paymasterPostOpGasLimit: v.nullish(gas),
  maxFeePerGas: gas,
})

/** Returns the maximum cost of a user operation in wei, or `undefined` if its gas fields are missing or invalid. */
function costOf(operation: unknown): bigint | undefined {
  const found = read(costs, operation)
  if (!found) return undefined
  const { maxFeePerGas, ...limits } = found
  return maxFeePerGas * Object.values(limits).reduce<bigint>((sum, item) => sum + (item ?? 0n), 0n)
}

const finalAnswer = v.object({ result: v.object({ isFinal: v.literal(true) }) })

function isFinal(body: string): boolean {
  return v.is(finalAnswer, parsed(body))
}

async function callIn<Call>(
  request: Request,
  { schema, maxBytes }: { schema: v.GenericSchema<unknown, Call>; maxBytes: number },
): Promise<Call> {
  const body = await readLimitedText(request, maxBytes)
  if (body === undefined) throw new VaultError('input/invalid', 'The call is too long')
  const call = read(schema, parsed(body))
  if (call === undefined) throw new VaultError('input/invalid', 'This method is not allowed')
  return call
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function refused(id: string | number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code: -32_001, message } })
}

function answerOf(answer: RpcResponse): Response {
  if (answer.kind === 'unsupported') throw new VaultError('input/invalid', 'This network is not supported')
  if (answer.kind === 'unavailable')
    throw new VaultError('server/unavailable', 'The service is not available', { seconds: answer.seconds ?? 1 })
  return new Response(answer.body, { headers: { 'content-type': 'application/json' } })
}
