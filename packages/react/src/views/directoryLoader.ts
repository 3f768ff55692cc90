import type { Directory, Latchkey } from '@latchkey/core'
import { type Context, createContext, useContext } from 'react'
import { type ChunkLoader, createChunkLoader } from '../chunkLoader.ts'

/** A loader for the directory. The directory is `undefined` if none is configured. */
export type DirectoryLoader = ChunkLoader<{ readonly directory: Directory | undefined }>

/** Creates a loader for the directory of `latchkey`. Unless the instance is `ready`, the loader never resolves. */
export function createDirectoryLoader(latchkey: Latchkey, ready: boolean): DirectoryLoader {
  return createChunkLoader(async () => ({ directory: await (ready ? latchkey.directory() : new Promise(() => {})) }))
}

/**
 * The context that provides the directory's loader. Views share the loader, so a view that opens after the directory has been
 * loaded can render wallets in its first frame.
 */
export const DirectoryLoaderContext: Context<DirectoryLoader | undefined> = createContext<DirectoryLoader | undefined>(
  undefined,
)

/** Returns the directory's loader. Views are only rendered inside its provider. */
export function useDirectoryLoader(): DirectoryLoader {
  return useContext(DirectoryLoaderContext) as DirectoryLoader
}
