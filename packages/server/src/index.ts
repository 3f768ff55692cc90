export { createEventIngest } from './analytics/ingestEvents.ts'
export type { Variable } from './config/environment.ts'
export { type Config, ConfigError, readConfig, variables } from './config/readConfig.ts'
export { createServer } from './createServer.ts'
export { createDirectory } from './directory/directory.ts'
export { readWalletsFile, type WalletsFile } from './directory/walletsFile.ts'
export type { ServedRoute, Server } from './http/routeList.ts'
export { createImages } from './images/walletImages.ts'
export { inMemoryDependencies, inMemoryEvents, inMemoryProjects } from './inMemoryDependencies.ts'
export { folderFrameFiles } from './keys/frame/frameFiles.ts'
export type { FrameFile, FrameFiles } from './keys/frameFile.ts'
export type {
  FarcasterEndpoints,
  KeysDependencies,
  KeysPolicy,
  SmartAccountUpstreams,
  SocialClient,
  SocialEndpoints,
} from './keys/keysDependencies.ts'
export type { Mail, Mailer } from './mail/mailer.ts'
export { smtpMailer } from './mail/smtpMailer.ts'
export { createLog, type LogLevel, logLevels } from './monitoring/logger.ts'
export { createMetrics, type Metrics } from './monitoring/metrics.ts'
export { createMemoryRateLimiter } from './rateLimits/memoryRateLimiter.ts'
export {
  type Authenticator,
  createAuthenticator,
  type RelayRates,
} from './relay/authenticator.ts'
export { type RelayLimits, relayLimits } from './relay/limits/relayLimits.ts'
export {
  type MessageStore,
  memoryMessageStore,
  type RelayMessage,
} from './relay/messages/messageStore.ts'
export { redisMessageStore } from './relay/redis/redisMessageStore.ts'
export { createRelay, type Relay } from './relay/relay.ts'
export {
  createRelayWebSocketServer,
  type RelayWebSocketServer,
} from './relay/webSocketServer.ts'
export { createHttpPost, type PostToNode } from './rpcProxy/postToNode.ts'
export { createRpcProxy, type RpcProxyPolicy } from './rpcProxy/rpcProxy.ts'
export { createUpstreams, type UpstreamLimits, type Upstreams } from './rpcProxy/upstreamNodes.ts'
export type {
  AnalyticsEvent,
  Caller,
  Clock,
  Directory,
  DirectoryPage,
  DirectoryQuery,
  EventBus,
  EventIngest,
  Events,
  Image,
  ImageKind,
  Images,
  Log,
  Project,
  Projects,
  RateLimiter,
  RateLimits,
  RequestLimits,
  RpcProxy,
  RpcResponse,
  ServerDependencies,
} from './serverDependencies.ts'
export { type AssembledServer, serverFromConfig as createNodeServer } from './serverFromConfig.ts'
export { type RunningServer, startServer } from './startServer.ts'
export { createMemoryEventBus } from './storage/eventBus.ts'
export { assetsFolder } from './storage/packageFiles.ts'
