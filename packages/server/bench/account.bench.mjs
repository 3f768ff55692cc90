// Compares the balances of an account with 200 tokens, and the first page of its history, with the bare calls to the node that they
// cost. The calls are recorded once, and then sent to the same node directly, as concurrently as the server sends them. The node is
// anvil with 200 tokens. Run `npm run build` first. `ROUNDS=…` sets the number of measurements.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testAccounts } from '@latchkey/testing'
import { createContractDeployer, deployExchange, startAnvil } from '@latchkey/testing/node'
import { startServer } from './benchServer.mjs'
import { median } from './statistics.mjs'

const rounds = Number(process.env.ROUNDS ?? 40)
const tokens = 200
/** The maximum time of each request, relative to the calls that it costs. The two calls for balances take about as long as one more hop. */
const goals = { balances: 2, 'first page of the history': 1.5 }
const chainId = 'eip155:31337'
/** Returns 18 for every call: the balance and the decimals. */
const tokenCode = '0x60125f5260205ff3'

const folder = await mkdtemp(join(tmpdir(), 'latchkey-account-'))
const anvil = await startAnvil()
let server
let node
try {
  const deployer = createContractDeployer({ chain: anvil.chain, privateKey: testAccounts[0].privateKey })
  const exchange = await deployExchange({ chain: anvil.chain })
  const listed = []
  for (let at = 1; at <= tokens; at += 1) {
    const address = `0x${(0x70000 + at).toString(16).padStart(40, '0')}`
    await deployer.setCode(address, tokenCode)
    listed.push({ chainId: 31337, address, name: `Token ${at}`, symbol: `T${at}`, decimals: 18 })
  }
  for (let at = 0; at < 60; at += 1) await deployer.send({ to: testAccounts[1].address, value: 1n })
  node = await recordingNode(anvil.url)
  await writeFile(join(folder, 'tokens.json'), JSON.stringify({ name: 'Tokens', tokens: listed }))
  const { multicall3, contracts } = exchange
  const chain = { rpcUrls: [node.url], tokenLists: ['tokens.json'], multicall3, exchange: contracts, testnet: true }
  await writeFile(join(folder, 'chains.json'), JSON.stringify({ [chainId]: chain }))
  server = await startServer({ folder, env: { CHAINS_FILE: 'chains.json', RATE_PER_ADDRESS: '0' } })
  const isGood = [
    await compare('balances', (account) => `/v1/account/${account}/balance?currency=usd&chainId=${chainId}`, {
      // A new account each time, because balances are remembered.
      accountOf: (round) => `0x${(0xaa0000 + round).toString(16).padStart(40, '0')}`,
      countOf: ({ balances }) => balances.length,
      count: tokens,
    }),
    await compare('first page of the history', (account) => `/v1/account/${account}/history?chainId=${chainId}`, {
      accountOf: () => testAccounts[0].address,
      countOf: ({ data }) => data.length,
      count: 50,
    }),
  ]
  process.exitCode = isGood.every(Boolean) ? 0 : 1
} finally {
  await server?.stop()
  node?.close()
  await anvil.stop()
  await rm(folder, { recursive: true, force: true })
}

async function compare(name, pathOf, { accountOf, countOf, count }) {
  const ask = async (account) => {
    const started = performance.now()
    const response = await fetch(`http://127.0.0.1:${server.port}${pathOf(account)}`)
    const body = await response.json()
    if (response.status !== 200 || countOf(body) !== count)
      throw new Error(`${name}: ${response.status} with ${countOf(body)} entries instead of ${count}`)
    return performance.now() - started
  }
  // What the server reads for all accounts, such as prices, is not a part of either side.
  for (let round = 0; round < 3; round += 1) await ask(accountOf(-1 - round))
  node.record()
  const recorded = accountOf(-10)
  await ask(recorded)
  const waves = node.waves()
  const ours = []
  const bare = []
  for (let round = 0; round < rounds; round += 1) {
    const account = accountOf(round)
    // The order alternates, because the second one finds the caches of the node warm.
    for (const kind of round % 2 === 0 ? ['bare', 'ours'] : ['ours', 'bare'])
      if (kind === 'ours') ours.push(await ask(account))
      else bare.push(await replay(waves, recorded, account))
  }
  const ratio = median(ours.map((ms, round) => ms / bare[round]))
  const calls = waves.flat().reduce((sum, body) => sum + [JSON.parse(body)].flat().length, 0)
  const isMet = ratio <= goals[name]
  console.log(
    `${isMet ? 'met' : 'NOT met'}: ${name} (${count} entries): ${median(ours).toFixed(1)} ms, the ${calls} calls in ${waves.flat().length} requests that it costs ${median(bare).toFixed(1)} ms, ratio ${ratio.toFixed(2)} (at most ${goals[name]})`,
  )
  return isMet
}

/** Sends the recorded requests for another account. Each wave starts when the previous one has ended, as on the server. */
async function replay(waves, recorded, account) {
  const [from, to] = [recorded, account].map((address) => address.slice(2).toLowerCase())
  const bodies = waves.map((wave) => wave.map((body) => body.replaceAll(new RegExp(from, 'gi'), to)))
  const started = performance.now()
  for (const wave of bodies)
    await Promise.all(
      wave.map(async (body) => {
        const headers = { 'content-type': 'application/json' }
        const response = await fetch(node.url, { method: 'POST', headers, body })
        await response.json()
      }),
    )
  return performance.now() - started
}

/** A proxy to the node that records requests with their times. Both sides use it, so it costs both the same. */
async function recordingNode(url) {
  let requests
  const listener = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const entry = { body, from: performance.now(), to: 0 }
    requests?.push(entry)
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const text = await answer.text()
    entry.to = performance.now()
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${listener.address().port}`,
    close: () => void listener.close().closeAllConnections(),
    record() {
      requests = []
    },
    waves() {
      const waves = []
      let end = Number.NEGATIVE_INFINITY
      for (const { body, from, to } of requests.toSorted((a, b) => a.from - b.from)) {
        if (from >= end || waves.length === 0) waves.push([])
        waves.at(-1).push(body)
        end = from >= end ? to : Math.max(end, to)
      }
      requests = undefined
      return waves
    },
  }
}
