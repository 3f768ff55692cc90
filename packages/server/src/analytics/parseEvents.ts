import * as v from 'valibot'
import { HttpError } from '../errors/httpError.ts'
import type { AnalyticsEvent } from '../serverDependencies.ts'

const short = v.pipe(v.string(), v.maxLength(256))

// This schema is more lenient than necessary for our own client, because older clients send no URL or use different ID formats.
const event = v.object({
  eventId: v.pipe(v.string(), v.nonEmpty(), v.maxLength(128)),
  url: v.optional(v.pipe(v.string(), v.maxLength(4096)), ''),
  domain: v.optional(short, ''),
  timestamp: v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.maxLength(64))]),
    v.transform((value) => new Date(value)),
    v.check((date) => date.getUTCFullYear() >= 2000 && date.getUTCFullYear() < 3000, 'must be between 2000 and 2999'),
  ),
  props: v.object({
    type: v.optional(short, ''),
    event: v.pipe(v.string(), v.nonEmpty(), v.maxLength(256)),
    properties: v.nullish(v.record(v.string(), v.unknown())),
    address: v.nullish(short),
  }),
})

const depthMax = 6
const batch = v.pipe(v.array(event), v.maxLength(500))

/** Parses a body that contains an event or an array of events. Throws a 400 error that specifies the first invalid field. */
export function parseEvents(json: unknown, projectId: string): AnalyticsEvent[] {
  const parsed = v.safeParse(batch, Array.isArray(json) ? json : [json])
  if (!parsed.success) {
    const issue = parsed.issues[0]
    throw new HttpError(400, v.getDotPath(issue) ?? 'body', 'The event is not valid')
  }
  return parsed.output.map(({ eventId, url, domain, timestamp, props }) => ({
    projectId: clean(projectId),
    eventId: clean(eventId),
    url: clean(withoutQuery(url)),
    domain: clean(domain),
    timestamp,
    type: clean(props.type),
    event: clean(props.event),
    properties: cleanRecord(props.properties ?? {}, depthMax),
    address: props.address ? clean(props.address) : null,
  }))
}

// PostgreSQL cannot store U+0000 or unpaired surrogates.
function clean(text: string): string {
  return Buffer.from(text.replaceAll('\u0000', '')).toString()
}

function cleanRecord(record: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [clean(key), cleanValue(value, depth - 1)]))
}

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return clean(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return null
  return Array.isArray(value) ? value.map((item) => cleanValue(item, depth - 1)) : cleanRecord(value, depth)
}

function withoutQuery(url: string): string {
  return url.replace(/[?#][\s\S]*$/, '')
}
