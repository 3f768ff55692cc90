import type { AuthenticateRequest, SignedCacao } from '@latchkey/core/adapter'
import { type AccountId, parseAccountId } from '@latchkey/protocol/caip'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { type Cacao, type createProposer, messageOf, signerOf } from '@latchkey/walletconnect'

/** Converts a sign-in request to a CAIP-222 payload. */
export function toCacaoPayload(
  params: AuthenticateRequest,
): Parameters<ReturnType<typeof createProposer>['authenticate']>[0]['payload'] {
  const { chains, domain, uri, nonce, issuedAt, expirationTime, notBefore, requestId, statement, resources } = params
  return {
    chains,
    domain,
    aud: uri,
    nonce,
    iat: issuedAt,
    ...(expirationTime && { exp: expirationTime }),
    ...(notBefore && { nbf: notBefore }),
    ...(requestId && { requestId }),
    ...(statement && { statement }),
    ...(resources && { resources }),
  }
}

/** Converts a CACAO to a signed message. The message is rebuilt from the payload that the wallet signed. */
export function toSignedCacao(cacao: Cacao): SignedCacao {
  const { p, s } = cacao
  const { chain, address } = signerOf(cacao)
  const account = parseAccountId(`${chain}:${address}`)
  if (account?.namespace !== 'eip155')
    throw failure('session/invalid', { message: 'it did not sign for an EVM account' })
  return {
    account: `${chain}:${address}` as AccountId<'eip155'>,
    message: messageOf(p, p.iss),
    signature: s.s,
    fields: {
      domain: p.domain,
      uri: p.aud,
      version: p.version,
      nonce: p.nonce,
      issuedAt: p.iat,
      ...(p.exp && { expirationTime: p.exp }),
      ...(p.nbf && { notBefore: p.nbf }),
      ...(p.requestId && { requestId: p.requestId }),
      ...(p.statement && { statement: p.statement }),
      ...(p.resources && { resources: p.resources }),
    },
    cacao,
  }
}
