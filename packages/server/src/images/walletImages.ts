import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { etagOf } from '../http/etag.ts'
import type { Image, ImageKind, Images } from '../serverDependencies.ts'
import { assetGlyph, currencyGlyph, tokenGlyph } from './placeholderImages.ts'

/**
 * Creates an image store. `files` maps image IDs to the names of files in `folder`. The images of wallets are files. Those of
 * currencies and tokens are generated glyphs. Those of assets are generated glyphs or, for IDs without a glyph, files.
 *
 * Requested IDs are only looked up and never become part of a path.
 */
export function createImages({ folder, files }: { folder: string; files: ReadonlyMap<string, string> }): Images {
  const read = new Map<string, Promise<Image | undefined>>()
  const loaded = new Map<string, Image>()

  function logo(id: string): Promise<Image | undefined> {
    const file = files.get(id)
    if (!file) return Promise.resolve(undefined)
    const known = read.get(file)
    if (known) return known
    const reading = readFile(join(folder, file)).then(imageOf, () => undefined)
    void reading.then((image) => image && loaded.set(file, image))
    read.set(file, reading)
    return reading
  }

  return {
    cached: (kind, id) => (kind === 'wallet' ? loaded.get(files.get(id) ?? '') : undefined),
    find: async (kind: ImageKind, id: string): Promise<Image | undefined> => {
      if (kind === 'wallet') return logo(id)
      if (kind === 'currency') return drawn(currencyGlyph(id))
      if (kind === 'token') return drawn(tokenGlyph(id))
      return drawn(assetGlyph(id)) ?? logo(id)
    },
  }
}

function drawn(svg: string | undefined): Image | undefined {
  return svg === undefined ? undefined : imageOf(Buffer.from(svg))
}

function imageOf(content: Buffer): Image | undefined {
  const type = typeOf(content)
  if (!type) return undefined
  return { bytes: new Uint8Array(content), type, etag: etagOf(content) }
}

// The type is detected from the content, because file extensions can be wrong and browsers must not sniff the type.
function typeOf(content: Buffer): Image['type'] | undefined {
  if (content.subarray(0, 4).equals(Buffer.from('RIFF')) && content.subarray(8, 12).equals(Buffer.from('WEBP')))
    return 'image/webp'
  if (content.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'image/png'
  if (content.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (content.subarray(0, 4).equals(Buffer.from('GIF8'))) return 'image/gif'
  if (/^\s*(<\?xml[^>]*>\s*)?<svg[\s>]/.test(content.subarray(0, 512).toString('utf8'))) return 'image/svg+xml'
  return undefined
}
