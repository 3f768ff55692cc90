export { type Announcement, type EmbeddedOptions, embedded } from './embeddedConnector.ts'
export type { FrameHost, FrameParameters } from './frameHost.ts'
