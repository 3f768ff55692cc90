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

/** The EVM account of an open vault. It signs what it is given: asking the visitor comes before. */
export interface Eip155Signer {
  readonly address: Hex
  /** EIP-191 over bytes, in hex. */
  signMessage(parameters: { message: { raw: Hex } }): Promise<Hex>
  /** EIP-712, over what `readTypedData` has read. */
  signTypedData(typed: TypedData): Promise<Hex>
  /** A transaction with all its fields, serialized and signed. Its chain is always signed with it (EIP-155). */
  signTransaction(transaction: TransactionSerializable, options?: { serializer?: SerializeTransactionFn }): Promise<Hex>
  /** The permission of EIP-7702 for code to stand at this address. */
  signAuthorization(parameters: { address: Hex; chainId: number; nonce: number }): Promise<SignedAuthorization>
  /** A hash whose meaning the caller has shown: a user operation's. Never one that a page brought. */
  sign(parameters: { hash: Hex }): Promise<Hex>
}

/** The EVM account of an open vault, in the shape that viem's `toAccount` takes. */
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
      if (!chainId || !Number.isSafeInteger(chainId)) throw new KeyError('sign/malformed', 'no chain id')
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
  if (bytes?.length !== 32) throw new KeyError('sign/malformed', 'no hash')
  return bytes
}
