import type { ViewName, Views } from '@latchkey/core'

/** Props for a view. A view only receives its route's data and reads everything else from hooks. */
export interface ViewProps<Name extends ViewName> {
  readonly data: Views[Name]
}
