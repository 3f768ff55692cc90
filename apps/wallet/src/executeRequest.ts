import { toBase58, toBase64, toHex } from '@latchkey/protocol/bytes'
import { createWalletClient } from 'viem'
import type { ApprovalRequest } from './approvalRequest.ts'
import { type Ask, viemChain, viemTransport } from './networks.ts'
import { nameOf, withSignature } from './solanaMessage.ts'

/** Executes an approved request. Resolves to the result for the page. Does not handle network switches. */
export async function executeRequest(
  call: Exclude<ApprovalRequest, { type: 'switchNetwork' }>,
  ask: Ask,
): Promise<unknown> {
  const { account, network } = call
  switch (call.type) {
    case 'signText':
      if (network.id.startsWith('eip155:')) return account.evm.signMessage({ message: { raw: toHex(call.bytes) } })
      return { signature: toBase58(account.solana.sign(call.bytes)) }
    case 'signTyped':
      return account.evm.signTypedData(call.typed)
    case 'sendTransaction':
    case 'signTransaction': {
      const client = createWalletClient({
        account: account.evm,
        chain: viemChain(network),
        transport: viemTransport(network, ask),
      })
      const prepared = await client.prepareTransactionRequest(call.transaction as { to: `0x${string}` })
      const signed = await client.signTransaction(prepared as Parameters<typeof client.signTransaction>[0])
      return call.type === 'signTransaction' ? signed : ask(network, 'eth_sendRawTransaction', [signed])
    }
    case 'signSolana': {
      const { address } = account.solana
      const encoders = { base58: toBase58, base64: toBase64 }
      const signatures = call.transactions.map((transaction) => {
        const signature = account.solana.sign(transaction.message.signed)
        return { signature: toBase58(signature), signed: withSignature(transaction, address, signature) }
      })
      const [first] = signatures as [(typeof signatures)[number]]
      const encoded = signatures.map(({ signed }) => encoders[call.encoding](signed))
      if (call.response === 'all') return { transactions: encoded }
      if (call.response === 'one') return { signature: first.signature, transaction: encoded[0] }
      const sent = await ask(network, 'sendTransaction', [
        toBase64(first.signed),
        { ...call.sendOptions, encoding: 'base64' },
      ])
      return { signature: typeof sent === 'string' ? sent : nameOf(first.signed) }
    }
  }
}
