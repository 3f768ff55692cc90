import { useEffect, useRef } from 'react'

/** Runs the newest `leave` once the view is gone. React's strict mode, which mounts twice, is not a leaving. */
export function useLeaving(leave: () => void): void {
  const newest = useRef(leave)
  const here = useRef(false)
  useEffect(() => {
    newest.current = leave
  })
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
      queueMicrotask(() => {
        if (!here.current) newest.current()
      })
    }
  }, [])
}
