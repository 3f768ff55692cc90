import { getSmartSessions } from '@latchkey/protocol/http/chainApi'
import { read } from '@latchkey/protocol/parseWithSchema'
import { expect, test } from 'vitest'
import { inMemoryDependencies } from '../../inMemoryDependencies.ts'
import { createTestServer } from '../../testing/declaredErrors.ts'
import { createSmartSessions } from './smartSessions.ts'

const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const server = createTestServer({ ...inMemoryDependencies(), chainApi: { sessions: createSmartSessions() } })
const path = (account: string, action = '') => `http://connect.test/v1/sessions/${account}${action}?projectId=shop`
const revoke = (account: string, body: unknown) =>
  server(new Request(path(account, '/revoke'), { method: 'POST', body: JSON.stringify(body) }))

test('the sessions of an account are an empty list, for a plain and for a CAIP-10 address', async () => {
  for (const account of [address, `eip155:1:${address}`, encodeURIComponent(`eip155:1:${address}`)]) {
    const response = await server(new Request(path(account)))
    const body = await response.json()
    expect([response.status, body]).toEqual([200, { pcis: [] }])
    expect(read(getSmartSessions.answer, body)).toEqual({ pcis: [] })
  }
})

test('revoking a session that does not exist is rejected with 400', async () => {
  for (const account of [address, `eip155:1:${address}`]) {
    const response = await revoke(account, { pci: '5f6bd7c0-0000-4000-8000-000000000000', signature: '0x00' })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      status: 'FAILED',
      reasons: [{ field: 'pci', description: 'This account has no such session' }],
    })
  }
  expect((await revoke(address, {})).status).toBe(422)
})

test('an address that is not an EVM account is rejected with 400', async () => {
  for (const account of ['0x8ba1', 'eip155:01:0x00', `solana:1:${address}`, `${address}00`]) {
    const response = await server(new Request(path(account)))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ status: 'FAILED', reasons: [{ field: 'address' }] })
  }
})
