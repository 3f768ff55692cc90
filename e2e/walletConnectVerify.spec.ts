import { createClient, createResponder, memoryStorage, type ProposalEvent, type Socket } from '@latchkey/walletconnect'
import { createVerifier } from '@latchkey/walletconnect/verify'
import { WebSocket } from 'ws'
import { expect, test } from './support/fixtures.ts'

test('under a strict CSP, a page sends proposals with an attestation that is only valid for its own origin', async ({
  page,
  world,
}) => {
  const host = `http://verify.demo.localhost:${world.port}`
  await page.goto(`${host}/walletConnectVerify.html`)
  await page.getByRole('button', { name: 'Pair' }).click()
  const uri = (await page.getByText(/^wc:/).textContent()) ?? ''

  // Node.js does not resolve subdomains of localhost.
  const client = await createClient({
    metadata: { name: 'Pocket', description: '', url: 'https://pocket.example', icons: [] },
    relay: `ws://127.0.0.1:${world.port}`,
    projectId: 'local',
    storage: memoryStorage(),
    connect: (url) => new WebSocket(url) as unknown as Socket,
  })
  const responder = createResponder(client.rpc, client.sessions)
  const proposed = new Promise<ProposalEvent>((resolve) => responder.on('proposal', resolve))
  await responder.pair(uri)
  const { attested, proposal } = await proposed
  client.close()

  const verifier = createVerifier({ verify: `http://127.0.0.1:${world.port}` })
  const { url } = proposal.proposer.metadata
  expect(url).toBe(host)
  // Projects in the local environment do not list any origins, so the attestation only confirms the page's origin.
  expect(await verifier.verify(attested, url)).toBe('unknown')
  expect(await verifier.verify(attested, world.facts.demo)).toBe('invalid')
  expect(
    attested && JSON.parse(Buffer.from(attested.attestation.split('.')[1] ?? '', 'base64url').toString()),
  ).toMatchObject({ origin: host, id: attested?.messageId, isVerified: false, isScam: false })
  await expect(page.locator('iframe')).toHaveCount(0)
})

test.describe(() => {
  test.use({ allowedConsole: [/frame-ancestors/] })

  test('a page cannot get an attestation for a different origin', async ({ page, world }) => {
    await page.goto(`http://verify.demo.localhost:${world.port}/walletConnectVerify.html`)
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    const address = new URL('/v3/attestation', world.facts.connect)
    address.search = String(new URLSearchParams({ origin: world.facts.demo, id: 'a'.repeat(64), projectId: 'local' }))
    await page.evaluate((src) => {
      addEventListener('message', ({ data }) => console.error(`heard ${data}`))
      const frame = document.createElement('iframe')
      frame.src = src
      document.body.append(frame)
    }, address.href)
    await refused
  })
})
