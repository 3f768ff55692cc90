import { type AuthPayload, type Cacao, messageOf, readRecap, signerOf } from '@latchkey/walletconnect'
import { verifyMessage } from 'viem'
import { chainId, expect, granted, metadata, optionalNamespaces, test } from './support/referenceClient.ts'

// Tests connecting and signing in with a single request (CAIP-222) between our client and the official one.

const payload = {
  chains: [chainId],
  domain: 'shop.example',
  aud: 'https://shop.example/',
  nonce: '0123456789abcdef',
  iat: '2026-11-21T12:00:00.000Z',
  statement: 'Sign in to the shop.',
}
const methods = ['personal_sign', 'eth_sendTransaction']

/** Whether the issuer of `cacao` signed it. */
const holds = (cacao: Cacao): Promise<boolean> =>
  verifyMessage({
    address: signerOf(cacao).address as `0x${string}`,
    message: messageOf(cacao.p, cacao.p.iss),
    signature: cacao.s.s as `0x${string}`,
  })

const { statement: _statement, ...silent } = payload
const wordy = {
  ...payload,
  exp: '2126-11-21T12:00:00.000Z',
  nbf: '2026-01-01T00:00:00.000Z',
  resources: ['https://shop.example/terms'],
}

for (const [what, signInPayload] of [
  ['that contains every field', wordy],
  ['that has no statement', silent],
] as const) {
  test(`our page and their wallet complete a sign-in with a single request ${what} [R4.12]`, async ({
    officialClient,
    ours,
    signers: [signer],
  }) => {
    const [client, wallet] = [await ours(), await officialClient()]
    const offer = await client.proposer.authenticate({ optionalNamespaces, payload: signInPayload, methods })
    const iss = `did:pkh:${chainId}:${signer.address}`
    const texts: string[] = []
    wallet.on('session_authenticate', ({ id, params: { authPayload } }) => {
      const approve = async (): Promise<void> => {
        const message = wallet.formatAuthMessage({ request: authPayload, iss })
        texts.push(message)
        const { chains: _chains, type: _type, ...p } = authPayload
        const s = await signer.signMessage({ message })
        await wallet.approveSessionAuthenticate({
          id,
          auths: [{ h: { t: 'caip122' }, p: { ...p, iss }, s: { t: 'eip191', s } }],
        })
      }
      void approve()
    })
    await wallet.core.pairing.pair({ uri: offer.uri })
    const { cacaos, session } = await offer.settled
    const [cacao] = cacaos
    if (!cacao) throw new Error('The wallet returned no signature')
    // Our client reconstructs exactly the message that their wallet signed.
    expect(messageOf(cacao.p, iss)).toBe(texts[0])
    expect(await holds(cacao)).toBe(true)
    expect(readRecap(cacao.p.resources ?? [])?.att.eip155).toMatchObject({
      'request/personal_sign': [{ chains: [chainId] }],
    })
    expect(session?.namespaces.eip155).toMatchObject({ accounts: [`${chainId}:${signer.address}`], chains: [chainId] })
    expect(new Set(session?.namespaces.eip155?.methods)).toEqual(new Set(methods))
    const topic = session?.topic ?? ''
    wallet.on('session_request', ({ id, topic: on }) => {
      void wallet.respond({ topic: on, response: { id, jsonrpc: '2.0', result: '0x5167' } })
    })
    expect(await client.sessions.ping(topic)).toBe(true)
    expect(await client.sessions.request(topic, { chainId, method: 'personal_sign', params: ['0x68690a'] })).toBe(
      '0x5167',
    )
  })

  test(`their page and our wallet complete a sign-in with a single request ${what} [R4.12]`, async ({
    officialClient,
    ours,
    signers: [signer],
  }) => {
    const [client, page] = [await ours(), await officialClient()]
    const { responder } = client
    const iss = `did:pkh:${chainId}:${signer.address}`
    // The page sends a proposal and a sign-in request over the pairing. A wallet that supports both only answers the sign-in.
    responder.on('proposal', () => {})
    const questions: AuthPayload[] = []
    responder.on('signIn', ({ id, payload }) => {
      questions.push(payload)
      const { chains: _chains, type: _type, ...p } = payload
      const approve = async (): Promise<void> => {
        const s = await signer.signMessage({ message: messageOf(p, iss) })
        await responder.signIn(id, [{ h: { t: 'caip122' }, p: { ...p, iss }, s: { t: 'eip191', s } }])
      }
      void approve()
    })
    client.sessions.on(
      'request',
      ({ id, session: { topic } }) => void responder.respond({ topic, id }, { result: '0x5167' }),
    )
    const { aud: uri, iat: _, ...rest } = signInPayload
    const { uri: pairing, response } = await page.authenticate({ ...rest, uri, methods } as never)
    await responder.pair(pairing)
    const { auths, session } = await response()
    expect(auths?.[0]?.p.iss).toBe(iss)
    const [question] = questions
    if (!question) throw new Error('The wallet received no request')
    expect(question).toMatchObject({
      ...rest,
      aud: uri,
      resources: [...('resources' in signInPayload ? signInPayload.resources : []), expect.any(String)],
    })
    expect(await holds(auths?.[0] as unknown as Cacao)).toBe(true)
    expect(session?.namespaces.eip155?.accounts).toEqual([`${chainId}:${signer.address}`])
    const topic = session?.topic ?? ''
    await page.ping({ topic })
    expect(await page.request({ topic, chainId, request: { method: 'personal_sign', params: [] } })).toBe('0x5167')
    await page.disconnect({ topic, reason: { code: 6000, message: 'Bye' } })
  })
}

test('a sign-in fails on our page and theirs if the wallet rejects it', async ({ officialClient, ours }) => {
  const [client, them] = [await ours(), await officialClient()]
  const reason = { code: 5000, message: 'User rejected.' }
  const offer = await client.proposer.authenticate({ optionalNamespaces, payload, methods })
  them.on('session_authenticate', ({ id }) => void them.rejectSessionAuthenticate({ id, reason }))
  await them.core.pairing.pair({ uri: offer.uri })
  await expect(offer.settled).rejects.toMatchObject({ code: 5000 })

  // Their page uses the first rejection. Without a proposal handler, the first rejection would be the response to the proposal.
  client.responder.on('proposal', () => {})
  client.responder.on('signIn', ({ id }) => void client.responder.reject(id).catch(() => {}))
  const { aud: uri, ...rest } = payload
  const { uri: pairing, response } = await them.authenticate({ ...rest, uri, methods })
  const answered = response()
  answered.catch(() => {})
  await client.responder.pair(pairing)
  // Their client rejects with the message but without the code.
  await expect(answered).rejects.toBe(reason.message)
})

test('a wallet that does not support sign-in can still connect to our page and theirs', async ({
  officialClient,
  ours,
  signers: [signer],
}) => {
  const [client, them] = [await ours(), await officialClient()]
  const namespaces = granted(signer.address)
  const offer = await client.proposer.authenticate({ optionalNamespaces, payload, methods })
  them.on('session_proposal', ({ id }) => void them.approve({ id, namespaces }))
  await them.core.pairing.pair({ uri: offer.uri })
  const { cacaos, session } = await offer.settled
  expect([cacaos, session?.namespaces]).toEqual([[], namespaces])

  let approving: Promise<unknown> | undefined
  client.responder.on('proposal', ({ id }) => {
    approving = client.responder.approve(id, { namespaces })
  })
  const { aud: uri, ...rest } = payload
  const { uri: pairing, response } = await them.authenticate({ ...rest, uri, methods })
  await client.responder.pair(pairing)
  expect((await response()).session?.peer.metadata).toMatchObject({ name: metadata.name })
  await approving
})

test('a sign-in signed by a different account is rejected', async ({
  officialClient,
  ours,
  signers: [signer, other],
}) => {
  const [client, them] = [await ours(), await officialClient()]
  const iss = `did:pkh:${chainId}:${signer.address}`
  const forge = async ({ chains: _chains, type: _type, ...p }: AuthPayload): Promise<Cacao> => ({
    h: { t: 'caip122' },
    p: { ...p, iss },
    s: { t: 'eip191', s: await other.signMessage({ message: messageOf(p, iss) }) },
  })
  client.responder.on('proposal', () => {})
  client.responder.on('signIn', ({ id, payload: request }) => {
    void forge(request).then(async (cacao) => {
      verdicts.push(await holds(cacao))
      await client.responder.signIn(id, [cacao]).catch(() => {})
    })
  })
  const verdicts: unknown[] = []
  const { aud: uri, ...rest } = payload
  const { uri: pairing, response } = await them.authenticate({ ...rest, uri, methods })
  await client.responder.pair(pairing)
  const answered = response()
  answered.catch(() => {})
  await expect(answered).rejects.toMatchObject({ code: 7000 })
  expect(verdicts).toEqual([false])
})
