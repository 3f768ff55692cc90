import { fakeClock } from '@latchkey/core/testing'
import {
  deleteTransfer,
  getTransfer,
  postTransfer,
  postTransferStep,
  type TransferStep,
  type VaultTransfer,
} from '@latchkey/protocol/http/vault'
import { expect, test } from 'vitest'
import { parseRecord } from './keys/index.ts'
import { openWithVaultKey } from './keys/open.ts'
import { ownedVault } from './keys/testing/ownedVault.ts'
import { seededMachine } from './keys/testing/seededMachine.ts'
import { answerTransfer, askTransfer } from './transfer.ts'
import { type VaultClient, VaultRefusal } from './vaultClient.ts'

const machine = seededMachine(47, fakeClock())

/** The server's mailbox: one transfer, and whoever waits is woken by each step. */
function mailbox() {
  let transfer: VaultTransfer | undefined
  let wake: (() => void)[] = []
  const changed = (next: VaultTransfer) => {
    transfer = next
    for (const each of wake) each()
    wake = []
    return { transfer }
  }
  const steps = () => [transfer?.offer, transfer?.reveal, transfer?.sealed].filter(Boolean).length
  let tell: (transfer: VaultTransfer) => void
  const asked = new Promise<VaultTransfer>((resolve) => {
    tell = resolve
  })
  const client = (async (call: object, { params = {}, body = {}, signal }: Parameters<VaultClient>[1] & {} = {}) => {
    signal?.throwIfAborted()
    if (call === postTransfer) {
      const { name, commitment } = body as { name: string; commitment: string }
      const fresh = { offer: null, reveal: null, sealed: null, createdAt: 0, expiresAt: 9e12, isMine: true }
      const made = changed({ id: 't', name, commitment, ...fresh })
      tell(made.transfer)
      return made
    }
    if (call === postTransferStep) {
      return changed({ ...transfer!, [params.step as TransferStep]: (body as { value: string }).value })
    }
    if (call !== getTransfer) throw new Error('not here')
    if (steps() <= Number(params.steps)) {
      await new Promise<void>((resolve, reject) => {
        wake.push(resolve)
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      })
    }
    return { transfer }
  }) as VaultClient
  return { client, asked, now: () => transfer }
}

const { signal } = new AbortController()

test('a new device gets the key of the vault from an old one, when both persons see the same words', async () => {
  const { user, vault, store } = await ownedVault(machine)
  const { client, asked } = mailbox()
  const seen: string[] = []
  const compare = async (words: readonly string[]) => seen.push(words.join(' ')) > 0
  const needs = { vault: client, machine, signal, compare }
  const getting = askTransfer(needs, { subject: vault.record, name: 'Phone' })
  await answerTransfer(needs, { transfer: await asked, opened: vault })
  const vaultKey = await getting
  expect(new Set(seen).size).toBe(1)
  expect(seen).toHaveLength(2)
  const opened = await openWithVaultKey({ user, record: parseRecord(store.saved!), vaultKey, machine, store })
  expect(opened.record.addresses).toEqual(vault.record.addresses)
})

test('nothing is sent when the old device says no, and nothing is taken when the new one does', async () => {
  const { vault } = await ownedVault(machine)
  for (const [onNew, onOld] of [
    [true, false],
    [false, true],
  ] as const) {
    const { client, asked, now } = mailbox()
    const leaving = new AbortController()
    const needs = { vault: client, machine, signal: leaving.signal }
    const getting = askTransfer({ ...needs, compare: async () => onNew }, { subject: vault.record, name: 'Phone' })
    const giving = answerTransfer({ ...needs, compare: async () => onOld }, { transfer: await asked, opened: vault })
    if (!onOld) {
      await expect(giving).rejects.toMatchObject({ code: 'approval/mismatch' })
      expect(now()?.sealed).toBe(null)
      leaving.abort()
    }
    await expect(getting).rejects.toMatchObject(onNew ? { name: 'AbortError' } : { code: 'approval/mismatch' })
    await giving.catch(() => undefined)
  }
})

test('a server that never has an answer is not asked for ever', async () => {
  const clock = fakeClock()
  const own = seededMachine(48, clock)
  const { vault } = await ownedVault(own)
  let count = 0
  const client = (async (call: object) => {
    const nothing = { offer: null, reveal: null, sealed: null, createdAt: 1_000_000, isMine: true }
    if (call !== postTransfer && ++count === 3) await clock.pass(600_000)
    return { transfer: { id: 't', name: 'x', commitment: 'x', ...nothing, expiresAt: 1_000_000 + 600_000 } }
  }) as VaultClient
  const needs = { vault: client, machine: own, signal, compare: async () => true }
  const getting = askTransfer(needs, { subject: vault.record, name: 'Phone' })
  await expect(getting).rejects.toMatchObject({ code: 'approval/expired' })
  // Three questions, and the word that it is over.
  expect(count).toBe(4)
})

test('what one side refuses is gone for the other, which is told so; whoever leaves takes it back', async () => {
  const { vault } = await ownedVault(machine)
  const { client, asked } = mailbox()
  let gone = 0
  const both = (async (call, given) => {
    if (call === (deleteTransfer as object)) {
      gone += 1
      return {}
    }
    if (gone > 0) throw new VaultRefusal({ code: 'transfer/unknown', message: '' })
    return client(call, given)
  }) as VaultClient
  const left = new AbortController()
  const needs = { vault: both, machine, compare: async () => true }
  const seen: string[] = []
  const asking = { subject: vault.record, name: 'Phone', asked: ({ id }: { id: string }) => void seen.push(id) }
  const getting = askTransfer({ ...needs, signal: left.signal }, asking)
  getting.catch(() => undefined)
  const transfer = await asked
  left.abort()
  await expect(getting).rejects.toMatchObject({ name: 'AbortError' })
  expect([seen, gone]).toEqual([['t'], 1])
  await expect(answerTransfer({ ...needs, signal }, { transfer, opened: vault })).rejects.toMatchObject({
    code: 'approval/refused',
  })
})
