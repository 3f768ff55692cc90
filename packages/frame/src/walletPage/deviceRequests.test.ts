import { getTransfers, type KeysMe, type KeysTransfer } from '@latchkey/protocol/http/keys'
import type { CryptoEnvironment } from '@latchkey/vault'
import { expect, test } from 'vitest'
import type { KeysApiClient } from '../keysApiClient.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import { createDeviceRequests } from './deviceRequests.ts'

const me = { user: { id: 'ada' } } as KeysMe
const transfer = { id: 't', name: 'Laptop' } as KeysTransfer

function requestsWith(transfers: readonly object[], reauthenticate = async () => ({}) as OpenedWallet) {
  const keysClient = (async (call: object) => {
    if (call === getTransfers) return { transfers }
    throw new Error('offline')
  }) as unknown as KeysApiClient
  return createDeviceRequests({ keysClient, environment: {} as CryptoEnvironment, reauthenticate })
}

test('does not list requests from this device or requests that have already been approved', async () => {
  const { requests } = requestsWith([
    { id: 'other', isMine: false, sealed: null },
    { id: 'mine', isMine: true, sealed: null },
    { id: 'approved', isMine: false, sealed: 'AAAA' },
  ])
  expect((await requests()).map(({ id }) => id)).toEqual(['other'])
})

test('does not approve a device without reauthentication', async () => {
  const { approving } = requestsWith([], () => Promise.reject(new Error('wrong code')))
  await expect(approving(me, { kind: 'code', otp: '000000' }, transfer)).rejects.toThrow('wrong code')
})

test('a session can approve only one device and only once, even if the first attempt fails', async () => {
  const { approving } = requestsWith([])
  const session = await approving(me, { kind: 'passkey' }, transfer)
  const decisions = {
    signal: new AbortController().signal,
    pick: async () => undefined,
    confirm: async () => false,
  }
  const first = await session.approveDevice(decisions).catch((error: unknown) => error)
  expect(first).not.toMatchObject({ code: 'approval/refused' })
  await expect(session.approveDevice(decisions)).rejects.toMatchObject({ code: 'approval/refused' })
})
