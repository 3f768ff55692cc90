import type { Wallet } from '@latchkey/protocol/http/publicRoutes'

/**
 * Six well-known wallets with their home pages and store links. If no server is configured, they are shown to users who have no
 * wallet. The links were verified in November 2026 and contain no tracking parameters. The wallets have no logos, so no images
 * are requested.
 */
export const fallbackWallets: readonly Wallet[] = [
  {
    id: 'c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96',
    name: 'MetaMask',
    homepage: 'https://metamask.io/',
    rdns: 'io.metamask',
    chains: ['eip155:1'],
    app_store: 'https://apps.apple.com/us/app/metamask/id1438144202',
    play_store: 'https://play.google.com/store/apps/details?id=io.metamask',
    chrome_store: 'https://chrome.google.com/webstore/detail/metamask/nkbihfbeogaeaoehlefnkodbefgpgknn',
  },
  {
    id: '9bbb12804bcbb55903c0b944af7c7efba78d2888a1b9ebd9d91eacfbdc34c3e3',
    name: 'Rabby',
    homepage: 'https://rabby.io/',
    rdns: 'io.rabby',
    chains: ['eip155:1'],
    app_store: 'https://apps.apple.com/us/app/rabby-wallet-crypto-evm/id6474381673',
    play_store: 'https://play.google.com/store/apps/details?id=com.debank.rabbymobile',
    chrome_store: 'https://chrome.google.com/webstore/detail/rabby-wallet/acmacodkjbdgmoleebolmdjonilkdbch',
  },
  {
    id: 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393',
    name: 'Phantom',
    homepage: 'https://phantom.app/',
    rdns: 'app.phantom',
    chains: ['eip155:1'],
    app_store: 'https://apps.apple.com/us/app/phantom-crypto-wallet/id1598432977',
    play_store: 'https://play.google.com/store/apps/details?id=app.phantom',
    chrome_store: 'https://chrome.google.com/webstore/detail/phantom/bfnaelmomeimhlpmgjnjophhpkkoljpa',
  },
  {
    id: 'ea20967a642bccc1d75eb00393ea4f4bdb85ee1010e2c268ff717f767e6c8c94',
    name: 'Rainbow',
    homepage: 'https://rainbow.me/',
    rdns: 'me.rainbow',
    chains: ['eip155:1'],
    app_store: 'https://apps.apple.com/app/apple-store/id1457119021',
    play_store: 'https://play.google.com/store/apps/details?id=me.rainbow',
    chrome_store: 'https://chrome.google.com/webstore/detail/rainbow/opfgelmcmbiajamepnmloijbpoleiama',
  },
  {
    id: '4622a2b2d6af1c9844944291e5e7351a6aa24cd7b23099efac1b2fd875da31a0',
    name: 'Trust Wallet',
    homepage: 'https://trustwallet.com/',
    rdns: 'com.trustwallet.app',
    chains: ['eip155:1'],
    app_store: 'https://apps.apple.com/app/apple-store/id1288339409',
    play_store: 'https://play.google.com/store/apps/details?id=com.wallet.crypto.trustapp',
    chrome_store: 'https://chrome.google.com/webstore/detail/trust-wallet/egjidjbpglichdcondbcbdnbeeppgdph',
  },
  {
    id: 'c5a8caee9d298a299a8cf6bdb14df693f06a57bae1c9eb8ccb3e819d806e528c',
    name: 'Zerion',
    homepage: 'https://zerion.io/',
    rdns: 'io.zerion.wallet',
    chains: ['eip155:1'],
    app_store: 'https://apps.apple.com/app/id1456732565',
    play_store: 'https://play.google.com/store/apps/details?id=io.zerion.android',
    chrome_store:
      'https://chrome.google.com/webstore/detail/zerion-wallet-for-web3-nf/klghhnkeealcohjjanjjdaeeggmfmlpl',
  },
]
