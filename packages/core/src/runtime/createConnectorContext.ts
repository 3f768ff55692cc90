import type { Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { sdkType } from '@latchkey/protocol/specificationConstants'
import type { ConnectorContext, LoginRecords, Network } from '../adapter.ts'
import type { State } from '../latchkeyTypes.ts'
import { colorSchemeAt, watchColorScheme } from '../lib/colorScheme.ts'
import { colorSchemeSource } from '../lib/colorSchemeSource.ts'
import type { Log } from '../lib/log.ts'
import type { ReadableStore } from '../lib/store.ts'
import { embeddedAccountType } from '../login/embeddedAccountType.ts'
import type { LatchkeyOptions } from '../options.ts'
import { version } from '../version.ts'

/** Creates the context that an instance passes to its multichain connectors. */
export function createConnectorContext(dependencies: {
  readonly options: LatchkeyOptions
  readonly state: ReadableStore<State>
  readonly clock: Clock
  readonly fetch: typeof fetch
  readonly log: Log
  readonly records: LoginRecords
  network(namespace?: Namespace): Network | undefined
  report: ConnectorContext['report']
  waiting: ConnectorContext['waiting']
  socials: ConnectorContext['socials']
  signInOnLogin: ConnectorContext['signInOnLogin']
  showApproval: ConnectorContext['showApproval']
}): ConnectorContext {
  const { options, state, clock, log, records } = dependencies
  return {
    clock,
    fetch: dependencies.fetch,
    log,
    records,
    network: dependencies.network,
    report: dependencies.report,
    waiting: dependencies.waiting,
    socials: dependencies.socials,
    signInOnLogin: dependencies.signInOnLogin,
    showApproval: dependencies.showApproval,
    dapp: () => ({
      metadata: pageMetadata(options),
      sdkVersion: `react-${version}`,
      sdkType,
      projectId: options.projectId ?? '',
    }),
    theme() {
      const { mode, variables } = state.get().theme
      const themeMode =
        mode === 'system' ? (typeof document === 'undefined' ? 'light' : colorSchemeAt(colorSchemeSource())) : mode
      const { accent } = variables
      return {
        themeMode,
        themeVariables: { ...variables },
        w3mThemeVariables: {
          ...(accent !== undefined && { '--w3m-accent': accent }),
          '--w3m-background': themeMode === 'dark' ? '#202020' : '#fff',
        },
      }
    },
    onTheme(listener) {
      let last = state.get().theme
      const stop = state.subscribe(() => {
        const { theme } = state.get()
        if (theme === last) return
        last = theme
        listener()
      })
      if (typeof document === 'undefined') return stop
      let scheme = colorSchemeAt(colorSchemeSource())
      const unwatch = watchColorScheme(() => {
        const now = colorSchemeAt(colorSchemeSource())
        if (now === scheme) return
        scheme = now
        if (last.mode === 'system') listener()
      }, colorSchemeSource())
      return () => {
        stop()
        unwatch()
      }
    },
    accountType: (namespace) => embeddedAccountType(namespace, { options, records }),
  }
}

/** Returns the host's metadata. Missing values are read from the page. */
function pageMetadata({ app }: LatchkeyOptions) {
  const page = typeof document === 'undefined' ? undefined : document
  const attribute = (selector: string, name: string) => page?.querySelector(selector)?.getAttribute(name) ?? undefined
  const icon = attribute('link[rel~="icon"]', 'href')
  return {
    name: app?.name ?? page?.title ?? '',
    description: app?.description ?? attribute('meta[name="description"]', 'content') ?? '',
    url: app?.url ?? (typeof location === 'undefined' ? '' : location.origin),
    icons: [
      ...(app?.icons ?? (icon && page && URL.canParse(icon, page.baseURI) ? [new URL(icon, page.baseURI).href] : [])),
    ],
  }
}
