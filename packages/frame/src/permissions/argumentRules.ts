import type { FunctionRule, GrantLimits } from './grant.ts'

/**
 * The largest number that a rule allows. A larger number could be an address in disguise. A smaller one cannot, because it is
 * infeasible to find an address that starts with 80 zero bits (64 bits are feasible for some attackers). Few amounts exceed the
 * limit, which is about 1.2 million tokens with 18 decimals. Larger amounts require approval for each call.
 */
export const maxNumber: bigint = 2n ** 80n

const boundableType =
  /^(address|bool|uint(8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|136|144|152|160|168|176|184|192|200|208|216|224|232|240|248|256))$/

/**
 * Whether a rule can fully constrain a value of this ABI type. The type must be encoded as a single word, and no other type must
 * be able to read more information from that word. Variable-length bytes could encode any amount, and values without a fixed
 * position could encode anything.
 */
export function isBoundableType(type: string): boolean {
  return boundableType.test(type)
}

/**
 * Whether every argument of a function is constrained by a rule. In grants from earlier versions, arguments can be unconstrained.
 */
export function isBounded({ inputs, rules }: FunctionRule): boolean {
  return inputs.every(({ type }, at) => {
    const rule = rules[at]
    if (!rule || !isBoundableType(type)) return false
    if (!type.startsWith('uint')) return rule.operator === 'EQUAL'
    return rule.operator !== 'GREATER_THAN' && BigInt(rule.value) <= maxNumber
  })
}

/**
 * Whether the only addresses passed to a function are the account and the recipients shown to the user. Any other address could
 * receive or spend assets that the contract holds for the account, and no allowance limits those assets.
 */
export function namesOnlyAddresses(
  { inputs, rules }: FunctionRule,
  { account, recipients }: Pick<GrantLimits, 'account' | 'recipients'>,
): boolean {
  return inputs.every(({ type }, at) => {
    if (type !== 'address') return true
    const value = rules[at]?.value.toLowerCase()
    return value !== undefined && (value === account || (recipients?.includes(value) ?? false))
  })
}
