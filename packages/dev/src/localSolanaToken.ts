import { fromBase58 } from '@latchkey/protocol/bytes'
import type { LiteSVM } from 'litesvm'
import { tokenPrograms } from './solanaTransactionHistory.ts'

/** The test token on the local Solana chain. */
export interface LocalSolanaToken {
  /** The address of the mint. */
  readonly address: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  /** The account that is allowed to mint, which has SOL for its fees. Its key is public. */
  readonly mintAuthority: {
    readonly address: string
    /**
     * The 32 bytes of the private key and the 32 bytes of the public key in base58, which is the format that wallets import.
     */
    readonly secretKey: string
  }
}

/** The test token. The local Solana node creates it on startup, always at the same address. */
export const localSolanaToken: LocalSolanaToken = {
  address: 'BakeryTestDo11ar111111111111111111111111111',
  name: 'Test Dollar',
  symbol: 'TUSD',
  decimals: 6,
  mintAuthority: {
    address: 'GeQwtd98xZNVSaXZWxrqZWSMG56uwqMnVauxEyakGYuR',
    secretKey: '2Dz3uB6iZFgWuzffASbuJXNTm6knRcur8tS3RtmazqWJP14qFBHXMAp2MJiLqCoT2KDPMbzvW761HZyPUe8ByUAF',
  },
}

/** Creates the test token with a supply of zero, and gives its mint authority SOL. */
export function addTestToken(svm: LiteSVM): void {
  type Address = Parameters<LiteSVM['airdrop']>[0]
  type Lamports = Parameters<LiteSVM['airdrop']>[1]
  const { address, decimals, mintAuthority } = localSolanaToken
  // The mint layout of the Token program. There is no freeze authority.
  const data = new Uint8Array(82)
  data[0] = 1 // There is a mint authority, whose address follows.
  data.set(fromBase58(mintAuthority.address) ?? [], 4)
  data[44] = decimals
  data[45] = 1 // The mint is initialized.
  svm.setAccount({
    address: address as Address,
    programAddress: tokenPrograms[0] as Address,
    lamports: svm.minimumBalanceForRentExemption(BigInt(data.length)) as Lamports,
    space: BigInt(data.length),
    executable: false,
    data,
  })
  svm.airdrop(mintAuthority.address as Address, 100_000_000_000n as Lamports)
}
