/** Whether releasing the sheet dismisses it, based on the distance and speed of the drag. */
export function shouldDismiss(moved: {
  readonly by: number
  readonly height: number
  readonly speed: number
}): boolean {
  if (moved.speed < -0.2) return false
  return moved.by > moved.height * 0.3 || (moved.speed > 0.5 && moved.by > 24)
}

/** Returns the sheet's offset for a drag of `by` px. The sheet follows a downward drag exactly and damps an upward drag. */
export function dragOffset(by: number): number {
  return by >= 0 ? by : -Math.sqrt(-by)
}

/**
 * Lets users drag `card` down by its top strip on phones. A long or fast drag calls `dismiss`. If `dismiss` returns false, the
 * card springs back. Returns a function that removes the listeners.
 */
export function enableSwipeToDismiss(card: HTMLElement, dismiss: () => boolean): () => void {
  let start: { id: number; y: number } | undefined
  let last = { y: 0, at: 0, speed: 0 }
  const phone = window.matchMedia('(max-width: 430px)')

  const down = (event: PointerEvent): void => {
    const target = event.composedPath()[0]
    const inStrip = event.clientY - card.getBoundingClientRect().top < 60
    if (!phone.matches || !event.isPrimary || event.button !== 0 || !inStrip) return
    if (target instanceof Element && target.closest('button, a, input')) return
    start = { id: event.pointerId, y: event.clientY }
    last = { y: event.clientY, at: event.timeStamp, speed: 0 }
    card.setPointerCapture(event.pointerId)
    card.dataset.dragging = ''
  }
  const move = (event: PointerEvent): void => {
    if (event.pointerId !== start?.id) return
    const span = Math.max(1, event.timeStamp - last.at)
    last = { y: event.clientY, at: event.timeStamp, speed: (event.clientY - last.y) / span }
    card.style.transform = `translateY(${dragOffset(event.clientY - start.y)}px)`
  }
  const up = (event: PointerEvent): void => {
    if (event.pointerId !== start?.id) return
    const by = event.clientY - start.y
    start = undefined
    delete card.dataset.dragging
    const isDismissed =
      event.type === 'pointerup' && shouldDismiss({ by, height: card.offsetHeight, speed: last.speed })
    if (!isDismissed || !dismiss()) springBack(card)
  }
  const cleanups = (
    [
      ['pointerdown', down],
      ['pointermove', move],
      ['pointerup', up],
      ['pointercancel', up],
    ] as const
  ).map(([name, listener]) => {
    card.addEventListener(name, listener)
    return () => card.removeEventListener(name, listener)
  })
  return () => {
    for (const stop of cleanups) stop()
    card.style.transform = ''
  }
}

// Animates the card from where it was released back to its original position.
function springBack(card: HTMLElement): void {
  const from = card.style.transform
  card.style.transform = ''
  if (from)
    card.animate([{ transform: from }, { transform: 'none' }], { duration: 260, easing: 'cubic-bezier(.2,.8,.2,1)' })
}
