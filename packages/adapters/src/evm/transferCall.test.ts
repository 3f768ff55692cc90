import { expect, test } from 'vitest'
import { transferCall } from './transferCall.ts'

const to = '0x1111111111111111111111111111111111111111'
const token = '0x2222222222222222222222222222222222222222'

test('if no token is specified, the amount becomes the value of the transaction', async () => {
  expect(await transferCall({ to, amount: 255n }, 'eip155:1')).toEqual({ to, value: '0xff', data: '0x' })
})

test('a token amount becomes a call to the token contract’s transfer function', async () => {
  const call = await transferCall({ to, amount: 1n, token: `eip155:1:${token}` }, 'eip155:1')
  expect(call).toEqual({ to: token, data: expect.stringMatching(/^0xa9059cbb0{24}1{40}0{63}1$/) })
})

test.each([
  ['a negative amount', { to, amount: -1n }, 'wallet/failed'],
  [
    'a recipient from a different chain family',
    { to: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', amount: 1n },
    'wallet/failed',
  ],
  ['a token on a different chain', { to, amount: 1n, token: `eip155:10:${token}` }, 'network/unsupported'],
])('rejects %s', async (_, params, code) => {
  await expect(transferCall(params, 'eip155:1')).rejects.toMatchObject({ code })
})
