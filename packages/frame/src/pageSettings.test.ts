import type { ChainId } from '@latchkey/protocol/caip'
import { expect, test } from 'vitest'
import { createPageSettings, isSupportedChain } from './pageSettings.ts'

test('accepts only the canonical ID of a network, so that a signature for an unknown network is never valid on a known one', () => {
  for (const chain of ['eip155:1', 'eip155:7777777', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'])
    expect(isSupportedChain(chain as ChainId), chain).toBe(true)
  for (const chain of [
    'eip155:0',
    'eip155:01',
    'eip155:0x1',
    'eip155: 1',
    'eip155:1e0',
    // Parsing this value as a number rounds it to a neighboring number.
    'eip155:9007199254740993',
    'eip155:1 (Ethereum)',
    'solana:Mainnet, as always',
    'bip122:000000000019d6689c085ae165831e93',
  ])
    expect(isSupportedChain(chain as ChainId), chain).toBe(false)
})

test('keeps theme values that are absent from an update, and replaces the page’s data [R3.16]', () => {
  const settings = createPageSettings(new URL('https://keys.example/sdk?chainId=eip155:1'))
  let changes = 0
  settings.subscribe(() => changes++)
  let removed = 0
  settings.subscribe(() => removed++)()
  expect([settings.theme(), settings.dapp()]).toEqual([{}, undefined])
  settings.syncTheme({ themeMode: 'dark', themeVariables: { accent: '#0a7' } })
  settings.syncTheme({ w3mThemeVariables: { '--w3m-accent': '#123' } })
  settings.syncTheme({ themeVariables: { accent: '#fff' } })
  settings.syncTheme({})
  expect(settings.theme()).toEqual({
    themeMode: 'dark',
    themeVariables: { accent: '#fff' },
    w3mThemeVariables: { '--w3m-accent': '#123' },
  })
  settings.syncTheme({ themeMode: 'light' })
  expect(settings.theme().themeMode).toBe('light')
  settings.syncDapp({ projectId: 'p', sdkType: 'latchkey' })
  settings.syncDapp({ projectId: 'q' })
  expect(settings.dapp()).toEqual({ projectId: 'q' })
  expect([changes, removed]).toEqual([7, 0])
})

test('the page’s choices survive a reload, and invalid choices are ignored', () => {
  const start = () => createPageSettings(new URL('https://keys.example/sdk?chainId=eip155:1'))
  const before = start()
  before.setAccountType('eip155', 'smartAccount')
  before.setChain('eip155:8453')
  const after = start()
  after.restore(before.serialize())
  expect(after.lastChain()).toBe('eip155:8453')
  expect(after.chain('eip155')).toBe('eip155:8453')
  expect(after.accountType('eip155')).toBe('smartAccount')

  for (const broken of [
    '',
    'null',
    '{"0":"eip155:5"}',
    '[]',
    '["bip122:0"]',
    '["eip155:01","eip155","smart"]',
    '[{}]',
  ]) {
    const settings = start()
    settings.restore(broken)
    expect([settings.lastChain(), settings.accountType('eip155')], broken).toEqual(['eip155:1', 'eoa'])
  }
})
