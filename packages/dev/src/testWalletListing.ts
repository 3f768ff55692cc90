import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { assetsFolder } from '@latchkey/server'

/** The ID of the web wallet in the local directory. It is not in any published directory. */
export const testWalletId = 'latchkey-test-wallet'

/**
 * Returns the directory entry for the web wallet at `origin`. Its links end in `#/`, so that the parameters that pages append are
 * not sent to a server.
 */
export function testWallet({ origin, chains }: { origin: string; chains: readonly string[] }): Wallet {
  return {
    id: testWalletId,
    name: 'Latchkey Test Wallet',
    homepage: origin,
    chains,
    mobile_link: `${origin}/#/`,
    webapp_link: `${origin}/#/`,
  }
}

/** Writes the published directory and the wallets in `more` to a file in `folder`. Resolves to the path of the file. */
export async function directoryWith(more: readonly Wallet[], folder: string): Promise<string> {
  const published = JSON.parse(await readFile(join(assetsFolder(), 'wallets.json'), 'utf8')) as readonly object[]
  const file = join(folder, 'wallets.json')
  await mkdir(folder, { recursive: true })
  await writeFile(file, JSON.stringify([...published, ...more]))
  return file
}
