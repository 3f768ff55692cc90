// Manages the build folders for `npm start`. Each run has its own folder, so that a second run does not overwrite the first run's
// builds.

import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Creates a folder under `parent` that is named after this process's ID. Removes the folders of processes that have exited.
 * @param {string} parent
 * @param {{ pid?: number, isAlive?: (pid: number) => boolean }} [options]
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
    // The process exists but belongs to a different user.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}
