import type { ViewName, Views } from '@latchkey/core'

/** Props of a view: the data of its route. Everything else is read from hooks. */
export interface ViewProps<Name extends ViewName> {
  readonly data: Views[Name]
}
