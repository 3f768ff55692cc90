import type { ConnectorGroup } from '@latchkey/core'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { expect, test } from 'vitest'
import { walletTabsFor } from './walletTabs.ts'

const everywhere: Wallet = {
  id: 'lumen',
  name: 'Lumen',
  rdns: 'example.lumen',
  mobile_link: 'lumen:',
  webapp_link: 'https://lumen.example',
  desktop_link: 'lumen-desktop:',
}
const paged: Wallet = { id: 'p', name: 'P', mobile_link: 'https://p.example/#/', webapp_link: 'https://p.example/#/' }
const here = (type: ConnectorGroup['type']): ConnectorGroup => {
  const connector = { id: 'x', name: 'Lumen', type, namespace: 'eip155' } as const
  return { ...connector, members: [connector] }
}

test.each([
  ['no particular wallet', undefined, false, [], ['qrcode']],
  ['no particular wallet on a phone', undefined, true, [], ['qrcode']],
  ['a wallet for all platforms', everywhere, false, [], ['qrcode', 'web', 'desktop', 'missing']],
  ['a wallet for all platforms on a phone', everywhere, true, [], ['mobile', 'web']],
  [
    'a wallet for all platforms that is installed',
    everywhere,
    false,
    [here('ANNOUNCED')],
    ['browser', 'qrcode', 'web', 'desktop'],
  ],
  [
    'a wallet for all platforms that has a WalletConnect connector',
    everywhere,
    false,
    [here('WALLET_CONNECT')],
    ['qrcode', 'web', 'desktop', 'missing'],
  ],
  ['a web wallet', paged, false, [], ['web', 'qrcode']],
  ['a web wallet on a phone', paged, true, [], ['mobile']],
  [
    'a wallet that has only a universal link, on a phone',
    { id: 'u', name: 'U', link_mode: 'https://u.example' },
    true,
    [],
    ['mobile'],
  ],
  ['a desktop wallet on a phone', { id: 'd', name: 'D', desktop_link: 'd:' }, true, [], ['qrcode']],
] as const)('walletTabsFor returns the tabs for %s [R1.1] [R3.2]', (_, wallet, mobile, shown, tabs) => {
  expect(walletTabsFor(wallet, { mobile, shown })).toEqual(tabs)
})
