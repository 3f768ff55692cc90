import * as v from 'valibot'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import { listOf, text } from './fieldSchemas.ts'
import { type SocialProvider, socialProviders } from './social.ts'

/** The parts of the operator's configuration that the frame needs. */
export interface KeysOriginConfig {
  /** Who can open a vault. With `self`, only the vault's user can. With `assisted`, the operator can as well. */
  readonly custody: 'self' | 'assisted'
  /** Origin patterns for the pages that can embed the frame. Pages on localhost can always embed it. */
  readonly origins: readonly string[]
  /** The social providers that the operator has configured. Empty if there are none. */
  readonly social: readonly SocialProvider[]
  /** Whether users can sign in with Farcaster. */
  readonly farcaster: boolean
  /** Whether passkeys are supported. False on plain `localhost`, because any page served on that machine could request them. */
  readonly passkeys: boolean
  /** The CAIP-2 IDs of the networks that `/vault/rpc` supports. */
  readonly networks: readonly string[]
  /** The CAIP-2 IDs of the networks with a bundler, which support smart accounts. */
  readonly bundlers: readonly string[]
  /** The CAIP-2 IDs of the networks on which the operator sponsors fees, subject to the operator's policy. */
  readonly sponsored: readonly string[]
  /** The origins of the paymaster services that pages can specify (ERC-7677). */
  readonly paymasters: readonly string[]
  /** Whether pages can be granted permissions to sign within limits. Defaults to `false`. */
  readonly smartSessions?: boolean | undefined
  /** The origin on which visitor identification runs. Absent if visitor identification is disabled, which is the default. */
  readonly identify?: string | undefined
}

/** `GET /vault/config`: returns the configuration. */
export const getKeysOriginConfig: Endpoint<undefined, KeysOriginConfig> = defineEndpoint({
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
