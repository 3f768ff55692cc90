import type { FunctionRule, GrantLimits } from './grant.ts'

/**
 * The largest number that a rule allows. A larger number could be an address in disguise. Smaller ones cannot: an address that starts
 * with 80 zero bits is infeasible to find (64 bits are feasible for some). Amounts are rarely larger (1.2 million with 18 decimals);
 * larger amounts need approval for each call.
 */
export const maxNumber: bigint = 2n ** 80n

const boundableType =
  /^(address|bool|uint(8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|136|144|152|160|168|176|184|192|200|208|216|224|232|240|248|256))$/

/**
 * Whether a rule can fully constrain a value of this ABI type: it is a single word, and no other type decodes more from it.
 * Variable-length bytes could encode any amount, and values without a fixed position could encode anything.
 */
export function isBoundableType(type: string): boolean {
  return boundableType.test(type)
}

/** Whether every argument of a function is constrained by a rule. Older grants can have unconstrained arguments. */
export function isBounded({ inputs, rules }: FunctionRule): boolean {
  return inputs.every(({ type }, at) => {
    const rule = rules[at]
    if (!rule || !isBoundableType(type)) return false
    if (!type.startsWith('uint')) return rule.operator === 'EQUAL'
    return rule.operator !== 'GREATER_THAN' && BigInt(rule.value) <= maxNumber
  })
}

/**
 * Whether the only addresses passed to a function are the account and the recipients shown to the user. Any other address could be
 * a destination for the account's assets held by the contract, or a spender of them, which no allowance counts.
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
