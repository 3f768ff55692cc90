import type { ChainId } from '@latchkey/protocol/caip'
import { isEvmAddress, toEvmAddress } from '@latchkey/protocol/caip'
import { messageOf, read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import { type AbiParameter, encodeAbiParameters, type Hex, toFunctionSelector } from 'viem'
import { PublicError } from '../publicError.ts'
import { isBoundableType, maxNumber, namesOnlyAddresses } from './argumentRules.ts'
import { type ArgumentRule, type FunctionRule, type GrantLimits, type Permission, totalAllowance } from './grant.ts'
import { isReserved } from './reservedSelectors.ts'

/** The ERC-7715 permission types that this wallet supports. */
export const permissionTypes = [
  'native-token-recurring-allowance',
  'erc20-recurring-allowance',
  'contract-call',
] as const
/** The policies that this wallet supports. Each applies to a whole grant. */
export const policyTypes = ['recipients', 'call-limit'] as const
/** The maximum lifetime of a grant, in days. */
export const maxGrantDays = 90

const minute = 60
const day = 86_400
/** The threshold above which amounts are treated as unlimited, because pages use such amounts to mean "unlimited". */
const unlimitedThreshold = 2n ** 96n - 1n
/** A million coins with 18 decimals. Hardly any account has that many, and a limit above the balance has no effect. */
const maxCoinAmount = 10n ** 24n

const address = v.pipe(
  v.string(),
  v.check(isEvmAddress, 'Expected an address'),
  v.transform((text) => (toEvmAddress(text) ?? text).toLowerCase()),
)
const amount = v.pipe(
  v.union([v.pipe(v.string(), v.regex(/^(0x[0-9a-f]{1,64}|\d{1,78})$/i)), v.pipe(v.number(), v.safeInteger())]),
  v.transform((argument) => BigInt(argument)),
  v.minValue(0n),
)
const seconds = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const allowanceEntries = { allowance: amount, start: v.optional(seconds), period: v.pipe(seconds, v.minValue(minute)) }

const basicType =
  /^(address|bool|string|bytes([1-9]|[12]\d|3[0-2])?|u?int(8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|136|144|152|160|168|176|184|192|200|208|216|224|232|240|248|256)|tuple)(\[\d{0,4}\])*$/
const name = v.optional(v.pipe(v.string(), v.regex(/^[\w$]{0,64}$/)), '')
const parameter: v.GenericSchema<unknown, AbiParameter> = v.lazy(() =>
  v.pipe(
    v.object({
      name,
      type: v.pipe(v.string(), v.regex(basicType)),
      components: v.optional(v.pipe(v.array(parameter), v.maxLength(16))),
    }),
    v.check(({ type, components }) => type.startsWith('tuple') === (components !== undefined)),
    v.transform((item) => item as AbiParameter),
  ),
)
const abiFunction = v.object({
  type: v.literal('function'),
  name: v.pipe(v.string(), v.regex(/^[A-Za-z_$][\w$]{0,63}$/)),
  inputs: v.pipe(v.array(parameter), v.maxLength(16)),
})
const argumentRule = v.strictObject({
  operator: v.picklist(['EQUAL', 'GREATER_THAN', 'LESS_THAN']),
  value: v.union([v.pipe(v.string(), v.maxLength(200)), v.number(), v.boolean()]),
})

const permission = v.variant('type', [
  v.strictObject({ type: v.literal('native-token-recurring-allowance'), data: v.strictObject(allowanceEntries) }),
  v.strictObject({
    type: v.literal('erc20-recurring-allowance'),
    data: v.strictObject({ token: address, ...allowanceEntries }),
  }),
  v.strictObject({
    type: v.literal('contract-call'),
    data: v.strictObject({
      address,
      abi: v.pipe(v.array(v.unknown()), v.maxLength(400)),
      functions: v.pipe(
        v.array(
          v.strictObject({
            functionName: v.string(),
            args: v.optional(v.array(v.nullish(argumentRule))),
            valueLimit: v.optional(amount),
            operation: v.optional(v.picklist(['Call', 'DelegateCall'])),
          }),
        ),
        v.minLength(1),
        v.maxLength(10),
      ),
    }),
  }),
])
const policy = v.variant('type', [
  v.strictObject({
    type: v.literal('recipients'),
    data: v.strictObject({ addresses: v.pipe(v.array(address), v.minLength(1), v.maxLength(10)) }),
  }),
  v.strictObject({
    type: v.literal('call-limit'),
    data: v.strictObject({ count: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) }),
  }),
])
const request = v.strictObject({
  chainId: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,13}$/i)),
  address: v.optional(address),
  expiry: seconds,
  signer: v.optional(v.strictObject({ type: v.literal('wallet'), data: v.optional(v.unknown()) })),
  permissions: v.pipe(v.array(permission), v.minLength(1), v.maxLength(8)),
  policies: v.optional(v.pipe(v.array(policy), v.maxLength(4)), []),
})

const named = v.looseTuple([v.looseObject({ address: v.string() })])

/** Returns the account specified in a request before the request is fully parsed, or `undefined` if none is specified. */
export function requestedAddress(params: unknown): string | undefined {
  return read(named, params)?.[0].address
}

/** A grant request in the page's own format. The response to `wallet_grantPermissions` repeats it. */
export type GrantRequest = v.InferOutput<typeof request>

/**
 * Parses the limits that a page requests (ERC-7715).
 * @throws {PublicError} if a limit cannot be enforced or is effectively unlimited, such as an unknown type, an unrealistic
 * amount, or a call with an unconstrained argument.
 */
export function parseGrantRequest(
  params: unknown,
  { chain, account, now }: { readonly chain: ChainId<'eip155'>; readonly account: string; readonly now: number },
): GrantLimits {
  const argument = v.safeParse(v.strictTuple([request]), params, { message: messageOf })
  if (!argument.success)
    throw publicError(argument.issues.map((issue) => `${v.getDotPath(issue) ?? 'params'}: ${issue.message}`).join('; '))
  const [parsed] = argument.output
  if (`eip155:${BigInt(parsed.chainId)}` !== chain)
    throw publicError('chainId: this request is for a different network')
  if (parsed.address !== undefined && parsed.address !== account.toLowerCase())
    throw new PublicError('This account is not in the wallet')
  if (parsed.expiry <= now) throw publicError('expiry: Expected a time in the future')
  if (parsed.expiry > now + maxGrantDays * day) throw publicError(`expiry: at most ${maxGrantDays} days from now`)

  const [recipients, callsMost] = parsePolicies(parsed.policies)
  const permissions = parsed.permissions.map((item, at): Permission => {
    const path = `permissions.${at}`
    if (item.type === 'contract-call')
      return parseContractPermission(item.data, path, { account: account.toLowerCase(), recipients })
    const { allowance: most, period, start = now } = item.data
    // The page's clock is allowed to be slightly behind.
    if (start < now - 5 * minute || start >= parsed.expiry)
      throw publicError(`${path}.data.start: Expected a time in the future, before expiry`)
    if (most === 0n) throw publicError(`${path}.data.allowance: Expected an amount`)
    const limit = { most, period, start }
    if (most >= unlimitedThreshold || totalAllowance(limit, parsed.expiry) >= unlimitedThreshold)
      throw publicError(`${path}.data.allowance: unlimited permissions are not allowed`)
    if (item.type === 'native-token-recurring-allowance' && totalAllowance(limit, parsed.expiry) > maxCoinAmount)
      throw publicError(`${path}.data.allowance: more than a million coins in total counts as unlimited`)
    return item.type === 'erc20-recurring-allowance'
      ? { kind: 'token', token: item.data.token, ...limit }
      : { kind: 'coin', ...limit }
  })
  for (const [at, item] of permissions.entries()) {
    const twice = permissions.findIndex((other) => permissionSubject(other) === permissionSubject(item)) < at
    if (twice) throw publicError(`permissions.${at}: duplicate permission`)
  }
  // Every call costs a fee, so without a fee limit, the permission would be unlimited.
  if (!permissions.some(({ kind }) => kind === 'coin'))
    throw publicError(
      'permissions: native-token-recurring-allowance is required, because network fees count against it',
    )
  return { chain, account: account.toLowerCase(), expiry: parsed.expiry, permissions, recipients, callsMost }
}

type PermissionData<Type extends GrantRequest['permissions'][number]['type']> = Extract<
  GrantRequest['permissions'][number],
  { type: Type }
>['data']

function parseContractPermission(
  { address, abi, functions }: PermissionData<'contract-call'>,
  path: string,
  limits: Pick<GrantLimits, 'account' | 'recipients'>,
): Permission {
  if (address === limits.account) throw publicError(`${path}.data.address: an account cannot call itself`)
  const known = abi.flatMap((entry) => {
    const read = v.safeParse(abiFunction, entry)
    return read.success ? [read.output] : []
  })
  const rules = functions.map(({ functionName, args = [], valueLimit = 0n, operation }, at): FunctionRule => {
    const where = `${path}.data.functions.${at}`
    if (operation === 'DelegateCall') throw publicError(`${where}.operation: DelegateCall is not allowed`)
    const [found, other] = known.filter(({ name }) => name === functionName)
    if (!found || other)
      throw publicError(`${where}.functionName: Expected exactly one function with that name in the ABI`)
    const { name, inputs } = found
    const selector = toFunctionSelector({ ...found, outputs: [], stateMutability: 'payable' })
    const wide = inputs.find(({ type }) => !isBoundableType(type))
    if (wide) throw publicError(`${where}.functionName: no rule can limit an argument of type ${wide.type}`)
    if (isReserved(selector))
      throw publicError(
        `${where}.functionName: ${selector} moves assets or grants rights, whatever its name here; request erc20-recurring-allowance to send tokens`,
      )
    if (args.length > inputs.length) throw publicError(`${where}.args: more arguments than the function has`)
    const twice = functions.findIndex((item) => item.functionName === functionName)
    if (twice < at) throw publicError(`${where}.functionName: duplicate function`)
    const conditions = inputs.map((input, place) =>
      parseArgumentRule(input, args[place] ?? undefined, `${where}.args.${place}`),
    )
    const rule: FunctionRule = { name, selector, inputs, rules: conditions, valueMost: valueLimit }
    if (!namesOnlyAddresses(rule, limits))
      throw publicError(`${where}.args: an address must be the account itself or listed in the recipients policy`)
    return rule
  })
  return { kind: 'contract', address, functions: rules }
}

/**
 * Parses the rule for an argument. Every argument requires a rule, and limits on numbers are too small to contain an address.
 * Both are necessary, because the page declares the argument types, and a function with different types can have the same
 * four-byte selector.
 */
function parseArgumentRule(
  input: AbiParameter,
  argument: v.InferOutput<typeof argumentRule> | undefined,
  path: string,
): ArgumentRule {
  if (!argument) throw publicError(`${path}: every argument requires a rule`)
  const isNumber = input.type.startsWith('uint')
  if (argument.operator === 'GREATER_THAN') throw publicError(`${path}.operator: GREATER_THAN sets no upper limit`)
  if (!isNumber && argument.operator !== 'EQUAL') throw publicError(`${path}.operator: LESS_THAN requires a number`)
  const encoded = encodeArgumentRule(input, argument.value)
  if (!encoded) throw publicError(`${path}.value: Expected ${input.type}`)
  if (isNumber && encoded.word > maxNumber)
    throw publicError(`${path}.value: at most 2^80, because a larger number could be an address`)
  return { operator: argument.operator, value: encoded.text }
}

/** Encodes the value of a rule as a calldata word and as the text to display. */
function encodeArgumentRule(
  { type }: AbiParameter,
  value: string | number | boolean,
): { readonly word: bigint; readonly text: string } | undefined {
  try {
    if (type === 'bool' && !/^(true|false)$/.test(String(value))) return undefined
    const typed = type.startsWith('uint') ? BigInt(value) : type === 'bool' ? String(value) === 'true' : value
    const word: Hex = encodeAbiParameters([{ type }], [typed])
    return { word: BigInt(word), text: String(typed).toLowerCase() }
  } catch {
    return undefined
  }
}

function parsePolicies(policies: GrantRequest['policies']): [readonly string[] | undefined, number | undefined] {
  let recipients: readonly string[] | undefined
  let callsMost: number | undefined
  for (const { type, data } of policies) {
    // If a policy occurs twice, both occurrences apply.
    if (type === 'recipients') recipients = data.addresses.filter((item) => recipients?.includes(item) ?? true)
    else callsMost = Math.min(callsMost ?? data.count, data.count)
  }
  return [recipients, callsMost]
}

function permissionSubject(permission: Permission): string {
  if (permission.kind === 'coin') return 'coin'
  return permission.kind === 'token' ? permission.token : `contract ${permission.address}`
}

function publicError(message: string): PublicError {
  return new PublicError(`wallet_grantPermissions: ${message}`.slice(0, 500))
}
