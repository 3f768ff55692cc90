import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'

const schema = v.looseTuple([
  v.looseObject({
    capabilities: v.looseObject({
      permissions: v.looseObject({ context: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/i)) }),
    }),
  }),
])

/** Returns the permission context from the capabilities in a request (ERC-7715), or `undefined` if there is none. */
export function readPermissionContext(params: unknown): string | undefined {
  return read(schema, params)?.[0].capabilities.permissions.context.toLowerCase()
}
