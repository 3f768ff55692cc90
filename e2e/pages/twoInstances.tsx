import { createLatchkey, type Latchkey } from '@latchkey/core'
import { ConnectButton, LatchkeyProvider, useAccount } from '@latchkey/react'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { optionsFor, type PageWorld } from './pageOptions.ts'

function Status(): ReactNode {
  const account = useAccount()
  return (
    <output aria-label="Status">
      {account.status} {account.address}
    </output>
  )
}

function Half({ name, latchkey }: { readonly name: string; readonly latchkey: Latchkey }): ReactNode {
  return (
    <section aria-label={name}>
      <LatchkeyProvider latchkey={latchkey}>
        <ConnectButton />
        <Status />
      </LatchkeyProvider>
    </section>
  )
}

const world = (await (await fetch('/environment.json')).json()) as PageWorld
const left = createLatchkey(optionsFor(world))
const right = createLatchkey({ ...optionsFor(world), id: 'right' })
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <h1>Two instances</h1>
    <Half name="Left" latchkey={left} />
    <Half name="Right" latchkey={right} />
  </StrictMode>,
)
