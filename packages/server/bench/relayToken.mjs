import { generateKeyPairSync, sign } from 'node:crypto'

/** Creates the identity of a new client and returns its token for the relay at `aud`. */
export function token(aud) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const iat = Math.floor(Date.now() / 1000)
  const iss = `did:key:z${base58(Buffer.from([0xed, 1, ...raw]))}`
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${part({ alg: 'EdDSA', typ: 'JWT' })}.${part({ iss, sub: '00', aud, iat, exp: iat + 86_400 })}`
  return `${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}`
}

function base58(bytes) {
  const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let left = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (; left > 0n; left /= 58n) text = letters[Number(left % 58n)] + text
  return text
}
