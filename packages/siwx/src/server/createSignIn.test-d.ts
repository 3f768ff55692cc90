import { createSignIn, type Origin } from './createSignIn.ts'
import { memoryReplayStore } from './replayStore.ts'

// Options that the compiler must reject. This code never runs.

const others = { secret: 'x'.repeat(32), verifiers: {}, replayStore: memoryReplayStore() }

/** Calls `createSignIn` with options that must not compile, except for the first call. */
export function neverCalled(text: string): void {
  createSignIn({ ...others, origins: ['https://shop.example', 'http://localhost:3000', 'http://demo.localhost:4100'] })
  // @ts-expect-error: no origins
  createSignIn(others)
  // @ts-expect-error: an empty list
  createSignIn({ ...others, origins: [] })
  // @ts-expect-error: a host is not an origin
  createSignIn({ ...others, origins: ['shop.example'] })
  // @ts-expect-error: wildcards are not origins
  createSignIn({ ...others, origins: ['*'] })
  // @ts-expect-error: http is only allowed on localhost
  createSignIn({ ...others, origins: ['http://shop.example'] })
  // @ts-expect-error: an arbitrary string
  createSignIn({ ...others, origins: [text] })
  // @ts-expect-error: a list that can be empty
  createSignIn({ ...others, origins: [] as Origin[] })
  // @ts-expect-error: the replay store is required
  createSignIn({ ...others, origins: ['https://shop.example'], replayStore: undefined })
}
