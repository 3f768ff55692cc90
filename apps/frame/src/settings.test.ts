import type { ChainId } from '@latchkey/protocol/caip'
import { expect, test } from 'vitest'
import { isServed } from './settings.ts'

test('a network is named in one way: what a screen calls unknown never signs for a known one', () => {
  for (const chain of ['eip155:1', 'eip155:7777777', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'])
    expect(isServed(chain as ChainId), chain).toBe(true)
  for (const chain of [
    'eip155:0',
    'eip155:01',
    'eip155:0x1',
    'eip155: 1',
    'eip155:1e0',
    // As a number it is its neighbour.
    'eip155:9007199254740993',
    'eip155:1 (Ethereum)',
    'solana:Mainnet, as always',
    'bip122:000000000019d6689c085ae165831e93',
  ])
    expect(isServed(chain as ChainId), chain).toBe(false)
})
