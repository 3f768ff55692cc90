import { originAllowed } from '@latchkey/protocol/origins'
import type { Projects } from '../../serverDependencies.ts'

/** The pages allowed to embed the frame: those that a project lists, and those on localhost. */
export interface Embedders {
  patterns(): Promise<readonly string[]>
  /** Whether a page at this origin is allowed to embed the frame. */
  may(origin: string): Promise<boolean>
  /** Resolves to the source list for `frame-ancestors`. */
  sources(): Promise<string>
}

// Only the user's own machine can serve these hosts, so they do not have to be registered.
const thisMachine = ['http://localhost:*', 'https://localhost:*', 'http://*.localhost:*', 'https://*.localhost:*']
const loopback = ['http://127.0.0.1:*', 'https://127.0.0.1:*']

/** Creates the list of pages from the operator's projects. A project that allows every origin adds no pages. */
export function createEmbedders(projects: Projects): Embedders {
  const patterns = async (): Promise<readonly string[]> => [
    ...new Set((await projects.all()).flatMap(({ allowedOrigins }) => allowedOrigins)),
  ]
  return {
    patterns,
    may: async (origin) => {
      const named = await patterns()
      // An empty list would allow every page, which is right for the wallet directory but not for keys.
      return originAllowed(origin, named.length > 0 ? named : ['none.invalid'])
    },
    sources: async () => {
      const named = (await patterns()).flatMap(sourceOf)
      return [...thisMachine, ...loopback, ...named].join(' ')
    },
  }
}

// In CSP, `*` matches any number of labels, which is more than our patterns allow, so the frame checks the exact patterns itself.
// CSP allows `*` only at the front. A pattern with `*` in a different position cannot be expressed, so the pages that match it
// cannot embed the frame.
function sourceOf(pattern: string): readonly string[] {
  const found = /^(?:([a-z][a-z0-9+.-]*):\/\/)?((?:\*\.)*)([a-z0-9.-]+)(:\d{1,5})?\/?$/i.exec(pattern.trim())
  if (!found) return []
  const [, scheme, stars = '', host = '', port = ''] = found
  const name = `${stars === '' ? '' : '*.'}${host}${port}`
  if (scheme !== undefined) return /^https?$/i.test(scheme) ? [`${scheme.toLowerCase()}://${name}`] : []
  // Without a scheme, CSP would use the frame's own scheme. A page served over http must be listed with its scheme.
  return [`https://${name}`]
}
