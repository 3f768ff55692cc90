import { equalBytes, fromBase64, toUtf8 } from '@latchkey/protocol/bytes'
import { addressOf, chainOf, namespaceOf } from '@latchkey/protocol/caip'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { Address, OutScript } from '@scure/btc-signer/payment.js'
import { CompactSize } from '@scure/btc-signer/script.js'
import { type BTC_NETWORK, hash160, NETWORK, sha256x2, TEST_NETWORK } from '@scure/btc-signer/utils.js'
import type { SignatureVerifier } from '../message/signInTypes.ts'
import { type Paid, signedByScript } from './bip322.ts'

/** The address formats of mainnet, testnet 3, testnet 4, signet and regtest, keyed by chain ID. */
const networks: Readonly<Record<string, BTC_NETWORK>> = {
  'bip122:000000000019d6689c085ae165831e93': NETWORK,
  'bip122:000000000933ea01ad0ee984209779ba': TEST_NETWORK,
  'bip122:00000000da84f2bafbbc53dee25a72ae': TEST_NETWORK,
  'bip122:00000008819873e925422c1ff0f99f7c': TEST_NETWORK,
  'bip122:0f9188f13cb7b2c71f2a335e3a4fc328': { ...TEST_NETWORK, bech32: 'bcrt' },
}

/** The prefixes of newer BIP-322 signatures, which indicate their form. */
const forms: Readonly<Record<string, 'simple' | 'full'>> = { smp: 'simple', ful: 'full' }

/**
 * Creates a verifier for Bitcoin. Supports BIP-322 (simple or full) and "Bitcoin Signed Message" (BIP-137), both in base64. The
 * address must belong to the chain. Other coins in the namespace are rejected.
 *
 * @example
 * const verifiers = { bip122: bip122Verifier() }
 */
export function bip122Verifier(): SignatureVerifier {
  return async ({ account, message, signature }) => {
    const network = namespaceOf(account) === 'bip122' ? networks[chainOf(account)] : undefined
    const paid = network && paidTo(addressOf(account), network)
    if (!paid || signature.length > 8_000) return false
    const form = forms[signature.slice(0, 3)]
    const proof = fromBase64(form ? signature.slice(3) : signature)
    if (!proof || proof.length === 0) return false
    try {
      return !form && proof.length === 65
        ? signedInTheOldWay({ paid, message, proof })
        : signedByScript({ paid, message, proof, form })
    } catch {
      // The bytes are not a valid transaction.
      return false
    }
  }
}

function paidTo(address: string, network: BTC_NETWORK): Paid | undefined {
  // The standard also allows upper case, but wallets do not use it, and an account must have only one spelling.
  if (address === address.toUpperCase()) return undefined
  try {
    return Address(network).decode(address) as Paid
  } catch {
    return undefined
  }
}

/**
 * Verifies a BIP-137 signature. Four keys can be recovered from the signature, and its first byte selects one of them and the
 * address type: 27 to 30 for an uncompressed key, 31 to 34 for a compressed key, 35 to 38 for P2SH-P2WPKH, and 39 to 42 for
 * P2WPKH. Electrum and other wallets also use 31 to 34 for segwit.
 */
function signedInTheOldWay({ paid, message, proof }: { paid: Paid; message: string; proof: Uint8Array }): boolean {
  const head = (proof[0] as number) - 27
  const kind = head >> 2
  const found = secp256k1.Signature.fromBytes(new Uint8Array([head & 3, ...proof.subarray(1)]), 'recovered')
  if (found.hasHighS()) return false
  const key = hash160(found.recoverPublicKey(hashOf(message)).toBytes(kind > 0))
  switch (paid.type) {
    case 'pkh':
      return (kind === 0 || kind === 1) && equalBytes(key, paid.hash)
    case 'sh':
      return (kind === 1 || kind === 2) && equalBytes(hash160(OutScript.encode({ type: 'wpkh', hash: key })), paid.hash)
    case 'wpkh':
      return (kind === 1 || kind === 3) && equalBytes(key, paid.hash)
    default:
      return false
  }
}

/** Returns the hash to sign, which covers the prefix and the text, each preceded by its length. */
function hashOf(message: string): Uint8Array {
  const text = toUtf8(message)
  return sha256x2(toUtf8('\x18Bitcoin Signed Message:\n'), CompactSize.encode(BigInt(text.length)), text)
}
