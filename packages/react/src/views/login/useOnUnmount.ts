import { useEffect, useRef } from 'react'

/** Calls the latest `onUnmount` after the component unmounts. Ignores the extra unmount in React Strict Mode. */
export function useOnUnmount(onUnmount: () => void): void {
  const latest = useRef(onUnmount)
  const isMounted = useRef(false)
  useEffect(() => {
    latest.current = onUnmount
  })
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
      queueMicrotask(() => {
        if (!isMounted.current) latest.current()
      })
    }
  }, [])
}
