import { expect, test } from 'vitest'
import type { AuthRequest } from './signInApiClient.ts'
import { createSignInEmail } from './signInEmail.ts'

function page(uuid: string | null) {
  const requests: AuthRequest[] = []
  const api = async (params: AuthRequest) => {
    requests.push(params)
    return { uuid }
  }
  return { code: createSignInEmail({ api, url: 'https://connect.shop.example' }), requests }
}

const params = { email: 'ada@shop.example', account: 'eip155:1:0xa' } as const

test('the message includes the email address after a code has been sent, until clear() is called', async () => {
  const { code, requests } = page('id-1')
  expect([code.resources(), code.headers()]).toEqual([[], {}])
  expect(await code.request(params)).toBe(true)
  expect([code.resources(), code.headers()]).toEqual([['email:ada@shop.example'], { 'x-otp': 'id-1' }])
  await code.confirm('123456')
  expect(requests.at(-1)).toEqual({
    method: 'PUT',
    path: 'otp',
    body: { code: '123456' },
    headers: { 'x-otp': 'id-1' },
  })
  code.clear()
  expect([code.resources(), code.headers()]).toEqual([[], {}])
})

test('the message does not include the address if the server sends no email', async () => {
  const { code } = page(null)
  expect(await code.request(params)).toBe(false)
  expect(code.resources()).toEqual([])
})

test('the address is trimmed, so that the message and the request contain the same address', async () => {
  const { code, requests } = page('id-1')
  await code.request({ ...params, email: ' ada@shop.example ' })
  expect([requests[0]?.body, code.resources()]).toEqual([params, ['email:ada@shop.example']])
})

test('an address with characters that a URI cannot contain is encoded in the message', async () => {
  const { code } = page('id-1')
  await code.request({ ...params, email: 'ada%@bücher.example' })
  expect(code.resources()).toEqual(['email:ada%25@b%C3%BCcher.example'])
})
