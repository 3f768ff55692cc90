import { documented, type Environment, type Variable, variableReader } from './environment.ts'
import { text } from './schemas.ts'

const table = {
  METRICS_TOKEN: {
    fallback: '',
    schema: text,
    meaning: 'Bearer token for /metrics; if not set, there are no metrics',
  },
} as const

/** The variables of metrics. */
export const metricsVariables: readonly Variable[] = documented(table)

/** Configuration of metrics. */
export interface MetricsConfig {
  metricsToken: string | undefined
}

/** Reads the configuration of metrics. */
export function readMetricsConfig(env: Environment): MetricsConfig {
  return { metricsToken: variableReader(table, env).readIfSet('METRICS_TOKEN') }
}
