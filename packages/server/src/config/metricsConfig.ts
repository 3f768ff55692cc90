import { documented, type Environment, type Variable, variableReader } from './environment.ts'
import { text } from './variableSchemas.ts'

const table = {
  METRICS_TOKEN: {
    fallback: '',
    schema: text,
    meaning: 'Bearer token for /metrics; if not set, metrics are disabled',
  },
} as const

/** The environment variables for metrics. */
export const metricsVariables: readonly Variable[] = documented(table)

/** The metrics configuration. */
export interface MetricsConfig {
  metricsToken: string | undefined
}

/** Reads the metrics configuration. */
export function readMetricsConfig(env: Environment): MetricsConfig {
  return { metricsToken: variableReader(table, env).readIfSet('METRICS_TOKEN') }
}
