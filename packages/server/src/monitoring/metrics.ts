import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

type Labels = Readonly<Record<string, string>>

/** The counters and histograms, with their labels. The possible values of each label are fixed. */
const declared = {
  latchkey_requests_total: ['Completed requests, by route, method and status.', 'route', 'method', 'status'],
  latchkey_request_seconds: ['Response time, by route.', 'route'],
  latchkey_limited_total: ['Requests rejected by a rate limit, by part of the server and type of limit.', 'part', 'of'],
  latchkey_analytics_events_total: ['Analytics events, by outcome.', 'outcome'],
  latchkey_identify_failures_total: ['Failed visitor identifications, by reason.', 'failure'],
  latchkey_relay_connections_total: ['Connections to the relay, by outcome.', 'outcome'],
  latchkey_relay_messages_total: ['Relay messages published and delivered, by tag.', 'what', 'tag'],
  latchkey_relay_publish_seconds: ['Time to store a published message.'],
  latchkey_relay_refusals_total: ['Connections and calls rejected by the relay, by reason.', 'where', 'reason'],
  latchkey_sign_ins_total: ['Attempts to sign in with a wallet, by outcome.', 'outcome'],
  latchkey_rpc_upstream_total: [
    'Calls to upstream nodes, by chain, position of the upstream and outcome.',
    'chain',
    'upstream',
    'outcome',
  ],
} as const satisfies Readonly<Record<string, readonly [help: string, ...labels: string[]]>>

/** The gauges, with their help texts. */
const gauges = {
  latchkey_relay_connections: 'Open connections to the relay.',
  latchkey_relay_letters: 'Messages stored in this process that are not yet delivered.',
  latchkey_relay_letters_bytes: 'Total size of these messages, in bytes.',
  latchkey_relay_mailboxes_up: 'Whether the message store responds.',
  latchkey_relay_subscriptions: 'Topics that open connections are subscribed to.',
  latchkey_in_flight_bytes: 'Bytes of open requests and their responses in this process.',
  latchkey_database_connections: 'Connections of the database pool.',
  latchkey_database_connections_idle: 'Idle connections of the database pool.',
  latchkey_database_waiting: 'Requests waiting for a connection of the database pool.',
} as const

/** The name of a counter or histogram. */
export type MetricName = keyof typeof declared

/** The name of a gauge. */
export type GaugeName = keyof typeof gauges

/** The counters, histograms and gauges of a server, in the Prometheus text format. */
export interface Metrics {
  /** Adds `by` to a counter. Default: 1. */
  count(name: MetricName, labels?: Labels, by?: number): void
  /** Adds a duration in seconds to a histogram. */
  observe(name: MetricName, seconds: number, labels?: Labels): void
  /** Registers a gauge. `read` is called whenever the metrics are printed. */
  gauge(name: GaugeName, read: () => number): void
  /** Resolves to all metrics in the Prometheus text format. */
  print(): Promise<string>
  /** The content type of the text that `print` returns. */
  readonly contentType: string
}

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
// The buckets for operations that usually take microseconds.
const fineBuckets = [0.000_1, 0.000_5, 0.001, 0.002_5, ...buckets.slice(0, 9)]

/**
 * Creates metrics that start at zero. If `version` is set, they include process metrics: CPU, memory, event-loop lag, garbage
 * collection and build information.
 */
export function createMetrics({ version }: { version?: string } = {}): Metrics {
  const register = new Registry()
  const counters = new Map<MetricName, Counter>()
  const histograms = new Map<MetricName, Histogram>()

  if (version !== undefined) {
    collectDefaultMetrics({ register })
    new Gauge({
      name: 'latchkey_build_info',
      help: 'Always 1; the labels contain the build and the Node.js version.',
      labelNames: ['version', 'node'],
      registers: [register],
    }).set({ version, node: process.version }, 1)
  }

  function optionsOf(name: MetricName) {
    const [help, ...labelNames] = declared[name]
    return { name, help, labelNames, registers: [register] }
  }

  return {
    count(name, labels = {}, by = 1) {
      const counter = counters.get(name) ?? new Counter(optionsOf(name))
      counters.set(name, counter)
      counter.inc(labels, by)
    },
    observe(name, seconds, labels = {}) {
      const bounds = name === 'latchkey_relay_publish_seconds' ? fineBuckets : buckets
      const histogram = histograms.get(name) ?? new Histogram({ ...optionsOf(name), buckets: bounds })
      histograms.set(name, histogram)
      histogram.observe(labels, seconds)
    },
    gauge(name, read) {
      register.removeSingleMetric(name)
      new Gauge({
        name,
        help: gauges[name],
        registers: [register],
        collect() {
          this.set(read())
        },
      })
    },
    print: () => register.metrics(),
    contentType: register.contentType,
  }
}
