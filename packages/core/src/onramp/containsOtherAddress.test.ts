import { expect, test } from 'vitest'
import { containsOtherAddress } from './containsOtherAddress.ts'

const own = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const other = '0x2546BcD3c84621e976D8185a91A922aE77ECEc30'
const account = `eip155:1:${own}` as const
const wallets = (address: string) => encodeURIComponent(JSON.stringify([{ address, blockchains: ['ethereum'] }]))
const solana = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
const thief = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'

test.each([
  ['a path', `https://pay.example/${other}/buy`],
  ['a parameter', `https://pay.example/?walletAddress=${other.toLowerCase()}`],
  ['upper case', `https://pay.example/?walletAddress=0X${other.slice(2).toUpperCase()}`],
  ['a fragment', `https://pay.example/#to=${other}`],
  ['encoded JSON', `https://pay.example/?destinationWallets=${wallets(other)}`],
  ['JSON that is encoded twice', `https://pay.example/?state=${encodeURIComponent(wallets(other))}`],
  ['an encoded prefix', `https://pay.example/?to=%30x${other.slice(2)}`],
  ['an address next to the account’s own', `https://pay.example/?addresses=${own},${other}`],
  ['an address without 0x', `https://pay.example/?to=${other.slice(2)}`],
  ['32 bytes', `https://pay.example/?to=0x${other.slice(2).padStart(64, '0')}`],
  ['32 bytes without 0x', `https://pay.example/?to=${other.slice(2).padStart(64, '0')}`],
  ['base64', `https://pay.example/?to=${btoa(other)}`],
  ['base64 of JSON', `https://pay.example/buy/${btoa(JSON.stringify({ wallet: other }))}`],
  [
    'base64url within a token',
    `https://pay.example/?jwt=e30.${btoa(JSON.stringify({ to: other })).replaceAll('=', '')}.sig`,
  ],
  ['escaped JSON', `https://pay.example/?a=${encodeURIComponent(`{"w":"\\u0030x${other.slice(2)}"}`)}`],
  ['an ENS name', 'https://pay.example/?wallet=attacker.eth'],
  ['an encoded name', `https://pay.example/?wallet=${encodeURIComponent('{"to":"pay.attacker.eth"}')}`],
  ['a URL that also contains broken encoding', `https://pay.example/?note=%ff&to=%30%78${other.slice(2)}`],
])('another address is found in %s', (_, url) => {
  expect(containsOtherAddress(url, account)).toBe(true)
})

test.each([
  `https://pay.example/?walletAddress=${own.toLowerCase()}`,
  `https://pay.example/?destinationWallets=${wallets(own)}`,
  'https://pay.example/buy?sessionToken=t&note=100%',
  `https://pay.example/?transaction=0x${'ab'.repeat(32)}`,
  `https://pay.example/?to=${own.slice(2).toLowerCase()}`,
  `https://pay.example/?to=0x${own.slice(2).padStart(64, '0')}`,
  `https://pay.example/?to=${btoa(own)}`,
  'https://pay.eth.example/?sessionToken=MWYyYzNkNGUtNWY2YS03YjhjLTlkMGUtMWYyYTNiNGM1ZDZl',
])('%s contains no other address', (url) => {
  expect(containsOtherAddress(url, account)).toBe(false)
})

const foreign = {
  Solana: thief,
  'Bitcoin (SegWit)': 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  'Bitcoin (Taproot)': 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
  'Bitcoin (upper case)': 'BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ',
  'Bitcoin (P2PKH)': '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  'Bitcoin (P2SH)': '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
  Tron: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  Polkadot: '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
  'Substrate in general': '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
  Cosmos: 'cosmos1qyyq79says4nyw2qga892hrrdfchsluxcqtzp4',
}

test.each(Object.entries(foreign))(
  'an address of %s is detected as an address other than the account’s, in every encoding',
  (_, address) => {
    for (const url of [
      `https://pay.example/?walletAddress=${address}`,
      `https://pay.example/buy/${address}`,
      `https://pay.example/?to=ethereum:${own}&refund=coin%3A${address}`,
      `https://pay.example/?destinationWallets=${wallets(address)}`,
      `https://pay.example/?state=${encodeURIComponent(wallets(address))}`,
      `https://pay.example/?to=%${address.charCodeAt(0).toString(16)}${address.slice(1)}`,
      `https://pay.example/?to=${btoa(address)}`,
      `https://pay.example/?to=${own},${address}#`,
    ])
      expect([url, containsOtherAddress(url, account)]).toEqual([url, true])
  },
)

test('in every chain family, the account’s own address is accepted and all other addresses are detected', () => {
  const chains = {
    [solana]: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    [foreign['Bitcoin (SegWit)']]: 'bip122:000000000019d6689c085ae165831e93',
    [foreign['Bitcoin (P2PKH)']]: 'bip122:000000000019d6689c085ae165831e93',
    [foreign.Polkadot]: 'polkadot:91b171bb158e2d3848fa23a9f1c25182',
    [foreign.Cosmos]: 'cosmos:cosmoshub-4',
  }
  for (const [address, chain] of Object.entries(chains)) {
    const id = `${chain}:${address}` as `solana:${string}:${string}`
    expect(containsOtherAddress(`https://pay.example/?walletAddress=${address}`, id)).toBe(false)
    expect(containsOtherAddress(`https://pay.example/?to=${btoa(address)}`, id)).toBe(false)
    for (const theirs of [thief, other, foreign['Bitcoin (Taproot)'], foreign.Tron])
      expect(containsOtherAddress(`https://pay.example/?walletAddress=${theirs}`, id)).toBe(true)
  }
  const upper = `https://pay.example/?walletAddress=${foreign['Bitcoin (upper case)']}`
  expect(containsOtherAddress(upper, `bip122:000000000019d6689c085ae165831e93:${foreign['Bitcoin (SegWit)']}`)).toBe(
    false,
  )
})

test.each([
  'https://pay.example/?apiKey=pk_live_R5Lf25uBfNZyKwccAZpzcxuL3ZdJ3Hc&sid=1f2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e',
  'https://pay.example/?id=7c9e6679-7425-40de-944b-e07fc1f90ae7&signature=Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9v',
  'https://pay.example/?code=bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdz',
  `https://pay.example/?jwt=eyJhbGciOiJIUzI1NiJ9.${btoa('{"session":"4f2d"}').replaceAll('=', '')}.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk`,
])('identifiers and signatures in a provider’s URL are not mistaken for addresses: %s', (url) => {
  expect(containsOtherAddress(url, account)).toBe(false)
})
