import { useEffect, useRef } from 'react'

/** Runs the newest `leave` once the view is gone. React's strict mode, which mounts twice, is not a leaving. */
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
