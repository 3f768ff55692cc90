import { isWebLink } from '@latchkey/protocol/safeLinks'

/**
 * Returns the https URL of the image in an `avatar` record, or `null` if the record contains no URL that is safe to display.
 * IPFS links are rewritten to `ipfsGateway`. NFT images are not supported, because the server would have to request any URL
 * that their contract returns.
 */
export function avatarUrl(record: string | null | undefined, ipfsGateway: string | undefined): string | null {
  if (!record || record.length > 2048) return null
  const [, path] = /^ipfs:\/\/(?:ipfs\/)?([a-zA-Z0-9]{46,100}(?:\/[\w./%-]*)?)$/.exec(record) ?? []
  const url = path && ipfsGateway ? `${ipfsGateway.replace(/\/$/, '')}/ipfs/${path}` : record
  return /^https:/i.test(url) && isWebLink(url) && !url.includes('/../') ? url : null
}
