import { keysFailures } from '@latchkey/protocol/http/keys'
import { expect, test } from 'vitest'
import { HttpError } from '../errors/httpError.ts'
import { inMemoryDependencies } from '../inMemoryDependencies.ts'
import { KeysError } from '../keys/keysError.ts'
import { createTestServer, keysDeclarations, withDeclaredAnswers } from './declaredErrors.ts'
import { startKeys } from './keysServer.ts'

const failWith = (error: Error) => () => {
  throw error
}

test('a public endpoint that responds with an error that it does not declare fails the test', async () => {
  const wallets = (error: Error) =>
    createTestServer(inMemoryDependencies({ directory: { size: 0, find: failWith(error) } }))(
      new Request('http://localhost/getWallets'),
    )
  await expect(wallets(new HttpError(404, 'imageId', ''))).rejects.toThrow(
    'GET /getWallets responded with "404 imageId", which its declaration does not list',
  )
  await expect(wallets(new HttpError(403, 'projectId', ''))).rejects.toThrow('"403 projectId"')
  expect((await wallets(new HttpError(401, 'projectId', ''))).status).toBe(401)
  expect((await wallets(new HttpError(400, 'search', ''))).status).toBe(400)
  expect((await wallets(new Error('a fault'))).status).toBe(500)
})

test('a sign-in endpoint that responds with an error that it does not declare fails the test', async () => {
  const server = createTestServer(
    inMemoryDependencies({ signIn: { answer: failWith(new HttpError(400, 'metadata', '')) } }),
  )
  const put = (path: string) =>
    server(new Request(`http://localhost/auth/v1/${path}?projectId=shop`, { method: 'PUT', body: '{}' }))
  await expect(put('otp')).rejects.toThrow('PUT /auth/v1/otp responded with "400 metadata"')
  expect((await put('account-metadata')).status).toBe(400)
})

test('an endpoint of the keys origin that responds with an error that it does not declare fails the test', async () => {
  let error = new KeysError('record/conflict', '')
  const chain = { supported: () => [], send: async () => failWith(error)() }
  const keys = await startKeys({ chain })
  try {
    const call = () => keys.browser().send('POST', '/vault/rpc?chainId=eip155:1', {})
    await expect(call()).rejects.toThrow(
      'POST /vault/rpc responded with "record/conflict", which its declaration does not list',
    )
    error = new KeysError('limit/reached', '')
    expect((await call()).status).toBe(429)
  } finally {
    await keys.close()
  }
})

test('an endpoint of the keys origin that responds with a body that it does not declare fails the test', async () => {
  const server = withDeclaredAnswers(async (_: Request) => Response.json({ user: null }), keysDeclarations)
  const call = (name: string) => server(new Request(`http://localhost${name}`))
  await expect(call('/vault/me')).rejects.toThrow(
    'GET /vault/me responded with a body that its declaration does not allow',
  )
  expect((await call('/vault/rpc')).status).toBe(200)
})

test('every error code of the keys origin is declared by an endpoint, or by all of them', () => {
  const { common, endpoints } = keysDeclarations
  const declared = new Set([...common, ...endpoints.flatMap(([, ...codes]) => codes)])
  expect([...declared].sort()).toEqual(Object.keys(keysFailures).sort())
})
