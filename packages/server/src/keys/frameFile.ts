/** The frame's build. Paths without an extension resolve to a page. */
export interface FrameFiles {
  /** Resolves to the file at a path of the keys origin, such as `/assets/index.js`, or `undefined` if there is none. */
  find(path: string): Promise<FrameFile | undefined>
}

/** A file in the frame's build. */
export interface FrameFile {
  /** The content of the file. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The Content-Type, such as `text/html; charset=utf-8`. */
  readonly type: string
  /** Whether the file name contains a content hash. */
  readonly hashed: boolean
}
