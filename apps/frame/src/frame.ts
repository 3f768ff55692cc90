import type { MethodName, ReadRequest } from '@latchkey/protocol/frame/messages'
import { browserName, getVaultConfig, popupChannel, type VaultConfig } from '@latchkey/protocol/http/vault'
import { originAllowed } from '@latchkey/protocol/origins'
import { createApprovals } from './approvals.ts'
import { keepsCookies } from './away/keepsCookies.ts'
import { type Asker, type Door, openDoor } from './door.ts'
import type { Away, House, Method } from './house.ts'
import { knowsPasskeys } from './knowsPasskeys.ts'
import { methods } from './methods/index.ts'
import type { GrantStore } from './permissions/store.ts'
import { createPopups } from './popups.ts'
import { Refusal } from './refusal.ts'
import { createRpc } from './rpc.ts'
import { createServerClock } from './serverClock.ts'
import { createSession, type Session } from './session.ts'
import { createSettings } from './settings.ts'
import { createShared } from './shared.ts'
import { createDeviceStore } from './store.ts'
import type { Subject } from './subject.ts'
import { createVaultClient } from './vaultClient.ts'
import type { Wallet } from './wallet.ts'

/** How long READY waits for what the server has to say of itself. */
const readyMs = 2_000
/** The version of the wire that this frame speaks. */
const wireVersion = '4'

/** Puts the frame together in `window` and opens its door. What draws and what signs is loaded when it is needed. */
export function startFrame(window: Window & typeof globalThis): Door {
  const fetch: typeof globalThis.fetch = (input, init) => window.fetch(input, init)
  const vault = createVaultClient({ fetch })
  const store = createDeviceStore({ indexedDB: () => window.indexedDB, crypto: window.crypto })
  const approvals = createApprovals<Subject>()
  const shared = createShared()
  const clock = createServerClock({ local: Date.now, monotonic: () => window.performance.now() })
  const settings = createSettings(new URL(window.location.href))
  let loading: Promise<Wallet> | undefined
  let loaded: Wallet | undefined
  let custody: VaultConfig['custody'] = 'self'
  let keeping: Promise<GrantStore> | undefined
  let drawing: Promise<unknown> | undefined
  let opening: Promise<Away> | undefined
  // On a page of another site browsers keep nothing for us, or another thing for each site: the keys are in a window there.
  const isAway = !keepsCookies(window)

  const away = (): Promise<Away> => {
    opening ??= Promise.all([import('./away/openAway.ts'), import('./keys/index.ts')]).then(
      ([{ openAway }, { systemEnvironment: systemMachine }]) =>
        // Asked only for a page, which is known by then.
        openAway({ window, vault, environment: systemMachine(), clock, page: door.embedder() ?? '' }),
    )
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }

  const wallet = (): Promise<Wallet> => {
    if (isAway) return away().then((found) => found.wallet)
    loading ??= Promise.all([import('./wallet.ts'), import('./keys/index.ts')]).then(
      ([{ createWallet }, { systemEnvironment: systemMachine }]) =>
        createWallet({
          vault,
          store,
          approvals,
          environment: systemMachine(),
          shared,
          embedder: () => door.embedder(),
          signedIn: (user) => house.session.signedIn(user),
          window,
          passkeys: async () => knowsPasskeys(window) && (await config()).passkeys,
          assisted: async () => custodyOf(await config()) === 'assisted',
          deviceName: browserName(window.navigator.userAgent),
        }),
    )
    loading.then(
      (made) => {
        loaded = made
      },
      () => undefined,
    )
    // A chunk that did not arrive may arrive the next time.
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }

  const grants = (): Promise<GrantStore> => {
    keeping ??= import('./permissions/store.ts').then(({ createGrantStore }) =>
      createGrantStore({ indexedDB: () => window.indexedDB, locks: window.navigator.locks, clock }),
    )
    keeping.catch(() => {
      keeping = undefined
    })
    return keeping
  }

  /** Also of a wallet from times when this was an assisted frame: the shares are still where they were. */
  const operatorCanSign = (): boolean =>
    custody === 'assisted' || (loaded?.opened()?.vault.record.wrappers.some(({ kind }) => kind === 'assisted') ?? false)

  const house: House = {
    vault,
    store,
    approvals,
    shared,
    settings,
    batches: new Map(),
    signIns: new Map(),
    popups: createPopups(() => new window.BroadcastChannel(popupChannel)),
    config: () => config(),
    grants,
    rpc: createRpc({ fetch }),
    visitor: async () => {
      const { identify } = await config()
      return identify === undefined ? undefined : identified(identify)
    },
    wallet,
    session: isAway
      ? sessionBy(away)
      : createSession({ vault, clock, left: () => void loading?.then((found) => found.lock()) }),
    away: isAway ? away : undefined,
    // After the answer is on its way.
    reload: () => window.setTimeout(() => window.location.reload(), 0),
  }

  // Whatever comes of it: without it the screens speak English.
  const speaking = (): Promise<unknown> =>
    import('./screens/speech.ts')
      .then(({ speak }) =>
        speak(window.document, {
          page: new URL(window.location.href).searchParams.get('lang'),
          visitor: window.navigator.languages,
        }),
      )
      .catch(() => undefined)

  approvals.subscribe(() => {
    if (!approvals.current() || drawing) return
    drawing = Promise.all([import('./screens/mount.tsx'), speaking()]).then(([{ mountScreens }]) =>
      mountScreens(window, { approvals, settings, operatorCanSign, approvalWindows: window }),
    )
    drawing.catch(() => {
      // Nothing can be shown, so nothing can be approved.
      drawing = undefined
      approvals.abort()
    })
  })

  // A chunk of its own, for the few who switch it on. Its failures are the operator's to know, not the visitor's to wait for.
  const identified = (origin: string): Promise<string | undefined> =>
    import('./visitor.ts')
      .then(({ askVisitor, tellFailure }) => askVisitor({ window, origin, failed: tellFailure(vault) }))
      .catch(() => undefined)

  let asking: Promise<VaultConfig> | undefined
  const config = (): Promise<VaultConfig> => {
    asking ??= vault(getVaultConfig).then((said) => {
      custody = custodyOf(said)
      // What pages may do without asking, a window would have to be opened for.
      return isAway ? { ...said, smartSessions: false } : said
    })
    asking.catch(() => {
      asking = undefined
    })
    return asking
  }

  // A database of a frame on another site would look like a place for keys.
  const recall = async (page: string): Promise<string | undefined> =>
    isAway ? (await away()).choices.get() : store.recall(page)
  const remember = async (page: string, choices: string): Promise<void> =>
    isAway ? (await away()).choices.set(choices) : store.remember(page, choices)
  let resuming: Promise<unknown> | undefined
  const door = openDoor({
    window,
    now: () => window.performance.now(),
    async answer(question, asker) {
      const { origins } = await config()
      // A policy's `*` in `frame-ancestors` is wider than the operator's pattern; and no list is no page, but of this machine.
      if (!originAllowed(asker.origin, origins.length > 0 ? origins : ['none.invalid']))
        throw new Refusal('This page may not use the wallet')
      if (isAway && onlyHere.test(question.name)) throw new Refusal((await import('./away/openAway.ts')).inWindow)
      const page = `page:${asker.origin}`
      resuming ??= recall(page).then((choices) => choices !== undefined && settings.resume(choices))
      await resuming
      const before = settings.choices()
      try {
        return await answerTo(house, question, asker)
      } finally {
        const choices = settings.choices()
        if (choices !== before) void remember(page, choices)
      }
    },
  })
  // On a page of another site, CONNECT_WINDOW is the one log-in.
  const ready = { version: wireVersion, capabilities: ['port', ...(isAway ? ['window'] : [])] }
  // A server that hangs keeps no page waiting: each question finds out for itself.
  const hangs = new Promise<never>((_, reject) => window.setTimeout(reject, readyMs))
  Promise.race([config(), hangs]).then(
    ({ passkeys, ...said }) =>
      door.sayReady({
        ...ready,
        custody: custodyOf(said),
        socials: [...said.social, ...(said.farcaster ? ['farcaster'] : [])],
        capabilities: [
          ...ready.capabilities,
          'wallet',
          ...(!isAway && passkeys && knowsPasskeys(window) ? ['passkey'] : []),
        ],
      }),
    // What the server had to say each question will find out.
    () => door.sayReady(ready),
  )
  return door
}

/** Log-ins, and changes of the address, that a frame on a page of another site does not do: before anything is mailed. */
const onlyHere =
  /^(CONNECT_(EMAIL|OTP|DEVICE|PASSKEY|SOCIAL|FARCASTER)|GET_(SOCIAL_REDIRECT|FARCASTER)_URI|UPDATE_EMAIL.*)$/

/** The session of a frame on a page of another site, loaded when it is first asked for. */
function sessionBy(away: () => Promise<Away>): Session {
  return {
    me: async () => (await away()).session.me(),
    signOut: async () => (await away()).session.signOut(),
    userName: () => undefined,
    cameBy: () => undefined,
    signedIn() {},
  }
}

/** Assisted only where server and frame are both made for it: neither of them alone can make the operator a key. */
function custodyOf({ custody }: Pick<VaultConfig, 'custody'>): VaultConfig['custody'] {
  return import.meta.env.CUSTODY === 'assisted' ? custody : 'self'
}

function answerTo(house: House, { name, id, payload }: ReadRequest, asker: Asker): Promise<unknown> {
  // The table pairs each name with its payload; TypeScript cannot follow that through a union.
  const method = methods[name] as Method<MethodName>
  return method(house, payload as never, { ...asker, id })
}
