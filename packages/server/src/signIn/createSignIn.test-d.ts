import { createSignIn, type Origin } from './createSignIn.ts'
import { memoryReplayStore } from './replayStore.ts'

// What the compiler refuses, so that nobody checks less than everything. Nothing here runs.

const others = { secret: 'x'.repeat(32), verifiers: {}, replayStore: memoryReplayStore() }

/** Whoever names no page has no library. */
export function neverCalled(text: string): void {
  createSignIn({ ...others, origins: ['https://shop.example', 'http://localhost:3000', 'http://demo.localhost:4100'] })
  // @ts-expect-error: no origins
  createSignIn(others)
  // @ts-expect-error: none among them
  createSignIn({ ...others, origins: [] })
  // @ts-expect-error: a host is not an origin
  createSignIn({ ...others, origins: ['shop.example'] })
  // @ts-expect-error: not every page
  createSignIn({ ...others, origins: ['*'] })
  // @ts-expect-error: nobody vouches for http on the way
  createSignIn({ ...others, origins: ['http://shop.example'] })
  // @ts-expect-error: whatever that may be
  createSignIn({ ...others, origins: [text] })
  // @ts-expect-error: a list that may be empty
  createSignIn({ ...others, origins: [] as Origin[] })
  // @ts-expect-error: used nonces have to be remembered
  createSignIn({ ...others, origins: ['https://shop.example'], replayStore: undefined })
}
