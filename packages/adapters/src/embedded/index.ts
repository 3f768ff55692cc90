export { type Announcement, type EmbeddedOptions, embedded } from './embeddedConnector.ts'
export type { FrameHost as FramePlace, FrameParameters as FrameWanted } from './frameHost.ts'
