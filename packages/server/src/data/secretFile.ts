import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Log } from '../serverPorts.ts'
import { errnoOf, explained, type FilePort, FilesError, writeWhole } from './durableFiles.ts'

const minLength = 32

/**
 * The secrets in a file of the operator's, the newest first, one in each line; made at the first start. An empty file is what a first start
 * on a full disk left behind: no server has ever run with it, so it is written anew.
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
    // Whoever comes second reads what the first one wrote.
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

/** Puts a new secret before those in the file: it signs from the next start on, the others are still believed. */
export async function rotateSecret(file: string): Promise<void> {
  const secrets = await readSecrets({ file })
  await writeWhole({ file, text: `${[newSecret(), ...secrets].join('\n')}\n` })
}

/** Leaves the newest secret alone in the file: what the others signed is believed no more. Answers with how many were removed. */
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
