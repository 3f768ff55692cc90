import { readFile } from 'node:fs/promises'
import { type Wallet, wallet } from '@latchkey/protocol/http/publicRoutes'
import * as v from 'valibot'

const row = v.intersect([
  wallet,
  v.object({
    image: v.nullish(v.pipe(v.string(), v.regex(/^[\w.-]+\.(webp|png|jpg|jpeg|gif|svg)$/, 'not a plain file name'))),
  }),
])

/** The wallets in a directory file, and the file names of their logos. */
export interface WalletsFile {
  /** The wallets, in the order in which the file lists them. */
  wallets: Wallet[]
  /** The file names of the logos, keyed by image ID. The files are in a separate folder. */
  images: ReadonlyMap<string, string>
}

/**
 * Reads a directory file: a JSON array of wallets in the wire format. Each wallet can also have the field `image`, the file name
 * of its logo.
 *
 * @throws {Error} if the file cannot be read or contains an invalid wallet.
 *
 * @example
 * const walletsFile = await readWalletsFile('wallets.json')
 * const directory = createDirectory(walletsFile.wallets)
 * const images = createImages({ folder: 'wallet-images', files: walletsFile.images })
 */
export async function readWalletsFile(file: string): Promise<WalletsFile> {
  const parsed = v.safeParse(v.array(v.intersect([wallet, row])), await readJson(file))
  if (!parsed.success) {
    const issue = parsed.issues[0]
    throw new Error(
      `${file} is not a valid wallet list: ${[v.getDotPath(issue), issue.message].filter(Boolean).join(': ')}`,
    )
  }
  const images = new Map<string, string>()
  const wallets = parsed.output.map(({ image, image_id, ...rest }): Wallet => {
    // In the wire format, this field is a string or absent, but never null.
    if (!image_id) return rest
    if (image) images.set(image_id, image)
    return { ...rest, image_id }
  })
  return { wallets, images }
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The wallet list ${file} cannot be read (${error.code}): check WALLETS_FILE.`, { cause: error })
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`The wallet list ${file} is not valid JSON: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    })
  }
}
