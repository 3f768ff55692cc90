import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { BaseButton } from './buttons/BaseButton.tsx'
import { useLatchkey } from './hooks/useLatchkey.ts'
import { useStore } from './hooks/useStore.ts'
import { useModalLoader } from './ModalLoaderContext.ts'
import { whenIdle } from './whenIdle.ts'

const noChunk = (): undefined => undefined

/** Renders the modal once its chunk has loaded. The chunk loads when the page is idle, or earlier if the modal is displayed. */
export function LazyModal({ inline }: { readonly inline?: boolean }): ReactNode {
  const latchkey = useLatchkey()
  const loader = useModalLoader()
  const open = useStore((state) => state.modal.open)
  const visible = open || inline === true
  const chunk = useSyncExternalStore(loader.chunk.subscribe, loader.chunk.get, noChunk)
  // Only a failed inline panel is displayed here, so other changes of the load state do not re-render the modal.
  const failed = useSyncExternalStore(loader.subscribe, () => inline && loader.state()?.failed, noChunk)

  useEffect(() => {
    if (!visible) return whenIdle(() => loader.prefetch())
    void loader.load(latchkey).then((loaded) => {
      // The modal cannot be rendered, so it must not block the page. The buttons show the failure and retry on the next click.
      if (!loaded) latchkey.modal.close({ force: true })
    })
    return undefined
  }, [visible, loader, latchkey])

  // An inline panel has no button that can show the failure, so the failure is shown in place of the panel.
  if (failed)
    return (
      <BaseButton kind="connect" status="failed" busy={false} onPress={() => void loader.load(latchkey)}>
        {null}
      </BaseButton>
    )
  return chunk ? <chunk.Modal views={chunk.views} legal={chunk.legal} {...(inline ? { inline } : {})} /> : null
}
