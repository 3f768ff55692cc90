import type { StorageRecords } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol/caip'
import { defaultAccountTypes } from '@latchkey/protocol/constants'
import type { WireAccountType } from '@latchkey/protocol/frame/messages'
import { Button, Group, Hidden, Live, Notice, Row, Screen, Text, useCss } from '@latchkey/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useKeyText } from '../../i18n/useKeyText.ts'
import { useLoginText } from '../../i18n/useLoginText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { useSignInRow } from '../signIn/useSignInRow.tsx'
import { useDisconnecting } from '../useDisconnecting.tsx'
import css from './login.css?inline'
import { useEmbedded } from './useEmbedded.ts'
import { useLogin } from './useLogin.ts'

const kinds: readonly WireAccountType[] = ['eoa', 'smartAccount']

/** What belongs to the account itself: its address for mail, its kind, and leaving. */
export function AccountSettings(_: ViewProps<'AccountSettings'>): ReactNode {
  useCss(css)
  const latchkey = useLatchkey()
  const text = useLoginText()
  const keyText = useKeyText()
  const { address } = useAccount()
  const embedded = useEmbedded()
  const { login } = useLogin()
  const records = useRecords()
  const leaving = useDisconnecting()
  const signIn = useSignInRow()
  if (address === undefined)
    return (
      <Screen title={text('settings.title')} align="center">
        <Text kind="row">{text('account.none.title')}</Text>
        <Text tone="soft">{text('account.none.body')}</Text>
        <Button kind="primary" wide onClick={() => latchkey.modal.reset('Connect')}>
          {text('connect.title')}
        </Button>
      </Screen>
    )
  const email = embedded ? login?.currentEmail() : undefined
  // A provider's address is the provider's to change.
  const changeable = records !== undefined && records.connectedSocial.get() === undefined
  return (
    <Screen title={text('settings.title')}>
      {leaving.notice}
      {signIn.notice}
      {embedded && login?.smartAccountsHere() && records && <Kinds records={records} />}
      <Group name={text('settings.title')}>
        {email !== undefined && (
          <Row
            icon="mail"
            detail={
              <bdi className="mail" dir="ltr" title={email}>
                {email}
              </bdi>
            }
            trailing={changeable ? 'chevron' : undefined}
            onClick={
              changeable
                ? () => latchkey.modal.push('UpdateEmailWallet', { email, redirectView: 'AccountSettings' })
                : undefined
            }
          >
            {text('settings.email')}
          </Row>
        )}
        {embedded && latchkey.options.features?.smartSessions && (
          <Row icon="key" trailing="chevron" onClick={() => latchkey.modal.push('SmartSessionList')}>
            {text('settings.sessions')}
          </Row>
        )}
        {embedded && login?.walletPage() !== undefined && (
          <Row icon="shield" detail={keyText('settings.securityBody')} href={login.walletPage()} trailing="external">
            {keyText('settings.security')} <Hidden>{text('common.newTab')}</Hidden>
          </Row>
        )}
        {signIn.row}
        <Row icon="disconnect" danger busy={leaving.busy} onClick={() => void leaving.disconnect()}>
          {text(leaving.busy ? 'account.disconnecting' : 'account.disconnect')}
        </Row>
      </Group>
    </Screen>
  )
}

/** The kinds of account that this network knows. */
function Kinds({ records }: { readonly records: StorageRecords }): ReactNode {
  const { options } = useLatchkey()
  const text = useLoginText()
  const namespace = useStore((state) => state.networks.namespace)
  const { login } = useLogin()
  const [chosen, setChosen] = useState<WireAccountType>()
  const [asked, setAsked] = useState<WireAccountType>()
  const [failed, setFailed] = useState(false)
  const kind = chosen ?? kindNow(namespace, records, options.defaultAccountTypes)

  const choose = async (type: WireAccountType): Promise<void> => {
    if (!login || asked || type === kind) return
    setAsked(type)
    setFailed(false)
    try {
      const now = await login.setAccountType(type)
      setChosen(now)
      setFailed(now !== type)
    } catch {
      setFailed(true)
    }
    setAsked(undefined)
  }
  return (
    <>
      {failed && <Notice kind="error">{text('settings.kindFailed')}</Notice>}
      <Group label={text('settings.kind')}>
        {kinds.map((type) => (
          <Row
            key={type}
            detail={text(type === 'eoa' ? 'settings.eoaBody' : 'settings.smartBody')}
            current={type === kind}
            busy={type === asked}
            trailing={type === kind ? 'check' : undefined}
            onClick={() => void choose(type)}
          >
            {text(type === 'eoa' ? 'settings.eoa' : 'settings.smart')}
          </Row>
        ))}
      </Group>
      <Live>{asked ? text('settings.changing') : ''}</Live>
    </>
  )
}

function kindNow(
  namespace: Namespace | undefined,
  records: StorageRecords,
  host: Readonly<Partial<Record<Namespace, string>>> = {},
): WireAccountType {
  if (!namespace) return 'eoa'
  const all: Readonly<Partial<Record<Namespace, string>>> = { ...defaultAccountTypes, ...host }
  return (records.accountTypes.get()?.[namespace] ?? all[namespace]) === 'smartAccount' ? 'smartAccount' : 'eoa'
}

function useRecords(): StorageRecords | undefined {
  const latchkey = useLatchkey()
  const [records, setRecords] = useState<StorageRecords>()
  useEffect(() => {
    let left = false
    latchkey.storage().then(
      (found) => {
        if (!left) setRecords(found)
      },
      () => undefined,
    )
    return () => {
      left = true
    }
  }, [latchkey])
  return records
}
