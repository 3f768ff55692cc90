// Folders for what one `npm start` builds: each its own, so that a second one does not build under the feet of the first.

import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A fresh folder under `parent`, named by this process; those of processes that are gone are removed.
 * @param {string} parent
 * @param {{ pid?: number, isAlive?: (pid: number) => boolean }} [asked]
 * @returns {{ folder: string, remove: () => void }}
 */
export function ownBuildFolder(parent, { pid = process.pid, isAlive = alive } = {}) {
  for (const name of existsSync(parent) ? readdirSync(parent) : [])
    if (/^\d+$/.test(name) && (Number(name) === pid || !isAlive(Number(name))))
      rmSync(join(parent, name), { recursive: true, force: true })
  const folder = join(parent, String(pid))
  mkdirSync(folder, { recursive: true })
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** @param {number} pid */
function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is there, and somebody else's.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}
