import type { VaultMe } from '@latchkey/protocol/http/vault'
import { Button, Notice, Skeleton, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { tellDone } from '../elsewhere.ts'
import { openingScreen } from '../screens/openingScreen.tsx'
import { ProtectScreen } from '../screens/ProtectScreen.tsx'
import { Sheet } from '../screens/parts.tsx'
import { say } from '../screens/words.ts'
import type { OpenWallet } from '../wallet.ts'
import { AuditView } from './AuditView.tsx'
import type { Arrival } from './arrival.ts'
import type { Desk } from './desk.ts'
import { ExportView } from './ExportView.tsx'
import { Home } from './Home.tsx'
import { isStale } from './isStale.ts'
import { KeyView } from './KeyView.tsx'
import { LeaveEverywhere } from './LeaveEverywhere.tsx'
import { Prove } from './Prove.tsx'
import type { Inside, View } from './pageContext.ts'
import { pageSentence } from './pageSentence.ts'
import { RequestView } from './RequestView.tsx'
import { SignIn } from './SignIn.tsx'

type Now =
  | { readonly at: 'looking' }
  | { readonly at: 'failed'; readonly because: string; readonly me: VaultMe | undefined }
  | { readonly at: 'out'; readonly note?: string | undefined }
  | { readonly at: 'done' }
  | ({ readonly at: 'in'; readonly view: View } & Pick<Inside, 'me' | 'opened'>)

/** The page on which owners look after their wallet. `asked` is what it was opened for: a request's id, `new` or `passkey`. */
export function Page({
  desk,
  asked,
  arrival,
  window,
}: {
  readonly desk: Desk
  readonly asked: string
  /** How this page came to be in front of somebody. */
  readonly arrival: Arrival
  readonly window: Window & typeof globalThis
}): ReactNode {
  const pending = useSyncExternalStore(desk.approvals.subscribe, desk.approvals.current)
  const [now, setNow] = useState<Now>({ at: 'looking' })

  const finish = useCallback(
    (intent: 'new' | 'passkey') => {
      tellDone(window, intent)
      setNow({ at: 'done' })
      // Only a window that a page opened closes; any other says that it may be closed.
      window.close()
    },
    [window],
  )

  const enter = useCallback(async (): Promise<void> => {
    setNow({ at: 'looking' })
    let me: VaultMe | undefined
    try {
      me = await desk.me()
      if (!me && asked === 'new') {
        await desk.enter()
        finish('new')
        return
      }
      if (!me) {
        setNow({ at: 'out' })
        return
      }
      const opened = await desk.open(me)
      if (asked === 'new') {
        finish('new')
        return
      }
      const view = await firstView(desk, asked)
      setNow({ at: 'in', me: (await desk.me()) ?? me, opened, view })
    } catch (error) {
      setNow({ at: 'failed', because: pageSentence(error), me })
    }
  }, [desk, asked, finish])

  useEffect(() => {
    void enter()
  }, [enter])

  if (pending) {
    const { key, subject, state } = pending
    return (
      <div key={key}>
        {openingScreen(subject, {
          doing: state === 'doing',
          onYes: (choice) => desk.approvals.approve(key, choice),
          onNo: () => desk.approvals.cancel(key),
        })}
      </div>
    )
  }
  switch (now.at) {
    case 'looking':
      return <Looking />
    case 'done':
      return (
        <Sheet title={say('pageTitle')} footer={null}>
          <Notice kind="success">{say('pageDone')}</Notice>
        </Sheet>
      )
    case 'out':
      return <SignIn desk={desk} note={now.note} onIn={() => void enter()} />
    case 'failed':
      return (
        <Sheet title={say('pageTitle')} footer={null}>
          <Notice kind="error" action={{ label: say('retry'), onClick: () => void enter() }}>
            {now.because}
          </Notice>
          {now.me && (
            <Button
              wide
              onClick={() => {
                void desk.signOut().finally(() => setNow({ at: 'out' }))
              }}
            >
              {say('pageSignOut')}
            </Button>
          )}
        </Sheet>
      )
    case 'in':
      return (
        <Views
          now={now}
          desk={desk}
          arrival={arrival}
          go={(view, changed) => setNow({ ...now, ...changed, view })}
          onOut={(note) => setNow({ at: 'out', note })}
          onPasskey={asked === 'passkey' ? () => finish('passkey') : undefined}
        />
      )
  }
}

function Views({
  now,
  desk,
  arrival,
  go,
  onOut,
  onPasskey,
}: {
  readonly now: Now & { readonly at: 'in' }
  readonly desk: Desk
  readonly arrival: Arrival
  readonly go: (view: View, changed?: { readonly opened: OpenWallet }) => void
  readonly onOut: (note?: string) => void
  /** Called once a passkey was made, where the page was opened for one. */
  readonly onPasskey: (() => void) | undefined
}): ReactNode {
  const { view, me, opened } = now
  const inside: Inside = { desk, me, opened }
  const home = (note?: string): void => go({ name: 'home', note })
  switch (view.name) {
    case 'home':
      return <Home {...inside} note={view.note} go={go} onOut={onOut} />
    case 'key':
      return (
        <KeyView
          {...inside}
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
      return <LeaveEverywhere desk={desk} arrival={arrival} onBack={() => home()} onOut={onOut} />
    case 'audit':
      return <AuditView desk={desk} onBack={() => home()} />
    case 'export':
      return <ExportView {...inside} onBack={() => home()} />
    case 'request':
      return (
        <RequestView
          {...inside}
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
        <Prove
          {...inside}
          text={view.text ?? 'proveText'}
          prove={async (proof) => go(view.next, { opened: await desk.prove(me, proof) })}
          onBack={() => home()}
        />
      )
    case 'proveFor':
      return (
        <Prove
          {...inside}
          text="requestProve"
          heldUntil={view.transfer.heldUntil}
          prove={async (proof) => {
            const approving = await desk.approving(me, proof, view.transfer)
            go({ name: 'request', transfer: view.transfer, approving }, { opened: approving.opened })
          }}
          onBack={() => home()}
        />
      )
    case 'protect':
      return (
        <ProtectScreen
          protecting={guarded(inside, () => go({ name: 'prove', next: view }))}
          onDone={() => {
            if (onPasskey && opened.vault.record.wrappers.some(({ kind }) => kind === 'passkey')) onPasskey()
            else home()
          }}
        />
      )
  }
}

/** Adding keys, as the page does it: after another device's change, and after proving anew who is here. */
function guarded({ desk, opened }: Inside, prove: () => void): OpenWallet['protecting'] {
  const { makeKit, addPasskey } = opened.protecting
  const unlessStale = async <Result,>(act: () => Promise<Result>): Promise<Result> => {
    try {
      return await desk.changing(opened, act)
    } catch (error) {
      if (isStale(error)) prove()
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

async function firstView(desk: Desk, asked: string): Promise<View> {
  if (asked === 'passkey') return { name: 'protect' }
  if (asked === '') return { name: 'home' }
  const transfer = (await desk.requests()).find(({ id }) => id === asked)
  return transfer ? { name: 'request', transfer } : { name: 'home', note: say('requestGone') }
}

function Looking(): ReactNode {
  return (
    <Sheet title={say('pageTitle')} footer={null}>
      <Stack gap={8}>
        <Skeleton kind="row" />
        <Skeleton kind="row" />
        <Skeleton kind="row" />
      </Stack>
      <div role="status">
        <Text tone="soft">{say('waiting')}</Text>
      </div>
    </Sheet>
  )
}
