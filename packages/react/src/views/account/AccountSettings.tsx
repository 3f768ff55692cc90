import type { StorageSchema } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol/caip'
import type { WireAccountType } from '@latchkey/protocol/frame/messages'
import { defaultAccountTypes } from '@latchkey/protocol/specificationConstants'
import {
  Button,
  Group,
  LiveRegion,
  moreIcons,
  Notice,
  Row,
  Screen,
  Text,
  useStyleSheet,
  VisuallyHidden,
} from '@latchkey/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import css from '../login/login.css?inline'
import { useBackupTranslations } from '../login/useBackupTranslations.ts'
import { useIsEmbeddedWallet } from '../login/useIsEmbeddedWallet.ts'
import { useLogin } from '../login/useLogin.ts'
import { useLoginTranslations } from '../login/useLoginTranslations.ts'
import { useAccountNameRow } from '../names/useAccountNameRow.tsx'
import { useSignInSettingsRow } from '../signIn/useSignInSettingsRow.tsx'
import { useDisconnectAction } from '../useDisconnectAction.tsx'
import { viewMessages } from '../viewMessages.ts'
import type { ViewProps } from '../viewProps.ts'

const kinds: readonly WireAccountType[] = ['eoa', 'smartAccount']

/** Renders the account settings, such as the email address and the account type. */
export function AccountSettings(_: ViewProps<'AccountSettings'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useLoginTranslations()
  const keyText = useBackupTranslations()
  const accountText = useTranslations(viewMessages)
  const { address } = useAccount()
  const embedded = useIsEmbeddedWallet()
  const { login } = useLogin()
  const records = useRecords()
  const leaving = useDisconnectAction()
  const signIn = useSignInSettingsRow()
  const nameRow = useAccountNameRow({ enabled: embedded })
  if (address === undefined)
    return (
      <Screen title={text('settings.title')} align="center">
        <Text kind="row">{accountText('account.none.title')}</Text>
        <Text tone="soft">{accountText('account.none.body')}</Text>
        <Button kind="primary" wide onClick={() => latchkey.modal.reset('Connect')}>
          {text('connect.title')}
        </Button>
      </Screen>
    )
  const email = embedded ? login?.currentEmail() : undefined
  // An email address that comes from a social provider cannot be changed.
  const changeable = records !== undefined && records.connectedSocial.get() === undefined
  return (
    <Screen title={text('settings.title')}>
      {leaving.notice}
      {signIn.notice}
      {embedded && login?.smartAccountsHere() && records && <Kinds records={records} />}
      <Group name={text('settings.title')}>
        {email !== undefined && (
          <Row
            icon={moreIcons.mail}
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
        {nameRow}
        {embedded && latchkey.options.features?.smartSessions && (
          <Row icon={moreIcons.key} trailing="chevron" onClick={() => latchkey.modal.push('SmartSessionList')}>
            {text('settings.sessions')}
          </Row>
        )}
        {embedded && login?.walletPage() !== undefined && (
          <Row
            icon={moreIcons.shield}
            detail={keyText('settings.securityBody')}
            href={login.walletPage()}
            trailing="external"
          >
            {keyText('settings.security')} <VisuallyHidden>{text('common.newTab')}</VisuallyHidden>
          </Row>
        )}
        {signIn.row}
        <Row icon={moreIcons.disconnect} danger busy={leaving.busy} onClick={() => void leaving.disconnect()}>
          {accountText(leaving.busy ? 'account.disconnecting' : 'account.disconnect')}
        </Row>
      </Group>
    </Screen>
  )
}

/** Renders a choice between the account types. */
function Kinds({ records }: { readonly records: StorageSchema }): ReactNode {
  const { options } = useLatchkey()
  const text = useLoginTranslations()
  const namespace = useStore((state) => state.networks.namespace)
  const { login } = useLogin()
  const [chosen, setChosen] = useState<WireAccountType>()
  const [pendingType, setPendingType] = useState<WireAccountType>()
  const [failed, setFailed] = useState(false)
  const kind = chosen ?? kindNow(namespace, records, options.defaultAccountTypes)

  const choose = async (type: WireAccountType): Promise<void> => {
    if (!login || pendingType || type === kind) return
    setPendingType(type)
    setFailed(false)
    try {
      const now = await login.setAccountType(type)
      setChosen(now)
      setFailed(now !== type)
    } catch {
      setFailed(true)
    }
    setPendingType(undefined)
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
            busy={type === pendingType}
            trailing={type === kind ? 'check' : undefined}
            onClick={() => void choose(type)}
          >
            {text(type === 'eoa' ? 'settings.eoa' : 'settings.smart')}
          </Row>
        ))}
      </Group>
      <LiveRegion>{pendingType ? text('settings.changing') : ''}</LiveRegion>
    </>
  )
}

function kindNow(
  namespace: Namespace | undefined,
  records: StorageSchema,
  host: Readonly<Partial<Record<Namespace, string>>> = {},
): WireAccountType {
  if (!namespace) return 'eoa'
  const all: Readonly<Partial<Record<Namespace, string>>> = { ...defaultAccountTypes, ...host }
  return (records.accountTypes.get()?.[namespace] ?? all[namespace]) === 'smartAccount' ? 'smartAccount' : 'eoa'
}

function useRecords(): StorageSchema | undefined {
  const latchkey = useLatchkey()
  const [records, setRecords] = useState<StorageSchema>()
  useEffect(() => {
    let unmounted = false
    latchkey.storage().then(
      (opened) => {
        if (!unmounted) setRecords(opened)
      },
      () => undefined,
    )
    return () => {
      unmounted = true
    }
  }, [latchkey])
  return records
}
