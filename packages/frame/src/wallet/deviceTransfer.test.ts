import { fakeClock } from '@latchkey/core/testing'
import {
  deleteTransfer,
  getTransfer,
  type KeysTransfer,
  postTransfer,
  postTransferStep,
  type TransferStep,
} from '@latchkey/protocol/http/keys'
import { parseRecord } from '@latchkey/vault'
import { openWithVaultKey } from '@latchkey/vault/openVault'
import { createVaultFixture, seededEnvironment } from '@latchkey/vault/testing'
import { expect, test } from 'vitest'
import { type KeysApiClient, KeysServerError } from '../keysApiClient.ts'
import { approveTransfer, requestTransfer } from './deviceTransfer.ts'

const environment = seededEnvironment(47, fakeClock())

/** Creates a fake server with one transfer. Each step wakes the requests that are waiting. */
function mailbox() {
  let transfer: KeysTransfer | undefined
  let waiters: (() => void)[] = []
  const changed = (next: KeysTransfer) => {
    transfer = next
    for (const item of waiters) item()
    waiters = []
    return { transfer }
  }
  const steps = () => [transfer?.offer, transfer?.reveal, transfer?.sealed].filter(Boolean).length
  let tell: (transfer: KeysTransfer) => void
  const request = new Promise<KeysTransfer>((resolve) => {
    tell = resolve
  })
  const client = (async (call: object, { params = {}, body = {}, signal }: Parameters<KeysApiClient>[1] & {} = {}) => {
    signal?.throwIfAborted()
    if (call === postTransfer) {
      const { commitment } = body as { commitment: string }
      const fresh = { offer: null, reveal: null, sealed: null, createdAt: 0, expiresAt: 9e12, isMine: true }
      const made = changed({ id: 't', name: 'Chrome on Linux', commitment, ...fresh })
      tell(made.transfer)
      return made
    }
    if (call === postTransferStep) {
      return changed({ ...transfer!, [params.step as TransferStep]: (body as { value: string }).value })
    }
    if (call !== getTransfer) throw new Error('not here')
    if (steps() <= Number(params.steps)) {
      await new Promise<void>((resolve, reject) => {
        waiters.push(resolve)
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      })
    }
    return { transfer }
  }) as KeysApiClient
  return { client, request, now: () => transfer }
}

const { signal } = new AbortController()

test('a new device receives the vault key after the user picks the matching words on the old device', async () => {
  const { user, vault, store } = await createVaultFixture(environment)
  const { client, request } = mailbox()
  let shown = ''
  let offered: readonly string[] = []
  const dependencies = { keysClient: client, environment, signal }
  const compare = async (words: readonly string[]) => {
    shown = words.join(' ')
    return true
  }
  const getting = requestTransfer({ ...dependencies, compare }, { subject: vault.record })
  const pick = async (sets: readonly (readonly string[])[]) => {
    offered = sets.map((words) => words.join(' '))
    return offered.indexOf(shown)
  }
  await approveTransfer(
    { ...dependencies, openedWith: 'key', pick, confirm: async () => true },
    { transfer: await request, opened: vault },
  )
  const vaultKey = await getting
  expect(new Set(offered).size).toBe(6)
  expect(offered).toContain(shown)
  const opened = await openWithVaultKey({ user, record: parseRecord(store.savedText!), vaultKey, environment, store })
  expect(opened.record.addresses).toEqual(vault.record.addresses)
})

test.each([
  ['the wrong words are selected', 'approval/wrong-words', (right: number) => (right + 1) % 6, true],
  ['a nonexistent set of words is selected', 'approval/wrong-words', () => -1, true],
  ['no set of words is selected', 'approval/mismatch', () => undefined, true],
  ['the right words are selected but the user does not confirm', 'approval/refused', (right: number) => right, false],
] as const)('sends nothing and ends the request when %s', async (_, code, choose, confirmed) => {
  const { vault } = await createVaultFixture(environment)
  const { client, request, now } = mailbox()
  let over = 0
  const both = (async (call, parameters) => {
    if (call !== (deleteTransfer as object)) return client(call, parameters)
    over += 1
    return {}
  }) as KeysApiClient
  const leaving = new AbortController()
  const dependencies = { keysClient: both, environment, signal: leaving.signal }
  let shown = ''
  const compare = async (words: readonly string[]) => {
    shown = words.join(' ')
    return true
  }
  const getting = requestTransfer({ ...dependencies, compare }, { subject: vault.record })
  const picks: number[] = []
  const giving = approveTransfer(
    {
      ...dependencies,
      openedWith: 'key',
      pick: async (sets) => choose(picks[picks.push(sets.findIndex((words) => words.join(' ') === shown)) - 1] ?? 0),
      confirm: async () => confirmed,
    },
    { transfer: await request, opened: vault },
  )
  await expect(giving).rejects.toMatchObject({ code })
  expect([picks.length, now()?.sealed, over]).toEqual([1, null, 1])
  leaving.abort()
  await expect(getting).rejects.toMatchObject({ name: 'AbortError' })
})

test('the new device does not accept a vault if its user reports different words', async () => {
  const { vault } = await createVaultFixture(environment)
  const { client, request } = mailbox()
  const dependencies = { keysClient: client, environment, signal }
  const getting = requestTransfer({ ...dependencies, compare: async () => false }, { subject: vault.record })
  const pick = () => new Promise<undefined>(() => undefined)
  void approveTransfer(
    { ...dependencies, openedWith: 'key', pick, confirm: async () => true },
    { transfer: await request, opened: vault },
  )
  await expect(getting).rejects.toMatchObject({ code: 'approval/mismatch' })
})

test('polling stops when the transfer expires without a result', async () => {
  const clock = fakeClock()
  const own = seededEnvironment(48, clock)
  const { vault } = await createVaultFixture(own)
  let count = 0
  const client = (async (call: object) => {
    const nothing = { offer: null, reveal: null, sealed: null, createdAt: 1_000_000, isMine: true }
    if (call !== postTransfer && ++count === 3) await clock.pass(600_000)
    return { transfer: { id: 't', name: 'x', commitment: 'x', ...nothing, expiresAt: 1_000_000 + 600_000 } }
  }) as KeysApiClient
  const dependencies = { keysClient: client, environment: own, signal, compare: async () => true }
  const getting = requestTransfer(dependencies, { subject: vault.record })
  await expect(getting).rejects.toMatchObject({ code: 'approval/expired' })
  // Three polls and one cancellation.
  expect(count).toBe(4)
})

test('cancelling on the new device deletes the request, and approving it later is rejected', async () => {
  const { vault } = await createVaultFixture(environment)
  const { client, request } = mailbox()
  let attempts = 0
  const both = (async (call, parameters) => {
    if (call === (deleteTransfer as object)) {
      attempts += 1
      return {}
    }
    if (attempts > 0) throw new KeysServerError({ code: 'transfer/unknown', message: '' })
    return client(call, parameters)
  }) as KeysApiClient
  const left = new AbortController()
  const dependencies = { keysClient: both, environment }
  const seen: string[] = []
  const asking = { subject: vault.record, onPosted: ({ id }: { id: string }) => void seen.push(id) }
  const getting = requestTransfer({ ...dependencies, signal: left.signal, compare: async () => true }, asking)
  getting.catch(() => undefined)
  const transfer = await request
  left.abort()
  await expect(getting).rejects.toMatchObject({ name: 'AbortError' })
  expect([seen, attempts]).toEqual([['t'], 1])
  const answering = {
    ...dependencies,
    openedWith: 'key' as const,
    signal,
    pick: async () => 0,
    confirm: async () => true,
  }
  await expect(approveTransfer(answering, { transfer, opened: vault })).rejects.toMatchObject({
    code: 'approval/refused',
  })
})
