import { expect, test } from 'vitest'
import type { FrameContext } from '../frameContext.ts'
import { getAssets } from './getAssets.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const context = {
  wallet: async () => ({ opened: () => ({ addresses: { eip155: address } }) }),
  config: async () => ({ networks: [] }),
} as unknown as FrameContext

test.each([address, address.slice(2), address.replace('0x', '0X'), address.toLowerCase()])(
  'accepts an account address written as %s [R5.5]',
  async (account) => {
    expect(await getAssets(context, { params: [{ account }] })).toEqual({})
  },
)

test.each([`${address}0`, address.slice(0, -1), `1x${address.slice(2)}`, ''])(
  'rejects %j, because it is not an address [R5.5]',
  async (account) => {
    await expect(getAssets(context, { params: [{ account }] })).rejects.toThrow('Expected an account')
  },
)
