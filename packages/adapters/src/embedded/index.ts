export { type Announcement, type EmbeddedOptions, embedded } from './embedded.ts'
export type { FramePlace, FrameWanted } from './place.ts'
