import { createClient, createProposer, memoryRecords } from '@latchkey/walletconnect'
import type { PageWorld } from './options.ts'

// A page of its own with the bare client, whose proposals the server vouches for.

const world = (await (await fetch('/world.json')).json()) as PageWorld
const client = await createClient({
  metadata: { name: 'Host', description: '', url: location.origin, icons: [] },
  relay: world.relay,
  projectId: world.projectId,
  verify: world.connect,
  records: memoryRecords(),
})
const { propose } = createProposer(client.peer, client.sessions)

document.querySelector('button')?.addEventListener('click', async () => {
  const { uri, answered } = await propose({
    optionalNamespaces: { eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: [] } },
  })
  answered.catch(() => {})
  const output = document.querySelector('output')
  if (output) output.textContent = uri
})
