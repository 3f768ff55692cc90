import { documented, type Environment, type Variable, variableReader } from './environment.ts'
import { number, onOff } from './variableSchemas.ts'

const table = {
  ANALYTICS: { fallback: 'on', schema: onOff, meaning: 'Whether analytics events are accepted: on or off' },
  ANALYTICS_DAYS: {
    fallback: '90',
    schema: number(1, 36_500),
    meaning: 'Number of days after which events are deleted',
  },
} as const

/** The environment variables for analytics. */
export const analyticsVariables: readonly Variable[] = documented(table)

/** The analytics configuration. */
export interface AnalyticsConfig {
  analytics: boolean
  analyticsDays: number
}

/** Reads the analytics configuration. */
export function readAnalyticsConfig(env: Environment): AnalyticsConfig {
  const { read } = variableReader(table, env)
  return { analytics: read('ANALYTICS'), analyticsDays: read('ANALYTICS_DAYS') }
}
