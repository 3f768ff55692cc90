import { openSources } from '../../tools/runFromSource.mjs'

let sources: ReturnType<typeof openSources> | undefined

/**
 * Loads one of the repository's modules into the test process, from its source. All test files of a worker share the loaded
 * modules, because loading the server takes several seconds. The loader runs until the worker exits.
 */
export async function loadSource(path: string): Promise<Record<string, unknown>> {
  sources ??= openSources()
  return (await sources).load(path)
}
