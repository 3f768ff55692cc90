import * as v from 'valibot'
import { type LogLevel, logLevels } from '../monitoring/logger.ts'
import { documented, type Environment, type Variable, variableReader } from './environment.ts'
import { number } from './variableSchemas.ts'

const table = {
  LOG_LEVEL: {
    fallback: 'info',
    schema: v.picklist(logLevels, logLevels.join(', ')),
    meaning: `One of ${logLevels.join(', ')}`,
  },
  DRAIN_DELAY_MS: {
    fallback: '5000',
    schema: number(0, 600_000),
    meaning:
      'How long the server keeps serving after SIGTERM while /ready returns 503, so that load balancers stop sending requests; Ctrl-C does not wait',
  },
  START_TIMEOUT_MS: {
    fallback: '30000',
    schema: number(0, 3_600_000),
    meaning: 'How long the server keeps trying to reach DATABASE_URL and REDIS_URL on startup',
  },
  STOP_TIMEOUT_MS: {
    fallback: '10000',
    schema: number(0, 600_000),
    meaning: 'How long the server waits for running requests when it stops',
  },
} as const

/** The environment variables for logging, startup and shutdown. */
export const processVariables: readonly Variable[] = documented(table)

/** The configuration for logging, startup and shutdown. */
export interface ProcessConfig {
  logLevel: LogLevel
  drainDelayMs: number
  startTimeoutMs: number
  stopTimeoutMs: number
}

/** Reads the configuration for logging, startup and shutdown. */
export function readProcessConfig(env: Environment): ProcessConfig {
  const { read } = variableReader(table, env)
  return {
    logLevel: read('LOG_LEVEL'),
    drainDelayMs: read('DRAIN_DELAY_MS'),
    startTimeoutMs: read('START_TIMEOUT_MS'),
    stopTimeoutMs: read('STOP_TIMEOUT_MS'),
  }
}
