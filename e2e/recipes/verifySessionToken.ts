import { createRemoteJWKSet, jwtVerify } from 'jose'

const keys = createRemoteJWKSet(new URL('/auth/v1/keys?projectId=shop', process.env.CONNECT_URL))

/** Resolves to the request's signed-in account (CAIP-10). Rejects if the request is not signed in. */
export async function accountOf(request: Request): Promise<string | undefined> {
  const token = (request.headers.get('authorization') ?? '').replace(/^Bearer /, '')
  const { payload } = await jwtVerify(token, keys, {
    audience: 'shop',
    typ: 'latchkey-session+jwt',
    algorithms: ['ES256'],
  })
  // If a project has no registered origins, users can sign in on any page, including phishing pages. Only accept your own.
  if (payload.domain !== 'shop.example') throw new Error('Signed in on another site')
  return payload.sub
}
