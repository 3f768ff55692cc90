import {
  bundlerMethods,
  type KeysOriginConfig,
  keysBundlerPath,
  keysPaymasterPath,
  paymasterMethods,
} from '@latchkey/protocol/http/keys'
import { parseJson } from '@latchkey/protocol/parseJson'
import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import { HttpError } from '../../errors/httpError.ts'
import { readLimitedText } from '../../http/readLimitedBody.ts'
import { callBytes } from '../../memoryLimits/inFlightBytes.ts'
import type { Lease, RpcResponse } from '../../serverDependencies.ts'
import type { KeysApp } from '../http/defineKeysRoute.ts'
import type { Embedders } from '../http/embedderOrigins.ts'
import { KeysError } from '../keysError.ts'
import type { KeysServices } from '../keysServices.ts'
import { createGasSponsorship, isFinalStub } from './gasSponsorship.ts'

/** Returns the public configuration of bundlers and paymasters. */
export function smartAccountConfig({
  smart,
}: KeysServices): Pick<KeysOriginConfig, 'bundlers' | 'sponsored' | 'paymasters'> {
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
  app: KeysApp,
  services: KeysServices,
  { embedders, rpcBytes }: { embedders: Embedders; rpcBytes: number },
): void {
  const { smart } = services
  if (!smart) return
  const sponsorship = createGasSponsorship({ smart, limits: services.limits, embedders })

  app.post(keysBundlerPath, async (c) => {
    const call = await callIn(c.req.raw, { schema: bundlerCall, maxBytes: rpcBytes })
    // These results are public, like blocks, and a frame on a cross-site page has no cookie to authenticate with.
    if (!publicReads.has(call.method)) await c.var.context.requireSignedIn()
    const { lease } = c.var
    lease.take(callBytes)
    const chainId = c.req.query('chainId') ?? ''
    return answerOf(await smart.bundlers.send(chainId, JSON.stringify(call), c.req.raw.signal, { bytes: lease.take }))
  })

  app.post(keysPaymasterPath, async (c) => {
    const { user } = await c.var.context.requireSignedIn()
    const call = await callIn(c.req.raw, { schema: paymasterCall, maxBytes: rpcBytes })
    const body = JSON.stringify(call)
    c.var.lease.take(callBytes)
    const url = c.req.query('url')
    if (url !== undefined) return pagesOwn(url, body, c.req.raw.signal, c.var.lease)
    const page = c.req.query('page') ?? ''
    if (!(await sponsorship.allowsPage(page))) return refused(call.id, 'Fees are not sponsored for this page')
    const payer = { account: user.id, network: c.var.context.network }
    // Stub data is free and is requested before the gas limits are set. Signed data costs money, and final stub data is signed.
    if (call.method === 'pm_getPaymasterData') {
      if (!sponsorship.allowsCost(call.params[0])) return refused(call.id, 'The cost is above the sponsoring limit')
      await sponsorship.count(payer)
    }
    const answer = await smart.sponsors.send(c.req.query('chainId') ?? '', body, c.req.raw.signal, {
      bytes: c.var.lease.take,
    })
    if (call.method === 'pm_getPaymasterStubData' && answer.kind === 'answered' && isFinalStub(parsed(answer.body)))
      await sponsorship.count(payer)
    return answerOf(answer)
  })

  async function pagesOwn(url: string, body: string, signal: AbortSignal, { take }: Lease): Promise<Response> {
    // Only listed origins are allowed, because a page could otherwise reach the operator's internal network.
    // URLs with credentials are rejected because `fetch` throws on them.
    const request = URL.canParse(url) ? new URL(url) : undefined
    if (!request || request.username || request.password || !smart?.pagePaymasters.includes(request.origin))
      throw new KeysError('input/invalid', 'This paymaster is not allowed here')
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const limit = AbortSignal.any([signal, AbortSignal.timeout(30_000)])
    const answer = await services
      .fetch(new Request(url, { method: 'POST', body, headers, redirect: 'error', signal: limit }))
      .then((response) => readLimitedText(response, rpcBytes, take))
      .catch((error: unknown) => {
        if (error instanceof HttpError) throw error
        return undefined
      })
    return answerOf(answer === undefined ? { kind: 'unavailable' } : { kind: 'answered', body: answer })
  }
}

async function callIn<Call>(
  request: Request,
  { schema, maxBytes }: { schema: v.GenericSchema<unknown, Call>; maxBytes: number },
): Promise<Call> {
  const body = await readLimitedText(request, maxBytes)
  if (body === undefined) throw new KeysError('input/invalid', 'The call is too long')
  const call = read(schema, parsed(body))
  if (call === undefined) throw new KeysError('input/invalid', 'This method is not allowed')
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
  if (answer.kind === 'unsupported') throw new KeysError('input/invalid', 'This network is not supported')
  if (answer.kind === 'unavailable')
    throw new KeysError('server/unavailable', 'The service is not available', { seconds: answer.seconds ?? 1 })
  return new Response(answer.body, { headers: { 'content-type': 'application/json' } })
}
