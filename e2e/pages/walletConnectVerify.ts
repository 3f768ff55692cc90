import { createClient, createProposer, memoryStorage } from '@latchkey/walletconnect'
import type { PageWorld } from './pageOptions.ts'

// A page that only uses the WalletConnect client and requests attestations from the server.

const world = (await (await fetch('/environment.json')).json()) as PageWorld
const client = await createClient({
  metadata: { name: 'Host', description: '', url: location.origin, icons: [] },
  relay: world.relay,
  projectId: world.projectId,
  verify: world.connect,
  storage: memoryStorage(),
})
const { propose } = createProposer(client.rpc, client.sessions)

document.querySelector('button')?.addEventListener('click', async () => {
  const { uri, settled } = await propose({
    optionalNamespaces: { eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: [] } },
  })
  settled.catch(() => {})
  const output = document.querySelector('output')
  if (output) output.textContent = uri
})
