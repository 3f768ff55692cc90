/** The Redis client commands that run scripts. */
export interface ScriptClient {
  scriptLoad(text: string): Promise<string>
  evalSha(digest: string, options: { arguments: string[] }): Promise<unknown>
  eval(text: string, options: { arguments: string[] }): Promise<unknown>
}

/** Runs a script with the given arguments. */
export type RedisScriptRunner = (...args: (string | number)[]) => Promise<unknown>

/** Creates a function that runs a script by its digest, or by its text if Redis no longer has the script. */
export function createRedisScriptRunner(redis: ScriptClient, text: string): RedisScriptRunner {
  let digest: Promise<string> | undefined
  return async (...args) => {
    const options = { arguments: args.map(String) }
    digest ??= redis.scriptLoad(text).catch((error: unknown) => {
      digest = undefined
      throw error
    })
    return redis.evalSha(await digest, options).catch((error: unknown) => {
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return redis.eval(text, options)
      throw error
    })
  }
}
