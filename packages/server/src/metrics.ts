type Labels = Readonly<Record<string, string>>

/** Counters, durations and gauges in memory, printed in the text format of Prometheus. */
export interface Metrics {
  count(name: string, labels?: Labels, by?: number): void
  observe(name: string, seconds: number, labels?: Labels): void
  /** A number that is asked for when it is printed. */
  gauge(name: string, read: () => number): void
  print(): string
}

/** One line of documentation for each metric that `print` shows. */
const help = {
  latchkey_requests_total: 'Requests answered, by route, method and status.',
  latchkey_request_seconds: 'Time to an answer, by route.',
  latchkey_analytics_events_total: 'Analytics events, by what became of them.',
  latchkey_relay_connections_total: 'Connections to the relay, by what became of them.',
  latchkey_relay_connections: 'Connections to the relay that are open.',
  latchkey_relay_letters: 'Messages that wait in this process for somebody to take them.',
  latchkey_relay_letters_bytes: 'Their size.',
  latchkey_relay_mailboxes_up: 'Whether the store of the mailboxes answers.',
  latchkey_relay_messages_total: 'Messages of the relay, published and delivered, by tag.',
  latchkey_relay_publish_seconds: 'Time until a message was kept.',
  latchkey_relay_refusals_total: 'Connections and calls refused by the relay, by reason.',
  latchkey_relay_subscriptions: 'Topics that open connections listen on.',
  latchkey_sign_ins_total: 'Tries to sign in with a wallet, by what became of them.',
  latchkey_rpc_upstream_total: 'Calls to upstream nodes, by chain, position of the upstream and outcome.',
} as const

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
// What takes microseconds where all goes well.
const fineBuckets = [0.000_1, 0.000_5, 0.001, 0.002_5, ...buckets.slice(0, 9)]
const bucketsOf = (name: string): readonly number[] =>
  name === 'latchkey_relay_publish_seconds' ? fineBuckets : buckets

interface Histogram {
  counts: number[]
  sum: number
  total: number
}

/** Metrics that start at zero. Labels must come from closed sets: each new combination is kept for good. */
export function createMetrics(): Metrics {
  const counters = new Map<string, Map<string, number>>()
  const histograms = new Map<string, Map<string, Histogram>>()
  const gauges = new Map<string, () => number>()

  function print(): string {
    const lines: string[] = []
    for (const [name, series] of counters) {
      lines.push(...head(name, 'counter'))
      for (const [labels, value] of series) lines.push(`${name}${braces(labels)} ${value}`)
    }
    for (const [name, series] of histograms) {
      lines.push(...head(name, 'histogram'))
      for (const [labels, histogram] of series) {
        for (const [at, limit] of [...bucketsOf(name), '+Inf'].entries()) {
          lines.push(
            `${name}_bucket${braces(join(labels, `le="${limit}"`))} ${histogram.counts[at] ?? histogram.total}`,
          )
        }
        lines.push(`${name}_sum${braces(labels)} ${histogram.sum}`, `${name}_count${braces(labels)} ${histogram.total}`)
      }
    }
    for (const [name, read] of gauges) lines.push(...head(name, 'gauge'), `${name} ${read()}`)
    const memory = process.memoryUsage()
    lines.push('# TYPE process_resident_memory_bytes gauge', `process_resident_memory_bytes ${memory.rss}`)
    lines.push('# TYPE nodejs_heap_size_used_bytes gauge', `nodejs_heap_size_used_bytes ${memory.heapUsed}`)
    lines.push('# TYPE process_uptime_seconds gauge', `process_uptime_seconds ${process.uptime()}`)
    return `${lines.join('\n')}\n`
  }

  return {
    count: (name, labels = {}, by = 1) => {
      const series = seriesOf(counters, name)
      const key = text(labels)
      series.set(key, (series.get(key) ?? 0) + by)
    },
    observe: (name, seconds, labels = {}) => {
      const series = seriesOf(histograms, name)
      const key = text(labels)
      const histogram = series.get(key) ?? { counts: bucketsOf(name).map(() => 0), sum: 0, total: 0 }
      series.set(key, histogram)
      for (const [at, limit] of bucketsOf(name).entries()) {
        if (seconds <= limit) histogram.counts[at] = (histogram.counts[at] ?? 0) + 1
      }
      histogram.sum += seconds
      histogram.total += 1
    },
    gauge: (name, read) => void gauges.set(name, read),
    print,
  }
}

function seriesOf<T>(all: Map<string, Map<string, T>>, name: string): Map<string, T> {
  const found = all.get(name) ?? new Map<string, T>()
  all.set(name, found)
  return found
}

function head(name: string, type: string): string[] {
  const sentence = (help as Record<string, string>)[name]
  return sentence ? [`# HELP ${name} ${sentence}`, `# TYPE ${name} ${type}`] : [`# TYPE ${name} ${type}`]
}

function text(labels: Labels): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}="${value.replace(/[\\"\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`))}"`)
    .join(',')
}

function join(labels: string, more: string): string {
  return labels ? `${labels},${more}` : more
}

function braces(labels: string): string {
  return labels ? `{${labels}}` : ''
}
