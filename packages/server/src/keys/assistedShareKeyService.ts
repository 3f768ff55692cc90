import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** The owner of a share, which is authenticated together with the share. */
export interface ShareSubject {
  readonly user: string
  readonly wallet: string
}

/** The operator's key service, which seals and opens shares. A custom service can keep its key out of this server's reach. */
export interface EscrowKeyService {
  seal(share: string, subject: ShareSubject): Promise<string>
  open(sealed: string, subject: ShareSubject): Promise<string>
}

/** Creates a key service in this process. It uses AES-256-GCM with the 32 bytes of `ESCROW_KEY`. */
export function localEscrowKeyService(key: string): EscrowKeyService {
  const secret = Buffer.from(key, 'base64url')
  // Must be byte-identical to the text that the frame uses, so the order of the properties matters.
  const additionalData = ({ user, wallet }: ShareSubject): Buffer =>
    Buffer.from(JSON.stringify({ user, wallet, what: 'escrow' }))
  return {
    async seal(share, subject) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(additionalData(subject))
      const sealed = Buffer.concat([
        cipher.update(Buffer.from(share, 'base64url')),
        cipher.final(),
        cipher.getAuthTag(),
      ])
      return JSON.stringify({ nonce: nonce.toString('base64url'), sealed: sealed.toString('base64url') })
    },
    async open(text, subject) {
      const box = JSON.parse(text) as { nonce: string; sealed: string }
      const sealed = Buffer.from(box.sealed, 'base64url')
      const cipher = createDecipheriv('aes-256-gcm', secret, Buffer.from(box.nonce, 'base64url')).setAAD(
        additionalData(subject),
      )
      cipher.setAuthTag(sealed.subarray(-16))
      return Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]).toString('base64url')
    },
  }
}
