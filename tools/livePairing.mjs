// `npm run live`: pairs with a wallet on a real phone over the public relay, prints the granted namespaces, requests a signature,
// and disconnects. It is run manually, because it needs a network, a phone, and a project ID from the public relay's operator.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { root, Stop, say, script } from './bootstrap.mjs'

const publicRelay = 'wss://relay.walletconnect.org'

/**
 * Parses the arguments. `--relay <url>` selects a different relay, which might not require a project ID.
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ relay: string, projectId: string | undefined } | { problem: string }}
 */
export function readLive(args, env) {
  const at = args.indexOf('--relay')
  const relay = at < 0 ? publicRelay : args[at + 1]
  const projectId = env.LATCHKEY_LIVE_PROJECT_ID || undefined
  if (args.length !== (at < 0 ? 0 : 2)) return { problem: 'npm run live only accepts --relay <url>.' }
  if (!relay || !/^wss?:\/\/\S+$/.test(relay)) return { problem: 'The URL of a relay must start with wss:// or ws://.' }
  if (relay === publicRelay && !projectId)
    return { problem: 'The public relay requires a project ID. Set LATCHKEY_LIVE_PROJECT_ID to yours.' }
  return { relay, projectId }
}

/** @param {string} from @param {string} name */
const packageOf = (from, name) =>
  import(pathToFileURL(createRequire(join(root, from, 'package.json')).resolve(name)).href)

if (process.argv[1] === fileURLToPath(import.meta.url))
  await script(async () => {
    const options = readLive(process.argv.slice(2), process.env)
    if ('problem' in options) {
      process.stderr.write(`${options.problem}\n`)
      return 2
    }
    const { openSources } = await import('./runFromSource.mjs')
    const sources = await openSources()
    const { createClient, createProposer, memoryStorage } = await sources.load('packages/walletconnect/src/index.ts')
    const { renderUnicodeCompact } = await packageOf('packages/ui', 'uqr')
    const { default: WebSocket } = await packageOf('packages/server', 'ws')
    const client = await createClient({
      ...options,
      metadata: { name: 'Latchkey live', description: 'A manual test', url: 'https://latchkey.example', icons: [] },
      storage: memoryStorage(),
      connect: (/** @type {string} */ url) => new WebSocket(url),
    })
    try {
      const offer = await createProposer(client.rpc, client.sessions).propose({
        optionalNamespaces: {
          eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: ['accountsChanged', 'chainChanged'] },
        },
      })
      process.stdout.write(`${renderUnicodeCompact(offer.uri)}\n${offer.uri}\n`)
      say('Scan the code with a wallet, or paste the link there; it expires in four minutes')
      const { topic, namespaces, peer } = await offer.settled
      say(`${peer.metadata.name} granted`)
      process.stdout.write(`${JSON.stringify(namespaces, undefined, 2)}\n`)
      const account = namespaces.eip155?.accounts[0]
      if (!account) throw new Stop('The wallet granted no account to sign with.')
      const [, reference, address] = account.split(':')
      say('Requesting a signature')
      const text = `0x${Buffer.from('Latchkey: a manual test of signing, without any effect.').toString('hex')}`
      const signature = await client.sessions.request(topic, {
        chainId: `eip155:${reference}`,
        method: 'personal_sign',
        params: [text, address],
      })
      process.stdout.write(`${signature}\n`)
      await client.sessions.disconnect(topic)
      say('Disconnected')
      return 0
    } finally {
      client.close()
      await sources.close()
    }
  })
