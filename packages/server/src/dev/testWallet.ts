import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Wallet } from '@latchkey/protocol/http/contract'
import { assetsFolder } from '../packageFiles.ts'

/** The id of the web wallet in the directory of a local world; no published directory has it. */
export const testWalletId = 'latchkey-test-wallet'

/** The web wallet at `origin`, as the directory tells of it. Links end in `#/`: what pages append is sent to no server. */
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

/** The published directory with `more` behind it, as a file in `folder`. */
export async function directoryWith(more: readonly Wallet[], folder: string): Promise<string> {
  const published = JSON.parse(await readFile(join(assetsFolder(), 'wallets.json'), 'utf8')) as readonly object[]
  const file = join(folder, 'wallets.json')
  await mkdir(folder, { recursive: true })
  await writeFile(file, JSON.stringify([...published, ...more]))
  return file
}
