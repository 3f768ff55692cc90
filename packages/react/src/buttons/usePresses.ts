import { route } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol/caip'
import { useMemo } from 'react'
import { useModalDoor } from '../door.ts'
import { useLatchkey } from '../hooks/useLatchkey.ts'

/** What the buttons do when pressed. */
export interface Presses {
  readonly connect: () => void
  readonly account: () => void
  readonly network: () => void
}

/** The presses, for one namespace or for all. */
export function usePresses(namespace?: Namespace): Presses {
  const latchkey = useLatchkey()
  const door = useModalDoor()
  return useMemo(() => {
    const open = (view?: Parameters<typeof latchkey.modal.open>[0], by: 'main' | 'network' = 'main'): void => {
      latchkey.modal.open({ ...view, ...(namespace ? { namespace } : {}) })
      void door.enter(latchkey, by)
    }
    const lost = (): boolean => {
      const { chain } = latchkey.account(namespace)
      return chain !== undefined && !latchkey.supports(chain) && latchkey.options.allowUnsupportedNetwork !== true
    }
    return {
      connect: () => open(),
      account: () => open({ view: route(lost() ? 'UnsupportedChain' : 'Account') }),
      network: () => open({ view: route(lost() ? 'UnsupportedChain' : 'Networks') }, 'network'),
    }
  }, [latchkey, door, namespace])
}
