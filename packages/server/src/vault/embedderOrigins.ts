import { originAllowed } from '@latchkey/protocol/origins'
import type { Projects } from '../serverPorts.ts'

/** Which pages may embed the frame: those that a project names, and those of this machine. */
export interface Embedders {
  patterns(): Promise<readonly string[]>
  /** Whether the page of this origin may. */
  may(origin: string): Promise<boolean>
  /** The sources of `frame-ancestors`. */
  sources(): Promise<string>
}

// Nobody but this machine can be at these names, so they need no registration.
const thisMachine = ['http://localhost:*', 'https://localhost:*', 'http://*.localhost:*', 'https://*.localhost:*']
const loopback = ['http://127.0.0.1:*', 'https://127.0.0.1:*']

/** The pages that the operator's projects name. A project that lets every page in names none for the frame. */
export function createEmbedders(projects: Projects): Embedders {
  const patterns = async (): Promise<readonly string[]> => [
    ...new Set((await projects.all()).flatMap(({ allowedOrigins }) => allowedOrigins)),
  ]
  return {
    patterns,
    may: async (origin) => {
      const named = await patterns()
      // An empty list would let every page in, which is right for a directory and wrong for keys.
      return originAllowed(origin, named.length > 0 ? named : ['none.invalid'])
    },
    sources: async () => {
      const named = (await patterns()).flatMap(sourceOf)
      return [...thisMachine, ...loopback, ...named].join(' ')
    },
  }
}

// In a policy `*` is wider than in a pattern (any number of labels), and only at the front: the frame's door, which
// knows the patterns, closes what is left open here. A star anywhere else cannot be said, so the page stays outside.
function sourceOf(pattern: string): readonly string[] {
  const found = /^(?:([a-z][a-z0-9+.-]*):\/\/)?((?:\*\.)*)([a-z0-9.-]+)(:\d{1,5})?\/?$/i.exec(pattern.trim())
  if (!found) return []
  const [, scheme, stars = '', host = '', port = ''] = found
  const name = `${stars === '' ? '' : '*.'}${host}${port}`
  if (scheme !== undefined) return /^https?$/i.test(scheme) ? [`${scheme.toLowerCase()}://${name}`] : []
  // Without a scheme a policy would take the frame's own; a page over http is none that keys are shown in.
  return [`https://${name}`]
}
