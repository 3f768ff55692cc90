export { createIntake } from './analytics/intake.ts'
export { createServer } from './app.ts'
export { createMemoryBus } from './bus.ts'
export { type ChainPolicy, createChain } from './chain/chain.ts'
export { createUpstreams, type UpstreamLimits, type Upstreams } from './chain/upstreams.ts'
export { createDirectory } from './directory/directory.ts'
export { readSeed, type Seed } from './directory/seed.ts'
export { createImages } from './images/images.ts'
export { createLog, type LogLevel, logLevels } from './log.ts'
export { memoryEvents, memoryPorts, memoryProjects } from './memory.ts'
export { createMetrics, type Metrics } from './metrics.ts'
export { type Assembled, assemble, type Running, startServer } from './node.ts'
export type {
  AnalyticsEvent,
  Bus,
  Caller,
  Chain,
  ChainAnswer,
  Clock,
  Directory,
  DirectoryPage,
  DirectoryQuery,
  Events,
  Image,
  ImageKind,
  Images,
  Intake,
  Log,
  Ports,
  Project,
  Projects,
  RateLimits,
  Rates,
  RequestLimits,
} from './ports.ts'
export { createMemoryRates } from './rates.ts'
export { createDoor, type Door, type RelayRates } from './relay/door.ts'
export { type Letter, type Mailboxes, memoryMailboxes } from './relay/mailbox.ts'
export { redisMailboxes } from './relay/redisMailbox.ts'
export { createRelay, type Relay, type RelayLimits, relayLimits } from './relay/relay.ts'
export { type RelaySockets, relaySockets } from './relay/socket.ts'
export type { ServedRoute, Server } from './servedRoutes.ts'
export { readSettings, type Settings, SettingsError, type Variable, variables } from './settings.ts'
