import { randomBytes } from 'node:crypto'
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The file system functions that a crash-safe write uses. Tests replace them. */
export interface FilePort {
  readonly open: typeof open
  readonly link: typeof link
  readonly rename: typeof rename
  readonly rm: typeof rm
  readonly mkdir: typeof mkdir
}

const nodeFiles: FilePort = { open, link, rename, rm, mkdir }

/**
 * Writes a file atomically: writes to a temporary file, flushes it to disk, moves it into place and flushes the folder. Resolves
 * to `true`, or to `false` if the file already exists and `ifAbsent` is set.
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
    // A link fails if the name is taken. A rename would replace a file that a concurrent start has just written.
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
 * Creates a folder and its parents, accessible only to the current user. Does not use Node's `recursive` option, which never
 * returns on file systems that report ENOENT for every new name, such as /proc.
 */
export async function makeFolder(folder: string, files: Pick<FilePort, 'mkdir'> = nodeFiles): Promise<void> {
  const make = () => files.mkdir(folder, { mode: 0o700 })
  try {
    await make()
  } catch (error) {
    if (errnoOf(error) === 'EEXIST' && (await isFolder(folder))) return
    if (errnoOf(error) !== 'ENOENT') throw error
    // The error has no cause, because callers would misinterpret the ENOENT.
    if (await isFolder(dirname(folder)))
      throw new FilesError(`${folder} cannot be created: set DATA_DIR to a folder on a disk.`)
    await makeFolder(dirname(folder), files)
    await make()
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}

/** Throws a `FilesError` if a configured folder does not exist. */
export async function folderMustExist(setting: string, folder: string | undefined): Promise<void> {
  if (folder === undefined || (await isFolder(folder))) return
  throw new FilesError(`${setting} is ${folder}, but that folder does not exist: correct the setting or remove it.`)
}

/** Flushes a folder's entries to disk. */
export async function syncFolder(folder: string, files: Pick<FilePort, 'open'> = nodeFiles): Promise<void> {
  const handle = await files.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Thrown if there is a problem with the operator's files. The message explains how to fix it. */
export class FilesError extends Error {
  override readonly name = 'FilesError'
}

/** Converts a file system error that the operator can fix into a `FilesError`. Returns any other error unchanged. */
export function explained(error: unknown, path: string): unknown {
  const sentence = sentences[errnoOf(error) ?? '']
  return sentence === undefined ? error : new FilesError(`${sentence(path)} (${errnoOf(error)})`, { cause: error })
}

const sentences: Readonly<Record<string, (path: string) => string>> = {
  ENOSPC: (path) =>
    `The disk of ${path} is full: free up space or set DATA_DIR to a folder on another disk, then start again.`,
  EDQUOT: (path) =>
    `The disk quota for ${path} is exceeded: free up space or set DATA_DIR to another folder, then start again.`,
  EACCES: (path) =>
    `${path} is not writable: make the user of this process its owner, or set DATA_DIR to a writable folder.`,
  EPERM: (path) =>
    `${path} is not writable: make the user of this process its owner, or set DATA_DIR to a writable folder.`,
  EROFS: (path) =>
    `${path} is on a read-only file system: remount it as writable, or set DATA_DIR to a writable folder.`,
  ENOTDIR: (path) => `${path} is not a folder: set DATA_DIR to a folder.`,
  EEXIST: (path) => `${path} is not a folder: set DATA_DIR to a folder.`,
  EIO: (path) =>
    `The disk of ${path} returned an I/O error: check the disk, and restore DATA_DIR from a backup if it is damaged.`,
}

/** Returns the errno of an error or of one of its causes. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  return errnoOf(error.cause)
}
