import * as v from 'valibot'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import { listOf, text } from './fields.ts'
import { type SocialProvider, socialProviders } from './social.ts'

/** The operator's configuration, as far as the frame needs it. */
export interface VaultConfig {
  /** Who can open a vault: with `self`, only its user can. */
  readonly custody: 'self' | 'assisted'
  /** The pages that can embed the frame, as origin patterns. Pages on localhost always can. */
  readonly origins: readonly string[]
  /** The social providers that the operator has configured. Empty if there are none. */
  readonly social: readonly SocialProvider[]
  /** Whether users can sign in with Farcaster. */
  readonly farcaster: boolean
  /** False if the keys host is plain `localhost`, because every page on that machine could request its passkeys. */
  readonly passkeys: boolean
  /** The CAIP-2 IDs of the networks behind `/vault/rpc`. */
  readonly networks: readonly string[]
  /** The CAIP-2 IDs of the networks with a bundler, which support smart accounts. */
  readonly bundlers: readonly string[]
  /** The CAIP-2 IDs of the networks on which the operator sponsors fees, subject to its policy. */
  readonly sponsored: readonly string[]
  /** The origins of paymaster services that pages can name (ERC-7677). */
  readonly paymasters: readonly string[]
  /** Whether pages can be granted permissions to sign within limits. [false] */
  readonly smartSessions?: boolean | undefined
  /** The origin of visitor identification. Absent if it is disabled, which is the default. */
  readonly identify?: string | undefined
}

/** `GET /vault/config`: returns the configuration. */
export const getVaultConfig: Endpoint<undefined, VaultConfig> = defineEndpoint({
  method: 'GET',
  path: '/vault/config',
  answer: v.object({
    custody: v.picklist(['self', 'assisted']),
    origins: listOf(text(300)),
    social: listOf(v.picklist(socialProviders)),
    farcaster: v.boolean(),
    passkeys: v.boolean(),
    networks: listOf(text(64)),
    bundlers: listOf(text(64)),
    sponsored: listOf(text(64)),
    paymasters: listOf(text(300)),
    smartSessions: v.optional(v.boolean()),
    identify: v.optional(text(300)),
  }),
})
