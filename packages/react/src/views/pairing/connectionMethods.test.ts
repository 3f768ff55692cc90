import type { ConnectorGroup } from '@latchkey/core'
import type { Wallet } from '@latchkey/protocol/http/contract'
import { expect, test } from 'vitest'
import { connectionMethodsFor } from './connectionMethods.ts'

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
  ['any wallet', undefined, false, [], ['qrcode']],
  ['any wallet, from a phone', undefined, true, [], ['qrcode']],
  ['a wallet of all kinds', everywhere, false, [], ['qrcode', 'web', 'desktop', 'missing']],
  ['the same from a phone', everywhere, true, [], ['mobile', 'web']],
  ['the same where it is installed', everywhere, false, [here('ANNOUNCED')], ['browser', 'qrcode', 'web', 'desktop']],
  [
    'a connector of that name that only pairs',
    everywhere,
    false,
    [here('WALLET_CONNECT')],
    ['qrcode', 'web', 'desktop', 'missing'],
  ],
  ['one whose app is a page', paged, false, [], ['web', 'qrcode']],
  ['the same from a phone', paged, true, [], ['mobile']],
  ['one with a universal link alone', { id: 'u', name: 'U', link_mode: 'https://u.example' }, true, [], ['mobile']],
  ['one on desktops alone, from a phone', { id: 'd', name: 'D', desktop_link: 'd:' }, true, [], ['qrcode']],
] as const)('%s has these connection methods', (_, wallet, mobile, shown, ways) => {
  expect(connectionMethodsFor(wallet, { mobile, shown })).toEqual(ways)
})
