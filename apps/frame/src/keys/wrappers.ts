import { fromBase64Url, toBase64Url, toUtf8 } from '@latchkey/protocol/bytes'
import { derived, seal, unseal } from './aead.ts'
import type { Canonical } from './canonical.ts'
import type { Bytes, DeviceSecret, Machine } from './ports.ts'
import { recordFormat, type VaultRecord, type Wrapper, type WrapperKind } from './record.ts'
import { wipe } from './wipe.ts'

/** One of the owner's keys, in hand: which wrapper it is for, and the secret that only its owner can bring. */
export interface WrapperKey {
  readonly kind: WrapperKind
  /** The id of the wrapper that it makes or opens. */
  readonly id: string
  /** The secret for this wallet, for whoever wipes it. */
  secret(wallet: string): Promise<Bytes>
}

/** What a passkey is asked to evaluate (WebAuthn PRF): the same for every wallet, so that it can be asked before the wallet is known. */
export function passkeyInput(): Bytes {
  return toUtf8('latchkey/v1/passkey') as Bytes
}

/** A passkey in hand: its credential id in base64url, and the 32 bytes that it gave for `passkeyInput()`. */
export function passkeyKey(credentialId: string, output: Bytes): WrapperKey {
  if (output.length !== 32) throw new RangeError('A passkey gives 32 bytes.')
  return { kind: 'passkey', id: credentialId, secret: async () => output.slice() }
}

/** This device in hand: its id at the server, its own secret, and the half that the server released to a fresh session. */
export function deviceKey(deviceId: string, device: DeviceSecret, serverHalf: Bytes): WrapperKey {
  if (serverHalf.length !== 32) throw new RangeError('The half of the server has 32 bytes.')
  return {
    kind: 'device',
    id: deviceId,
    async secret(wallet) {
      const own = await device.derive(toUtf8(`latchkey/v1/device/${wallet}`) as Bytes)
      const both = new Uint8Array(own.length + serverHalf.length)
      both.set(own)
      both.set(serverHalf, own.length)
      wipe(own)
      return both
    },
  }
}

/** What a wrapper belongs to; all of it is authenticated with it. */
export type WrapperHome = Pick<VaultRecord, 'user' | 'wallet'> & { readonly address: string }

/** The home of the wrappers of a record. */
export function homeOf({ user, wallet, addresses }: VaultRecord): WrapperHome {
  return { user, wallet, address: addresses.eip155 }
}

/** `vaultKey` sealed under one of the owner's keys. */
export async function wrap(
  machine: Machine,
  vaultKey: Bytes,
  { key, name, home }: { key: WrapperKey; name: string; home: WrapperHome },
): Promise<Wrapper> {
  const salt = machine.random(32)
  const about = { kind: key.kind, id: key.id, name, createdAt: machine.clock.now() }
  const sealing = await keyOf(machine, key, { salt, home })
  try {
    const sealed = await seal(machine, sealing, vaultKey, beside(about, home))
    return { ...about, salt: toBase64Url(salt), ...sealed }
  } finally {
    wipe(sealing)
  }
}

/** The vault's key out of `wrapper`, or `undefined` when `key` is not its key or anything about it was changed. */
export async function unwrap(
  machine: Machine,
  wrapper: Wrapper,
  { key, home }: { key: WrapperKey; home: WrapperHome },
): Promise<Bytes | undefined> {
  if (wrapper.kind !== key.kind || wrapper.id !== key.id) return undefined
  const sealing = await keyOf(machine, key, { salt: fromBase64Url(wrapper.salt) as Bytes, home })
  try {
    return await unwrapWithKey(machine, wrapper, { key: sealing, home })
  } finally {
    wipe(sealing)
  }
}

/** The vault's key out of `wrapper` by the very key that seals it: the last step of `unwrap`, and the attacker's shortcut. */
export function unwrapWithKey(
  machine: Machine,
  wrapper: Wrapper,
  { key, home }: { key: Bytes; home: WrapperHome },
): Promise<Bytes | undefined> {
  return unseal(machine, key, wrapper, beside(wrapper, home))
}

function wrapperUse(kind: WrapperKind, id: string, wallet: string): Canonical {
  return { format: recordFormat, use: 'wrapper', kind, id, wallet }
}

async function keyOf(
  machine: Machine,
  key: WrapperKey,
  { salt, home }: { salt: Bytes; home: WrapperHome },
): Promise<Bytes> {
  const secret = await key.secret(home.wallet)
  try {
    return await derived(machine, secret, salt, wrapperUse(key.kind, key.id, home.wallet))
  } finally {
    wipe(secret)
  }
}

function beside(
  { kind, id, name, createdAt }: Omit<Wrapper, 'salt' | 'nonce' | 'sealed'>,
  home: WrapperHome,
): Canonical {
  return { format: recordFormat, what: 'wrapper', kind, id, name, createdAt, ...home }
}
