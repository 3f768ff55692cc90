import { toBase58, toBase64, toHex } from '@latchkey/protocol/bytes'
import { createWalletClient } from 'viem'
import { type Ask, viemChain, viemTransport } from './networks.ts'
import { nameOf, withSignature } from './solanaMessage.ts'
import type { Asked } from './task.ts'

/** Does what the visitor has said yes to; the answer is what the page gets. Changing the network is the wallet's own affair. */
export async function doTask(task: Exclude<Asked, { do: 'switchNetwork' }>, ask: Ask): Promise<unknown> {
  const { account, network } = task
  switch (task.do) {
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
      const whole = await client.prepareTransactionRequest(task.transaction as { to: `0x${string}` })
      const signed = await client.signTransaction(whole as Parameters<typeof client.signTransaction>[0])
      return task.do === 'signTransaction' ? signed : ask(network, 'eth_sendRawTransaction', [signed])
    }
    case 'signSolana': {
      const { address } = account.solana
      const texts = { base58: toBase58, base64: toBase64 }
      const all = task.transactions.map((one) => {
        const signature = account.solana.sign(one.message.signed)
        return { signature: toBase58(signature), signed: withSignature(one, address, signature) }
      })
      const [first] = all as [(typeof all)[number]]
      const encoded = all.map(({ signed }) => texts[task.encoding](signed))
      if (task.answers === 'all') return { transactions: encoded }
      if (task.answers === 'one') return { signature: first.signature, transaction: encoded[0] }
      const sent = await ask(network, 'sendTransaction', [
        toBase64(first.signed),
        { ...task.sendOptions, encoding: 'base64' },
      ])
      return { signature: typeof sent === 'string' ? sent : nameOf(first.signed) }
    }
  }
}
