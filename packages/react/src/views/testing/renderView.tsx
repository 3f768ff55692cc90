import type { BuiltView, Views } from '@latchkey/core'
import type { FakeLatchkey } from '@latchkey/core/testing'
import type { ComponentType } from 'react'
import { type Locator, page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import type { ViewProps } from '../viewProps.ts'
import { type ViewSetup, viewFixture } from './viewFixture.tsx'

/** Renders a view with a fake Latchkey, in place of the previous view. Resolves to the fake. */
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

/** Returns a locator for the button with the given accessible name. */
export const button = (name: string | RegExp): Locator => page.getByRole('button', { name })

/** Returns the recorded calls to one of a fake's methods. */
export const callsTo = (calls: readonly (readonly unknown[])[], name: string): readonly (readonly unknown[])[] =>
  calls.filter(([called]) => called === name)
