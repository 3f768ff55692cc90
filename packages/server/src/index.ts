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
export {
  type Authenticator,
  createAuthenticator,
  type RelayRates,
} from './relay/authenticator.ts'
export {
  type MessageStore,
  memoryMessageStore,
  type RelayMessage,
} from './relay/messageStore.ts'
export { redisMessageStore } from './relay/redisMessageStore.ts'
export { createRelay, type Relay, type RelayLimits, relayLimits } from './relay/relay.ts'
export {
  createRelayWebSocketServer,
  type RelayWebSocketServer,
} from './relay/webSocketServer.ts'
export type { ServedRoute, Server } from './servedRoutes.ts'
export { readSettings, type Settings, SettingsError, type Variable, variables } from './settings.ts'
