import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { type FrameFiles, folderFrameFiles } from '@latchkey/server'

/**
 * Serves the built frame from `folder`, or from the frame package by default. The folder is looked up on each request, because
 * the frame can be built while the dev server is running. Until then, a placeholder page is served.
 */
export function loadFrameFiles(folder?: string): FrameFiles {
  const placeholder = {
    bytes: new TextEncoder().encode(
      '<!doctype html><html lang="en"><meta charset="utf-8"><title>Not built</title><p>The key frame has not been built yet.',
    ),
    type: 'text/html; charset=utf-8',
    hashed: false,
  }
  return {
    find: async (path) => {
      try {
        const from = folder ?? dirname(createRequire(import.meta.url).resolve('@latchkey/frame/files.json'))
        return await folderFrameFiles(from).find(path)
      } catch {
        return placeholder
      }
    },
  }
}
