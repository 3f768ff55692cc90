import { createRemoteJWKSet, jwtVerify } from 'jose'

const keys = createRemoteJWKSet(new URL('/auth/v1/keys?projectId=shop', process.env.CONNECT_URL))

/** The account (CAIP-10) that a request is signed in as; rejects whatever is not signed in. */
export async function accountOf(request: Request): Promise<string | undefined> {
  const token = (request.headers.get('authorization') ?? '').replace(/^Bearer /, '')
  const { payload } = await jwtVerify(token, keys, {
    audience: 'shop',
    typ: 'latchkey-session+jwt',
    algorithms: ['ES256'],
  })
  // A project that lists no pages signs people in to any page, also to one that is fishing for them: yours alone counts.
  if (payload.domain !== 'shop.example') throw new Error('Signed in to another page')
  return payload.sub
}
