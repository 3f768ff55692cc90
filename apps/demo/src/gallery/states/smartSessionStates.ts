import { type GalleryEntry, statesOf } from '../galleryEntry.ts'
import { address, withConnection } from '../samples.ts'

const day = 86_400
const november = 1_795_000_000
const token = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const shop = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const context = (digit: string) => `0x${digit.repeat(64)}`
const coins = (allowance: string, used = '0x0') => ({
  type: 'native-token-recurring-allowance',
  data: { allowance, start: november, period: day },
  used,
})

const small = {
  context: context('a'),
  chainId: '0x1',
  address,
  expiry: november + 7 * day,
  permissions: [coins('0x16345785d8a0000', '0x38d7ea4c68000')],
  policies: [],
  state: 'active',
  calls: 3,
  createdAt: november,
}
const whole = {
  ...small,
  context: context('b'),
  expiry: november + 30 * day,
  permissions: [
    coins('0x38d7ea4c68000'),
    {
      type: 'erc20-recurring-allowance',
      data: { token, allowance: '0x2faf080', start: november, period: 7 * day },
      symbol: 'TUSD',
      decimals: 6,
      used: '0xbebc20',
    },
    {
      type: 'contract-call',
      data: {
        address: shop,
        functions: [
          { signature: 'buy(uint256,address)' },
          { signature: 'aFunctionWithAVeryLongNameIndeed(uint256,address,(uint256,uint256)[])' },
        ],
      },
    },
  ],
  policies: [
    { type: 'recipients', data: { addresses: [shop, token] } },
    { type: 'call-limit', data: { count: 1000 } },
  ],
  createdAt: november - 40 * day,
}
const nameless = {
  ...small,
  context: context('c'),
  permissions: [
    coins('0x1'),
    {
      type: 'erc20-recurring-allowance',
      data: { token, allowance: `0x${'f'.repeat(23)}`, start: 0, period: 90 },
      used: '0x0',
    },
  ],
}
const over = { ...small, context: context('d'), state: 'expired' }
const taken = { ...small, context: context('e'), state: 'revoked', revokedAt: november + day }

const answering = (answer: () => Promise<unknown>) => ({
  request: answer,
  state: withConnection,
  options: { features: { smartSessions: true } },
})
const listing = (...sessions: readonly object[]) => answering(async () => sessions)
const never = new Promise<never>(() => undefined)

/** The smart session views. */
export const smartSessionStates: readonly GalleryEntry[] = [
  ...statesOf(
    'SmartSessionList',
    undefined,
    {
      loading: answering(() => never),
      empty: listing(),
      active: listing(small, whole),
      one: listing(small),
      'long content': listing(nameless, whole, { ...small, context: context('f') }),
      expired: { ...listing(over), press: 'Expired' },
      revoked: { ...listing(taken), press: 'Revoked' },
      failed: answering(async () => {
        throw new Error('offline')
      }),
      off: { state: withConnection },
    },
    'Account',
  ),
  ...statesOf(
    'SmartSessionCreated',
    { context: small.context },
    {
      loading: answering(() => never),
      loaded: listing(small),
      failed: answering(async () => {
        throw new Error('offline')
      }),
    },
    'Account',
  ),
  ...statesOf('SmartSessionCreated', { context: whole.context }, { 'long content': listing(whole) }, 'Account'),
]
