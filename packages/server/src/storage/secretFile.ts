import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Log } from '../serverDependencies.ts'
import { errnoOf, explained, type FilePort, FilesError, writeWhole } from './durableFiles.ts'

const minLength = 32

/**
 * Reads the secrets from a file that contains one secret per line, newest first. Creates the file on the first start. An empty
 * file is replaced, because it was left behind by a first start on a full disk and no server has used it.
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
      log(
        'warn',
        'the secret file was empty, probably because the disk was full on the first start; a new secret was written',
        {
          file,
        },
      )
      await writeWhole({ file, text: `${newSecret()}\n` }, files)
    }
    // Read the file again, because a concurrent start might have created it first.
    const secrets = (await linesOf(file)) ?? []
    const short = secrets.find((line) => line.length < minLength)
    if (secrets.length === 0 || short !== undefined)
      throw new FilesError(
        `${short === undefined ? `${file} contains no secret` : `The secret in ${file} is incomplete (${short.length} characters; at least ${minLength} are required)`}. Restore the file from a backup, or delete it to create a new secret: this signs out all users, but no wallets are lost.`,
      )
    return secrets
  } catch (error) {
    throw explained(error, file)
  }
}

/** Adds a new secret to the file. Servers sign with the new secret from their next start on and still accept the older ones. */
export async function rotateSecret(file: string): Promise<void> {
  const secrets = await readSecrets({ file })
  await writeWhole({ file, text: `${[newSecret(), ...secrets].join('\n')}\n` })
}

/**
 * Removes all but the newest secret, so that signatures made with older secrets are no longer accepted. Resolves to the number of
 * secrets removed.
 */
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
