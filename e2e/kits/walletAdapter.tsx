import { ConnectionProvider, useConnection, useWallet, WalletProvider } from '@solana/wallet-adapter-react'
import { WalletModalProvider, WalletMultiButton } from '@solana/wallet-adapter-react-ui'
import '@solana/wallet-adapter-react-ui/styles.css'
import { PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { loadLocalEnvironment } from './localEnvironment.ts'

const { solana } = await loadLocalEnvironment()

function Shop(): ReactNode {
  const { connection } = useConnection()
  const { publicKey, signMessage, sendTransaction } = useWallet()
  const [output, setOutput] = useState('')
  const show = (promise: Promise<string>): void =>
    void promise.then(setOutput, (error: Error) => setOutput(`${error.name}: ${error.message}`))
  const sign = async (): Promise<string> => {
    const signature = await signMessage?.(new TextEncoder().encode('One loaf, please'))
    return [...(signature ?? [])].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  }
  const pay = async (): Promise<string> => {
    if (!publicKey) throw new Error('No wallet is connected.')
    const toPubkey = new PublicKey('5ZWj7a1f8tWkjBESHKgrLmXshuXxqeY9SYcfbshpAqPG')
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    const transaction = new Transaction({ feePayer: publicKey, blockhash, lastValidBlockHeight }).add(
      SystemProgram.transfer({ fromPubkey: publicKey, toPubkey, lamports: 500_000_000 }),
    )
    return `Paid ${await sendTransaction(transaction, connection)}`
  }
  return (
    <section aria-label="Shop">
      <output aria-label="Account">{publicKey?.toBase58() ?? 'disconnected'}</output>
      <button type="button" onClick={() => show(sign())}>
        Sign
      </button>
      <button type="button" onClick={() => show(pay())}>
        Pay half a SOL
      </button>
      <output aria-label="Signature">{output}</output>
    </section>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <ConnectionProvider endpoint={solana.url}>
    <WalletProvider wallets={[]} autoConnect>
      <WalletModalProvider>
        <WalletMultiButton />
        <Shop />
      </WalletModalProvider>
    </WalletProvider>
  </ConnectionProvider>,
)
