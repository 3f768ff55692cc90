import { postFarcaster, postFarcasterFinish } from '@latchkey/protocol/http/keys'
import { parseJson } from '@latchkey/protocol/parseJson'
import { storableText } from '@latchkey/protocol/storableText'
import * as v from 'valibot'
import { readLimitedText } from '../../http/readLimitedBody.ts'
import { createPendingStepStore } from '../../storage/pendingStepStore.ts'
import { hashOf, randomToken, sameText } from '../../storage/secretDigests.ts'
import { defineKeysRoute, type KeysApp } from '../http/defineKeysRoute.ts'
import { KeysError } from '../keysError.ts'
import type { KeysServices } from '../keysServices.ts'

const lifeMs = 10 * 60_000
const waitMs = 25_000
/** How long overlapping polls still succeed after the first one has succeeded, in milliseconds. */
const graceMs = 60_000

const channel = v.object({
  channelToken: v.pipe(v.string(), v.regex(/^[\w-]{1,256}$/)),
  url: v.pipe(storableText(2048), v.url()),
})
const status = v.object({
  state: v.picklist(['pending', 'completed']),
  message: v.optional(storableText(8192)),
  signature: v.optional(v.pipe(v.string(), v.regex(/^0x[0-9a-f]{130}$/i))),
  username: v.optional(storableText(200)),
})
const waiting = v.object({
  token: v.string(),
  url: v.string(),
  nonce: v.string(),
  done: v.nullable(v.object({ userId: v.string(), userName: v.string(), at: v.number() })),
})
type Done = NonNullable<v.InferOutput<typeof waiting>['done']>
const word = v.object({ result: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/i)) })

/** Parses a Sign in with Farcaster message. Returns `undefined` unless its domain, URI, nonce and validity period match. */
export function readFarcasterMessage(
  message: string,
  expected: { domain: string; uri: string; nonce: string; now: number },
): { address: `0x${string}`; fid: string } | undefined {
  const lines = message.split('\n')
  const field = (name: string): string | undefined => {
    const found = lines.filter((line) => line.startsWith(`${name}: `))
    // Reject duplicate fields, because they are ambiguous.
    return found.length === 1 ? found[0]?.slice(name.length + 2) : undefined
  }
  const address = lines[1] ?? ''
  const resources = lines.indexOf('Resources:')
  const fids =
    resources < 0
      ? []
      : lines.slice(resources + 1).flatMap((line) => /^- farcaster:\/\/fid\/(\d{1,20})$/.exec(line)?.[1] ?? [])
  const expires = field('Expiration Time')
  const begins = field('Not Before')
  const isOurs =
    lines[0] === `${expected.domain} wants you to sign in with your Ethereum account:` &&
    /^0x[0-9a-f]{40}$/i.test(address) &&
    field('URI') === expected.uri &&
    field('Version') === '1' &&
    field('Chain ID') === '10' &&
    sameText(field('Nonce') ?? '', expected.nonce) &&
    (expires === undefined || Date.parse(expires) > expected.now) &&
    (begins === undefined || Date.parse(begins) <= expected.now)
  const [fid] = fids
  return isOurs && fid !== undefined && fids.length === 1 ? { address: address as `0x${string}`, fid } : undefined
}

/**
 * Adds the routes for Sign in with Farcaster. They open a relay channel, verify the message that the user signs in the app, and
 * check in the ID registry that the signer owns the fid.
 */
export function farcasterRoutes(app: KeysApp, services: KeysServices): void {
  const { accounts, audit, chain, connection, farcaster, now, origin } = services
  const domain = new URL(origin).host
  const pending = createPendingStepStore({ connection, kind: 'farcaster', data: waiting, lifetimeMs: lifeMs, now })
  const failed = () => new KeysError('farcaster/failed', 'The sign-in with Farcaster failed')

  async function ask<Answer>(
    path: string,
    schema: v.GenericSchema<unknown, Answer>,
    init: RequestInit,
  ): Promise<Answer> {
    if (!farcaster) throw new KeysError('farcaster/unavailable', 'Farcaster is not set up')
    try {
      const answer = await services.fetch(
        new Request(farcaster.relay + path, { ...init, redirect: 'error', signal: AbortSignal.timeout(10_000) }),
      )
      const text = await readLimitedText(answer, 65_536)
      if (!answer.ok || text === undefined) throw new Error(`The relay responded with ${answer.status}`)
      return v.parse(schema, parseJson(text))
    } catch (error) {
      services.log('warn', 'the Farcaster relay request failed', {
        error: error instanceof Error ? error.name : 'unknown',
      })
      throw failed()
    }
  }

  async function owns(address: string, fid: string): Promise<boolean> {
    if (!farcaster) return false
    // `idOf(address)` on the ID registry returns 0 if the address has no fid.
    const data = `0xd94fe832${address.slice(2).toLowerCase().padStart(64, '0')}`
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: farcaster.registry, data }, 'latest'] }
    const answer = await chain.send(farcaster.chainId, JSON.stringify(call), AbortSignal.timeout(10_000))
    if (answer.kind !== 'answered') return false
    const parsed = v.safeParse(word, jsonOf(answer.body))
    return parsed.success && BigInt(parsed.output.result) === BigInt(fid) && BigInt(fid) > 0n
  }

  defineKeysRoute(app, postFarcaster, async ({ context }) => {
    if (!farcaster) throw new KeysError('farcaster/unavailable', 'Farcaster is not set up')
    const flow = context.flow()
    const last = await pending.find(flow)
    if (last && last.data.done === null) return { url: last.data.url }
    await services.spendBy(context, { action: 'farcaster', max: 60, windowMs: lifeMs })
    const nonce = randomToken().replace(/\W|_/g, '')
    const opened = await ask('/v1/channel', channel, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ siweUri: origin, domain, nonce, expirationTime: new Date(now() + lifeMs).toISOString() }),
    })
    if (!/^https?:\/\//.test(opened.url)) throw failed()
    const data = { token: opened.channelToken, url: opened.url, nonce, done: null }
    await pending.put({ flow, secret: hashOf('farcaster', nonce), data })
    return { url: opened.url }
  })

  defineKeysRoute(app, postFarcasterFinish, async ({ context }) => {
    const flow = context.flow()
    const until = now() + waitMs
    for (;;) {
      const step = await pending.find(flow)
      if (!step) throw failed()
      const done = step.data.done ?? (await completed(flow, step.data))
      if (done) {
        if (now() - done.at > graceMs) throw failed()
        const user = await accounts.userById(done.userId)
        if (!user) throw failed()
        if (step.data.done === null) {
          await pending.change(flow, step.secret, { data: { ...step.data, done } })
          await audit.note(user.id, 'signed-in-by-farcaster', done.userName, context.place)
          services.bus.publish(`farcaster ${flow}`)
        }
        context.setCookies.push(...(await accounts.signIn({ userId: user.id, browser: context.browser() })))
        return { status: 'done' as const, user, userName: done.userName }
      }
      if (now() >= until || context.signal.aborted) return { status: 'waiting' as const }
      await services.wake(`farcaster ${flow}`, context.signal)
    }
  })

  async function completed(flow: string, { token, nonce }: v.InferOutput<typeof waiting>): Promise<Done | undefined> {
    const found = await ask('/v1/channel/status', status, { headers: { authorization: `Bearer ${token}` } })
    // Several polls can see the completed status. One of them completes the sign-in, and the others wait for its result.
    if (found.state !== 'completed' || !(await pending.spendTry(flow))) return undefined
    try {
      return await verified(found, nonce)
    } catch (error) {
      await pending.drop(flow)
      throw error
    }
  }

  async function verified(found: v.InferOutput<typeof status>, nonce: string): Promise<Done> {
    const { message, signature } = found
    const params = message && readFarcasterMessage(message, { domain, uri: origin, nonce, now: now() })
    if (!params || !signature) throw failed()
    const { recoverMessageAddress } = await import('viem')
    const signer = await recoverMessageAddress({ message, signature: signature as `0x${string}` }).catch(
      () => undefined,
    )
    if (signer?.toLowerCase() !== params.address.toLowerCase() || !(await owns(params.address, params.fid)))
      throw failed()
    const userName = found.username || `fid:${params.fid}`
    const identity = { provider: 'farcaster', subject: params.fid, name: userName, email: null }
    const { user, isNew } = await accounts.withIdentity(identity)
    if (isNew) await audit.note(user.id, 'account-made')
    return { userId: user.id, userName, at: now() }
  }
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
