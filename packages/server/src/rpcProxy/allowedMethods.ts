import { isNamespace } from '@latchkey/protocol/caip'
import { families } from '@latchkey/protocol/chainFamilies'

/**
 * Whether pages can call `method` on a chain in `namespace`. `extra` lists additional methods, where a name that ends with `*`
 * matches all methods with that prefix.
 */
export function isMethodAllowed({
  namespace,
  method,
  extra,
}: {
  namespace: string
  method: string
  extra: readonly string[]
}): boolean {
  if (method.length > 100) return false
  if (isNamespace(namespace) && families[namespace].nodeMethods.some((pattern) => pattern.test(method))) return true
  return extra.some((name) => (name.endsWith('*') ? method.startsWith(name.slice(0, -1)) : name === method))
}
