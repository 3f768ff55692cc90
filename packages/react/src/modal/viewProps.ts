import type { ViewName, Views } from '@latchkey/core'

/** What a view gets: the data that it cannot be drawn without. Everything else it reads from the hooks. */
export interface ViewProps<Name extends ViewName> {
  readonly data: Views[Name]
}
