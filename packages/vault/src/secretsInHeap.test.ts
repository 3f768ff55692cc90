// Test files share a process only if they have the same options. The options below are unique, so this file runs in a separate
// process, whose heap contains no strings from other tests.
// @vitest-environment-options { "process": "own" }

import { getHeapSnapshot } from 'node:v8'
import { toBase64, toBase64Url, toHex } from '@latchkey/protocol/bytes'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { openVault } from './openVault.ts'
import { eip155Signer } from './signers/eip155.ts'
import { solanaSigner } from './signers/solana.ts'
import { seededEnvironment } from './testing/seededEnvironment.ts'
import { createVaultFixture } from './testing/vaultFixture.ts'

/**
 * Returns the `needles` whose reversed text is in the engine's heap. The secrets are passed reversed, so that the search does not
 * find the needles themselves.
 */
async function textsInHeap(needles: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  let tail = ''
  for await (const chunk of getHeapSnapshot() as AsyncIterable<Buffer>) {
    const text = tail + chunk.toString('latin1')
    for (const needle of needles) if (text.includes(backwards(needle))) found.add(needle)
    tail = text.slice(-300)
  }
  return [...found]
}

function backwards(text: string): string {
  return [...text].reverse().join('')
}

// This test is best effort: it covers a single JavaScript engine, and searches its strings but not the contents of its buffers.
// Other tests check that buffers are wiped.
test('the heap contains no secret as text after a vault is created, opened, used and locked', async () => {
  const environment = seededEnvironment(41, fakeClock())
  const { vault, store, keys, user } = await createVaultFixture(environment)
  const opened = await openVault({ user, record: vault.record, key: keys.kit, environment, store })
  await eip155Signer(opened).signMessage({ message: { raw: '0x00' } })
  await solanaSigner(opened).signMessage({ message: 'Cn8eVZg' })
  const needles = await opened.withRootSecret(({ entropy, seed }) =>
    [entropy, seed].flatMap((bytes) => [toHex(bytes).slice(2), toBase64(bytes), toBase64Url(bytes)].map(backwards)),
  )
  vault.lock()
  opened.lock()
  expect(await textsInHeap(needles)).toEqual([])
  // Check that the search works: it finds a secret that is stored as text.
  const stored = { text: backwards(needles[0]!) }
  expect(await textsInHeap(needles)).toEqual([needles[0]])
  expect(stored.text).toHaveLength(64)
}, 120_000)
