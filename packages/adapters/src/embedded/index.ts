export { embedded } from './embeddedConnector.ts'
export type { Announcement, EmbeddedOptions } from './embeddedOptions.ts'
export type { FrameHandle as FrameHost, FrameParameters } from './frameHandle.ts'
