import type { Method } from '../house.ts'
import { Refusal } from '../refusal.ts'

/** Logs in, in a window of this origin: where the page is of another site, the browser keeps nothing for us in the frame. */
export const connectWindow: Method<'CONNECT_WINDOW'> = async (house, says, asker) => {
  if (!house.away) throw new Refusal('This page needs no window to log in')
  return (await house.away()).connect(house, says, asker)
}
