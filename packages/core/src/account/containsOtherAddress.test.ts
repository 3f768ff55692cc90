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
])('%s names no other address', (url) => {
  expect(containsOtherAddress(url, account)).toBe(false)
})

test('on Solana, addresses are recognized by their length', () => {
  const onSolana = `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${solana}` as const
  expect(containsOtherAddress(`https://pay.example/?walletAddress=${thief}`, onSolana)).toBe(true)
  expect(containsOtherAddress(`https://pay.example/?walletAddress=${solana}`, onSolana)).toBe(false)
  expect(containsOtherAddress(`https://pay.example/?walletAddress=${other}`, onSolana)).toBe(false)
})
