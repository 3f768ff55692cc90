import { isNamespace } from '@latchkey/protocol/caip'
import { families } from '@latchkey/protocol/chainFamilies'

/** Whether pages can call `method` on a chain of `namespace`. `extra` lists additional methods; a name that ends in `*` matches a prefix. */
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
