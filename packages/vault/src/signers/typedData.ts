import * as v from 'valibot'
import { checksumAddress } from '../derivation/eip155.ts'
import { KeyError } from '../errors.ts'

/** The maximum length of typed data in JSON. */
const maxTypedDataLength = 131_072

const name = v.pipe(v.string(), v.regex(/^[A-Za-z_$][\w$]*$/), v.maxLength(120))
const type = v.pipe(v.string(), v.regex(/^[A-Za-z_$][\w$]*(\[\d{0,6}\])*$/), v.maxLength(160))

const TypedDataSchema = v.object({
  types: v.record(name, v.pipe(v.array(v.strictObject({ name, type })), v.maxLength(200))),
  primaryType: name,
  domain: v.strictObject({
    name: v.optional(v.string()),
    version: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String))),
    chainId: v.optional(
      v.pipe(
        v.union([
          v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
          v.pipe(v.string(), v.regex(/^(0x[0-9a-fA-F]{1,16}|\d{1,18})$/)),
        ]),
        v.transform(Number),
        v.safeInteger(),
      ),
    ),
    verifyingContract: v.optional(
      v.pipe(
        v.string(),
        v.check((text) => parseAddress(text) !== undefined),
        v.transform(checksumAddress),
      ),
    ),
    salt: v.optional(v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{64}$/))),
  }),
  message: v.record(v.string(), v.unknown()),
})

/** A field of an EIP-712 struct. */
export interface TypedField {
  /** The field's name. */
  readonly name: string
  /** The field's type, such as `address` or `Order[]`. */
  readonly type: string
}

/**
 * EIP-712 data that contains only what is signed. Types, fields and values that are not hashed are omitted, so they cannot be
 * displayed.
 */
export interface TypedData {
  /** The fields of each struct that the message uses. */
  readonly types: Readonly<Record<string, readonly TypedField[]>>
  /** The name of the message's struct type. */
  readonly primaryType: string
  /** The contract and chain for which the message claims to be intended. */
  readonly domain: {
    readonly name?: string
    readonly version?: string
    readonly chainId?: number
    readonly verifyingContract?: `0x${string}`
    readonly salt?: `0x${string}`
  }
  /** The values of the primary type's fields. */
  readonly message: Readonly<Record<string, unknown>>
}

/**
 * Parses the data parameter of `eth_signTypedData_v4`, which is a JSON string or an object.
 * @throws {KeyError} `sign/malformed` if a type is undeclared or contains itself outside an array, if a field is declared twice,
 * or if a value is missing or has the wrong type.
 *
 * @example
 * const typed = parseTypedData(request.params[1])
 * const signature = await eip155Signer(vault).signTypedData(typed)
 */
export function parseTypedData(input: unknown): TypedData {
  const value = typeof input === 'string' ? parseJson(input) : input
  const result = v.safeParse(TypedDataSchema, value, { abortEarly: true })
  if (!result.success) throw new KeyError('sign/malformed', v.getDotPath(result.issues[0]) ?? 'typed data')
  const { types, primaryType, domain, message } = result.output
  const used = new Map<string, readonly TypedField[]>()
  if (primaryType === 'EIP712Domain') throw new KeyError('sign/malformed', 'primaryType')
  collectTypes(primaryType, types, used)
  const parsedMessage = parseStruct(primaryType, message, { types: used, path: 'message', depth: 0 })
  const domainFields = domainFieldsOf(types.EIP712Domain, domain)
  return {
    types: { ...Object.fromEntries(used), EIP712Domain: domainFields },
    primaryType,
    domain: Object.fromEntries(
      domainFields.map((field) => [field.name, domain[field.name as keyof typeof domain]]),
    ) as TypedData['domain'],
    message: parsedMessage,
  }
}

const domainTypes: readonly TypedField[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

function domainFieldsOf(declared: readonly TypedField[] | undefined, domain: object): readonly TypedField[] {
  // The JSON schema in EIP-712 requires this type. If it is missing, some signers hash an empty domain and others hash the domain
  // that is present.
  if (!declared) throw new KeyError('sign/malformed', 'types.EIP712Domain')
  const present = domainTypes.filter((field) => (domain as Record<string, unknown>)[field.name] !== undefined)
  for (const { name, type } of declared) {
    const atomicValue = domainTypes.find((field) => field.name === name)
    if (atomicValue?.type !== type) throw new KeyError('sign/malformed', `domain.${name}`)
    if (!present.includes(atomicValue)) throw new KeyError('sign/malformed', `domain.${name}`)
  }
  if (new Set(declared.map(({ name }) => name)).size !== declared.length) throw new KeyError('sign/malformed', 'domain')
  return declared
}

function collectTypes(
  name: string,
  types: Readonly<Record<string, readonly TypedField[]>>,
  used: Map<string, readonly TypedField[]>,
): void {
  if (used.has(name)) return
  const fields = Object.hasOwn(types, name) ? types[name] : undefined
  if (!fields) throw new KeyError('sign/malformed', `types.${name}`)
  if (new Set(fields.map((field) => field.name)).size !== fields.length)
    throw new KeyError('sign/malformed', `types.${name}`)
  used.set(name, fields)
  for (const field of fields) {
    const base = baseTypeOf(field.type)
    if (!isAtomic(base)) collectTypes(base, types, used)
  }
}

interface ParsePosition {
  readonly types: ReadonlyMap<string, readonly TypedField[]>
  readonly path: string
  readonly depth: number
}

function parseStruct(name: string, value: unknown, position: ParsePosition): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || position.depth > 40)
    throw new KeyError('sign/malformed', position.path)
  return Object.fromEntries(
    position.types.get(name)!.map((field) => {
      const path = `${position.path}.${field.name}`
      const inner = Object.hasOwn(value, field.name) ? (value as Record<string, unknown>)[field.name] : undefined
      return [field.name, parseValue(field.type, inner, { ...position, path, depth: position.depth + 1 })]
    }),
  )
}

function parseValue(type: string, value: unknown, position: ParsePosition): unknown {
  const arrayType = type.match(/^(.*)\[(\d*)\]$/)
  if (arrayType) {
    const [, inner = '', length = ''] = arrayType
    if (!Array.isArray(value) || (length !== '' && value.length !== Number(length)))
      throw new KeyError('sign/malformed', position.path)
    return value.map((item, at) => parseValue(inner, item, { ...position, path: `${position.path}.${at}` }))
  }
  if (!isAtomic(type)) return parseStruct(type, value, position)
  const atomicValue = parseAtomic(type, value)
  if (atomicValue === undefined) throw new KeyError('sign/malformed', position.path)
  return atomicValue
}

function parseAtomic(type: string, value: unknown): unknown {
  if (type === 'string') return typeof value === 'string' ? value : undefined
  if (type === 'bool') return typeof value === 'boolean' ? value : undefined
  if (type === 'address') return parseAddress(value)
  if (type.startsWith('bytes')) {
    if (typeof value !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(value)) return undefined
    const size = type.slice(5)
    return size === '' || value.length === 2 + Number(size) * 2 ? value : undefined
  }
  const number = parseInteger(value)
  const bits = BigInt(type.match(/\d+$/)?.[0] ?? '256')
  if (number === undefined) return undefined
  const [min, max] = type.startsWith('u') ? [0n, 1n << bits] : [-(1n << (bits - 1n)), 1n << (bits - 1n)]
  return number >= min && number < max ? number : undefined
}

/**
 * Parses an address. A mixed-case address must have a valid ERC-55 checksum, because an invalid one indicates a typo or an
 * attack.
 */
function parseAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(value)) return undefined
  const mixed = /[a-f]/.test(value.slice(2)) && /[A-F]/.test(value.slice(2))
  return mixed && value !== checksumAddress(value) ? undefined : checksumAddress(value)
}

function parseInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && /^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value) ? BigInt(value) : undefined
}

function isAtomic(type: string): boolean {
  if (/^(string|bool|address|bytes)$/.test(type)) return true
  const sized = type.match(/^(bytes|u?int)(\d{0,3})$/)
  if (!sized) return false
  const [, kind, size] = sized
  if (kind === 'bytes') return Number(size) >= 1 && Number(size) <= 32
  return size === '' || (Number(size) % 8 === 0 && Number(size) >= 8 && Number(size) <= 256)
}

function baseTypeOf(type: string): string {
  return type.replace(/(\[\d*\])+$/, '')
}

function parseJson(text: string): unknown {
  if (text.length > maxTypedDataLength) throw new KeyError('sign/malformed', 'too large')
  try {
    return JSON.parse(text)
  } catch {
    throw new KeyError('sign/malformed', 'not JSON')
  }
}
