import { accountId, type ChainId } from '@latchkey/protocol/caip'
import { describe, expect, test } from 'vitest'
import vectors from '../testing/eip4361.json' with { type: 'json' }
import { eip155Verifier } from '../verify/eip155.ts'
import { isDomain, isRequestId, isScheme, isStatement, isUri } from './grammar.ts'
import { readMessage, writeMessage } from './messageText.ts'
import type { SignInFields } from './signInTypes.ts'
import { verifySignIn } from './verifySignIn.ts'

/** The fields, under their names in the published vectors. */
interface Published {
  readonly domain?: string
  readonly address?: string
  readonly statement?: string
  readonly uri?: string
  readonly version?: string
  readonly chainId?: string | number
  readonly nonce?: string
  readonly issuedAt?: string
  readonly expirationTime?: string
  readonly notBefore?: string
  readonly requestId?: string
  readonly resources?: readonly string[]
}

function toFields({ address, chainId, ...rest }: Published): SignInFields {
  return {
    ...rest,
    accountAddress: address,
    chainId: chainId === undefined ? undefined : `eip155:${chainId}`,
  } as SignInFields
}

/**
 * The cases in which Latchkey differs from the published suite. The letter case of an address is not checked: the standard only
 * recommends a checksum, wallets use lower case, and the signature proves whose address it is. An underscore in a host is
 * accepted because RFC 3986 allows it, although no origin has such a domain. The case named "version not 1" has version 1 and is
 * valid.
 */
const readByUs = ['address not EIP-55', 'domain not RFC4501 authority', 'version not 1']
const writtenByUs = ['address not EIP-55']

describe('the test suite published with EIP-4361', () => {
  test.each(Object.entries(vectors.parsingPositive))(
    '%s: the message is read and written unchanged',
    (_, { message, fields }) => {
      const read = readMessage(message, 'eip155')
      expect(read).toEqual(toFields(fields))
      // The standard's grammar allows user info before the domain, but Latchkey does not write it.
      if (!fields.domain.includes('@')) expect(writeMessage(toFields(fields))).toBe(message)
      else expect(() => writeMessage(toFields(fields))).toThrow(/domain/)
    },
  )

  test.each(Object.entries(vectors.parsingNegative))('%s: the message is not read', (name, message) => {
    expect(readMessage(message, 'eip155') === undefined).toBe(!readByUs.includes(name))
  })

  test.each(Object.entries(vectors.negativeObjects))('%s: the message is not written', (name, fields: Published) => {
    const write = () => writeMessage(toFields(fields))
    if (writtenByUs.includes(name)) expect(write).not.toThrow()
    else expect(write).toThrow(/signIn\./)
  })

  test.each(Object.entries(vectors.messageObjects))('%s', (_, { msg, error }: { msg: Published; error: string }) => {
    const write = () => writeMessage(toFields(msg))
    if (error === 'none' || error === 'invalid EIP-55 address') expect(write).not.toThrow()
    else expect(write).toThrow(/signIn\./)
  })

  test.each(vectors.invalidUris)('%s is not a URI', (uri) => {
    expect(isUri(uri)).toBe(false)
    expect(
      readMessage(vectors.parsingPositive['no statement'].message.replace('https://service.org/login', uri), 'eip155'),
    ).toBeUndefined()
  })

  const rules: Readonly<Record<string, (text: string) => boolean>> = {
    scheme: isScheme,
    statement: isStatement,
    'pct-encoded': isRequestId,
    userinfo: (text) => isDomain(`${text}@shop.example`),
    IPvFuture: (text) => isDomain(`[${text}]`),
    'reg-name': isDomain,
    'segment-nz': isRequestId,
    fragment: (text) => isUri(`uri:#${text}`),
  }
  test.each(vectors.chars as [string, string, boolean][])('%s: %s', (rule, input, answer) => {
    expect(rules[rule]?.(input)).toBe(answer)
  })

  test.each(Object.entries(vectors.contracts))('%s: a message from a contract wallet is read', (_, message) => {
    expect(readMessage(message, 'eip155')).toMatchObject({ domain: 'localhost:4361', uri: 'http://localhost:4361' })
  })
})

const verifiers = { eip155: eip155Verifier() }

/**
 * Verifies published data. `verdict` includes Latchkey's own limits on age and lifetime, but `signed` depends only on the
 * signature.
 */
async function verdictOn(
  published: Published & { signature: string; time?: string; domainBinding?: string; matchNonce?: string },
) {
  const { signature, time, domainBinding, matchNonce, ...rest } = published
  const fields = toFields(rest)
  const message = writeMessage(fields)
  const account = accountId(fields.chainId as ChainId<'eip155'>, fields.accountAddress)
  const now = time ? Date.parse(time) : Date.parse('2022-02-01T00:00:00Z')
  const origin = domainBinding ? `https://${domainBinding}` : new URL(fields.uri).origin
  const verdict = await verifySignIn({
    message,
    signature,
    expected: { origin, nonce: matchNonce ?? fields.nonce, account, now },
    verifiers,
  })
  return { verdict, signed: await verifiers.eip155({ account, message, signature }) }
}

describe('the signatures published with EIP-4361', () => {
  test.each(Object.entries(vectors.verificationPositive))(
    '%s: the account signed the message',
    async (_, published) => {
      expect(await verdictOn(published)).toMatchObject({ signed: true })
    },
  )

  test.each([
    ['expired message', true],
    ['domain binding', true],
    ['custom time', true],
    ['custom nonce', true],
    ['malformed signature', false],
    ['wrong signature', false],
    ['not yet valid', true],
  ] as const)('%s: the message is rejected', async (name, isSigned) => {
    const { verdict, signed } = await verdictOn(vectors.verificationNegative[name])
    expect(verdict.ok).toBe(false)
    expect(signed).toBe(isSigned)
  })
})
