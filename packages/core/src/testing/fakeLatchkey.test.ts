import { describe, expect, test } from 'vitest'
import { createLatchkey } from '../createLatchkey.ts'
import type { Latchkey } from '../latchkeyTypes.ts'
import { route } from '../modal/views.ts'
import type { LatchkeyOptions } from '../options.ts'
import { fakeAdapter, fakeClock, fakeConnector, fakeLatchkey, fakeNetwork, memoryStorage } from './index.ts'

const options = (): LatchkeyOptions => ({
  adapters: [fakeAdapter({ networks: [fakeNetwork('eip155:1'), fakeNetwork('eip155:10')] })],
  themeVariables: { accent: 'red' },
  storage: memoryStorage(),
  clock: fakeClock(),
  platform: 'desktop',
  logLevel: 'silent',
})
const viewsOf = ({ state }: Latchkey) => {
  const { open, stack } = state.get().modal
  return open ? stack.map(({ view }) => view) : 'closed'
}

describe.each([
  ['createLatchkey', () => createLatchkey(options())],
  ['fakeLatchkey', () => fakeLatchkey({ options: options() })],
])('an instance created with %s', (_, create) => {
  const started = async (): Promise<Latchkey> => {
    const latchkey = create()
    latchkey.start()
    await latchkey.prepare()
    return latchkey
  }

  test('has a closed modal, which closes again when the user navigates back from its first view', async () => {
    const { modal, ...latchkey } = await started()
    const views = () => viewsOf({ modal, ...latchkey })
    expect(views()).toBe('closed')
    modal.open()
    expect(views()).toEqual(['Connect'])
    modal.push('WhatIsAWallet')
    modal.back()
    expect(views()).toEqual(['Connect'])
    modal.back()
    expect(views()).toBe('closed')
  })

  test('only closes an approval if forced, and then starts with the first view again', async () => {
    const latchkey = await started()
    latchkey.modal.open()
    latchkey.modal.push('ApproveTransaction', { requestId: '1' })
    expect(latchkey.modal.close()).toBe(false)
    expect(viewsOf(latchkey)).toEqual(['Connect', 'ApproveTransaction'])
    expect(latchkey.modal.close({ force: true })).toBe(true)
    expect(latchkey.state.get().modal.stack).toEqual([route('Connect')])
  })

  test('has the networks of its adapters', async () => {
    const latchkey = await started()
    expect(latchkey.state.get().networks).toMatchObject({ active: 'eip155:1', namespace: 'eip155' })
    expect(latchkey.network('eip155:999')?.name).toBe('Unknown Network')
    expect([latchkey.supports('eip155:10'), latchkey.supports('eip155:999')]).toEqual([true, false])
  })

  test('opens a view when the user selects a network, unless the network is already active', async () => {
    const latchkey = await started()
    latchkey.modal.open({ view: route('Networks') })
    latchkey.pickNetwork('eip155:1')
    expect(viewsOf(latchkey)).toEqual(['Networks'])
    latchkey.pickNetwork('eip155:10')
    expect(viewsOf(latchkey)).toEqual(['Networks', 'SwitchNetwork'])
  })

  test('merges theme variables, and logs alerts without displaying them unless debug is set', async () => {
    const latchkey = await started()
    latchkey.setTheme({ mode: 'dark' })
    latchkey.setTheme({ variables: { radius: '0' } })
    expect(latchkey.state.get().theme).toEqual({ mode: 'dark', variables: { accent: 'red', radius: '0' } })
    latchkey.alert({ code: 'x', text: 'Short' }, 'Long')
    expect(latchkey.state.get().alert).toBeUndefined()
    expect(latchkey.log.entries().at(-1)).toMatchObject({ level: 'error', text: 'Long' })
  })
})

test('emit() calls the listeners for the event', () => {
  const latchkey = fakeLatchkey()
  const heard: unknown[] = []
  const stop = latchkey.on('disconnect', (event) => heard.push(event))
  latchkey.emit('disconnect', { namespace: 'eip155' })
  stop()
  latchkey.emit('disconnect', { namespace: 'solana' })
  expect(heard).toEqual([{ namespace: 'eip155' }])
})

test('connector() finds the wallet in the given namespace, or else in the active namespace', () => {
  const wallets = (['eip155', 'solana'] as const).map((namespace) => {
    const { id, name, type } = fakeConnector({ id: 'io.a', namespace })
    return { id, name, type, namespace }
  })
  const latchkey = fakeLatchkey({
    state: (state) => ({
      ...state,
      networks: { ...state.networks, namespace: 'solana' },
      wallets: { ...state.wallets, connectors: wallets },
    }),
  })
  expect(latchkey.connector('io.a')?.namespace).toBe('solana')
  expect(latchkey.connector('io.a', 'eip155')?.namespace).toBe('eip155')
  expect(latchkey.connector('io.a', 'bip122')).toBeUndefined()
})
