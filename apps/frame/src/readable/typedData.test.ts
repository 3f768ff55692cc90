import { expect, test } from 'vitest'
import { readTypedData } from '../keys/signers/typedData.ts'
import { safeModule, safeOf } from '../smart/safe.ts'
import { contractsOf } from '../smart/sign.ts'
import { explainTypedData, type TypedDataReading } from './typedData.ts'

const token = '0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa'
const spender = '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB'
const owner = `0x${'c'.repeat(40)}`
const most = (2n ** 256n - 1n).toString()
const key = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const field = (name: string, type: string) => ({ name, type })

const permitTypes = [
  field('owner', 'address'),
  field('spender', 'address'),
  field('value', 'uint256'),
  field('nonce', 'uint256'),
  field('deadline', 'uint256'),
]
function read(given: {
  types: Record<string, readonly { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
  domain?: Record<string, unknown>
}): TypedDataReading {
  return explainTypedData(
    readTypedData({ domain: { name: 'Bread', chainId: 1, verifyingContract: token }, ...given }),
    1,
    contractsOf(key),
  )
}
const permit = (message: Record<string, unknown>, domain?: Record<string, unknown>): TypedDataReading =>
  read({
    types: { Permit: permitTypes },
    primaryType: 'Permit',
    message: { owner, spender, value: '5', nonce: 0, deadline: '1800000000', ...message },
    ...(domain && { domain }),
  })

test('a permit says who may take what, and until when', () => {
  expect(permit({})).toMatchObject({
    meaning: { kind: 'permit', spender, permissions: [{ token, amount: 5n }], until: 1_800_000_000n },
  })
  expect(permit({ value: most, deadline: most })).toMatchObject({
    meaning: { kind: 'permit', permissions: [{ amount: 'unlimited' }], until: undefined },
  })
  expect(
    read({
      types: { Permit: [field('holder', 'address'), field('spender', 'address'), field('allowed', 'bool')] },
      primaryType: 'Permit',
      message: { holder: owner, spender, allowed: true },
    }),
  ).toMatchObject({ meaning: { kind: 'permit', permissions: [{ amount: 'unlimited' }] } })
})

test('Permit2 permits, single, many and at once', () => {
  const details = [field('token', 'address'), field('amount', 'uint160'), field('expiration', 'uint48')]
  const single = read({
    types: { PermitSingle: [field('details', 'PermitDetails'), field('spender', 'address')], PermitDetails: details },
    primaryType: 'PermitSingle',
    message: { details: { token, amount: (2n ** 160n - 1n).toString(), expiration: 1_800_000_000 }, spender },
  })
  expect(single).toMatchObject({ meaning: { kind: 'permit', permissions: [{ token, amount: 'unlimited' }] } })
  const batch = read({
    types: { PermitBatch: [field('details', 'PermitDetails[]'), field('spender', 'address')], PermitDetails: details },
    primaryType: 'PermitBatch',
    message: { details: [1, 2].map((amount) => ({ token, amount, expiration: 1_800_000_000 })), spender },
  })
  expect(batch).toMatchObject({ meaning: { permissions: [{ amount: 1n }, { amount: 2n }] } })
  const transfer = read({
    types: {
      PermitTransferFrom: [field('permitted', 'Permitted'), field('spender', 'address'), field('deadline', 'uint256')],
      Permitted: [field('token', 'address'), field('amount', 'uint256')],
    },
    primaryType: 'PermitTransferFrom',
    message: { permitted: { token, amount: '7' }, spender, deadline: '1800000000' },
  })
  expect(transfer).toMatchObject({ meaning: { kind: 'transfer', permissions: [{ token, amount: 7n }] } })
})

test('orders are orders, and the unknown is unknown', () => {
  const order = read({
    types: {
      OrderComponents: [field('offer', 'Item[]'), field('consideration', 'Item[]')],
      Item: [field('n', 'uint8')],
    },
    primaryType: 'OrderComponents',
    message: { offer: [{ n: 1 }], consideration: [] },
  })
  expect(order).toMatchObject({ meaning: { kind: 'order', gives: 1, gets: 0 } })
  expect(
    read({ types: { Mail: [field('body', 'string')] }, primaryType: 'Mail', message: { body: 'Hi' } }),
  ).toMatchObject({ meaning: { kind: 'unknown' }, fields: [{ name: 'body', value: 'Hi' }] })
})

test('only what is signed is shown', () => {
  const reading = read({
    types: { Mail: [field('body', 'string')] },
    primaryType: 'Mail',
    message: { body: 'Hi', harmless: 'yes' },
  })
  expect(reading).toMatchObject({ fields: [{ name: 'body', type: 'string', value: 'Hi' }] })
})

test('data for another network are refused', () => {
  expect(permit({}, { chainId: 137 })).toEqual({ kind: 'refused', because: 'other-network', claimed: '137' })
  expect(permit({}, { name: 'Anywhere' })).toMatchObject({ kind: 'typedData', domain: { chainId: undefined } })
})

test('what the account’s own contracts would take for an order is never signed as data', () => {
  const entryPoint = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108'
  const orders: readonly [primaryType: string, contract: string][] = [
    ['SafeOp', safeModule],
    ['SafeTx', safeOf(key).address],
    ['SafeMessage', safeOf(key).address.toLowerCase()],
    ['PackedUserOperation', entryPoint],
    ['Delegation', key],
  ]
  for (const [primaryType, verifyingContract] of orders)
    expect(
      read({
        types: { [primaryType]: [field('callData', 'bytes')] },
        primaryType,
        message: { callData: '0x' },
        domain: { chainId: 1, verifyingContract },
      }),
      primaryType,
    ).toEqual({ kind: 'refused', because: 'own-account', claimed: verifyingContract.toLowerCase() })
  expect(
    read({
      types: { SafeTx: [field('to', 'address')] },
      primaryType: 'SafeTx',
      message: { to: owner },
      domain: { chainId: 1, verifyingContract: spender },
    }),
  ).toMatchObject({ kind: 'typedData' })
})
