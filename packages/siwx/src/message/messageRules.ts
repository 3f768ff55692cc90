import { equalBytes, toUtf8 } from '@latchkey/protocol/bytes'
import { addressOf, chainOf, namespaceOf, parseAccountId } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { maxSignInLifeMs, signInNonceLifeMs, signInSkewMs } from '@latchkey/protocol/specificationConstants'
import { isNonce, momentOf } from './grammar.ts'
import type { SignInExpected, SignInFields, SignInRefusal } from './signInTypes.ts'

/** A rule that a sign-in message must satisfy. */
export interface MessageRule {
  /** The reason reported if a message breaks the rule. */
  readonly refusal: SignInRefusal
  readonly holds: (fields: SignInFields, expected: SignInExpected) => boolean
}

/** The name of a rule. */
export type MessageRuleName =
  | 'domain'
  | 'scheme'
  | 'uri'
  | 'version'
  | 'nonce'
  | 'chain'
  | 'account'
  | 'issuedLater'
  | 'issuedLongAgo'
  | 'expired'
  | 'expiresBeforeIssued'
  | 'livesTooLong'
  | 'notYetValid'

/**
 * The rules for every message. Each rule is separate, so that tests can remove one and show that it is needed. The comparisons
 * fail if a time is invalid (`NaN`).
 */
export const messageRules: Readonly<Record<MessageRuleName, MessageRule>> = {
  domain: { refusal: 'domain', holds: ({ domain }, { origin }) => domain === new URL(origin).host },
  scheme: {
    refusal: 'domain',
    holds: ({ scheme }, { origin }) => scheme === undefined || `${scheme}:` === new URL(origin).protocol,
  },
  // Compared as text, because URL parsers accept malformed input, such as `https:shop.example`, backslashes and user info.
  uri: {
    refusal: 'uri',
    holds: ({ uri }, { origin }) => uri === origin || ['/', '?', '#'].some((next) => uri.startsWith(origin + next)),
  },
  version: { refusal: 'version', holds: ({ version }) => version === '1' },
  // `isNonce` rejects a missing nonce. Without this check, `undefined` would match `undefined`.
  nonce: {
    refusal: 'nonce',
    holds: ({ nonce }, expected) => isNonce(nonce) && equalBytes(toUtf8(nonce), toUtf8(expected.nonce)),
  },
  // A chain has only one valid ID. If `eip155:01` were accepted, it would give the user a second account.
  chain: {
    refusal: 'chain',
    holds: ({ chainId }, { account }) => chainId === chainOf(account) && !chainId.startsWith('eip155:0'),
  },
  account: {
    refusal: 'account',
    holds: ({ accountAddress }, { account }) => {
      const asWritten = (address: string): string =>
        namespaceOf(account) === 'eip155' ? address.toLowerCase() : address
      return asWritten(accountAddress) === asWritten(addressOf(account))
    },
  },
  issuedLater: {
    refusal: 'issued-later',
    holds: (fields, { now }) => at(fields.issuedAt) <= now + signInSkewMs,
  },
  issuedLongAgo: {
    refusal: 'issued-long-ago',
    holds: (fields, { now }) => at(fields.issuedAt) >= now - signInNonceLifeMs,
  },
  expired: { refusal: 'expired', holds: (fields, { now }) => at(fields.expirationTime) > now },
  expiresBeforeIssued: {
    refusal: 'expired',
    holds: (fields) => at(fields.expirationTime) > at(fields.issuedAt),
  },
  livesTooLong: {
    refusal: 'lives-too-long',
    holds: (fields, { now }) => at(fields.expirationTime) <= now + maxSignInLifeMs,
  },
  notYetValid: {
    refusal: 'not-yet-valid',
    holds: (fields, { now }) => fields.notBefore === undefined || at(fields.notBefore) <= now,
  },
}

/** The names of all rules, in the order in which they are checked. */
export const messageRuleNames: readonly MessageRuleName[] = Object.keys(messageRules) as MessageRuleName[]

/** Returns the reason for the first broken rule, or `undefined` if no rule is broken. Throws if `expected` is invalid. */
export function refusalOf(
  fields: SignInFields,
  expected: SignInExpected,
  made: readonly MessageRuleName[],
): SignInRefusal | undefined {
  if (!isOrigin(expected.origin)) throw wrong('origin', 'must be an origin, like "https://shop.example".')
  if (!parseAccountId(expected.account)) throw wrong('account', 'must be a CAIP-10 account, like "eip155:1:0xab…".')
  const missed = made.find((name) => !messageRules[name].holds(fields, expected))
  return missed && messageRules[missed].refusal
}

function at(time: string | undefined): number {
  return (time === undefined ? undefined : momentOf(time)) ?? Number.NaN
}

function isOrigin(text: string): boolean {
  try {
    const { origin, host } = new URL(text)
    return origin === text && host !== ''
  } catch {
    return false
  }
}

function wrong(field: string, message: string): LatchkeyError {
  return new LatchkeyError('input/invalid', { path: `expected.${field}`, message })
}
