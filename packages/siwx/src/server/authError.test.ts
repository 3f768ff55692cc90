import { expect, test } from 'vitest'
import { AuthError, errorResponse } from './authError.ts'

test('an error becomes a JSON response with its field, its reason and the given headers, and is never cached', async () => {
  const error = new AuthError(401, 'nonce', 'The nonce has already been used')
  const response = errorResponse(error, { 'access-control-allow-origin': 'https://shop.example' })
  expect(response.status).toBe(401)
  expect(await response.json()).toEqual({
    status: 'FAILED',
    reasons: [{ field: 'nonce', description: 'The nonce has already been used' }],
  })
  expect(Object.fromEntries(response.headers)).toEqual({
    'access-control-allow-origin': 'https://shop.example',
    'cache-control': 'no-store',
    'content-type': 'application/json',
  })
  expect([error.name, error.message]).toEqual(['AuthError', 'The nonce has already been used'])
})

test('an error response has a Retry-After header if the error specifies a number of seconds', () => {
  expect(errorResponse(new AuthError(429, 'address', 'Too many', 30), {}).headers.get('retry-after')).toBe('30')
  expect(errorResponse(new AuthError(429, 'address', 'Too many', 0), {}).headers.get('retry-after')).toBe('0')
})
