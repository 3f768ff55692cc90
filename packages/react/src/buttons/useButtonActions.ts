import { route } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol/caip'
import { useMemo } from 'react'
import { useLatchkey } from '../hooks/useLatchkey.ts'
import { useModalLoader } from '../ModalLoaderContext.ts'

/** The actions that the buttons trigger. Each opens the modal with the matching view. */
export interface ButtonActions {
  readonly connect: () => void
  readonly account: () => void
  readonly network: () => void
}

/** Returns the button actions for `namespace`, or for all namespaces if it is omitted. */
export function useButtonActions(namespace?: Namespace): ButtonActions {
  const latchkey = useLatchkey()
  const loader = useModalLoader()
  return useMemo(() => {
    const open = (view?: Parameters<typeof latchkey.modal.open>[0], by: 'main' | 'network' = 'main'): void => {
      latchkey.modal.open({ ...view, ...(namespace ? { namespace } : {}) })
      void loader.load(latchkey, by)
    }
    const isUnsupported = (): boolean => {
      const { chain } = latchkey.account(namespace)
      return chain !== undefined && !latchkey.supports(chain) && latchkey.options.allowUnsupportedNetwork !== true
    }
    return {
      connect: () => open(),
      account: () => open({ view: route(isUnsupported() ? 'UnsupportedChain' : 'Account') }),
      network: () => open({ view: route(isUnsupported() ? 'UnsupportedChain' : 'Networks') }, 'network'),
    }
  }, [latchkey, loader, namespace])
}
