import { fromHex, toHex } from '@latchkey/protocol/bytes'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import {
  type Authorization,
  type Hex,
  hashMessage,
  hashTypedData,
  keccak256,
  type SerializeTransactionFn,
  type SignedAuthorization,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import { hashAuthorization } from 'viem/utils'
import { deriveEip155Key, privateKeyToAddress } from '../derivation/eip155.ts'
import { KeyError } from '../errors.ts'
import type { UnlockedVault } from '../unlockedVault.ts'
import { wipe } from '../wipe.ts'
import type { TypedData } from './typedData.ts'

/** The EVM account of an unlocked vault. It signs without confirmation, so the caller must get the user's approval first. */
export interface Eip155Signer {
  /** The account's address, with an ERC-55 checksum. */
  readonly address: Hex
  /** Signs bytes (EIP-191). Resolves to the signature in hex. */
  signMessage(parameters: { message: { raw: Hex } }): Promise<Hex>
  /** Signs typed data (EIP-712) returned by `parseTypedData`. */
  signTypedData(typed: TypedData): Promise<Hex>
  /** Signs a complete transaction and serializes it. The chain ID is required (EIP-155). */
  signTransaction(transaction: TransactionSerializable, options?: { serializer?: SerializeTransactionFn }): Promise<Hex>
  /** Signs an EIP-7702 authorization that delegates this account to a contract. */
  signAuthorization(parameters: { address: Hex; chainId: number; nonce: number }): Promise<SignedAuthorization>
  /** Signs a hash whose content the caller has displayed, such as a user operation. Never use it for a hash received from a page. */
  sign(parameters: { hash: Hex }): Promise<Hex>
}

/**
 * Returns the EVM account of an unlocked vault. The account is compatible with viem's `toAccount`.
 *
 * @example
 * const signer = eip155Signer(vault)
 * const signature = await signer.signMessage({ message: { raw: '0x1234' } })
 */
export function eip155Signer(vault: UnlockedVault): Eip155Signer {
  const address = vault.record.addresses.eip155 as Hex

  function signHash(hash: Hex): Promise<{ r: Hex; s: Hex; v: bigint; yParity: number }> {
    return vault.withRootSecret((root) => {
      const key = deriveEip155Key(root)
      try {
        if (privateKeyToAddress(key) !== address) throw new KeyError('vault/wrong-address')
        const signature = secp256k1.sign(hashBytes(hash), key, { prehash: false, format: 'recovered' })
        return {
          r: toHex(signature.subarray(1, 33)),
          s: toHex(signature.subarray(33, 65)),
          v: 27n + BigInt(signature[0]!),
          yParity: signature[0]!,
        }
      } finally {
        wipe(key)
      }
    })
  }

  const sign = async (hash: Hex): Promise<Hex> => {
    const { r, s, v } = await signHash(hash)
    return `${r}${s.slice(2)}${v.toString(16)}`
  }

  return {
    address,
    sign: ({ hash }) => sign(hash),
    signMessage: async ({ message }) => sign(hashMessage(message)),
    signTypedData: async (typed) => sign(hashTypedData(typed)),
    async signTransaction(transaction, { serializer = serializeTransaction } = {}) {
      const { chainId, type } = transaction
      if (!chainId || !Number.isSafeInteger(chainId)) throw new KeyError('sign/malformed', 'invalid chain ID')
      if (type === 'eip4844' || 'blobs' in transaction) throw new KeyError('sign/malformed', 'blobs')
      return serializer(transaction, await signHash(keccak256(await serializer(transaction))))
    },
    async signAuthorization({ address: code, chainId, nonce }) {
      const authorization: Authorization = { address: code, chainId, nonce }
      return { ...authorization, ...(await signHash(hashAuthorization(authorization))) }
    },
  }
}

function hashBytes(hash: Hex): Uint8Array {
  const bytes = fromHex(hash)
  if (bytes?.length !== 32) throw new KeyError('sign/malformed', 'not a hash')
  return bytes
}
