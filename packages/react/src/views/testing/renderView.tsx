import type { BuiltView, Views } from '@latchkey/core'
import type { FakeLatchkey } from '@latchkey/core/testing'
import type { ComponentType } from 'react'
import { type Locator, page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import type { ViewProps } from '../../modal/viewProps.ts'
import { type ViewSetup, viewFixture } from './viewFixture.tsx'

/** Draws one view over a fake, in place of what was drawn before; answers the fake. */
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

/** The button that is called so. */
export const button = (name: string | RegExp): Locator => page.getByRole('button', { name })

/** Of the calls that a fake was asked, those of one method. */
export const callsTo = (calls: readonly (readonly unknown[])[], name: string): readonly (readonly unknown[])[] =>
  calls.filter(([called]) => called === name)
