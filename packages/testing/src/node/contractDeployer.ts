import {
  concat,
  createPublicClient,
  createTestClient,
  createWalletClient,
  getContractAddress,
  type Hex,
  http,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { LocalChain } from '../localChain.ts'

/** Arachnid's CREATE2 deployer, which local chains include. */
export const create2Deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

/** Deploys contracts to a local chain and sends transactions, each of which is mined immediately. */
export interface ContractDeployer {
  /** The address of the account that sends the transactions. */
  readonly address: Hex
  /**
   * Deploys a contract at the CREATE2 address that follows from its creation code. Resolves to the address, even if the contract
   * already exists. `from` is a deployer with the interface of Arachnid's, which is the default.
   */
  create2(init: Hex, options?: { from?: Hex; salt?: Hex }): Promise<Hex>
  /** Sends a transaction. Rejects if it reverts. */
  send(transaction: { to: Hex; data?: Hex; value?: bigint }): Promise<void>
  /** Resolves to the code at an address. */
  code(address: Hex): Promise<Hex>
  /** Replaces the code at an address. */
  setCode(address: Hex, bytecode: Hex): Promise<void>
  /** Mines empty blocks. */
  mine(blocks: number): Promise<void>
}

// More gas than any of the contracts needs, and less than the limit per transaction (EIP-7825). Avoids gas estimates.
const gas = 12_000_000n
const fees = { maxFeePerGas: 100n * 10n ** 9n, maxPriorityFeePerGas: 0n }

/** Creates a deployer for a chain. `privateKey` is the key of an account with ether. */
export function createContractDeployer({
  chain,
  privateKey,
}: {
  chain: LocalChain
  privateKey: Hex
}): ContractDeployer {
  const transport = http(chain.rpcUrls.default.http[0])
  const account = privateKeyToAccount(privateKey)
  const wallet = createWalletClient({ account, chain, transport })
  const reader = createPublicClient({ chain, transport })
  const node = createTestClient({ mode: 'anvil', chain, transport })

  const send: ContractDeployer['send'] = async (transaction) => {
    // The node responds once the transaction is mined. viem's `waitForTransactionReceipt` can miss a transaction that is mined
    // while it is checking, and then waits for the next block, which is only mined if another transaction is sent.
    const { status, transactionHash } = await wallet.sendTransactionSync({
      ...transaction,
      ...fees,
      gas,
      type: 'eip1559',
    })
    if (status !== 'success') throw new Error(`The transaction ${transactionHash} was reverted.`)
  }
  return {
    address: account.address,
    send,
    create2: async (init, { from = create2Deployer, salt = zeroHash } = {}) => {
      const address = getContractAddress({ opcode: 'CREATE2', from, salt, bytecode: init })
      if (await reader.getCode({ address })) return address
      await send({ to: from, data: concat([salt, init]) })
      return address
    },
    code: async (address) => (await reader.getCode({ address })) ?? '0x',
    setCode: (address, bytecode) => node.setCode({ address, bytecode }),
    mine: (blocks) => node.mine({ blocks }),
  }
}
