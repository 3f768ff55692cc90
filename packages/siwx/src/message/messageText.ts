import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import { parseChainId } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { maxSignInMessageLength } from '@latchkey/protocol/specificationConstants'
import {
  isAddress,
  isDomain,
  isNetworkName,
  isNonce,
  isReference,
  isRequestId,
  isScheme,
  isStatement,
  isUri,
  momentOf,
} from './grammar.ts'
import type { SignInFields } from './signInTypes.ts'

/**
 * The layout of a message.
 * `eip4361`: exactly as in the standard, with "Ethereum", a numeric chain ID, and two empty lines if there is no statement.
 * `caip122`: with the full CAIP-2 chain ID, the network's own name, and one empty line if there is no statement.
 * `caip122-reference`: like `caip122`, but with only the reference of the chain ID.
 */
export type MessageForm = 'eip4361' | 'caip122' | 'caip122-reference'

/** The names that the first line uses for networks without a usable name. */
const labels: Readonly<Record<Namespace, string>> = {
  // #region generated: families (npm run generate)
  eip155: 'Ethereum',
  solana: 'Solana',
  polkadot: 'Polkadot',
  bip122: 'Bitcoin',
  cosmos: 'Cosmos',
  // #endregion
}

const asks = ' wants you to sign in with your '

/**
 * Creates the text that a wallet signs: EIP-4361 on EVM, and CAIP-122 elsewhere. `network` is the network's name for the first
 * line. EIP-4361 always uses "Ethereum", and a name that is not plain ASCII is replaced by a default for the namespace. Throws
 * `input/invalid` with the field's name if the standards do not allow a value, such as one with a line break.
 *
 * @example
 * const message = writeMessage({
 *   domain: 'shop.example',
 *   uri: 'https://shop.example',
 *   version: '1',
 *   nonce: newNonce(),
 *   chainId: 'eip155:1',
 *   accountAddress: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
 *   issuedAt: new Date().toISOString(),
 * })
 */
export function writeMessage(fields: SignInFields, network?: string, form?: MessageForm): string {
  const namespace = parseChainId(String(fields.chainId))?.namespace
  const written = form ?? (namespace === 'eip155' ? 'eip4361' : 'caip122')
  // Messages with a different version can be read, so that validation can report the version.
  const wrong = !namespace
    ? 'chainId'
    : (wrongField(fields, namespace) ?? (fields.version === '1' ? undefined : 'version'))
  if (!namespace || wrong) throw invalid(wrong ?? 'chainId')
  // User info is useful only for phishing, as in `shop.example@evil.example`.
  if (fields.domain.includes('@')) throw invalid('domain')
  if (written === 'eip4361' && (namespace !== 'eip155' || fields.issuedAt === undefined)) {
    throw invalid(namespace === 'eip155' ? 'issuedAt' : 'form')
  }
  const named = network !== undefined && written !== 'eip4361' && isNetworkName(network)
  const text = compose(fields, written, named ? network : labels[namespace])
  if (text.length > maxSignInMessageLength) throw invalid('message')
  return text
}

function invalid(field: string): LatchkeyError {
  return new LatchkeyError('input/invalid', {
    path: `signIn.${field}`,
    message:
      field === 'statement'
        ? 'must be one line of letters without accents, digits, spaces and URL punctuation (EIP-4361, CAIP-122).'
        : 'is not valid in a sign-in message (EIP-4361, CAIP-122).',
  })
}

/**
 * Parses a message from the given namespace in any of the three forms. Returns `undefined` unless writing the parsed fields
 * reproduces exactly the same text.
 *
 * @example
 * readMessage(message, 'eip155')?.accountAddress // '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
 */
export function readMessage(text: string, namespace: Namespace): SignInFields | undefined {
  if (typeof text !== 'string' || text.length > maxSignInMessageLength) return undefined
  const found = fieldsIn(text.split('\n'), namespace)
  if (!found || wrongField(found.fields, namespace)) return undefined
  const { fields, network } = found
  const isAsEthereumWants = namespace === 'eip155' && network === labels.eip155 && fields.issuedAt !== undefined
  const forms: readonly MessageForm[] = isAsEthereumWants
    ? ['eip4361', 'caip122', 'caip122-reference']
    : ['caip122', 'caip122-reference']
  return forms.some((form) => compose(fields, form, network) === text) ? fields : undefined
}

/**
 * Returns a random nonce of letters and digits with 142 bits of entropy.
 *
 * @example
 * newNonce() // 24 characters, such as 'q3ZkT0c1XvN8rY5bLw2JdH7e'
 */
export function newNonce(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  let nonce = ''
  while (nonce.length < 24) {
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
      // Skips bytes above 247, because they would make the first characters more likely.
      if (byte < 248 && nonce.length < 24) nonce += letters[byte % 62]
    }
  }
  return nonce
}

// --- Writing

function compose(fields: SignInFields, form: MessageForm, network: string): string {
  const { scheme, statement, issuedAt, expirationTime, notBefore, requestId, resources = [] } = fields
  const line = (name: string, value: string | undefined): string[] => (value === undefined ? [] : [`${name}: ${value}`])
  const without = form === 'eip4361' ? [''] : []
  return [
    `${scheme === undefined ? '' : `${scheme}://`}${fields.domain}${asks}${network} account:`,
    fields.accountAddress,
    '',
    ...(statement === undefined ? without : [statement, '']),
    `URI: ${fields.uri}`,
    `Version: ${fields.version}`,
    `Chain ID: ${form === 'caip122' ? fields.chainId : fields.chainId.slice(fields.chainId.indexOf(':') + 1)}`,
    `Nonce: ${fields.nonce}`,
    ...line('Issued At', issuedAt),
    ...line('Expiration Time', expirationTime),
    ...line('Not Before', notBefore),
    ...line('Request ID', requestId),
    ...(resources.length > 0 ? ['Resources:', ...resources.map((resource) => `- ${resource}`)] : []),
  ].join('\n')
}

/**
 * Returns the first invalid or missing field. Checked at runtime, because untyped callers could have "undefined" signed as a
 * nonce.
 */
function wrongField(fields: SignInFields, namespace: Namespace): keyof SignInFields | undefined {
  const has = (field: Exclude<keyof SignInFields, 'resources'>, allows: (value: string) => boolean): boolean => {
    const value: unknown = fields[field]
    return typeof value === 'string' && allows(value)
  }
  const may = (field: Exclude<keyof SignInFields, 'resources'>, allows: (value: string) => boolean): boolean =>
    fields[field] === undefined || has(field, allows)
  const isTime = (value: string): boolean => momentOf(value) !== undefined
  const isChain = (value: string): boolean => {
    const chain = parseChainId(value)
    return chain?.namespace === namespace && isReference(namespace, chain.reference)
  }
  const right: Readonly<Record<keyof SignInFields, boolean>> = {
    scheme: may('scheme', isScheme),
    domain: has('domain', isDomain),
    accountAddress: has('accountAddress', (address) => isAddress(namespace, address)),
    statement: may('statement', isStatement),
    uri: has('uri', isUri),
    version: has('version', (version) => /^\d{1,4}$/.test(version)),
    chainId: has('chainId', isChain),
    nonce: has('nonce', isNonce),
    issuedAt: may('issuedAt', isTime),
    expirationTime: may('expirationTime', isTime),
    notBefore: may('notBefore', isTime),
    requestId: may('requestId', isRequestId),
    resources: (fields.resources ?? []).every(isUri),
  }
  return (Object.keys(right) as (keyof SignInFields)[]).find((field) => !right[field])
}

// --- Reading

/**
 * Parses the fields in the order of the standards. Leftover, duplicate and misplaced lines are detected by writing the message
 * again.
 */
function fieldsIn(
  lines: readonly string[],
  namespace: Namespace,
): { readonly fields: SignInFields; readonly network: string } | undefined {
  const first =
    /^(?:(?<scheme>[^:/ ]+):\/\/)?(?<domain>[^ ]+) wants you to sign in with your (?<network>.+) account:$/.exec(
      lines[0] ?? '',
    )?.groups
  if (!first?.domain || !isNetworkName(first.network ?? '')) return undefined
  const stated = lines[3] !== '' && lines[4] === '' ? lines[3] : undefined
  let at = stated !== undefined ? 5 : lines[3] === '' ? 4 : 3
  const next = (name: string): string | undefined => {
    if (!lines[at]?.startsWith(`${name}: `)) return undefined
    at += 1
    return lines[at - 1]?.slice(name.length + 2)
  }
  const uri = next('URI')
  const version = next('Version')
  const chain = next('Chain ID')
  const nonce = next('Nonce')
  if (uri === undefined || version === undefined || chain === undefined || nonce === undefined) return undefined
  const optional = {
    scheme: first.scheme,
    statement: stated,
    issuedAt: next('Issued At'),
    expirationTime: next('Expiration Time'),
    notBefore: next('Not Before'),
    requestId: next('Request ID'),
  }
  const resources = lines[at] === 'Resources:' ? lines.slice(at + 1).map((line) => line.slice(2)) : []
  const fields: SignInFields = {
    domain: first.domain,
    accountAddress: lines[1] ?? '',
    uri,
    version,
    chainId: chain.startsWith(`${namespace}:`) ? (chain as ChainId) : `${namespace}:${chain}`,
    nonce,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    ...(resources.length > 0 ? { resources } : {}),
  }
  return { fields, network: first.network ?? '' }
}
