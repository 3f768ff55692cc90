import { createRemoteJWKSet, jwtVerify } from 'jose'

const keys = createRemoteJWKSet(new URL('/auth/v1/keys?projectId=shop', process.env.CONNECT_URL))

/** Returns the account (CAIP-10) that the request is signed in as. Rejects if it is not signed in. */
export async function accountOf(request: Request): Promise<string | undefined> {
  const token = (request.headers.get('authorization') ?? '').replace(/^Bearer /, '')
  const { payload } = await jwtVerify(token, keys, {
    audience: 'shop',
    typ: 'latchkey-session+jwt',
    algorithms: ['ES256'],
  })
  // A project without registered origins allows sign-in on any page, including phishing pages. Accept your own only.
  if (payload.domain !== 'shop.example') throw new Error('Signed in on another site')
  return payload.sub
}
