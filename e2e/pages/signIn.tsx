import { createLatchkey } from '@latchkey/core'
import { ConnectButton, LatchkeyProvider, NetworkButton, useAccount, useDisconnect, useSignIn } from '@latchkey/react'
import { type ReactNode, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { optionsFor, type PageWorld } from './pageOptions.ts'

function Status(): ReactNode {
  const { status, address, chain } = useAccount()
  const signIn = useSignIn()
  const { disconnect } = useDisconnect()
  const [output, setOutput] = useState('')
  const ask = (question: () => Promise<unknown>): void => {
    setOutput('')
    question().then(
      () => setOutput('done'),
      (error: { code?: string }) => setOutput(`refused ${error.code}`),
    )
  }
  return (
    <>
      <output aria-label="Status">
        {status} {address} {chain}
      </output>
      <output aria-label="Sign-in">
        {signIn.status} {signIn.account}
      </output>
      <output aria-label="Answer">{output}</output>
      <button type="button" onClick={() => ask(signIn.signIn)}>
        Members only
      </button>
      <button type="button" onClick={() => ask(signIn.signOut)}>
        Leave the members area
      </button>
      <button type="button" onClick={() => ask(() => disconnect())}>
        Leave
      </button>
    </>
  )
}

const world = (await (await fetch('/environment.json')).json()) as PageWorld
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <LatchkeyProvider latchkey={createLatchkey(optionsFor(world))}>
      <h1>A host that signs in</h1>
      <ConnectButton />
      <NetworkButton />
      <Status />
    </LatchkeyProvider>
  </StrictMode>,
)
