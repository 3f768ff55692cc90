import { encodeAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { eip155Verifier } from './eip155.ts'
import { verifyErc6492 } from './erc6492.ts'

test('an account is verified regardless of the letter case of its address', async () => {
  const wrapped = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
  const factory = '0x1111111111111111111111111111111111111111'
  const signature = encodeAbiParameters(wrapped, [factory, '0x', '0x12']) + '6492'.repeat(16)
  const requests: string[] = []
  const verify = eip155Verifier({
    undeployed: verifyErc6492,
    async call({ data }) {
      requests.push(data)
      return requests.length === 1 ? `0x${'0'.repeat(64)}` : '0x01'
    },
  })
  const account = 'eip155:1:0xABABABABABABABABABABABABABABABABABABABab'
  expect(await verify({ account, message: 'Hello', signature })).toBe(true)
  expect(requests).toHaveLength(2)
})
