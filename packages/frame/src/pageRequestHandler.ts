import type { MethodName, ReadRequest } from '@latchkey/protocol/frame/messages'
import { originAllowed } from '@latchkey/protocol/origins'
import type { FrameContext, Method } from './frameContext.ts'
import { methods } from './frameMethods/index.ts'
import type { Caller, MessageBridgeDependencies } from './messageBridge.ts'
import { PublicError } from './publicError.ts'

/** Returns the handler for requests from the embedding page. The page's settings are restored before its first request. */
export function createPageRequestHandler(context: FrameContext): MessageBridgeDependencies['answer'] {
  const { config, settings, store, crossSite } = context

  // A cross-site frame does not create a database, because the database would suggest that keys are stored there.
  const recall = async (page: string): Promise<string | undefined> =>
    crossSite ? (await crossSite()).choices.get() : store.recall(page)
  const remember = async (page: string, choices: string): Promise<void> =>
    crossSite ? (await crossSite()).choices.set(choices) : store.remember(page, choices)
  let settingsRestored: Promise<unknown> | undefined

  return async (request, caller) => {
    const { origins } = await config()
    // `*` in `frame-ancestors` matches more than the operator's pattern does. If the list is empty, only pages on this machine
    // are allowed.
    if (!originAllowed(caller.origin, origins.length > 0 ? origins : ['none.invalid']))
      throw new PublicError('This page is not allowed to use the wallet')
    if (crossSite && sameSiteOnlyMethods.test(request.name))
      throw new PublicError((await import('./crossSite/crossSiteFrame.ts')).loginInWindowMessage)
    const page = `page:${caller.origin}`
    settingsRestored ??= recall(page).then((choices) => choices !== undefined && settings.restore(choices))
    await settingsRestored
    const before = settings.serialize()
    try {
      return await callMethod(context, request, caller)
    } finally {
      const choices = settings.serialize()
      if (choices !== before) void remember(page, choices)
    }
  }
}

/** Logins and email changes, which a cross-site frame rejects before any email is sent. */
const sameSiteOnlyMethods =
  /^(CONNECT_(EMAIL|OTP|DEVICE|PASSKEY|SOCIAL|FARCASTER)|GET_(SOCIAL_REDIRECT|FARCASTER)_URI|UPDATE_EMAIL.*)$/

function callMethod(context: FrameContext, { name, id, payload }: ReadRequest, caller: Caller): Promise<unknown> {
  // The table pairs each method name with its payload type, but TypeScript cannot infer this for a union.
  const method = methods[name] as Method<MethodName>
  return method(context, payload as never, { ...caller, id })
}
