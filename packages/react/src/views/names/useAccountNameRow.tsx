import { moreIcons, Row } from '@latchkey/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useNameTranslations } from './useNameTranslations.ts'

/**
 * Returns the settings row for the account name, or `null` if `enabled` is false, the active network is not an EVM network, or
 * the server offers no account names.
 */
export function useAccountNameRow({ enabled }: { readonly enabled: boolean }): ReactNode {
  const latchkey = useLatchkey()
  const text = useNameTranslations()
  const isEvm = useStore((state) => state.networks.namespace === 'eip155')
  const name = useStore((state) => state.account.identity.value?.name)
  const [zone, setZone] = useState<string>()
  useEffect(() => {
    let unmounted = false
    latchkey
      .directory()
      .then((directory) => directory?.namesZone())
      .then(
        (found) => {
          if (!unmounted) setZone(found)
        },
        () => undefined,
      )
    return () => {
      unmounted = true
    }
  }, [latchkey])
  if (!enabled || !isEvm || zone === undefined) return null
  const own = name?.endsWith(`.${zone}`) ? name : undefined
  return (
    <Row
      icon={moreIcons.key}
      detail={own === undefined ? text('names.setting.none') : <bdi dir="ltr">{own}</bdi>}
      trailing={own === undefined ? 'chevron' : undefined}
      onClick={own === undefined ? () => latchkey.modal.push('ChooseAccountName') : undefined}
    >
      {text('names.setting')}
    </Row>
  )
}
