import * as viemChains from 'viem/chains'
import { expect, test } from 'vitest'
import * as chains from './chains.ts'

const theirs = new Map<string, (typeof viemChains)[keyof typeof viemChains]>(Object.entries(viemChains))

test.each(Object.entries(chains))('%s matches the definition in viem/chains', (name, chain) => {
  const known = theirs.get(name)
  expect(known).toMatchObject(chain)
  expect(chain.testnet === true).toBe(known?.testnet === true)
  expect(chain.contracts !== undefined).toBe('ensUniversalResolver' in (known?.contracts ?? {}))
})
