export { embedded } from './embeddedConnector.ts'
export type { Announcement, EmbeddedOptions } from './embeddedOptions.ts'
export type { FrameHost, FrameParameters } from './frameHost.ts'
