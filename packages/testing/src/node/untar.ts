import { gunzipSync } from 'node:zlib'

/** Returns the bytes of a file in a .tgz, or `undefined` if the archive does not contain the file. */
export function fileInTarball(tgz: Uint8Array, path: string): Uint8Array | undefined {
  const tar = gunzipSync(tgz)
  for (let at = 0; at + 512 <= tar.length; ) {
    const name = text(tar.subarray(at, at + 100))
    if (name === '') return undefined
    const size = Number.parseInt(text(tar.subarray(at + 124, at + 136)).trim(), 8)
    const start = at + 512
    if (name === path) return tar.subarray(start, start + size)
    at = start + Math.ceil(size / 512) * 512
  }
  return undefined
}

function text(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end))
}
