import { evm } from '@latchkey/adapters/evm'
import type { LatchkeyOptions } from '@latchkey/core'

/** What the pages need of `/world.json`. */
export interface PageWorld {
  readonly connect: string
  readonly projectId: string
  readonly chains: Parameters<typeof evm>[0] extends infer Options
    ? NonNullable<NonNullable<Options>['chains' & keyof Options]>
    : never
}

/** The options of every page: the world's chains and server, and what the address bar adds as JSON in `?options=`. */
export function optionsFor(world: PageWorld): LatchkeyOptions {
  const given = new URLSearchParams(location.search).get('options')
  return {
    app: { name: 'Host page' },
    server: world.connect,
    projectId: world.projectId,
    adapters: [evm({ chains: world.chains })],
    ...(given ? (JSON.parse(given) as LatchkeyOptions) : {}),
  }
}
