import { fromBase58, toBase58, toBase64 } from '@latchkey/protocol/bytes'
import type { Session } from '@latchkey/walletconnect'
import { expect, test } from 'vitest'
import { decodeText } from './decodeMessageText.ts'
import { accountsOf } from './keys.ts'
import type { Network } from './networks.ts'
import { parseRequest } from './parseRequest.ts'

const currency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const evm: Network = { id: 'eip155:31337', name: 'Bakery Chain', rpcUrl: '', currency }
const sol: Network = { id: 'solana:BakeryLoca1So1anaNetwork11111111', name: 'Local Solana', rpcUrl: '', currency }
const accounts = accountsOf({ from: 'seed', seed: new Uint8Array(32).fill(7) }, [])
const [first, second] = accounts
if (!first || !second) throw new Error('The seed has fewer than two accounts')
const session = {
  namespaces: {
    eip155: { methods: [], events: [], accounts: [`${evm.id}:${first.evm.address}`] },
    solana: { methods: [], events: [], accounts: [`${sol.id}:${first.solana.address}`] },
  },
} as unknown as Session

const ask = (method: string, params: unknown, chainId: string = method.startsWith('solana') ? sol.id : evm.id) =>
  parseRequest({ chainId, request: { method, params } }, { session, accounts, networks: [evm, sol] })

/** Returns an unsigned transaction that transfers one lamport. */
function transfer(from: string): Uint8Array {
  const key = (text: string): number[] => [...(fromBase58(text) ?? [])]
  const data = [2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
  const to = new Array(32).fill(9)
  const message = [1, 0, 1, 3, ...key(from), ...to, ...new Array(32).fill(0), ...new Array(32).fill(5)]
  return Uint8Array.from([1, ...new Array(64).fill(0), ...message, 1, 2, 2, 0, 1, 12, ...data])
}

test('parses personal_sign with its parameters in either order and decodes a hex message as text', () => {
  const { address } = first.evm
  for (const params of [
    ['0x68656c6c6f', address.toLowerCase()],
    [address, '0x68656c6c6f'],
    ['hello', address],
  ]) {
    const parsed = ask('personal_sign', params)
    expect(parsed).toMatchObject({ type: 'signText', account: first, network: evm })
    if (parsed.type === 'signText') expect(decodeText(parsed.bytes)).toEqual({ is: 'text', text: 'hello' })
  }
})

const types = { Order: [{ name: 'loaves', type: 'uint256' }] }
const typed = { types, primaryType: 'Order', domain: { chainId: 31337 }, message: { loaves: '2' } }
const foreign = toBase64(transfer(second.solana.address))

test.each<[what: string, method: string, params: unknown, code: number, because: RegExp]>([
  ['eth_sign', 'eth_sign', [first.evm.address, `0x${'1'.repeat(64)}`], 4200, /eth_sign/],
  ['an account that is not in the session', 'personal_sign', ['0x00', second.evm.address], 4100, /no access/],
  ['an invalid message', 'personal_sign', [7], -32602, /is not valid/],
  [
    'typed data for a different chain',
    'eth_signTypedData_v4',
    [first.evm.address, { ...typed, domain: { chainId: 1 } }],
    -32602,
    /chain 1/,
  ],
  [
    'typed data that does not define its type',
    'eth_signTypedData_v4',
    [first.evm.address, { ...typed, types: {} }],
    -32602,
    /is not valid/,
  ],
  [
    'a transaction for a different chain',
    'eth_sendTransaction',
    [{ from: first.evm.address, chainId: '0x1' }],
    -32602,
    /chain 1/,
  ],
  ['a transaction with an incomplete address', 'eth_sendTransaction', [{ to: '0x12' }], -32602, /is not valid/],
  [
    'a switch to an unsupported network',
    'wallet_switchEthereumChain',
    [{ chainId: '0x1' }],
    4902,
    /not supported by this wallet/,
  ],
  ['a request to add a network', 'wallet_addEthereumChain', [{ chainId: '0x1' }], 4200, /networks cannot be added/],
  [
    'a transaction for a different account',
    'solana_signTransaction',
    { transaction: foreign },
    4100,
    /does not need a signature/,
  ],
  ['a truncated transaction', 'solana_signTransaction', { transaction: foreign.slice(0, 200) }, -32602, /is not valid/],
  [
    'a transaction sent as a message',
    'solana_signMessage',
    { message: toBase58(transfer(first.solana.address).slice(65)) },
    -32602,
    /actually a transaction/,
  ],
])('rejects %s and gives a reason', (_, method, params, code, because) => {
  expect(ask(method, params)).toMatchObject({
    type: 'refuse',
    error: { code },
    because: expect.stringMatching(because),
  })
})

test('parses a Solana transfer that is encoded in base64 or base58', () => {
  const bytes = transfer(first.solana.address)
  for (const [encoding, transaction] of [
    ['base64', toBase64(bytes)],
    ['base58', toBase58(bytes)],
  ]) {
    const parsed = ask('solana_signTransaction', { transaction })
    expect(parsed).toMatchObject({
      type: 'signSolana',
      encoding,
      response: 'one',
      transactions: [
        {
          message: {
            instructions: [
              { transfer: { from: first.solana.address, lamports: 1n, to: toBase58(new Uint8Array(32).fill(9)) } },
            ],
          },
        },
      ],
    })
  }
})

test('answers requests that do not require approval', () => {
  expect(ask('eth_accounts', [])).toEqual({ type: 'answer', result: [first.evm.address] })
  expect(ask('solana_getAccounts', {})).toEqual({ type: 'answer', result: [{ pubkey: first.solana.address }] })
  expect(ask('wallet_getCapabilities', [first.evm.address])).toEqual({
    type: 'answer',
    result: { '0x7a69': { atomic: { status: 'unsupported' } } },
  })
})

test.each([
  ['in the standard form', 'bank.example wants you to sign in with your Ethereum account:'],
  ['with a scheme', 'https://bank.example wants you to sign in with your Ethereum account:'],
  ['after another line', 'Welcome!\nbank.example wants you to sign in with your Ethereum account:'],
  ['with unusual whitespace', 'bank.example\u00a0wants  you to sign in with your Ethereum account:'],
  ['with zero-width characters', 'bank.example wa\u200bnts you to sign in with your Ethereum account:'],
  ['with a bidirectional control character', 'bank\u202e.example wants you to sign in with your Ethereum account:'],
])('decodeText() returns the site of a sign-in message %s', (_, text) => {
  expect(decodeText(new TextEncoder().encode(text))).toMatchObject({ signInTo: 'bank.example' })
})

test('decodeText() escapes invisible characters and returns binary data as hex', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  expect(decodeText(bytes('pay \u202eeno'))).toEqual({ is: 'text', text: 'pay ‹U+202E›eno' })
  expect(decodeText(Uint8Array.of(0, 1))).toEqual({ is: 'bytes', text: '0x0001' })
  expect(decodeText(bytes('bank.example wants you to sign in with your Ethereum account:'))).toMatchObject({
    signInTo: 'bank.example',
  })
})
