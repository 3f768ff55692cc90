import { parseTypedData } from '@latchkey/vault/signers/typedData'
import { expect, test } from 'vitest'
import { getSafe, safeModule } from '../smartAccount/safe.ts'
import { ownContracts } from '../smartAccount/signWithSafe.ts'
import type { Contracts } from './contractFacts.ts'
import { decodeTypedData, type TypedDataFields } from './decodeTypedData.ts'

const token = '0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa'
const spender = '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB'
const owner = `0x${'c'.repeat(40)}`
const max = (2n ** 256n - 1n).toString()
const key = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const field = (name: string, type: string) => ({ name, type })

const permitTypes = [
  field('owner', 'address'),
  field('spender', 'address'),
  field('value', 'uint256'),
  field('nonce', 'uint256'),
  field('deadline', 'uint256'),
]
const domain = { name: 'Bread', chainId: 1, verifyingContract: token }
const domainFields = (of: object) =>
  [field('name', 'string'), field('chainId', 'uint256'), field('verifyingContract', 'address')].filter(
    ({ name }) => name in of,
  )
const contracts: Contracts = { [token.toLowerCase()]: { kind: 'erc20', decimals: 6 } }
function read(input: {
  types: Record<string, readonly { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
  domain?: Record<string, unknown>
}): TypedDataFields {
  return decodeTypedData(
    parseTypedData({ domain, ...input, types: { EIP712Domain: domainFields(input.domain ?? domain), ...input.types } }),
    { account: owner, chainId: 1, own: ownContracts(key), contracts },
  )
}
const permit = (message: Record<string, unknown>, domain?: Record<string, unknown>): TypedDataFields =>
  read({
    types: { Permit: permitTypes },
    primaryType: 'Permit',
    message: { owner, spender, value: '5', nonce: 0, deadline: '1800000000', ...message },
    ...(domain && { domain }),
  })

test('decodes a permit if its contract is a token and its type is complete', () => {
  expect(permit({})).toMatchObject({
    meaning: {
      kind: 'permit',
      spender,
      permissions: [{ token, amount: 5n, expires: 'never' }],
      signatureExpires: 1_800_000_000n,
    },
  })
  expect(permit({ value: max, deadline: max })).toMatchObject({
    meaning: { kind: 'permit', permissions: [{ amount: 'unlimited' }], signatureExpires: 'never' },
  })
  expect(permit({}, { chainId: 1, verifyingContract: spender })).toMatchObject({ meaning: { kind: 'unknown' } })
  expect(permit({ owner: spender })).toMatchObject({ meaning: { kind: 'unknown' } })
})

test('shows only the fields that are signed', () => {
  const reading = read({
    types: { Mail: [field('body', 'string')] },
    primaryType: 'Mail',
    message: { body: 'Hi', harmless: 'yes' },
  })
  expect(reading).toMatchObject({
    fields: [{ name: { untrusted: 'body' }, type: 'string', value: { untrusted: 'Hi' } }],
  })
})

test('refuses data for a different network', () => {
  expect(permit({}, { chainId: 137 })).toEqual({
    kind: 'refused',
    because: 'other-network',
    claimed: { untrusted: '137' },
  })
  expect(permit({}, { name: 'Anywhere' })).toMatchObject({ kind: 'typedData', domain: { chainId: undefined } })
})

test('never signs data for the account’s own contracts as typed data', () => {
  const entryPoint = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108'
  const orders: readonly [primaryType: string, contract: string][] = [
    ['SafeOp', safeModule],
    ['SafeTx', getSafe(key).address],
    ['SafeMessage', getSafe(key).address.toLowerCase()],
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
    ).toEqual({ kind: 'refused', because: 'own-account', claimed: { untrusted: verifyingContract.toLowerCase() } })
  expect(
    read({
      types: { SafeTx: [field('to', 'address')] },
      primaryType: 'SafeTx',
      message: { to: owner },
      domain: { chainId: 1, verifyingContract: spender },
    }),
  ).toMatchObject({ kind: 'typedData' })
})
