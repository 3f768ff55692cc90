import type { Adapter, AdapterPayload } from 'oidc-provider'

// The library's own memory store warns that it is not meant for production, which does not apply here.

/** Creates an in-memory store for the local OpenID provider. */
export function createOpenIdStore(now: () => number = Date.now): (model: string) => Adapter {
  const stored = new Map<string, { readonly payload: AdapterPayload; readonly until: number }>()

  return (model) => {
    const prefix = `${model} `
    const read = (key: string): AdapterPayload | undefined => {
      const found = stored.get(key)
      if (!found || found.until > now()) return found?.payload
      stored.delete(key)
      return undefined
    }
    const findBy = async (name: 'uid' | 'userCode', value: string): Promise<AdapterPayload | undefined> => {
      for (const key of [...stored.keys()]) {
        if (!key.startsWith(prefix)) continue
        const payload = read(key)
        if (payload?.[name] === value) return payload
      }
      return undefined
    }
    return {
      upsert: async (id, payload, seconds) => {
        stored.set(prefix + id, { payload, until: seconds ? now() + seconds * 1000 : Number.POSITIVE_INFINITY })
      },
      find: async (id) => read(prefix + id),
      findByUid: (uid) => findBy('uid', uid),
      findByUserCode: (userCode) => findBy('userCode', userCode),
      consume: async (id) => {
        const payload = read(prefix + id)
        if (payload) payload.consumed = Math.floor(now() / 1000)
      },
      destroy: async (id) => {
        stored.delete(prefix + id)
      },
      revokeByGrantId: async (grantId) => {
        for (const [key, { payload }] of stored) if (payload.grantId === grantId) stored.delete(key)
      },
    }
  }
}
