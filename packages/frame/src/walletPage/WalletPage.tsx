import type { KeysMe } from '@latchkey/protocol/http/keys'
import { Button, Notice, Skeleton, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { Sheet } from '../screens/approvalScreenParts.tsx'
import { BackupScreen } from '../screens/BackupScreen.tsx'
import { renderUnlockScreen } from '../screens/unlockScreens.tsx'
import { t } from '../texts/translations.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import { notifyOpener } from '../wallet/walletPagePopup.ts'
import { AuditView } from './AuditView.tsx'
import { DeviceRequestView } from './DeviceRequestView.tsx'
import { ExportView } from './ExportView.tsx'
import { Home } from './Home.tsx'
import type { NavigationSource } from './navigationSource.ts'
import type { WalletPageContext, WalletPageView } from './pageContext.ts'
import { pageErrorText } from './pageErrorText.ts'
import { Reauthenticate } from './Reauthenticate.tsx'
import { requiresReauthentication } from './requiresReauthentication.ts'
import { SignIn } from './SignIn.tsx'
import { SignOutEverywhere } from './SignOutEverywhere.tsx'
import { UnlockKeyView } from './UnlockKeyView.tsx'
import type { WalletPageController } from './walletPageController.ts'

type PageState =
  | { readonly at: 'looking' }
  | { readonly at: 'failed'; readonly because: string; readonly me: KeysMe | undefined }
  | { readonly at: 'out'; readonly note?: string | undefined }
  | { readonly at: 'done' }
  | ({ readonly at: 'in'; readonly view: WalletPageView } & Pick<WalletPageContext, 'me' | 'opened'>)

/** Renders the page where owners manage their wallet. `intent` is its purpose: a request ID, `new`, `passkey`, or empty. */
export function WalletPage({
  controller,
  intent,
  arrival,
  window,
}: {
  readonly controller: WalletPageController
  readonly intent: string
  /** How the user reached this page. */
  readonly arrival: NavigationSource
  readonly window: Window & typeof globalThis
}): ReactNode {
  const pending = useSyncExternalStore(controller.approvals.subscribe, controller.approvals.current)
  const [now, setNow] = useState<PageState>({ at: 'looking' })

  const finish = useCallback(
    (intent: 'new' | 'passkey') => {
      notifyOpener(window, intent)
      setNow({ at: 'done' })
      // A script can only close a window that a script opened. In other windows, the page tells the user that the window can be
      // closed.
      window.close()
    },
    [window],
  )

  const enter = useCallback(async (): Promise<void> => {
    setNow({ at: 'looking' })
    let me: KeysMe | undefined
    try {
      me = await controller.me()
      if (!me && intent === 'new') {
        await controller.loginWithPasskey()
        finish('new')
        return
      }
      if (!me) {
        setNow({ at: 'out' })
        return
      }
      const opened = await controller.open(me)
      if (intent === 'new') {
        finish('new')
        return
      }
      const view = await initialView(controller, intent)
      setNow({ at: 'in', me: (await controller.me()) ?? me, opened, view })
    } catch (error) {
      setNow({ at: 'failed', because: pageErrorText(error), me })
    }
  }, [controller, intent, finish])

  useEffect(() => {
    void enter()
  }, [enter])

  if (pending) {
    const { key, subject, state } = pending
    return (
      <div key={key}>
        {renderUnlockScreen(subject, {
          doing: state === 'doing',
          onYes: (choice) => controller.approvals.approve(key, choice),
          onNo: () => controller.approvals.cancel(key),
        })}
      </div>
    )
  }
  switch (now.at) {
    case 'looking':
      return <LoadingPage />
    case 'done':
      return (
        <Sheet title={t('pageTitle')} footer={null}>
          <Notice kind="success">{t('pageDone')}</Notice>
        </Sheet>
      )
    case 'out':
      return <SignIn controller={controller} note={now.note} onIn={() => void enter()} />
    case 'failed':
      return (
        <Sheet title={t('pageTitle')} footer={null}>
          <Notice kind="error" action={{ label: t('retry'), onClick: () => void enter() }}>
            {now.because}
          </Notice>
          {now.me && (
            <Button
              wide
              onClick={() => {
                void controller.signOut().finally(() => setNow({ at: 'out' }))
              }}
            >
              {t('pageSignOut')}
            </Button>
          )}
        </Sheet>
      )
    case 'in':
      return (
        <Views
          now={now}
          controller={controller}
          arrival={arrival}
          go={(view, changed) => setNow({ ...now, ...changed, view })}
          onOut={(note) => setNow({ at: 'out', note })}
          onPasskey={intent === 'passkey' ? () => finish('passkey') : undefined}
        />
      )
  }
}

function Views({
  now,
  controller,
  arrival,
  go,
  onOut,
  onPasskey,
}: {
  readonly now: PageState & { readonly at: 'in' }
  readonly controller: WalletPageController
  readonly arrival: NavigationSource
  readonly go: (view: WalletPageView, changed?: { readonly opened: OpenedWallet }) => void
  readonly onOut: (note?: string) => void
  /** Called after a passkey was created, if the page was opened to create one. */
  readonly onPasskey: (() => void) | undefined
}): ReactNode {
  const { view, me, opened } = now
  const context: WalletPageContext = { controller, me, opened }
  const home = (note?: string): void => go({ name: 'home', note })
  switch (view.name) {
    case 'home':
      return <Home {...context} note={view.note} go={go} onOut={onOut} />
    case 'key':
      return (
        <UnlockKeyView
          {...context}
          row={view.row}
          last={view.last}
          proven={view.proven === true}
          arrival={arrival}
          onProve={() => go({ name: 'prove', text: 'removeProve', next: { ...view, proven: true } })}
          onBack={home}
          onOut={onOut}
        />
      )
    case 'leaveEverywhere':
      return <SignOutEverywhere controller={controller} arrival={arrival} onBack={() => home()} onOut={onOut} />
    case 'audit':
      return <AuditView controller={controller} onBack={() => home()} />
    case 'export':
      return <ExportView {...context} onBack={() => home()} />
    case 'request':
      return (
        <DeviceRequestView
          {...context}
          key={view.transfer.id}
          transfer={view.transfer}
          approving={view.approving}
          arrival={arrival}
          onProve={() => go({ name: 'proveFor', transfer: view.transfer })}
          onBack={home}
        />
      )
    case 'prove':
      return (
        <Reauthenticate
          {...context}
          text={view.text ?? 'proveText'}
          prove={async (proof) => go(view.next, { opened: await controller.reauthenticate(me, proof) })}
          onBack={() => home()}
        />
      )
    case 'proveFor':
      return (
        <Reauthenticate
          {...context}
          text="requestProve"
          heldUntil={view.transfer.heldUntil}
          prove={async (proof) => {
            const approving = await controller.approving(me, proof, view.transfer)
            go({ name: 'request', transfer: view.transfer, approving }, { opened: approving.opened })
          }}
          onBack={() => home()}
        />
      )
    case 'protect':
      return (
        <BackupScreen
          protecting={withReauthentication(context, () => go({ name: 'prove', next: view }))}
          onDone={() => {
            if (onPasskey && opened.vault.record.wrappers.some(({ kind }) => kind === 'passkey')) onPasskey()
            else home()
          }}
        />
      )
  }
}

/**
 * Wraps the actions that add keys. An action is retried if the keys were changed on another device, and reauthenticates the user
 * if the server requires it.
 */
function withReauthentication(
  { controller, opened }: WalletPageContext,
  prove: () => void,
): OpenedWallet['protecting'] {
  const { makeKit, addPasskey } = opened.protecting
  const unlessStale = async <Result,>(act: () => Promise<Result>): Promise<Result> => {
    try {
      return await controller.retryOnConflict(opened, act)
    } catch (error) {
      if (requiresReauthentication(error)) prove()
      throw error
    }
  }
  return {
    async makeKit() {
      const kit = await makeKit()
      return { ...kit, keep: () => unlessStale(() => kit.keep()) }
    },
    addPasskey: addPasskey && (() => unlessStale(addPasskey)),
  }
}

async function initialView(controller: WalletPageController, intent: string): Promise<WalletPageView> {
  if (intent === 'passkey') return { name: 'protect' }
  if (intent === '') return { name: 'home' }
  const transfer = (await controller.requests()).find(({ id }) => id === intent)
  return transfer ? { name: 'request', transfer } : { name: 'home', note: t('requestGone') }
}

function LoadingPage(): ReactNode {
  return (
    <Sheet title={t('pageTitle')} footer={null}>
      <Stack gap={8}>
        <Skeleton kind="row" />
        <Skeleton kind="row" />
        <Skeleton kind="row" />
      </Stack>
      <div role="status">
        <Text tone="soft">{t('waiting')}</Text>
      </div>
    </Sheet>
  )
}
