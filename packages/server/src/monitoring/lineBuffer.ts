/** Collects lines and writes them together. */
export interface LineBuffer {
  /** Adds a line, which includes its line break. */
  add(line: string): void
  /** Writes the collected lines now. Called before the process exits. */
  flush(): void
}

/**
 * Creates a buffer that writes all lines of one turn of the event loop at once, because each write is a system call that takes as
 * long as handling a simple request.
 */
export function createLineBuffer({
  write,
  defer = setImmediate,
}: {
  write: (text: string) => void
  /** Runs a task after pending events. Default: `setImmediate`. */
  defer?: (task: () => void) => unknown
}): LineBuffer {
  let lines = ''

  const flush = (): void => {
    if (lines === '') return
    const text = lines
    lines = ''
    write(text)
  }

  return {
    add(line) {
      if (lines === '') defer(flush)
      lines += line
    },
    flush,
  }
}
