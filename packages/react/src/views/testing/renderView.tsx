import type { BuiltView, Views } from '@latchkey/core'
import type { FakeLatchkey } from '@latchkey/core/testing'
import type { ComponentType } from 'react'
import { type Locator, page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import type { ViewProps } from '../../modal/viewProps.ts'
import { type ViewSetup, viewFixture } from './viewFixture.tsx'

/** Renders a view over a fake instance, replacing the previous one. Resolves to the fake. */
export async function renderView<Name extends BuiltView>(
  View: ComponentType<ViewProps<Name>>,
  data: Views[Name],
  setup: ViewSetup = {},
): Promise<FakeLatchkey> {
  await cleanup()
  const { latchkey, page: shown } = viewFixture(View, data, setup)
  await render(shown)
  return latchkey
}

/** Locates the button with this accessible name. */
export const button = (name: string | RegExp): Locator => page.getByRole('button', { name })

/** Returns the recorded calls of one method of a fake. */
export const callsTo = (calls: readonly (readonly unknown[])[], name: string): readonly (readonly unknown[])[] =>
  calls.filter(([called]) => called === name)
