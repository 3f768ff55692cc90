import type { Send, SendState } from '@latchkey/core'
import { Address, Avatar, Group, IconButton, LiveRegion, moreIcons, Row, Spinner, TextField } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { TextButton } from '../tokens/AmountField.tsx'
import { useLazyModule } from '../useLazyModule.ts'
import type { SendNotices } from './useSendNotices.ts'
import type { SendTranslator } from './useSendTranslations.ts'

const loadScanner = () => import('./ScanRecipient.tsx')

/** Renders the field for the recipient, with the lookup's result, its errors and the recent recipients. */
export function SendRecipientField({
  send,
  state: { recipient, recent, chain },
  notices,
  network,
  text,
}: {
  readonly send: Send
  readonly state: SendState
  readonly notices: SendNotices | undefined
  readonly network: string
  readonly text: SendTranslator
}): ReactNode {
  const [isScanning, setScanning] = useState(false)
  const scanner = useLazyModule(loadScanner, isScanning)
  const [hasPasteFailed, setPasteFailed] = useState(false)
  const { status, address, name } = recipient
  // At most eight addresses, without duplicates: `recent` lists an address once per chain.
  const latest = recent
    .filter(({ address }, at) => recent.findIndex((other) => other.address === address) === at)
    .slice(0, 8)
  const enter = (value: string): void => {
    setPasteFailed(false)
    send.setRecipient(value.trim())
  }
  // Access to the clipboard can be denied.
  const paste = (): Promise<void> =>
    Promise.resolve()
      .then(() => navigator.clipboard.readText())
      .then(enter, () => setPasteFailed(true))
  if (isScanning && scanner.value)
    return (
      <scanner.value.ScanRecipient
        label={text('send.scan')}
        chain={chain}
        network={network}
        onEnd={(found) => {
          setScanning(false)
          if (found !== undefined) enter(found)
        }}
      />
    )
  return (
    <>
      <TextField
        label={text('send.to')}
        dir="ltr"
        placeholder={text(chain?.startsWith('solana:') ? 'send.to.address' : 'send.to.hint')}
        value={recipient.text}
        maxLength={300}
        autoCorrect="off"
        enterKeyHint="done"
        error={notices?.recipientError(recipient, network)}
        hint={
          hasPasteFailed && notices ? <notices.PasteFailed /> : scanner.failed ? text('modal.loadFailed') : undefined
        }
        trailing={
          <span className="send-actions">
            {(status === 'checking' || (isScanning && !scanner.failed)) && <Spinner />}
            {recipient.text === '' ? (
              <>
                <TextButton onClick={() => void paste()}>{text('send.paste')}</TextButton>
                {canScan() && (
                  <IconButton
                    icon={moreIcons.qr}
                    label={text('send.scan')}
                    onClick={() => {
                      setScanning(true)
                      scanner.retry()
                    }}
                  />
                )}
              </>
            ) : (
              <IconButton icon="close" label={text('send.clear')} onClick={() => enter('')} />
            )}
          </span>
        }
        onChange={(event) => enter(event.currentTarget.value)}
      />
      <LiveRegion>
        {status === 'checking' ? text('send.step.checking-address') : status === 'ready' ? (name ?? address) : ''}
      </LiveRegion>
      {notices && <notices.RecipientNotice send={send} status={status} />}
      {status === 'ready' && address !== undefined && (
        <div className="send-card send-party">
          <Avatar address={address} src={recipient.image} size={24} />
          <span className="send-address">
            {name !== undefined && <bdi>{name}</bdi>}
            <Address address={address} whole />
          </span>
        </div>
      )}
      {status === 'empty' && recent.length > 0 && (
        <Group
          label={text('send.recent')}
          aside={<TextButton onClick={send.clearRecent}>{text('send.recent.clear')}</TextButton>}
        >
          {latest.map((item) => (
            <Row
              key={item.address}
              icon={<Avatar address={item.address} />}
              detail={item.name !== undefined && <Address address={item.address} />}
              onClick={() => enter(item.address)}
            >
              {item.name === undefined ? <Address address={item.address} /> : <bdi>{item.name}</bdi>}
            </Row>
          ))}
        </Group>
      )}
    </>
  )
}

/** Whether the page can use a camera and the device is a phone or tablet. */
function canScan(): boolean {
  return navigator.mediaDevices !== undefined && matchMedia('(pointer: coarse)').matches
}
