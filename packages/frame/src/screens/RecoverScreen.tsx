import { Address, Button, Group, moreIcons, Notice, Row, Stack, Text, TextField } from '@latchkey/ui'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { RecoveryOptions } from '../approvals/approvalViewModel.ts'
import { t } from '../texts/translations.ts'
import { Facts, Origin, Sheet } from './approvalScreenParts.tsx'
import { RequestDeviceApproval } from './RequestDeviceApproval.tsx'
import { recoveryCodeErrorText } from './recoveryCodeErrorText.ts'

/**
 * Asks for another key if this device has none for the vault. Never creates a new wallet, because that wallet would have a
 * different address.
 */
export function RecoverScreen({
  recovering,
  doing,
  onYes,
  onNo,
}: {
  readonly recovering: RecoveryOptions
  readonly doing: boolean
  readonly onYes: (vault: unknown) => void
  readonly onNo: () => void
}): ReactNode {
  const { origin, email, address, kinds, because, openWithPasskey, openWithDevice } = recovering
  const [asking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  // A recovery code error is shown below the code field, and a passkey error above the options.
  const [error, setError] = useState<{ readonly of: 'kit' | 'passkey'; readonly sentence: string }>()
  const [trying, setTrying] = useState(false)
  const reasons = {
    'new-device': 'recoverNew',
    removed: 'recoverRemoved',
    'no-storage': 'recoverNoStorage',
    lost: 'recoverLost',
  } as const
  const attempt = (
    of: 'kit' | 'passkey',
    opening: Promise<unknown>,
    sentenceFor: (failed: unknown) => string,
  ): void => {
    setTrying(true)
    setError(undefined)
    opening
      .then(onYes, (failed: unknown) => setError({ of, sentence: sentenceFor(failed) }))
      .finally(() => setTrying(false))
  }
  const open = (event: FormEvent): void => {
    event.preventDefault()
    attempt('kit', recovering.openWithKit(typed), recoveryCodeErrorText)
  }
  if (asking) return <RequestDeviceApproval open={openWithDevice} onOpened={onYes} onBack={() => setAsking(false)} />
  return (
    <Sheet
      title={t('recoverTitle')}
      footer={
        <Button wide onClick={onNo} disabled={doing}>
          {t('cancel')}
        </Button>
      }
    >
      {origin !== undefined && <Origin origin={origin} wants="recoverAsks" behind={0} />}
      <Text>{t(reasons[because])}</Text>
      <Facts
        facts={[
          email === null ? undefined : { name: t('email'), value: email },
          { name: t('account'), value: <Address address={address} /> },
        ]}
      />
      {error?.of === 'passkey' && <Notice kind="error">{error.sentence}</Notice>}
      <Group name={t('recoverTitle')}>
        {openWithPasskey && (
          <Row
            icon={moreIcons.shield}
            detail={t('recoverPasskeyText')}
            trailing="chevron"
            busy={trying || doing}
            onClick={() => attempt('passkey', openWithPasskey(), () => t('recoverPasskeyFailed'))}
          >
            {t('recoverPasskey')}
          </Row>
        )}
        <Row
          icon={moreIcons.phone}
          detail={t('recoverDeviceText')}
          trailing="chevron"
          disabled={trying || doing}
          onClick={() => setAsking(true)}
        >
          {t('recoverDevice')}
        </Row>
      </Group>
      {kinds.includes('kit') ? (
        <form onSubmit={open} autoComplete="off">
          <Stack>
            <TextField
              label={t('recoverKit')}
              hint={t('recoverKitHint')}
              error={error?.of === 'kit' ? error.sentence : undefined}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoCapitalize="characters"
              maxLength={120}
            />
            <Button type="submit" kind="primary" wide busy={trying || doing}>
              {t('recoverOpen')}
            </Button>
          </Stack>
        </form>
      ) : (
        !openWithPasskey && <Text tone="soft">{t('recoverNoKit')}</Text>
      )}
    </Sheet>
  )
}
