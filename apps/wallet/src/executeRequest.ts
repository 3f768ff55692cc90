import { toBase58, toBase64, toHex } from '@latchkey/protocol/bytes'
import { createWalletClient } from 'viem'
import { type Ask, viemChain, viemTransport } from './networks.ts'
import type { ApprovableRequest } from './parsedRequest.ts'
import { nameOf, withSignature } from './solanaMessage.ts'

/** Executes an approved request and resolves to the result for the page. Network switches are handled by the wallet itself. */
export async function executeRequest(
  task: Exclude<ApprovableRequest, { type: 'switchNetwork' }>,
  ask: Ask,
): Promise<unknown> {
  const { account, network } = task
  switch (task.type) {
    case 'signText':
      if (network.id.startsWith('eip155:')) return account.evm.signMessage({ message: { raw: toHex(task.bytes) } })
      return { signature: toBase58(account.solana.sign(task.bytes)) }
    case 'signTyped':
      return account.evm.signTypedData(task.typed)
    case 'sendTransaction':
    case 'signTransaction': {
      const client = createWalletClient({
        account: account.evm,
        chain: viemChain(network),
        transport: viemTransport(network, ask),
      })
      const prepared = await client.prepareTransactionRequest(task.transaction as { to: `0x${string}` })
      const signed = await client.signTransaction(prepared as Parameters<typeof client.signTransaction>[0])
      return task.type === 'signTransaction' ? signed : ask(network, 'eth_sendRawTransaction', [signed])
    }
    case 'signSolana': {
      const { address } = account.solana
      const encoders = { base58: toBase58, base64: toBase64 }
      const signatures = task.transactions.map((transaction) => {
        const signature = account.solana.sign(transaction.message.signed)
        return { signature: toBase58(signature), signed: withSignature(transaction, address, signature) }
      })
      const [first] = signatures as [(typeof signatures)[number]]
      const encoded = signatures.map(({ signed }) => encoders[task.encoding](signed))
      if (task.response === 'all') return { transactions: encoded }
      if (task.response === 'one') return { signature: first.signature, transaction: encoded[0] }
      const sent = await ask(network, 'sendTransaction', [
        toBase64(first.signed),
        { ...task.sendOptions, encoding: 'base64' },
      ])
      return { signature: typeof sent === 'string' ? sent : nameOf(first.signed) }
    }
  }
}
