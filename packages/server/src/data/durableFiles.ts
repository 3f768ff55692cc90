import { randomBytes } from 'node:crypto'
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The calls of the file system that a write that survives a crash is made of. */
export interface FilePort {
  readonly open: typeof open
  readonly link: typeof link
  readonly rename: typeof rename
  readonly rm: typeof rm
  readonly mkdir: typeof mkdir
}

const nodeFiles: FilePort = { open, link, rename, rm, mkdir }

/**
 * Writes a whole file or none: into a temporary one beside it, flushed to the disk, then put in its place, and the folder flushed. Answers
 * whether it was written: with `ifAbsent`, a file that is there already stays.
 */
export async function writeWhole(
  { file, text, ifAbsent = false }: { file: string; text: string; ifAbsent?: boolean },
  files: FilePort = nodeFiles,
): Promise<boolean> {
  const folder = dirname(file)
  const temporary = `${file}.${randomBytes(6).toString('hex')}.new`
  await makeFolder(folder, files)
  try {
    const handle = await files.open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    // A link fails where the name is taken; a rename would replace what another start has just written.
    if (ifAbsent) await files.link(temporary, file)
    else await files.rename(temporary, file)
    await syncFolder(folder, files)
    return true
  } catch (error) {
    if (ifAbsent && errnoOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await files.rm(temporary, { force: true }).catch(() => {})
  }
}

/**
 * Makes a folder, and those that it is in, for this user alone. Not `recursive`: where a file system answers "not found" to every name
 * that is new, as /proc does, that call of Node's never ends.
 */
export async function makeFolder(folder: string, files: Pick<FilePort, 'mkdir'> = nodeFiles): Promise<void> {
  const make = () => files.mkdir(folder, { mode: 0o700 })
  try {
    await make()
  } catch (error) {
    if (errnoOf(error) === 'EEXIST' && (await isFolder(folder))) return
    if (errnoOf(error) !== 'ENOENT') throw error
    // No cause: what it would say, "not found", is read as something else further up.
    if (await isFolder(dirname(folder)))
      throw new FilesError(`${folder} cannot be made there: set DATA_DIR to a folder on a disk.`)
    await makeFolder(dirname(folder), files)
    await make()
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}

/** Throws a FilesError where the operator named a folder that is not there. */
export async function folderMustExist(setting: string, folder: string | undefined): Promise<void> {
  if (folder === undefined || (await isFolder(folder))) return
  throw new FilesError(`${setting} is ${folder}, where no folder is: correct it, or leave it out.`)
}

/** Flushes the names in a folder to the disk. */
export async function syncFolder(folder: string, files: Pick<FilePort, 'open'> = nodeFiles): Promise<void> {
  const handle = await files.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Something about the operator's files that the operator has to mend; its message says how. */
export class FilesError extends Error {
  override readonly name = 'FilesError'
}

/** A failure of the file system as a sentence for the operator, where it is one that they can mend; any other error as it is. */
export function explained(error: unknown, path: string): unknown {
  const sentence = sentences[errnoOf(error) ?? '']
  return sentence === undefined ? error : new FilesError(`${sentence(path)} (${errnoOf(error)})`, { cause: error })
}

const sentences: Readonly<Record<string, (path: string) => string>> = {
  ENOSPC: (path) =>
    `The disk of ${path} is full: free some space, or set DATA_DIR to a folder on another disk, and start again.`,
  EDQUOT: (path) =>
    `The quota for ${path} is used up: free some space, or set DATA_DIR to another folder, and start again.`,
  EACCES: (path) =>
    `${path} may not be written by this user: let the user of this process own it, or set DATA_DIR to a folder that it may write.`,
  EPERM: (path) =>
    `${path} may not be written by this user: let the user of this process own it, or set DATA_DIR to a folder that it may write.`,
  EROFS: (path) =>
    `${path} is on a file system that is read-only: mount it to be written, or set DATA_DIR to a folder that may be.`,
  ENOTDIR: (path) => `${path} is not a folder: set DATA_DIR to one.`,
  EEXIST: (path) => `${path} is not a folder: set DATA_DIR to one.`,
  EIO: (path) =>
    `The disk of ${path} does not answer: look at its health, and restore DATA_DIR from a backup where it is damaged.`,
}

/** The errno of an error, or of what caused it. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  return errnoOf(error.cause)
}
