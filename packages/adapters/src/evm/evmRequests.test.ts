import { fakeClock } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { createEvmRequests } from './evmRequests.ts'

function page(wallet: (method: string) => Promise<unknown>, hasEnded = false) {
  const clock = fakeClock()
  const calls: string[] = []
  const state = {
    hasEnded,
    setChain: (chain: string) => calls.push(chain),
    setHealth: (health: string) => calls.push(health),
    sent: () => calls.push('sent'),
  }
  return { ...createEvmRequests({ wallet, state, clock, connectorId: 'io.a' }), clock, calls }
}

const disconnected = () => Promise.reject(Object.assign(new Error('gone'), { code: 4900 }))

test('a response sets the health to ok, and a sent transaction is reported', async () => {
  const { request, calls } = page(async () => '0x1')
  await request('eth_sendTransaction')
  await request('eth_call')
  expect(calls).toEqual(['ok', 'sent', 'ok'])
})

test('a 4900 error sets the health to silent, and any other error sets it to ok', async () => {
  const { request, calls } = page(disconnected)
  await expect(request('eth_call')).rejects.toThrow('gone')
  const rejects = page(() => Promise.reject(new Error('no')))
  await expect(rejects.request('eth_call')).rejects.toThrow('no')
  expect([calls, rejects.calls]).toEqual([['silent'], ['ok']])
})

test('the wallet is pinged if a read takes ten seconds, but not if an approval does', async () => {
  const methods: string[] = []
  const { request, clock } = page((method) => {
    methods.push(method)
    return new Promise(() => {})
  })
  void request('personal_sign')
  await clock.pass(10_000)
  expect(methods).toEqual(['personal_sign'])
  void request('eth_call')
  await clock.pass(10_000)
  expect(methods).toEqual(['personal_sign', 'eth_call', 'eth_chainId'])
})

test('ping() reads the chain, and sets the health to silent if the wallet does not respond', async () => {
  const { ping, calls } = page(async () => '0xa')
  await Promise.all([ping(), ping()])
  expect(calls).toEqual(['ok', 'eip155:10'])
  const silent = page(() => new Promise(() => {}))
  void silent.ping()
  await silent.clock.pass(10_000)
  expect(silent.calls).toEqual(['silent'])
})

test('an ended session sends nothing', async () => {
  const { request } = page(async () => '0x1', true)
  await expect(request('eth_call')).rejects.toMatchObject({ code: 'wallet/not-authorized' })
})
