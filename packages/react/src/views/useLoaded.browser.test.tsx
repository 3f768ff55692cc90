import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { useRarePart } from './useLazyModule.ts'

afterEach(cleanup)

function View({ load, isNeeded }: { readonly load: () => Promise<string>; readonly isNeeded: boolean }): ReactNode {
  const { value, failed } = useRarePart(load, isNeeded)
  return <p>{failed ? 'failed' : (value ?? 'not loaded')}</p>
}

/** Returns the loader of a part whose first load fails if `isOffline` is true, and the number of its loads. */
function fakePart({ isOffline = false } = {}) {
  let loads = 0
  return {
    load: async (): Promise<string> => {
      loads += 1
      if (isOffline && loads === 1) throw new TypeError('Failed to fetch dynamically imported module')
      return 'the part'
    },
    loads: () => loads,
  }
}

test('useRarePart loads the part once the browser is idle, and only once', async () => {
  const { load, loads } = fakePart()
  const { rerender } = await render(<View load={load} isNeeded={false} />)
  await expect.element(page.getByText('the part')).toBeVisible()
  await rerender(<View load={load} isNeeded={true} />)
  await expect.element(page.getByText('the part')).toBeVisible()
  expect(loads()).toBe(1)
})

test('if a part could not be loaded in advance, useRarePart loads it again once it is needed', async () => {
  const { load, loads } = fakePart({ isOffline: true })
  const { rerender } = await render(<View load={load} isNeeded={false} />)
  await expect.element(page.getByText('failed')).toBeVisible()
  await rerender(<View load={load} isNeeded={true} />)
  await expect.element(page.getByText('the part')).toBeVisible()
  expect(loads()).toBe(2)
})
