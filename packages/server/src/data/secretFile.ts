import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Log } from '../serverPorts.ts'
import { errnoOf, explained, type FilePort, FilesError, writeWhole } from './durableFiles.ts'

const minLength = 32

/**
 * Reads the secrets of a file, newest first, one per line, and creates the file on the first start. An empty file is left by a first start
 * on a full disk: no server has used it, so it is written again.
 */
export async function readSecrets({
  file,
  log = () => {},
  files,
}: {
  file: string
  log?: Log
  files?: FilePort
}): Promise<readonly string[]> {
  try {
    const found = await linesOf(file)
    if (found === undefined) await writeWhole({ file, text: `${newSecret()}\n`, ifAbsent: true }, files)
    else if (found.length === 0) {
      log('warn', 'the file of the secret was empty, as a first start on a full disk leaves it: it is written anew', {
        file,
      })
      await writeWhole({ file, text: `${newSecret()}\n` }, files)
    }
    // Read again, as a concurrent start can have created the file first.
    const secrets = (await linesOf(file)) ?? []
    const short = secrets.find((line) => line.length < minLength)
    if (secrets.length === 0 || short !== undefined)
      throw new FilesError(
        `The file ${file} holds ${short === undefined ? 'no secret' : `a secret of ${short.length} characters, too short to be whole`}: restore it from a backup, or remove it, and everybody signs in again; wallets are not lost.`,
      )
    return secrets
  } catch (error) {
    throw explained(error, file)
  }
}

/** Adds a new secret to the file. It signs from the next start on; the others are still accepted. */
export async function rotateSecret(file: string): Promise<void> {
  const secrets = await readSecrets({ file })
  await writeWhole({ file, text: `${[newSecret(), ...secrets].join('\n')}\n` })
}

/** Removes all but the newest secret, so that signatures of the others are no longer accepted. Resolves to the number of removed secrets. */
export async function retireSecrets(file: string): Promise<number> {
  const [newest = '', ...older] = await readSecrets({ file })
  if (older.length > 0) await writeWhole({ file, text: `${newest}\n` })
  return older.length
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

async function linesOf(file: string): Promise<readonly string[] | undefined> {
  try {
    return (await readFile(file, 'utf8'))
      .split('\n')
      .map((line) => line.replaceAll('\0', '').trim())
      .filter((line) => line !== '')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
