import type { FunctionRule, GrantLimits } from './grant.ts'

/**
 * The largest number that a rule allows. Above it a number can be an address that is called a number: below, an address begins with 80 bits
 * of zeros, which nobody can afford to find (64 bits, some can). An amount is seldom larger: of 18 decimals, 1.2 million. Larger ones are
 * asked about one by one.
 */
export const maxNumber: bigint = 2n ** 80n

const boundableType =
  /^(address|bool|uint(8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|136|144|152|160|168|176|184|192|200|208|216|224|232|240|248|256))$/

/**
 * Whether a rule can say all about a value of this ABI type: it is one word, and no other type reads more into it. Bytes of whatever length
 * could be any amount, and what has no fixed place could be anything at all.
 */
export function isBoundableType(type: string): boolean {
  return boundableType.test(type)
}

/** Whether every argument of a function is held to a rule. A grant that was stored when less was asked for has some that are not. */
export function isBounded({ inputs, rules }: FunctionRule): boolean {
  return inputs.every(({ type }, at) => {
    const rule = rules[at]
    if (!rule || !isBoundableType(type)) return false
    if (!type.startsWith('uint')) return rule.operator === 'EQUAL'
    return rule.operator !== 'GREATER_THAN' && BigInt(rule.value) <= maxNumber
  })
}

/**
 * Whether a function is given no address but the account and those that the owner reads as recipients. Any other could be where a contract
 * sends what it holds of the account, or what it may take of it, and no allowance counts that.
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
