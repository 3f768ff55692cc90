import { fromHex } from '@latchkey/protocol/bytes'
import { memoryStorage } from '@latchkey/walletconnect'
import { expect, test } from 'vitest'
import { accountsOf, keepKeys, readKeys } from './keys.ts'

test('derives accounts from the “abandon … about” seed at the standard BIP-44 and SLIP-10 paths', () => {
  const seed = fromHex(
    '0x5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
  )
  if (!seed) throw new TypeError('No hex')
  const [first] = accountsOf({ from: 'seed', seed }, [])
  expect(first?.evm.address).toBe('0x9858EfFD232B4033E47d90003D41EC34EcaEda94')
  expect(first?.solana.address).toBe('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk')
})

test('stores the key source and ignores invalid stored values', async () => {
  const records = memoryStorage()
  expect(await readKeys(records)).toBeUndefined()
  await keepKeys(records, { from: 'test' })
  expect(await readKeys(records)).toEqual({ from: 'test' })
  await records.set('keys', { from: 'seed', seed: 'not bytes' })
  expect(await readKeys(records)).toBeUndefined()
})
